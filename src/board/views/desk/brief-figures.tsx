import { formats } from "../../data/plant.ts";
import { type Brief, oeeOfRows } from "../../domain/brief.ts";
import { rangeOf } from "../../domain/days.ts";
import { coverageOf } from "../../domain/pareto.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { unitsText } from "../../ui/numbers.ts";
import { useDesk } from "./desk-state.ts";
import { machineQuery } from "./plant-data.ts";
import { thresholdText, useRated } from "./rated.tsx";
import { isoRange } from "./shift-table.tsx";
import { type Summary, useSummary } from "./summary.ts";

/** The figures of the day, each with what it is compared with. */
export function BriefFigures({ brief: { oee, usual, losses }, total }: { brief: Brief; total: Summary["total"] }) {
  const { percent, number, signed } = formats();
  const { rated, thresholds } = useRated();
  const [correct, target] = [total.correct ?? 0, total.target ?? 0];
  const coverage = coverageOf(total);
  const unknown = losses.find(({ key }) => key === "/");
  return (
    <dl class="brief-figures">
      <div>
        <dt>{t.brief.oee}</dt>
        <dd class="figure">{rated("oee", oee, 1)}</dd>
        <dd>{usual ? t.brief.usual(percent(usual.oee, 1), usual.days) : t.brief.noUsual}</dd>
      </div>
      <div>
        <dt>{t.brief.good}</dt>
        <dd class="figure">{unitsText(correct)}</dd>
        <dd class={target > 0 && correct < target ? "worse" : undefined}>
          {target > 0 ? t.brief.toTarget(signed(correct - target), percent((100 * correct) / target)) : t.hours.noTarget}
        </dd>
      </div>
      <div>
        <dt>{t.brief.known}</dt>
        <dd class="figure">{rated("coverage", coverage, 1)}</dd>
        <dd>{t.brief.wanted(thresholdText(thresholds("coverage").goodFrom))}</dd>
      </div>
      <div>
        <dt>{t.brief.unknown}</dt>
        <dd class="figure">{number(unknown?.stopCount ?? 0)}</dd>
        <dd>{t.brief.minutes(number(unknown?.minutes ?? 0))}</dd>
      </div>
      <TodaySoFar />
    </dl>
  );
}

/** On the brief of another day: how the present one goes, with a link to it. */
function TodaySoFar() {
  const { state, setUp, isNow, today, hrefWith } = useDesk();
  const range = isoRange(rangeOf("day", today, setUp.timezone, setUp.weekStart));
  const query = { ...machineQuery(state), ...range, groupBy: ["line" as const, "shift" as const] };
  const loaded = useSummary(isNow ? null : query, MINUTE_MS);
  const oee = !isNow && loaded.data ? oeeOfRows([loaded.data.total]) : null;
  if (oee === null) return null;
  return (
    <div>
      <dt>{t.brief.today}</dt>
      <dd class="figure">{formats().percent(oee, 1)}</dd>
      <dd>
        <a href={hrefWith({ day: today })}>{t.brief.toToday}</a>
      </dd>
    </div>
  );
}
