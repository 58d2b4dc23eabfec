import { BarRows } from "../../charts/bar-rows.tsx";
import { Hatchings } from "../../charts/hatchings.tsx";
import { type ApiSchema, api } from "../../data/api.ts";
import { allOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { scaleEnd, type WaterfallBar, type WaterfallKey, waterfallOf } from "../../domain/waterfall.ts";
import { desk as t } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { Empty } from "../../ui/body.tsx";
import { Card } from "./card.tsx";
import { DeskContext, useDesk } from "./desk-state.ts";
import { Explain } from "./explain.tsx";
import { shiftUse } from "./explained.ts";
import { Part } from "./part.tsx";
import { refreshOf } from "./recalculating.tsx";
import { Revisions } from "./revisions.tsx";
import { DayBefore, isoRange, ShiftTable } from "./shift-table.tsx";

type ShiftRecord = ApiSchema<"ShiftRecord">;
const names = t.shiftView.columns;

const colours: Record<WaterfallKey, string> = {
  shift: "k-off",
  noData: "k-noData",
  outside: "k-outside",
  planned: "k-planned",
  stops: "k-stopped",
  slow: "k-slow",
  fast: "k-running",
  quality: "k-quality",
  good: "k-running",
  running: "k-running",
};

/** How the minutes of a machine's shift were used, with an explanation of each part. */
export function ShiftView() {
  const desk = useDesk();
  const { state, day, go, hrefWith } = desk;
  const { number, percent, time } = formats();
  const { machine, machineId, range, query, records, own, record, explained, isNone } = useShift();
  const shown = record ? explained.data : null;
  const bars = shown ? waterfallOf(shiftUse(shown)) : [];
  const total = scaleEnd(bars);
  const isRunning = record?.shift.isActive === true;
  const labelOf = (key: WaterfallKey) => (key === "shift" && isRunning ? t.shiftView.soFar : t.shiftView.bars[key]);
  const title = t.shiftView.title(machine?.name ?? "", record?.shift.name ?? t.shiftView.choose);
  const minutesOf = ({ kind, minutes }: WaterfallBar) =>
    kind === "whole" || kind === "rest" ? number(minutes, 1) : formats().signed(minutes, 1);
  const open = bars.find(({ key }) => key === state.bar) ?? null;

  const chosen = { machineId, ...(record && { shiftStart: Date.parse(record.shift.startTime) }) };
  const revisions = record?.revisionCount ?? 0;
  const view = (
    <div class="desk-grid">
      <Hatchings />
      <div class="desk-column">
        <Part>
          <Card
            title={title}
            sub={
              shown && (
                <>
                  {t.shiftView.sub(number(bars[0]?.minutes ?? 0, 1), percent(shown.productionMetrics.oee.value))}
                  {revisions > 0 && (
                    <>
                      {" · "}
                      <a href={hrefWith({ ...chosen, showsRevisions: !state.showsRevisions })}>{past.revisedShort(revisions)}</a>
                    </>
                  )}
                </>
              )
            }
            isRecalculating={record?.isRecalculating}
            loaded={isNone || records.error !== null ? records : explained}
            csv={{ path: "/v1/shift-records", query, name: `shifts-${day}-${machine?.ref ?? ""}` }}
            table={{
              columns: [
                { name: names.part, cell: ({ key }) => labelOf(key) },
                { name: names.minutes, isNumber: true, cell: minutesOf },
                { name: names.left, isNumber: true, cell: ({ kind, from, to }) => number(kind === "loss" ? from : to, 1) },
              ],
              rows: bars,
              keyOf: ({ key }) => key,
            }}
            tools={
              <ChooseShift records={own} record={record} onChoose={(shiftStart) => go({ machineId, shiftStart, bar: null })} />
            }
            empty={
              isNone ? (
                <Empty title={t.shiftView.none(machine?.name ?? "")}>
                  <p>{t.shiftView.noneHint}</p>
                  <DayBefore />
                </Empty>
              ) : undefined
            }
          >
            <BarRows
              label={title}
              rows={bars.map((bar) => ({
                key: bar.key,
                label: labelOf(bar.key),
                value: `${minutesOf(bar)} ${t.min}`,
                from: (100 * bar.from) / total,
                to: (100 * bar.to) / total,
                colour: colours[bar.key],
                href: hrefWith({
                  machineId,
                  shiftStart: record ? Date.parse(record.shift.startTime) : null,
                  bar: bar.key === state.bar ? null : bar.key,
                }),
                isOpen: bar.key === state.bar,
                isEmphasized: bar.kind === "whole" || bar.kind === "rest",
              }))}
            >
              {bars.some(({ key }) => key === "running") && <p class="quiet">{t.shiftView.noStandard}</p>}
              {isRunning && shown && <p class="quiet">{t.shiftView.runningAsOf(time(shown.asOf))}</p>}
            </BarRows>
          </Card>
        </Part>
        <Part>
          <ShiftTable limits={range} />
        </Part>
      </div>
      <div class="desk-column">
        {record && state.showsRevisions && (
          <Part>
            <Revisions key={record.shiftIndicators.indicatorId} recordId={record.shiftIndicators.indicatorId} count={revisions} />
          </Part>
        )}
        {shown && open ? (
          <Part>
            <Explain explained={shown} bar={open} label={labelOf(open.key)} />
          </Part>
        ) : (
          <section class="card" aria-label={t.shiftView.explain}>
            <h2 class="card-head">{t.shiftView.explain}</h2>
            <p class="quiet">{t.shiftView.hint}</p>
          </section>
        )}
      </div>
    </div>
  );
  return <DeskContext.Provider value={{ ...desk, chosen }}>{view}</DeskContext.Provider>;
}

/** The machine and shift in the address, or the newest shift of the day. */
function useShift() {
  const { state, setUp, range, isNow } = useDesk();
  const ofLine = state.lineId === null ? setUp.machines : setUp.machines.filter(({ lineId }) => lineId === state.lineId);
  const machine = setUp.machines.find(({ id }) => id === state.machineId) ?? ofLine[0] ?? setUp.machines[0];
  const machineId = machine?.id ?? 0;
  const query = { machineIds: [machineId], ...isoRange(range), sort: "start" as const };
  const records = useRead(
    ["/v1/shift-records", machineId, query],
    async () => {
      const found = await allOf((cursor) => api("get", "/v1/shift-records", { query: { ...query, limit: 100, ...cursor } }));
      return { machineId, found };
    },
    { everyMs: refreshOf(({ found }) => found.some(({ isRecalculating }) => isRecalculating), null) },
  );
  const own = records.data?.machineId === machineId ? records.data.found : [];
  const record = own.find(({ shift }) => Date.parse(shift.startTime) === state.shiftStart) ?? own[own.length - 1];
  const explained = useRead(
    record ? ["/v1/shift-records/{id}/explain", record.shiftIndicators.indicatorId, record.revisionCount] : null,
    () => api("get", "/v1/shift-records/{id}/explain", { path: { id: record?.shiftIndicators.indicatorId ?? 0 } }),
    { everyMs: isNow && record?.shift.isActive ? 30_000 : null },
  );
  const isNone = records.data?.machineId === machineId && own.length === 0;
  return { machine, machineId, range, query, records, own, record, explained, isNone };
}

interface ChooseProps {
  records: readonly ShiftRecord[];
  record: ShiftRecord | undefined;
  onChoose(start: number): void;
}

function ChooseShift({ records, record, onChoose }: ChooseProps) {
  const { time } = formats();
  return (
    <p class="chips">
      <span>{t.shiftView.choose}</span>
      {records.map(({ shift, shiftIndicators }) => (
        <button
          key={shiftIndicators.indicatorId}
          type="button"
          class="tool"
          aria-pressed={shiftIndicators.indicatorId === record?.shiftIndicators.indicatorId}
          onClick={() => onChoose(Date.parse(shift.startTime))}
        >
          {shift.name}, {time(shift.startTime)} – {time(shift.endTime)}
        </button>
      ))}
    </p>
  );
}
