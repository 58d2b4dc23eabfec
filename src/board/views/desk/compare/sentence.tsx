import { formats } from "../../../data/plant.ts";
import { type Brief, reasonsOf } from "../../../domain/brief.ts";
import type { Side } from "../../../domain/compare.ts";
import { compare as t } from "../../../texts/compare.ts";
import { Reasons } from "../reasons.tsx";
import { useSideLinks } from "./links.ts";
import type { SideNames } from "./side.ts";

/** Why the first OEE differs from the second: at most three losses, each a link, with their points. */
export function CompareSentence({ brief, now, before, side }: { brief: Brief; side: Side } & SideNames) {
  const { number, percent } = formats();
  const { to } = useSideLinks(side);
  const { difference, trend, reasons, sum } = reasonsOf(brief);
  const points = (value: number) => number(Math.abs(value), 1);
  const lead = t.lead[trend](reasons.length, points(sum));
  return (
    <p class="brief-sentence">
      {t.oee(now)} <strong>{percent(brief.oee, 1)}</strong>
      {", "}
      <strong>{t.compared[trend](points(difference ?? 0), before)}</strong>
      {brief.usual && ` (${percent(brief.usual.oee, 1)}).`}
      <Reasons reasons={reasons} lead={lead} to={to} />
    </p>
  );
}
