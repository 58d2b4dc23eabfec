import { Hatchings } from "../../charts/hatchings.tsx";
import { Timeline } from "../../charts/timeline.tsx";
import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { fitted, limitsOf, type MachineDay, machineDays } from "../../domain/timeline.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import { minutesText } from "../../ui/numbers.ts";
import type { Column } from "../../ui/table.tsx";
import { causeText, dayName } from "../../ui/words.ts";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { HeldCounts } from "./held-counts.tsx";
import { Part } from "./part.tsx";
import { machineQuery, shownMachines } from "./plant-data.ts";
import { isoRange, ShiftTable } from "./shift-table.tsx";
import { StopPanel } from "./stop-panel.tsx";
import { Unclassified } from "./unclassified.tsx";

const REFRESH_MS = 30_000;

/** The plant's day: a time line per machine, and beside it the open stop, or the stops without a cause. */
export function DayView() {
  const { state, day, setUp, range, isNow, around, go, hrefWith } = useDesk();
  const query = { ...machineQuery(state), ...isoRange(range) };
  const loaded = useRead(["/v1/timeline", query], () => api("get", "/v1/timeline", { query }), {
    everyMs: isNow ? REFRESH_MS : null,
  });
  const known = machineDays(loaded.data?.data ?? []);
  // Machines without any shift on this day also have a row.
  const days = shownMachines(setUp, state).map(
    ({ id, name }): MachineDay => known.find((one) => one.id === id) ?? { id, name, line: null, stretches: [] },
  );
  const limits = setUp.productionDay === "calendarDay" ? range : limitsOf(known, range, isNow);
  const window = fitted(state.window ?? limits, limits);
  const isEmpty = loaded.data !== null && loaded.data.data.length === 0;
  const title = t.dayView.title(dayName(day));
  return (
    <div class="desk-grid">
      <Hatchings />
      <div class="desk-column">
        <Part>
          <Card
            title={title}
            sub={t.dayView.hint}
            loaded={loaded}
            csv={{ path: "/v1/timeline", query, name: `timeline-${day}` }}
            table={state.asTable ? tableOf(days, hrefWith) : null}
            empty={
              isEmpty ? (
                <Empty title={t.dayView.noShifts}>
                  <p>{t.dayView.noShiftsHint}</p>
                </Empty>
              ) : undefined
            }
          >
            <Timeline
              days={days}
              limits={limits}
              window={window}
              zone={setUp.timezone}
              stopId={state.stopId}
              onWindow={(next) => {
                const isWhole = next.start === limits.start && next.end === limits.end;
                go({ window: isWhole ? null : next }, { replace: true });
              }}
              onStop={(stopId) => go({ stopId })}
            />
          </Card>
        </Part>
        <Part>
          <HeldCounts limits={around} />
        </Part>
        <Part>
          <ShiftTable limits={range} />
        </Part>
      </div>
      <div class="desk-column">
        <Part>
          {state.stopId !== null ? (
            <StopPanel key={state.stopId} stopId={state.stopId} days={days} />
          ) : (
            <Unclassified days={days} loaded={loaded} />
          )}
        </Part>
      </div>
    </div>
  );
}

type HrefWith = ReturnType<typeof useDesk>["hrefWith"];

/** All but the running time, machine by machine. */
function tableOf(days: readonly MachineDay[], hrefWith: HrefWith) {
  const { time } = formats();
  const names = t.dayView.columns;
  const rows = days.flatMap((machine) =>
    machine.stretches.filter(({ kind }) => kind !== "running").map((one) => ({ machine, ...one })),
  );
  const columns: Column<(typeof rows)[number]>[] = [
    { name: names.machine, cell: ({ machine }) => machine.name, sortBy: ({ machine }) => machine.name },
    { name: names.shift, cell: ({ shift }) => shift.name, sortBy: ({ shift }) => shift.name },
    { name: names.from, cell: ({ start }) => time(start), sortBy: ({ start }) => start },
    { name: names.to, cell: ({ end }) => time(end), sortBy: ({ end }) => end },
    {
      name: names.minutes,
      isNumber: true,
      cell: ({ start, end }) => minutesText(end - start),
      sortBy: ({ start, end }) => end - start,
    },
    { name: names.state, cell: ({ kind }) => t.kinds[kind], sortBy: ({ kind }) => t.kinds[kind] },
    {
      name: names.cause,
      cell: ({ stop }) => stop && <a href={hrefWith({ stopId: stop.id })}>{causeText(stop)}</a>,
      sortBy: ({ stop }) => stop && causeText(stop),
    },
  ];
  return { columns, rows, keyOf: ({ machine, start }: (typeof rows)[number]) => `${machine.id} ${start}`, isStacked: true };
}
