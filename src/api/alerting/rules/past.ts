import type { AlertFacts, AlertPiece, ShiftSample } from "../../../oee/alerts.ts";
import { addTime, noTime, segmentsOf } from "../../../oee/shift-ledger.ts";
import { MINUTE_MS } from "../../../oee/time.ts";
import type { PastMachine, PastPart, PastRecord, PastStop } from "./queries.ts";

/** A machine's past as D1 has it, in place of its object's facts: counts are exact to five minutes, everything else to the millisecond. */
export interface Past {
  machine: PastMachine;
  /** In order. */
  records: readonly PastRecord[];
  stops: readonly PastStop[];
  parts: readonly PastPart[];
}

const TICK_MS = 5 * MINUTE_MS;

/** The facts of the past as of `now`, on which rules are evaluated. */
export function factsOf({ machine, records, stops, parts }: Past, now: number): AlertFacts {
  const pieces = piecesOf(records, stops, now);
  const ofShift = Map.groupBy(parts, ({ shiftStart }) => shiftStart);
  return {
    now,
    pieces,
    occurrences: records.map(({ shiftId, startAt, endAt }) => ({ shiftId, start: startAt, end: endAt })),
    runsUntil: now,
    heardUntil: now + 1,
    stopAfterMs: machine.stopAfterSeconds * 1000,
    liveSince: 0,
    noDataAfterMs: (machine.noDataAfterSeconds ?? 0) * 1000,
    samples: records.flatMap((record) => samplesOf(record, pieces, ofShift.get(record.startAt) ?? [], now)),
  };
}

/** The time line of the records: their stops, their time without data, and between these the time in which the machine was running. */
function piecesOf(records: readonly PastRecord[], stops: readonly PastStop[], now: number): AlertPiece[] {
  const end = now + 1;
  const silent = records.flatMap(({ noDataSpans }) => noDataSpans.map(([start, until]) => ({ start, end: until ?? end })));
  const noData = silent.map((span): AlertPiece => ({ ...span, kind: "noData", stop: null, causeIds: [] }));
  const distinct = new Map(stops.map((stop) => [stop.id, stop]));
  const stopped = [...distinct.values()].map((stop): AlertPiece => {
    const { isManual, isProgrammed, isIncludedInAvailability, breakName, generalCauseId, specificCauseId, componentId } = stop;
    const isAnnotated = generalCauseId !== null || specificCauseId !== null;
    const facts = { isManual, isProgrammed, isIncludedInAvailability, breakName, isAnnotated };
    const causeIds = [generalCauseId, specificCauseId, componentId].filter((id) => id !== null);
    return { start: stop.startAt, end: stop.endAt ?? end, kind: "stop", stop: facts, causeIds };
  });
  const pieces: AlertPiece[] = [];
  let cursor = records[0]?.startAt ?? end;
  const run = (start: number, until: number) => pieces.push({ start, end: until, kind: "available", stop: null, causeIds: [] });
  for (const piece of [...stopped, ...noData].sort((a, b) => a.start - b.start)) {
    if (piece.start >= end) break;
    if (cursor < piece.start) run(cursor, piece.start);
    const last = pieces.at(-1);
    if (last?.kind === "noData" && piece.kind === "noData" && last.end === piece.start) last.end = Math.min(piece.end, end);
    else pieces.push({ ...piece, end: Math.min(piece.end, end) });
    cursor = Math.max(cursor, piece.end);
  }
  if (cursor < end) run(cursor, end);
  return pieces;
}

/** The numbers of a shift every five minutes and at its end. Empty if it is not known when its units were made. */
function samplesOf(record: PastRecord, pieces: readonly AlertPiece[], own: readonly PastPart[], now: number): ShiftSample[] {
  if (own.length === 0 || own.some((part) => part.totalUnits > 0 && part.fiveMinutes.length === 0)) return [];
  const made = own
    .flatMap(({ hourStart, fiveMinutes, totalUnits, idealMs }) =>
      fiveMinutes.map(([units, defects], i) => {
        const share = totalUnits > 0 ? units / totalUnits : 0;
        return { at: hourStart + (i + 1) * TICK_MS, units, defects, idealMs: idealMs * share };
      }),
    )
    .sort((a, b) => b.at - a.at);
  const shift = { shiftId: record.shiftId, start: record.startAt, end: record.endAt };
  const hasStandard = record.standardCycleMs !== null || record.cyclesWithStandard > 0;
  const until = Math.min(shift.end, now);
  const segments = segmentsOf(pieces, { start: shift.start, end: until }).reverse();
  const past = { ...noTime };
  const sum = { idealMs: 0, totalUnits: 0, defectUnits: 0 };
  const samples: ShiftSample[] = [];
  for (let at = shift.start + TICK_MS; at <= until; at += TICK_MS) {
    for (let next = segments.at(-1); next && next.end <= at; next = segments.at(-1)) {
      addTime(past, next.end - next.start, next);
      segments.pop();
    }
    const sums = { ...past };
    const running = segments.at(-1);
    if (running && running.start < at) addTime(sums, at - running.start, running);
    for (let next = made.at(-1); next && next.at <= at; next = made.at(-1)) {
      sum.totalUnits += next.units;
      sum.defectUnits += next.defects;
      sum.idealMs += next.idealMs;
      made.pop();
    }
    samples.push({ at, shift, sums, made: { ...sum }, hasStandard, openBucket: null });
  }
  const last = samples.at(-1);
  if (last && last.at < shift.end && shift.end <= now) samples.push({ ...last, at: shift.end });
  return samples;
}
