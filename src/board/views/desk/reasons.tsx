import { Fragment } from "preact";
import { formats } from "../../data/plant.ts";
import type { Reasons as Found } from "../../domain/brief.ts";
import { desk as t } from "../../texts/desk.ts";
import { type To, useLossLink } from "./loss-link.tsx";

/** The rest of a sentence: at most three losses, each a link, with their points. `lead`: what is said before them. */
export function Reasons({ reasons, lead, to }: { reasons: Found["reasons"]; lead: string } & To) {
  const { number } = formats();
  const lossLink = useLossLink(to);
  if (reasons.length === 0) return null;
  return (
    <>
      {` ${lead} `}
      {reasons.map(({ loss, points }, i) => (
        <Fragment key={loss.key}>
          {i > 0 && (i === reasons.length - 1 ? ` ${t.brief.and} ` : ", ")}
          {lossLink(loss)} ({number(points, 1)})
        </Fragment>
      ))}
      {"."}
    </>
  );
}
