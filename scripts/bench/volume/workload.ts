import { recordId } from "../../../src/core/record-id.ts";
import type { OperatorShiftRow, PartRow, RecordRow, RunRow, StopRow } from "../../../src/machine/publish/published-rows.ts";
import { DAY_MS, HOUR_MS, isoOf, MINUTE_MS } from "../../../src/oee/time.ts";
import { seededRandom } from "../../random.ts";

// What machines send to the database in a day: rows of their outboxes, as src/machine/publish/ makes them. 3 shifts, 26 parts, 30 stops of which
// people classify 20 (each an audit entry), 3 operators, 3 runs of orders, 89 events.

const SHIFTS = 3;
const SHIFT_MS = DAY_MS / SHIFTS;
const STOPS_PER_SHIFT = 10;
const CLASSIFIED_OF_3 = 2;
/** The hours of a day in whose middle a new SKU and order begin. */
const CHANGES = [9, 17];
const FIVE_MINUTES = 5 * MINUTE_MS;

export const OPERATORS_PER_COMPANY = 10;
export const CAUSES_PER_COMPANY = 8;

/** A row of an outbox, at the time of its flush. */
export interface Sent {
  at: number;
  kind: "record" | "part" | "roster" | "stop" | "run" | "event" | "audit";
  key: string;
  body: object;
  createdAt: number;
}

/** A machine, and what its rows refer to. */
export interface Machine {
  id: number;
  companyId: number;
  /** The company's shift at hours 0, 8 and 16. */
  shiftIds: readonly number[];
  orderIds: readonly string[];
}

/** Returns a function that gives the rows which a machine sends on each next day, in no order. */
export function workloadOf(machine: Machine): (dayStart: number) => Sent[] {
  const random = seededRandom("volume", machine.id);
  let seq = 0;
  const next = () => ++seq;
  let eventSeq = 0;
  return (dayStart) => {
    const put = (): Sent[] => [];
    const sent = put();
    const event = (type: string, about: number, at: number, data: object) => {
      eventSeq += 1;
      const { id: machineId, companyId } = machine;
      const id = `${type}:${about}:${machineId}-${eventSeq}`;
      const body = { id, companyId, machineId, type, at, data: { ...ofMachine(machine), ...data } };
      sent.push({ at, kind: "event", key: String(eventSeq), body, createdAt: at });
    };
    for (let shift = 0; shift < SHIFTS; shift++) {
      const start = dayStart + shift * SHIFT_MS;
      sent.push(...shiftRows(machine, random, start, next(), event));
      sent.push(...stopRows(machine, random, start, next, event));
    }
    sent.push(...partRows(machine, random, dayStart), ...runRows(machine, random, dayStart));
    return sent;
  };
}

type PutEvent = (type: string, about: number, at: number, data: object) => void;

function ofMachine({ id }: Machine) {
  return { machineId: id, machineName: null, lineId: null, lineName: null };
}

function shiftOf({ id: machineId, companyId, shiftIds }: Machine, start: number) {
  const shiftId = shiftIds[(start % DAY_MS) / SHIFT_MS] as number;
  return { machineId, companyId, shiftId, lineId: companyId, day: Math.floor(start / DAY_MS) };
}

/** A shift's record and its operator, every hour, and their events. */
function shiftRows(machine: Machine, random: () => number, start: number, number: number, event: PutEvent): Sent[] {
  const end = start + SHIFT_MS;
  const id = recordId(machine.id, number);
  const about = shiftOf(machine, start);
  const operatorId = (machine.companyId - 1) * OPERATORS_PER_COMPANY + 1 + Math.floor(random() * OPERATORS_PER_COMPANY);
  const signedIn = start + Math.floor(random() * MINUTE_MS);
  const speed = 280 + Math.floor(random() * 40);
  const rows: Sent[] = [];
  for (let hour = 1; hour <= SHIFT_MS / HOUR_MS; hour++) {
    const isClosed = hour === SHIFT_MS / HOUR_MS;
    const asOf = start + hour * HOUR_MS;
    const noDataMs = hour * 17_000;
    const nonProgrammedMs = hour * 4 * MINUTE_MS + Math.floor(random() * MINUTE_MS);
    const units = hour * speed;
    const record: RecordRow = {
      ...{ id, ...about, startAt: start, endAt: end, asOf },
      ...{
        openBucket: isClosed ? null : "available",
        openIsAnnotated: false,
        availableMs: hour * HOUR_MS - noDataMs - nonProgrammedMs,
      },
      ...{
        noDataMs,
        programmedMs: 0,
        nonProgrammedMs,
        otherMs: 0,
        lateStartMs: 41_000,
        nonProgrammedSinceAvailableMs: 0,
        annotatedMs: 0,
      },
      ...{ cycles: units, totalUnits: units, defectUnits: hour * 3, unitsWithoutTime: 0, idealMs: units * 10_000 },
      ...{
        cyclesWithStandard: units,
        lostByDefectsMs: hour * 30_000,
        standardCycleMs: 10_000,
        recentUnits: 27,
        recentMs: 300_000,
        hourlyRate: 85,
      },
      noDataSpans: [[start + HOUR_MS, start + HOUR_MS + 136_000]],
    };
    rows.push({ at: asOf - (isClosed ? 0 : 1), kind: "record", key: String(start), body: record, createdAt: start });
    const share: OperatorShiftRow = {
      ...{ ...about, shiftStart: start, operatorId, shiftEnd: end },
      ...{ uptimeMs: record.availableMs, downtimeMs: nonProgrammedMs, units, skuId: "PRODUCT-1" },
    };
    rows.push({ at: asOf - 1, kind: "roster", key: String(start), body: [share], createdAt: start });
  }
  const presence = { operatorId, operatorName: null, since: isoOf(signedIn) };
  event("operator.signed_in", operatorId, signedIn, presence);
  event("operator.signed_out", operatorId, end, { ...presence, until: isoOf(end), isRemoved: false });
  event("shift.closed", id, end, {
    ...{ recordId: id, shiftId: about.shiftId, shiftName: null, since: isoOf(start), until: isoOf(end) },
    ...{ availableMinutes: 445.31, noDataMinutes: 2.27, programmedMinutes: 0, nonProgrammedMinutes: 32.42, otherMinutes: 0 },
    ...{ cycles: 8 * speed, total: 8 * speed, defects: 24, availability: 93.21, effectiveness: 83.1, quality: 99.07, oee: 76.74 },
  });
  return rows;
}

