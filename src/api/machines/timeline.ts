import type { Reader } from "../../core/caller.ts";
import { companyCalendar } from "../../core/company-zone.ts";
import { aboutCompany, readWithIds } from "../../core/named-ids.ts";
import { invalid } from "../../core/problem.ts";
import { areRecalculated, selectRecalculatedTimes } from "../../db/recalculating.ts";
import { stretchesIn } from "../../oee/availability.ts";
import { countedTime, instantRange, reportRange, searchedTime } from "../../oee/report-buckets.ts";
import { clip, isoOf } from "../../oee/time.ts";
import { stopNameOf } from "../reports/stop-item.ts";
import type { StopRow } from "../stops/queries.ts";
import { inPlantOrder } from "./plant-state.ts";
import { selectTimelines } from "./queries.ts";

const MOST_STOPS = 20_000;

interface TimelineQuery {
  companyId?: number | undefined;
  machineIds?: readonly number[] | undefined;
  lineIds?: readonly number[] | undefined;
  /** Epoch ms. */
  from: number;
  to: number;
}

/** The shift time of a company's machines in [from, to) up to now, as stretches of equal status. One trip once the company's calendar is known. */
export async function getTimeline({ db, actor }: Reader, query: TimelineQuery) {
  const { machineIds, lineIds, from, to } = query;
  const { companyId, named } = aboutCompany(actor, query, { machineIds, lineIds });
  const calendar = await companyCalendar(db, companyId);
  const interval = { start: from, end: to };
  const range = calendar ? reportRange(calendar, interval) : instantRange(interval);
  const searched = searchedTime(range);
  const window = { start: searched.start, end: Math.min(searched.end, Date.now()) };
  const selection = { companyId, machineIds, lineIds };
  const [machines, shifts, stops, times] = await readWithIds(db, { companyId, named }, [
    ...selectTimelines(db, selection, range, MOST_STOPS + 1),
    selectRecalculatedTimes(db, companyId),
  ]);
  if (stops.length > MOST_STOPS) {
    const message = `more than ${MOST_STOPS} stops are in the range: narrow it, or name machines or lines`;
    throw invalid([{ pointer: "/query/from", code: "too_many", message }]);
  }
  const shiftsOf = Map.groupBy(shifts.toSorted(byStart), ({ machineId }) => machineId);
  const stopsOf = Map.groupBy(stops.map(sliceOf).sort(byStart), ({ row }) => row.machineId);
  const data = machines.toSorted(inPlantOrder).flatMap(({ id, name, lineId, lineName, ...service }) => {
    const inService = { start: service.commissionedAt, end: service.decommissionedAt ?? Number.POSITIVE_INFINITY };
    const stretches = stretchesIn(window, inService, shiftsOf.get(id) ?? [], stopsOf.get(id) ?? []);
    const counted = stretches.flatMap(({ start, end, ...stretch }) => {
      const time = countedTime(range, stretch.shift.day);
      const inRange = time && clip({ start, end }, time.start, time.end);
      return inRange ? [{ ...stretch, ...inRange }] : [];
    });
    return counted.map(({ status, start, end, shift, stop }) => ({
      machine: { name, id },
      line: lineId === null || lineName === null ? null : { name: lineName, id: lineId },
      shift: { id: shift.shiftId, name: shift.shiftName, startTime: isoOf(shift.start), endTime: isoOf(shift.end) },
      status,
      startTime: isoOf(start),
      endTime: isoOf(end),
      stop: stop && stopBehind(stop.row),
    }));
  });
  return { isRecalculating: areRecalculated(times, searched, machineIds), data };
}

function byStart(a: { start: number }, b: { start: number }): number {
  return a.start - b.start;
}

/** A stored slice as a piece for the status calculation. An open slice ends with its shift. */
function sliceOf(row: StopRow) {
  const { sliceStart, sliceEnd, shiftStart, shiftEnd, isProgrammed, isIncludedInAvailability } = row;
  return { start: sliceStart, end: sliceEnd ?? shiftEnd, shiftStart, isProgrammed, isIncludedInAvailability, row };
}

function stopBehind(row: StopRow) {
  const cause = (id: number | null, name: string | null) => (id === null ? null : { name: name ?? "", id });
  return {
    id: row.id,
    name: stopNameOf(row),
    isOpen: row.endAt === null,
    isBreak: row.breakName !== null,
    generalCause: cause(row.generalCauseId, row.generalCauseName),
    specificCause: cause(row.specificCauseId, row.specificCauseName),
    version: row.version,
  };
}
