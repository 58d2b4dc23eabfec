import { useState } from "preact/hooks";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { someOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { dayOf, type Interval } from "../../domain/days.ts";
import type { Loss } from "../../domain/pareto.ts";
import { dayOfShift } from "../../domain/shifts.ts";
import { HOUR_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { Body } from "../../ui/body.tsx";
import { Table } from "../../ui/table.tsx";
import { lossName } from "../../ui/words.ts";
import { ActOn } from "./act-on.tsx";
import { BulkClassify, type Choice, ChooseAll, choiceName, withStop } from "./bulk-classify.tsx";
import { useDesk } from "./desk-state.ts";
import { isoRange } from "./shift-table.tsx";

const names = t.losses.stopColumns;
type StopRecord = ApiSchema<"StopRecord">;

const MOST = 15;
/** The service refuses to classify more than 10,000 stops at once. */
const MOST_CHOSEN = 10_001;
/** A shift lasts at most a day, which has 25 hours when the clocks are set back. */
const LONGEST_SHIFT_MS = 25 * HOUR_MS;

interface WorstProps {
  /** The machines, as members of a query. */
  query: { companyId?: number; machineIds?: number[]; lineIds?: number[] };
  range: Interval;
  losses: readonly Loss[];
  /** Called when stops were classified. */
}

/** The longest stops of a cause, each with a link to it in its day. */
export function WorstStops({ query, range, losses }: WorstProps) {
  const { state, setUp, hrefWith, go } = useDesk();
  const loss = losses.find(({ key }) => key === state.cause) ?? losses[0];
  // By calendar days, a stop after midnight may be in a shift that started the day before: the API selects by the shift.
  const { productionDay, timezone } = setUp;
  const isByShift = productionDay !== "calendarDay";
  const asked = {
    ...query,
    ...isoRange({ start: range.start - (isByShift ? 0 : LONGEST_SHIFT_MS), end: range.end }),
    sort: "-duration" as const,
    isIncludedInAvailability: true,
    ...(loss?.generalCause ? { generalCauseIds: [loss.generalCause.id] } : { hasGeneralCause: false }),
    ...(loss?.specificCause ? { specificCauseIds: [loss.specificCause.id] } : { hasSpecificCause: false }),
  };
  const isInRange = ({ stop }: StopRecord) =>
    isByShift || (Date.parse(stop.startTime) < range.end && (stop.endTime === null || Date.parse(stop.endTime) > range.start));
  const key = JSON.stringify(asked);
  const page = (limit: number) => (cursor: { cursor?: string }) =>
    api("get", "/v1/stop-records", { query: { ...asked, limit, ...cursor } });
  const loaded = useRead(loss ? ["/v1/stops", key] : null, () => someOf(MOST + 1, isInRange, page(100)));
  const [{ choice, of }, setChoice] = useState<{ choice: Choice; of: string }>({ choice: [], of: key });
  const choose = (next: Choice) => setChoice({ choice: next, of: key });
  // What was chosen in another list is not chosen in this one.
  const chosen = of === key ? choice : [];
  const allIds = async () => [...new Set((await someOf(MOST_CHOSEN, isInRange, page(500))).map(({ stop }) => stop.id))];
  if (!loss) return null;
  const stops = loaded.data ?? [];
  const { number, day, time } = formats();
  const startText = ({ stop: { startTime } }: StopRecord) =>
    state.span === "day" ? time(startTime) : `${day(startTime)}, ${time(startTime)}`;
  const hrefOf = ({ stop, shift }: StopRecord) => {
    const dayOfStop =
      productionDay === "calendarDay"
        ? dayOf(Date.parse(stop.startTime), timezone)
        : dayOfShift(productionDay, intervalOf(shift), timezone);
    return hrefWith({ tab: "day", day: dayOfStop, stopId: stop.id, window: null });
  };
  const choosing = {
    chosen: chosen === "all" ? chosen : new Set(stops.filter(({ stop }) => chosen.includes(stop.id)).map(keyOf)),
    onChoose: ({ stop }: StopRecord, isChosen: boolean) => choose(withStop(chosen, stop.id, isChosen)),
    nameOf: ({ stop, machine }: StopRecord) => choiceName(machine.name, Date.parse(stop.startTime)),
  };
  return (
    <section class="card" aria-label={t.losses.stops(lossName(loss))}>
      <label class="field worst">
        <span>{t.losses.stopsOf}</span>
        <select value={loss.key} onChange={({ currentTarget }) => go({ cause: currentTarget.value })}>
          {losses.map((one) => (
            <option key={one.key} value={one.key}>
              {lossName(one)}
            </option>
          ))}
        </select>
      </label>
      <ActOn key={loss.key} lossKey={loss.key} name={lossName(loss)} />
      <Body loaded={loaded}>
        {stops.length === 0 ? (
          <p class="quiet">{t.losses.noStops}</p>
        ) : (
          <Table
            caption={t.losses.stops(lossName(loss))}
            data={{
              columns: [
                { name: names.machine, cell: ({ machine }) => machine.name, sortBy: ({ machine }) => machine.name },
                {
                  name: names.from,
                  cell: (record) => <a href={hrefOf(record)}>{startText(record)}</a>,
                  sortBy: ({ stop }) => stop.startTime,
                },
                {
                  name: names.minutes,
                  isNumber: true,
                  cell: ({ stop }) => number(stop.durationInMinutes, 1),
                  sortBy: ({ stop }) => stop.durationInMinutes,
                },
                {
                  name: names.note,
                  cell: ({ classification }) => classification?.description ?? "",
                  sortBy: ({ classification }) => classification?.description || null,
                },
              ],
              rows: stops.slice(0, MOST),
              keyOf,
              isPartial: stops.length > MOST,
              isStacked: true,
              choose: may("stops:write") ? choosing : null,
            }}
          />
        )}
      </Body>
      {stops.length > 1 && <ChooseAll choice={chosen} label={past.bulk.allOfList} onChange={choose} />}
      <BulkClassify choice={chosen} all={allIds} onChoose={choose} />
    </section>
  );
}

/** A stop has a row for each shift that it is in. */
function keyOf({ stop }: StopRecord): string {
  return `${stop.id} ${stop.startTime}`;
}

function intervalOf({ startTime, endTime }: { startTime: string; endTime: string }): Interval {
  return { start: Date.parse(startTime), end: Date.parse(endTime) };
}