/** The stops of a shift: when they begin and end, and when people say why. */
function stopRows(machine: Machine, random: () => number, shiftStart: number, next: () => number, event: PutEvent): Sent[] {
  const about = shiftOf(machine, shiftStart);
  const rows: Sent[] = [];
  for (let n = 0; n < STOPS_PER_SHIFT; n++) {
    const place = (n * SHIFT_MS) / STOPS_PER_SHIFT;
    const start = shiftStart + place + MINUTE_MS + Math.floor(random() * 20 * MINUTE_MS);
    const end = start + 2 * MINUTE_MS + Math.floor(random() * 10 * MINUTE_MS);
    const classifiedAt = end + Math.floor(random() * 14 * MINUTE_MS);
    const causeId = (machine.companyId - 1) * CAUSES_PER_COMPANY + 1 + Math.floor(random() * CAUSES_PER_COMPANY);
    const id = recordId(machine.id, next());
    const flags = { isManual: false, isProgrammed: false, isIncludedInStops: true, isIncludedInAvailability: true };
    const noCauses = { generalCauseId: null, specificCauseId: null, componentId: null, description: null };
    const causes = { ...noCauses, generalCauseId: causeId, description: n % 4 === 0 ? "Cap feeder jams" : null };
    const rowOf = (more: Partial<StopRow>): StopRow => ({
      ...{
        id,
        shiftStart,
        ...about,
        shiftEnd: shiftStart + SHIFT_MS,
        startAt: start,
        endAt: end,
        sliceStart: start,
        sliceEnd: end,
      },
      ...{ version: 1, name: null, breakName: null, ...flags, classificationId: null, ...noCauses },
      ...{ classifiedAt: null, reclassifiedAt: null, deletedAt: null, ...more },
    });
    const put = (at: number, body: StopRow) => {
      rows.push({ at, kind: "stop", key: `${id}:${shiftStart}`, body, createdAt: start + 2 * MINUTE_MS });
    };
    const dataOf = (until: number | null, more: object = noCauses) => ({
      ...{ stopId: id, shiftId: about.shiftId, shiftName: null, since: isoOf(start), until: isoOf(until), ...flags },
      ...{ name: null, breakName: null, ...more, generalCauseName: null, specificCauseName: null, componentName: null },
    });
    const foundAt = start + 2 * MINUTE_MS;
    put(foundAt, rowOf({ endAt: null, sliceEnd: null }));
    event("stop.opened", id, foundAt, dataOf(null));
    put(end, rowOf({}));
    event("stop.closed", id, end, dataOf(end));
    if (n % 3 >= CLASSIFIED_OF_3 && n < STOPS_PER_SHIFT - 1) continue;
    if (n === STOPS_PER_SHIFT - 1 && shiftStart % DAY_MS === 0) continue;
    const times = { classifiedAt, reclassifiedAt: classifiedAt };
    put(classifiedAt, rowOf({ version: 2, classificationId: id, ...causes, ...times }));
    const changes = { generalCauseId: { from: null, to: causeId } };
    const described = causes.description === null ? {} : { description: { from: null, to: causes.description } };
    event("stop.classified", id, classifiedAt, { ...dataOf(end, causes), changes: { ...changes, ...described } });
    rows.push(auditRow(machine, random, { id, start, end, causeId, description: causes.description, at: classifiedAt }));
  }
  return rows;
}

interface Classified {
  id: number;
  start: number;
  end: number;
  causeId: number;
  description: string | null;
  at: number;
}

