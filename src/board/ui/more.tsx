import { formats } from "../data/plant.ts";
import { desk as t } from "../texts/desk.ts";

/** Says that a list has more items than it shows, with a button to show more of them. */
export function More({ shown, onMore }: { shown: number; onMore(): void }) {
  return (
    <p class="more">
      {t.moreThan(formats().number(shown))}{" "}
      <button type="button" class="tool" onClick={onMore}>
        {t.showMore}
      </button>
    </p>
  );
}
