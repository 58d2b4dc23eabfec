import { type RuleInput, rule } from "../../resource/rules.ts";
import type { ViewedWidget } from "./queries.ts";

export const storeWidget = rule(
  () => [],
  ({ before }: RuleInput<ViewedWidget>) => {
    const unseen = {
      isFavorited: false,
      thumbnailKey: null,
      compressedThumbnailKey: null,
      sourceWidgetId: null,
      pictureBytes: 0,
    };
    return before ? {} : { values: unseen };
  },
);