function auditRow({ companyId }: Machine, random: () => number, { id, start, end, causeId, description, at }: Classified): Sent {
  const before = {
    ...{ id, startTime: isoOf(start), endTime: isoOf(end), name: null, isManual: false, isProgrammed: false },
    ...{ isIncludedInStops: true, isIncludedInAvailability: true, generalCauseId: null, specificCauseId: null },
    ...{ componentId: null, description: null, version: 1 },
  };
  const entry = {
    ...{ id: uuidOf(random), at, companyId, userId: companyId * 20 + Math.floor(random() * 20), apiTokenId: null },
    ...{ requestId: uuidOf(random), action: "stop.classify", objectType: "stop", objectId: String(id) },
    ...{ before, after: { ...before, generalCauseId: String(causeId), description, version: 2 } },
  };
  return { at, kind: "audit", key: entry.id, body: entry, createdAt: at };
}

/** The parts of a day: one an hour, two in the hours with a new SKU. Each is sent when it begins, and when it has ended. */
function partRows(machine: Machine, random: () => number, dayStart: number): Sent[] {
  const rows: Sent[] = [];
  for (let hour = 0; hour < DAY_MS / HOUR_MS; hour++) {
    const hourStart = dayStart + hour * HOUR_MS;
    const half = hourStart + HOUR_MS / 2;
    const hourEnd = hourStart + HOUR_MS;
    const spans = CHANGES.includes(hour)
      ? [[hourStart, half] as const, [half, hourEnd] as const]
      : [[hourStart, hourEnd] as const];
    for (const [startAt, endAt] of spans) {
      const shiftStart = hourStart - (hourStart % SHIFT_MS);
      const run = CHANGES.filter((at) => startAt > dayStart + at * HOUR_MS).length;
      const stopped = 2 * MINUTE_MS + Math.floor(random() * 3 * MINUTE_MS);
      const fiveMinutes = Array.from({ length: (endAt - hourStart) / FIVE_MINUTES }, (_, i): [number, number, number] => {
        if (hourStart + i * FIVE_MINUTES < startAt) return [0, 0, 0];
        return [20 + Math.floor(random() * 10), random() < 0.1 ? 1 : 0, random() < 0.1 ? 120_000 : FIVE_MINUTES];
      });
      const units = fiveMinutes.reduce((sum, [made]) => sum + made, 0);
      const about = {
        ...{ ...shiftOf(machine, shiftStart), startAt, endAt, shiftStart, shiftEnd: shiftStart + SHIFT_MS, hourStart },
        ...{ skuId: `PRODUCT-${run + 1}`, workOrderId: orderOf(machine, dayStart, run), openIsAnnotated: false },
        ...{ noDataMs: 0, programmedMs: 0, otherMs: 0, annotatedMs: 0, unitsWithoutTime: 0, unitStandardMs: 10_000 },
      };
      const open: PartRow = {
        ...{ ...about, asOf: startAt + MINUTE_MS, openBucket: "available", availableMs: MINUTE_MS, nonProgrammedMs: 0 },
        ...{ cycles: 5, totalUnits: 5, defectUnits: 0, idealMs: 50_000, cyclesWithStandard: 5, lostByDefectsMs: 0 },
        fiveMinutes: [[5, 0, MINUTE_MS]],
      };
      const ended: PartRow = {
        ...{ ...about, asOf: null, openBucket: null, availableMs: endAt - startAt - stopped, nonProgrammedMs: stopped },
        ...{ cycles: units, totalUnits: units, defectUnits: 1, idealMs: units * 10_000, cyclesWithStandard: units },
        ...{ lostByDefectsMs: 10_000, fiveMinutes },
      };
      const put = (at: number, body: PartRow) => {
        rows.push({ at, kind: "part", key: String(startAt), body, createdAt: startAt });
      };
      put(startAt + MINUTE_MS, open);
      put(endAt, ended);
    }
  }
  return rows;
}

function runRows(machine: Machine, random: () => number, dayStart: number): Sent[] {
  const starts = [dayStart, ...CHANGES.map((hour) => dayStart + hour * HOUR_MS + HOUR_MS / 2)];
  return starts.flatMap((startAt, run) => {
    const end = starts[run + 1] ?? dayStart + DAY_MS;
    const rowOf = (endAt: number | null): RunRow => ({
      ...{ machineId: machine.id, startAt, workOrderId: orderOf(machine, dayStart, run), skuId: `PRODUCT-${run + 1}` },
      ...{ correct: endAt === null ? 5 : 2000 + Math.floor(random() * 500), defects: endAt === null ? 0 : 21, endAt },
    });
    const put = (at: number, endAt: number | null): Sent => ({
      ...{ at, kind: "run", key: String(startAt), body: rowOf(endAt), createdAt: startAt },
    });
    return [put(startAt + MINUTE_MS, null), put(end, end)];
  });
}

function orderOf({ orderIds }: Machine, dayStart: number, run: number): string {
  return orderIds[((dayStart / DAY_MS) * (CHANGES.length + 1) + run) % orderIds.length] as string;
}

/** A UUID of version 4, by a seeded generator. */
export function uuidOf(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join("");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5");
}
