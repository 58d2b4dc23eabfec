import { conflict, type Fault, refusal } from "../../../core/problem.ts";
import { MOST_CALENDAR_DAYS } from "../../../objects/set-up.ts";
import type { CalendarShift } from "../../../oee/calendar-day.ts";
import { DAY_MS, minuteOfDay } from "../../../oee/time.ts";
import { localToUtc } from "../../../oee/zone.ts";
import { areOwned, selectOwned } from "../../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { lineTable } from "../lines/queries.ts";
import { machineTable } from "../machines/queries.ts";
import { shiftTable } from "../shifts/queries.ts";
import { breakFaults, breaksInside, lengthMinutes } from "../shifts/shift-clock.ts";
import {
  type CalendarDayRow,
  hasFewerDays,
  hasNoSuchDay,
  selectDayCount,
  selectMachinesOfDay,
  selectMachinesOfLine,
  selectSameAs,
  selectSameDay,
  selectShiftsOf,
  selectZone,
} from "./queries.ts";

type SentShift = Omit<CalendarShift, "id" | "breaks"> & { shiftId: number; breaks?: CalendarShift["breaks"] };
interface SentDay {
  date?: string;
  scope?: CalendarDayRow["scope"];
  lineId?: number | null;
  machineId?: number | null;
  closed?: true;
  shifts?: SentShift[];
}

/** The rule of a new or changed calendar day. */
export const storeDay = rule(
  (db, { sent, owner, id }: RuleContext<SentDay>) => {
    const scope = { lineId: sent.lineId ?? null, machineId: sent.machineId ?? null };
    return [
      selectOwned(db, lineTable, owner, scope.lineId === null ? [] : [scope.lineId]),
      selectOwned(db, machineTable, owner, scope.machineId === null ? [] : [scope.machineId]),
      selectShiftsOf(
        db,
        owner,
        (sent.shifts ?? []).map(({ shiftId }) => shiftId),
      ),
      selectDayCount(db, owner, scope),
      selectSameDay(db, owner, scope, sent.date ?? ""),
      id === undefined ? selectMachinesOfLine(db, scope.lineId) : selectMachinesOfDay(db, Number(id)),
      selectZone(db, owner),
    ];
  },
  ({ sent, before, next }: RuleInput<CalendarDayRow, SentDay>, lines, machines, shifts, [days], same, ofLine, [company]) => {
    if (!before) {
      refuse(scopeFaults(next, lines, machines));
      refuseSecond(next, same.length, days?.count ?? 0);
    }
    refuse(choiceFaults(sent, before !== null));
    const ids = (sent.shifts ?? []).map(({ shiftId }) => shiftId);
    refuse(unknownIds(ids, shifts, (i) => `/shifts/${i}/shiftId`, "is not a shift of this company"));
    const own = (sent.shifts ?? []).map(({ shiftId: id, start, end, breaks }): CalendarShift => {
      const known = shifts.find((shift) => shift.id === id);
      return { id, start, end, breaks: breaks ?? breaksInside({ start, end, breaks: known?.breaks ?? [] }) };
    });
    refuse(shiftFaults(own));
    const isUnchanged = !sent.shifts && !sent.closed;
    const { lineId, machineId } = next;
    return {
      values: { shifts: isUnchanged && before ? before.shifts : own },
      expect: [
        areOwned(shiftTable, next.companyId, ids),
        areOwned(lineTable, next.companyId, before || lineId === null ? [] : [lineId]),
        areOwned(machineTable, next.companyId, before || machineId === null ? [] : [machineId]),
        ...(before ? [] : [hasFewerDays(next.companyId, { lineId, machineId }, MOST_CALENDAR_DAYS)]),
      ],
      machines: machinesOf(next, ofLine),
      changesFrom: startOfDay(next, company, before ? "/path/id" : "/date"),
    };
  },
);

