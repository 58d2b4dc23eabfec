import { companyOf, noCompany } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { companyCalendar } from "../../core/company-zone.ts";
import { MAX_TOTAL } from "../../core/cursor.ts";
import type { FaultCode } from "../../core/fault-codes.ts";
import { refusal } from "../../core/problem.ts";
import type { HandedOver, HandOverFigures } from "../../db/values.ts";
import { askFirst } from "../../objects/ask-first.ts";
import { maxOf, minOf } from "../../oee/extremes.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import { DAY_MS, type Interval, isoOf } from "../../oee/time.ts";
import { localToUtc } from "../../oee/zone.ts";
import { listHelpCalls } from "../alerting/help-calls/help-calls.ts";
import { listIncidents } from "../alerting/incidents/incidents.ts";
import { lateOrdersOf, selectLateOrders } from "../orders/find-late-orders.ts";
import { listStopRecords } from "../reports/records.ts";
import { type RowFigures, summarize } from "../reports/summary/summary.ts";
import { most } from "./hand-over.ts";
import { selectLine, selectMachinesOfShift, selectShift } from "./queries.ts";

/** A shift of a date, of a line or all machines of its company. */
export interface Occurrence {
  companyId: number;
  shift: { id: number; name: string };
  date: string;
  /** 0: all machines. */
  lineId: number;
  lineName: string | null;
  /** From the machine that begins first to the one that ends last. */
  time: Interval;
  machineIds: number[];
}

interface Asked {
  shiftId: number;
  date: string;
  lineId: number | null;
}

/**
 * Finds a shift of a date, and brings its numbers up to date if it may be running.
 * @param part the start of the pointers in refusals: `/query`, or "" for the body
 * @throws Problem 404 if the company has no such shift or line, or no machine worked in it
 */
export async function findOccurrence(caller: Caller, { shiftId, date, lineId }: Asked, part: "/query" | ""): Promise<Occurrence> {
  const { actor, env, objects } = caller;
  const ofCompany = companyOf(actor);
  const refuse = (member: string, code: FaultCode, message: string) =>
    refusal(404, [{ pointer: `${part}/${member}`, code, message }]);
  const [[shift], [line]] = await caller.db.batch([
    selectShift(caller.db, shiftId, ofCompany),
    selectLine(caller.db, lineId ?? 0, ofCompany),
  ]);
  if (!shift) throw refuse("shiftId", "not_found", "is not a shift of this company");
  const { companyId } = shift;
  if (lineId !== null && line?.companyId !== companyId) throw refuse("lineId", "not_found", "is not a line of this company");
  const calendar = await companyCalendar(caller.db, companyId);
  if (!calendar) throw noCompany();
  const dayNumber = Date.parse(date) / DAY_MS;
  const [start, end] = [dayNumber, dayNumber + 1].map((day) => localToUtc(calendar.timezone, day, 0)) as [number, number];
  if (end + MAX_SHIFT_MS > Date.now()) {
    await askFirst({ env, db: caller.db, objects }, { companyIds: [companyId] });
    caller.continueAtPrimary();
  }
  const found = await selectMachinesOfShift(caller.db, { companyId, shiftId, lineId: lineId ?? 0, day: { start, end } });
  if (found.length === 0) throw refuse("date", "no_shift", "is no date on which one of its machines had this shift");
  return {
    ...{ companyId, shift, date, lineId: lineId ?? 0, lineName: line?.name ?? null },
    time: { start: minOf(found.map((one) => one.start)), end: maxOf(found.map((one) => one.end)) },
    machineIds: found.map(({ machineId }) => machineId),
  };
}

