import "./brief.css";
import { Hatchings } from "../../charts/hatchings.tsx";
import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { type Loaded, useRead } from "../../data/query.ts";
import { type Brief, briefOf, reasonsOf } from "../../domain/brief.ts";
import { addDays, rangeOf } from "../../domain/days.ts";
import type { DeskState } from "../../domain/desk-state.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import { dayName } from "../../ui/words.ts";
import { BriefChanges } from "./brief-changes.tsx";
import { BriefFigures } from "./brief-figures.tsx";
import { partColumns } from "./brief-parts.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { LateOrders } from "./late-orders.tsx";
import type { To } from "./loss-link.tsx";
import { OeeByShift } from "./oee-by-shift.tsx";
import { Part } from "./part.tsx";
import { machineQuery } from "./plant-data.ts";
import { Reasons } from "./reasons.tsx";
import { DayBefore, isoRange } from "./shift-table.tsx";
import { useSummary } from "./summary.ts";

/** The weeks before whose same weekday says what is usual. */
const USUAL_WEEKS = 4;

/** What happened on a day, and why it was not better: in a sentence, in figures, and where the time went. Every number leads on. */
export function BriefView() {
  const { state, day, setUp, range, isNow, fixed } = useDesk();
  const which = machineQuery(state);
  const query = { ...which, ...isoRange(range), groupBy: ["machine" as const, "cause" as const] };
  const loaded = useSummary(query, isNow ? MINUTE_MS : null);
  const before = useRead(["brief", "before", which, day], () =>
    Promise.all(
      Array.from({ length: USUAL_WEEKS }, (_, i) => {
        const then = rangeOf("day", addDays(day, -7 * (i + 1)), setUp.timezone, setUp.weekStart);
        return api("get", "/v1/summary", { query: { ...which, ...isoRange(then), groupBy: ["cause"] } });
      }),
    ),
  );
  const brief = loaded.data && before.data ? briefOf(loaded.data, before.data) : null;
  const both: Loaded<unknown> = loaded.data === null || loaded.error !== null ? loaded : before;
  // A link leads to the same day, also tomorrow.
  const to = (changes: Partial<DeskState>): DeskState => ({ ...fixed, asTable: false, ...changes });
  const isNone = loaded.data !== null && before.data !== null && brief === null;
  const parts = brief?.parts ?? [];
  return (
    <div class="desk-column">
      <Hatchings />
      <Part>
        <Card
          title={t.brief.title(dayName(day))}
          sub={isNow ? t.brief.soFar : undefined}
          loaded={both}
          isRecalculating={loaded.data?.isRecalculating}
          csv={null}
          table={null}
          height="small"
          isTable
          empty={
            isNone ? (
              <Empty title={t.brief.none}>
                <DayBefore />
              </Empty>
            ) : undefined
          }
        >
          {brief && loaded.data && (
            <>
              <Sentence brief={brief} to={to} />
              <BriefFigures brief={brief} total={loaded.data.total} />
            </>
          )}
        </Card>
      </Part>
      {brief && (
        <div class="brief-rows">
          <Part>
            <Card
              title={t.brief.where}
              sub={t.brief.whereSub}
              loaded={both}
              csv={{ path: "/v1/summary", query, name: `time-${day}` }}
              isTable
              table={{ columns: partColumns(to), rows: parts, keyOf: ({ key }) => key, isStacked: true }}
            >
              {null}
            </Card>
          </Part>
          <Part>
            <BriefChanges brief={brief} loaded={both} to={to} csv={{ path: "/v1/summary", query, name: `changes-${day}` }} />
          </Part>
          <Part>
            <OeeByShift />
          </Part>
          <Part>
            <LateOrders />
          </Part>
        </div>
      )}
    </div>
  );
}

/** Why the OEE was what it was: at most three reasons, each a link, with their points. */
function Sentence({ brief, to }: { brief: Brief } & To) {
  const { day, isNow } = useDesk();
  const { number, percent } = formats();
  const { difference, trend, reasons, sum } = reasonsOf(brief);
  const points = (value: number) => number(Math.abs(value), 1);
  const compared = difference !== null && t.brief.compared[trend](points(difference));
  const lead = t.brief.lead[trend](reasons.length, points(sum));
  return (
    <p class="brief-sentence">
      {isNow ? t.brief.oeeIs : t.brief.oeeWas(dayName(day))} <strong>{percent(brief.oee, 1)}</strong>
      {compared && (
        <>
          , <strong>{compared}</strong>
        </>
      )}
      {"."}
      <Reasons reasons={reasons} lead={lead} to={to} />
    </p>
  );
}