export const restoreDay = rule(
  (db, { id, owner }: RuleContext<object>) => [
    selectSameAs(db, Number(id)),
    selectMachinesOfDay(db, Number(id)),
    selectZone(db, owner),
  ],
  ({ next }: RuleInput<CalendarDayRow>, [others], ofLine, [company]) => {
    refuseSecond(next, others?.sameDate ?? 0, others?.count ?? 0);
    const { lineId, machineId } = next;
    return {
      expect: [
        hasNoSuchDay(next.companyId, { lineId, machineId }, next.date),
        hasFewerDays(next.companyId, { lineId, machineId }, MOST_CALENDAR_DAYS),
      ],
      machines: machinesOf(next, ofLine),
      changesFrom: startOfDay(next, company, "/path/id"),
    };
  },
);

/** Refuses a day that there is already, and one too many. */
function refuseSecond({ date, scope }: CalendarDayRow, sameDate: number, count: number): void {
  if (sameDate > 0) throw conflict(`There already is a calendar day of ${date} for this ${scope}: change that one.`);
  if (count >= MOST_CALENDAR_DAYS) {
    const message = `the ${scope} has ${MOST_CALENDAR_DAYS} calendar days, which is the limit: delete old ones`;
    throw refusal(409, [{ pointer: "/date", code: "too_many", message }]);
  }
}

export const removeDay = rule(
  (db, { id, owner }: RuleContext<object>) => [selectMachinesOfDay(db, Number(id)), selectZone(db, owner)],
  ({ next }: RuleInput<CalendarDayRow>, ofLine, [company]) => ({
    machines: machinesOf(next, ofLine),
    changesFrom: startOfDay(next, company, "/path/id"),
  }),
);

/**
 * When a calendar day begins to change the numbers: right before its midnight. A shift of the day before that lasts beyond it is open as a whole. But one
 * that ends there may do so because a shift of this day begins at midnight: without that, it would last longer.
 */
function startOfDay({ date }: CalendarDayRow, company: { timezone: string } | undefined, pointer: string) {
  return company && { at: localToUtc(company.timezone, Date.parse(date) / DAY_MS, 0) - 1, pointer };
}

/** The machines whose shifts a calendar day may change. */
function machinesOf({ lineId, machineId }: CalendarDayRow, ofLine: readonly { id: number }[]): number[] | "all" {
  if (machineId !== null) return [machineId];
  return lineId === null ? "all" : ofLine.map(({ id }) => id);
}

type Known = readonly { id: number | string }[];

function scopeFaults({ scope, lineId, machineId }: CalendarDayRow, lines: Known, machines: Known): Fault[] {
  const faults: Fault[] = [];
  const check = (member: "lineId" | "machineId", own: CalendarDayRow["scope"], value: number | null, known: Known) => {
    const pointer = `/${member}`;
    if (scope === own && value === null) faults.push({ pointer, code: "required", message: `is required for the scope ${own}` });
    else if (scope !== own && value !== null)
      faults.push({ pointer, code: "not_supported", message: `is only for the scope ${own}` });
    else if (value !== null && known.length === 0)
      faults.push({ pointer, code: "not_found", message: `is not a ${own} of this company` });
  };
  check("lineId", "line", lineId, lines);
  check("machineId", "machine", machineId, machines);
  return faults;
}

/** A day is closed, or has shifts. */
function choiceFaults({ closed, shifts }: SentDay, isStored: boolean): Fault[] {
  if (closed && shifts) return [{ pointer: "/shifts", code: "not_supported", message: "cannot be given for a closed day" }];
  if (closed || shifts || isStored) return [];
  return [{ pointer: "/shifts", code: "required", message: "is required, or `closed`" }];
}

function shiftFaults(shifts: readonly CalendarShift[]): Fault[] {
  const spans = shifts.map((shift) => {
    const start = minuteOfDay(shift.start);
    return { start, end: start + lengthMinutes(shift) };
  });
  return shifts.flatMap((shift, i): Fault[] => {
    const [span] = spans.slice(i, i + 1);
    const pointer = `/shifts/${i}`;
    const earlier = shifts.slice(0, i);
    if (earlier.some(({ id }) => id === shift.id))
      return [{ pointer: `${pointer}/shiftId`, code: "repeated", message: "is named twice" }];
    const overlaps = span && spans.slice(0, i).some((other) => span.start < other.end && other.start < span.end);
    if (overlaps) return [{ pointer: `${pointer}/start`, code: "overlap", message: "overlaps an earlier shift of the day" }];
    return breakFaults(shift).map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` }));
  });
}
