import { type ApiSchema, api } from "../../data/api.ts";
import { allOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { addDays, type Interval } from "../../domain/days.ts";
import { isDoubtful } from "../../domain/extrapolate.ts";
import { iso, MINUTE_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import type { Column } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { machineQuery } from "./plant-data.ts";
import { RatedNote, useRated } from "./rated.tsx";
import { Marks, refreshOf } from "./recalculating.tsx";

const names = t.dayView.shiftColumns;
type ShiftRecord = ApiSchema<"ShiftRecord">;

/** The machines' shifts that began in an interval, with their OEE; each links to its waterfall. */
export function ShiftTable({ limits }: { limits: Interval }) {
  const { state, day, isNow, hrefWith } = useDesk();
  const ofAll = state.tab === "shift" ? { ...state, machineId: null, lineId: null } : state;
  const query = { ...machineQuery(ofAll), ...isoRange(limits), sort: "start" as const };
  const loaded = useRead(
    ["/v1/shift-records", query],
    () => allOf((cursor) => api("get", "/v1/shift-records", { query: { ...query, limit: 500, ...cursor } })),
    { everyMs: refreshOf((found) => found.some(({ isRecalculating }) => isRecalculating), isNow ? MINUTE_MS : null) },
  );
  const { percent, time } = formats();
  const { rated } = useRated();
  const { compare } = new Intl.Collator("en", { numeric: true });
  const records = [...(loaded.data ?? [])].sort(
    (a, b) => compare(a.machine.name, b.machine.name) || compare(a.shift.startTime, b.shift.startTime),
  );
  const openedBy = ({ machine, shift }: ShiftRecord) =>
    ({ tab: "shift", machineId: machine.id, shiftStart: Date.parse(shift.startTime), bar: null }) as const;
  const columns: Column<ShiftRecord>[] = [
    {
      name: names.machine,
      cell: (record) => <a href={hrefWith({ ...openedBy(record), showsRevisions: false })}>{record.machine.name}</a>,
      sortBy: ({ machine }) => machine.name,
    },
    {
      name: names.shift,
      cell: (record) => (
        <>
          {record.shift.name}, {time(record.shift.startTime)}{" "}
          <Marks record={record} href={hrefWith({ ...openedBy(record), showsRevisions: true })} />
        </>
      ),
      sortBy: ({ shift }) => shift.startTime,
    },
    {
      name: names.availability,
      isNumber: true,
      cell: ({ machine, productionMetrics: { availability } }) => rated("availability", availability, 0, machine.id),
      sortBy: ({ productionMetrics }) => productionMetrics.availability,
    },
    {
      name: names.effectiveness,
      isNumber: true,
      cell: ({ shiftIndicators: { availableTime }, productionMetrics: made }) =>
        isDoubtful({ availableTime, idealTime: idealOf(made) })
          ? `${percent(made.effectiveness)} (${t.dayView.doubtful})`
          : percent(made.effectiveness),
      sortBy: ({ productionMetrics }) => productionMetrics.effectiveness,
    },
    {
      name: names.quality,
      isNumber: true,
      cell: ({ productionMetrics: { quality } }) => percent(quality),
      sortBy: ({ productionMetrics }) => productionMetrics.quality,
    },
    {
      name: names.oee,
      isNumber: true,
      cell: ({ machine, productionMetrics: { oee } }) => <strong>{rated("oee", oee, 0, machine.id)}</strong>,
      sortBy: ({ productionMetrics }) => productionMetrics.oee,
    },
  ];
  const empty =
    loaded.data?.length === 0 ? (
      <Empty title={t.dayView.noRecords}>
        <DayBefore />
      </Empty>
    ) : undefined;
  return (
    <Card
      title={state.tab === "shift" ? t.shiftView.machinesTitle : t.dayView.shifts}
      sub={<RatedNote isByMachine />}
      loaded={loaded}
      isRecalculating={records.some(({ isRecalculating }) => isRecalculating)}
      table={{
        columns,
        rows: records,
        keyOf: ({ shiftIndicators }) => shiftIndicators.indicatorId,
        isStacked: true,
        isMarked: ({ machine, shift }) =>
          state.tab === "shift" && state.machineId === machine.id && state.shiftStart === Date.parse(shift.startTime),
      }}
      csv={{ path: "/v1/shift-records", query, name: `shifts-${day}` }}
      empty={empty}
      height="small"
      isTable
    >
      {null}
    </Card>
  );
}

/** The standard time of what was made, in minutes. */
function idealOf({ cycleCount, cycleSpeed }: { cycleCount: number; cycleSpeed: number }): number {
  return cycleSpeed > 0 ? (60 * cycleCount) / cycleSpeed : 0;
}

/** Links to the day before, because a shift that runs past midnight is listed there. */
export function DayBefore() {
  const { day, setUp, hrefWith } = useDesk();
  return (
    <p>
      {setUp.productionDay === "shiftEnd" ? t.dayView.noRecordsHintByEnd : t.dayView.noRecordsHint}{" "}
      <a href={hrefWith({ day: addDays(day, -1) })}>{t.dayView.dayBefore}</a>
    </p>
  );
}

/** An interval as `from` and `to` of a query. */
export function isoRange({ start, end }: Interval): { from: string; to: string } {
  return { from: iso(start), to: iso(end) };
}
