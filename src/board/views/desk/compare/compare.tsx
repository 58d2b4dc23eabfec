import "../brief.css";
import { Hatchings } from "../../../charts/hatchings.tsx";
import type { Loaded } from "../../../data/query.ts";
import { briefOf } from "../../../domain/brief.ts";
import { areSamePlace, rangeOfSide, sidesOf } from "../../../domain/compare.ts";
import { compare as t } from "../../../texts/compare.ts";
import { Empty } from "../../../ui/body.tsx";
import { Card } from "../card.tsx";
import { useDesk } from "../desk-state.ts";
import { Part } from "../part.tsx";
import { useSummary } from "../summary.ts";
import { CompareChoice } from "./choice.tsx";
import { CompareDays } from "./days.tsx";
import { CompareFigures } from "./figures.tsx";
import { CompareLosses } from "./losses.tsx";
import { CompareRows } from "./rows.tsx";
import { CompareSentence } from "./sentence.tsx";
import { namesOf, sideQuery } from "./side.ts";
import { CompareWay } from "./way.tsx";

/** Two periods, machines, lines, SKUs or operators beside each other: why one was better than the other. */
export function CompareView() {
  const { state, day, setUp, isNow } = useDesk();
  const { span } = state;
  const { now, before } = sidesOf(state, day, setUp.weekStart);
  const rangeOf = (side: typeof now) => rangeOfSide(side, span, setUp.timezone, setUp.weekStart);
  const [query, queryBefore] = [sideQuery(now, rangeOf(now)), sideQuery(before, rangeOf(before))];
  const names = namesOf(now, before, span, setUp);
  const loaded = useSummary({ ...query, groupBy: ["machine", "cause"] });
  const other = useSummary({ ...queryBefore, groupBy: ["cause"] });
  const both: Loaded<unknown> = loaded.data === null || loaded.error !== null ? loaded : other;
  const brief = loaded.data && other.data ? briefOf(loaded.data, [other.data]) : null;
  const isRecalculating = loaded.data?.isRecalculating || other.data?.isRecalculating;
  const csv = { path: "/v1/summary" as const, query: { ...query, groupBy: ["machine" as const, "cause" as const] } };
  return (
    <div class="desk-column">
      <Hatchings />
      <Part>
        <Card
          title={t.title(names.now, names.before)}
          loaded={both}
          isRecalculating={isRecalculating}
          csv={null}
          table={null}
          height="small"
          isTable
          tools={null}
        >
          <CompareChoice now={now} before={before} query={query} />
          {brief?.usual ? (
            <CompareSentence brief={brief} before={names.before} now={names.now} side={now} />
          ) : (
            <Empty title={t.none}>
              <p>{t.noneHint}</p>
            </Empty>
          )}
          {isNow && <p class="quiet">{t.isOver}</p>}
        </Card>
      </Part>
      {brief?.usual && loaded.data && other.data && (
        <div class="brief-rows">
          <Part>
            <CompareWay brief={brief} names={names} loaded={both} csv={{ ...csv, name: `way-${now.day}` }} />
          </Part>
          <Part>
            <CompareFigures
              now={loaded.data.total}
              before={other.data.total}
              names={names}
              loaded={both}
              csv={{ ...csv, name: `figures-${now.day}` }}
            />
          </Part>
          <Part>
            <CompareLosses brief={brief} side={now} loaded={both} csv={{ ...csv, name: `losses-${now.day}` }} />
          </Part>
          <Part>
            <CompareRows by="shift" query={query} queryBefore={queryBefore} day={now.day} />
          </Part>
          {areSamePlace(now, before) && now.machineId === null && (
            <div class="brief-wide">
              <Part>
                <CompareRows by="machine" query={query} queryBefore={queryBefore} day={now.day} />
              </Part>
            </div>
          )}
          {span !== "day" && (
            <div class="brief-wide">
              <Part>
                <CompareDays query={query} queryBefore={queryBefore} names={names} />
              </Part>
            </div>
          )}
        </div>
      )}
    </div>
  );
}
