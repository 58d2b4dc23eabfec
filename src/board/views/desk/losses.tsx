import "../../ui/state-badge.css";
import { BarRows } from "../../charts/bar-rows.tsx";
import { Hatchings } from "../../charts/hatchings.tsx";
import { formats } from "../../data/plant.ts";
import { maxOf } from "../../domain/extremes.ts";
import { coverageOf, type Loss, type LossMetric, lossMetrics, paretoOf } from "../../domain/pareto.ts";
import { ratingOf } from "../../domain/thresholds.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import { moneyText } from "../../ui/numbers.ts";
import { lossName } from "../../ui/words.ts";
import { ActOn, OpenActions } from "./act-on.tsx";
import { Card } from "./card.tsx";
import { Defects } from "./defects.tsx";
import { useDesk } from "./desk-state.ts";
import { Part } from "./part.tsx";
import { machineQuery } from "./plant-data.ts";
import { thresholdText, useRated } from "./rated.tsx";
import { isoRange } from "./shift-table.tsx";
import { useSummary } from "./summary.ts";
import { WorstStops } from "./worst-stops.tsx";

const names = t.losses.columns;

/** The causes of the plant's stops by minutes, count or money, and the share of the time that has a cause. */
export function LossesView() {
  const { state, day, setUp, hrefWith, range } = useDesk();
  const { metric } = state;
  const { number, percent } = formats();
  const base = { ...machineQuery(state), ...isoRange(range) };
  // Money depends on the machine, so the minutes are needed by machine.
  const groupBy: ("machine" | "cause")[] = metric === "money" ? ["machine", "cause"] : ["cause"];
  const query = { ...base, groupBy };
  const loaded = useSummary(query);
  const rateOf = (machineId: number) => setUp.machines.find(({ id }) => id === machineId)?.hourlyRate ?? null;
  const { losses, total, unpricedMinutes } = paretoOf(loaded.data?.data ?? [], metric, rateOf);
  const sum = (of: (loss: Loss) => number) => losses.reduce((all, loss) => all + of(loss), 0);
  const coverage = loaded.data && coverageOf(loaded.data.total);
  const limits = useRated().thresholds("coverage");
  const isLow = coverage !== null && ratingOf(coverage, limits, 1) === "bad";
  const longest = maxOf([...losses.map(({ value }) => value), 1e-9]);
  const valueText = (value: number) => textOf(metric, value, setUp.currency);
  const isMoneyless = metric === "money" && setUp.machines.every(({ hourlyRate }) => hourlyRate === null);

  return (
    <div class="desk-grid">
      <Hatchings />
      <Part>
        <Card
          title={t.losses.title}
          sub={<Coverage coverage={coverage} isLow={isLow} />}
          loaded={loaded}
          isRecalculating={loaded.data?.isRecalculating}
          csv={{ path: "/v1/summary", query, name: `losses-${state.span}-${day}` }}
          tools={
            <p class="chips">
              <span>{t.losses.metric}</span>
              {lossMetrics.map((one) => (
                <a key={one} class="tool" href={hrefWith({ metric: one })} aria-current={one === metric ? "true" : undefined}>
                  {t.losses.metrics[one]}
                </a>
              ))}
            </p>
          }
          table={{
            columns: [
              { name: names.cause, cell: lossName, sortBy: lossName, total: t.total },
              {
                name: names.minutes,
                isNumber: true,
                cell: ({ minutes }) => number(minutes, 2),
                sortBy: ({ minutes }) => minutes,
                total: number(
                  sum(({ minutes }) => minutes),
                  2,
                ),
              },
              {
                name: names.count,
                isNumber: true,
                cell: ({ count }) => number(count),
                sortBy: ({ count }) => count,
                total: number(sum(({ count }) => count)),
              },
              {
                name: names.money,
                isShown: metric === "money",
                isNumber: true,
                cell: ({ money }) => (money === null ? "–" : moneyText(money, setUp.currency)),
                sortBy: ({ money }) => money,
                total: moneyText(total, setUp.currency),
              },
              {
                name: names.share,
                isNumber: true,
                cell: ({ share }) => percent(share, 1),
                sortBy: ({ share }) => share,
                total: percent(losses.length > 0 ? 100 : 0, 1),
              },
              { name: names.cumulative, isNumber: true, cell: ({ cumulative }) => percent(cumulative, 1), total: "" },
              { name: "", cell: (loss) => <ActOn lossKey={loss.key} name={lossName(loss)} />, total: "" },
            ],
            rows: losses,
            keyOf: ({ key }) => key,
            isStacked: true,
          }}
          empty={
            isMoneyless ? (
              <Empty title={t.losses.noMoney}>
                <p>{t.losses.noMoneyHint}</p>
                <pre>{`curl -X PATCH ${location.origin}/v1/machines/${setUp.machines[0]?.id} -H "authorization: Bearer $TOKEN" \\
  -H "content-type: application/json" -d '{"hourlyRate":60}'`}</pre>
              </Empty>
            ) : losses.length === 0 ? (
              <Empty title={t.losses.none}>
                <p>{t.losses.noneHint}</p>
              </Empty>
            ) : undefined
          }
        >
          <BarRows
            label={t.losses.title}
            rows={losses.map((loss) => ({
              key: loss.key,
              label: lossName(loss),
              value: valueText(loss.value),
              from: 0,
              to: (100 * loss.value) / longest,
              href: hrefWith({ cause: loss.key }),
              isOpen: loss.key === state.cause,
              note: <OpenActions lossKey={loss.key} />,
              colour: loss.isUnknown ? "k-nothing" : loss.isPlanned ? "k-planned" : "k-stopped",
            }))}
          >
            {isLow && <p class="quiet">{t.losses.coverageLow(thresholdText(limits.badBelow))}</p>}
            {metric === "money" && unpricedMinutes > 0 && <p class="quiet">{t.losses.unpriced(number(unpricedMinutes, 1))}</p>}
          </BarRows>
        </Card>
      </Part>
      <div class="desk-column">
        <Part>
          <WorstStops query={machineQuery(state)} range={range} losses={losses} />
        </Part>
        <Part>
          <Defects />
        </Part>
      </div>
    </div>
  );
}

/** The share of the stopped time that has a cause: red and bold if it is low. */
function Coverage({ coverage, isLow }: { coverage: number | null; isLow: boolean }) {
  if (coverage === null) return null;
  return (
    <span class={isLow ? "kind-stopped" : undefined} data-coverage={coverage.toFixed(2)}>
      {isLow ? (
        <strong>{t.losses.coverage(formats().percent(coverage, 1))}</strong>
      ) : (
        t.losses.coverage(formats().percent(coverage, 1))
      )}
    </span>
  );
}

function textOf(metric: LossMetric, value: number, currency: string): string {
  if (metric === "money") return moneyText(value, currency);
  return metric === "count" ? formats().number(value) : `${formats().number(value, 1)} ${t.min}`;
}
