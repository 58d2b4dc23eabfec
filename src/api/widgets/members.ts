import { z } from "@hono/zod-openapi";
import { keptMap, multilineText } from "../../core/inputs.ts";

const l10n = z.object({ en: multilineText(500), es: multilineText(500) }).openapi({ example: { en: "Stops", es: "Paradas" } });

/** Members that widgets and dashboards share. */
export const shared = {
  title: l10n,
  description: l10n,
  spec: keptMap.openapi({ description: "Drawing instructions for the client: at most 64 KiB of JSON" }),
};
export const isSystem = z.boolean().openapi({ description: "Whether every company sees it; only superusers create these" });