/** The figures of a shift as of now, by the functions that serve the reports of the API. */
export async function figuresOfShift(reader: Reader, of: Occurrence, now: number): Promise<HandOverFigures> {
  const { companyId, shift, lineId, machineIds, time } = of;
  const lineIds = lineId === 0 ? undefined : [lineId];
  const selected = { companyId, shiftIds: [shift.id], ...(lineIds && { lineIds }) };
  const range = { from: time.start, to: time.end };
  const sumsBy = (...groupBy: Parameters<typeof summarize>[1]["groupBy"]) =>
    summarize(reader, { groupBy, ...range, ...selected });
  const page = { limit: 1, total: true, companyId };
  const ofMachines = lineIds && { machineIds };
  const [ofMachine, ofLine, ofHour, ofCause, stops, incidents, calls, lateRows] = await Promise.all([
    sumsBy("machine", "line"),
    lineIds ? null : sumsBy("line"),
    sumsBy("hour"),
    sumsBy("cause"),
    listStopRecords(reader, {
      ...{ ...selected, from: time.start, to: time.end, sort: "-duration", limit: most.stops, total: false },
      ...{ isIncludedInAvailability: true, includeDeleted: false },
    }),
    listIncidents(reader, { ...page, ...ofMachines, isOpen: true, sort: "-openedAt", limit: most.incidents }),
    listHelpCalls(reader, { ...page, ...ofMachines, isOpen: true, limit: most.calls }),
    selectLateOrders(reader.db, { companyId, machineIds: lineIds && machineIds, limit: most.lateOrders }, now),
  ]);
  const machines = ofMachine.data.flatMap(({ machine, line, ...figures }) =>
    machine ? [{ machine, line, ...handedOver(figures) }] : [],
  );
  const furthestBehind = machines.toSorted((a, b) => a.total - a.target - (b.total - b.target)).slice(0, most.machines);
  const kept = new Set(furthestBehind.map(({ machine }) => machine.id));
  const lines = (ofLine?.data ?? []).map(({ line, ...figures }) => ({ line, ...handedOver(figures) }));
  const withoutCause = ofCause.data.find(({ generalCause, specificCause }) => !generalCause && !specificCause);
  const late = lateOrdersOf(lateRows, most.lateOrders, now);
  return {
    at: isoOf(now),
    isShiftOver: time.end <= now,
    all: handedOver(ofMachine.total),
    stopCount: ofCause.total.stopCount ?? 0,
    withoutCause: { count: withoutCause?.stopCount ?? 0, minutes: withoutCause?.nonProgrammedDowntime ?? 0 },
    hours: ofHour.data.map(({ start, total, target }) => ({
      start: start ?? isoOf(time.start),
      total: total ?? 0,
      target: target ?? 0,
    })),
    lines: lines.slice(0, most.lines),
    lineCount: lines.length,
    machines: machines.filter(({ machine }) => kept.has(machine.id)),
    machineCount: machines.length,
    stops: stops.data.map(({ stop, machine, classification }) => ({
      ...{ id: stop.id, machine: { id: machine.id, name: machine.name }, name: stop.name },
      hasCause: Boolean(classification?.generalCause ?? classification?.specificCause),
      ...{ startTime: stop.startTime, endTime: stop.endTime, minutes: stop.durationInMinutes },
      note: classification?.description?.slice(0, LONGEST_NOTE) ?? null,
    })),
    incidents: incidents.data.map(({ id, rule, machine, since, acknowledgedBy }) => ({
      ...{ id, name: rule.name, machine, since, acknowledgedBy: acknowledgedBy?.name ?? null },
    })),
    incidentCount: incidents.total ?? MAX_TOTAL,
    calls: calls.data.map(({ id, machine, message, calledAt }) => ({ id, machine, message, since: calledAt })),
    callCount: calls.total ?? MAX_TOTAL,
    lateOrders: late.orders.map(({ id, code, name, estimatedDeliveryTime, expectedAt, remaining }) => ({
      ...{ id, code, name, dueTime: estimatedDeliveryTime, expectedAt, remaining },
    })),
    lateOrderCount: late.orders.length + (late.hasMore ? 1 : 0),
  };
}

/** The most characters of a stop's note that are handed over. */
const LONGEST_NOTE = 300;

function handedOver({ target, total, defects, oee, availability, unavailableTime, noDataTime }: RowFigures): HandedOver {
  return {
    ...{ target: target ?? 0, total: total ?? 0, defects: defects ?? 0 },
    ...{ oee: oee ?? 0, availability: availability ?? 0, unavailableTime: unavailableTime ?? 0, noDataTime: noDataTime ?? 0 },
  };
}
