import type { ReportedState } from "../../src/oee/events.ts";
import { ShiftCalendar, type ShiftOccurrence } from "../../src/oee/shifts.ts";
import { DAY_MS, HOUR_MS, type Interval, MINUTE_MS, SECOND_MS } from "../../src/oee/time.ts";
import { seededRandom } from "../random.ts";
import { orders } from "./orders.ts";
import {
  companies,
  type DemoGateway,
  type DemoMachine,
  type DemoShift,
  machineStandards,
  machines,
  shifts,
  skus,
} from "./plant.ts";
import { type Reason, scriptShift } from "./shift-script.ts";

/** An event as `POST /v1/ingest` accepts it; `at` is ISO 8601 UTC. */
export type IngestEvent = { id: string; at: string } & (
  | { type: "count"; nodeId: number; channel: number; value: number }
  | { type: "heartbeat"; nodeId: number }
  | { type: "state"; machineId: number; state: ReportedState }
  | { type: "operator"; machineId: number; operatorId: number; action: "in" | "out" }
  | { type: "sku"; machineId: number; skuId: string; workOrderId: string | null }
);

const REPORT_MS = 30 * SECOND_MS;

const stateOf: Record<Reason, ReportedState> = {
  lateStart: "idle",
  earlyStop: "idle",
  break: "idle",
  changeover: "setup",
  maintenance: "maintenance",
  breakdown: "down",
  jam: "idle",
  microStop: "idle",
  offline: "unavailable",
};

/** A machine in one occurrence of a shift, with everything that determines its events. */
interface MachineShift extends Interval {
  machine: DemoMachine;
  gateway: DemoGateway;
  speed: number;
  standstills: (Interval & { reason: Reason })[];
  outages: Interval[];
  operatorId: number;
  skuId: string;
  nextSkuId: string;
}

/** A function that takes an instant (epoch ms) and the rest of an event. `key` identifies it among those of its instant. */
type Emit = (at: number, key: string, event: EventBody) => void;
type WithoutIdentity<T> = T extends IngestEvent ? Omit<T, "id" | "at"> : never;
type EventBody = WithoutIdentity<IngestEvent>;

/**
 * The events that a gateway sends for [from, to) (epoch ms), oldest first. Always the same for the same time, including
 * ids, regardless of how the time is divided into ranges: sending a range twice adds nothing.
 */
export function eventsBetween(gateway: DemoGateway, from: number, to: number): IngestEvent[] {
  const events: { at: number; event: IngestEvent }[] = [];
  const emit: Emit = (at, key, event) => {
    if (at < from || at >= to) return;
    const id = `${gateway.id}-${key}-${at.toString(36)}`;
    events.push({ at, event: { id, at: new Date(at).toISOString(), ...event } });
  };
  const outages = outagesBetween(gateway, from - DAY_MS, to);
  emitHeartbeats(gateway, outages, from, to, emit);
  for (const machine of machines) {
    if (machine.gatewayId !== gateway.id) continue;
    // Events just before a shift's end may be reported after it, once an outage is over.
    for (const shift of calendarOf(gateway.companyId).between(from - HOUR_MS, to)) {
      emitShift(playShift(machine, gateway, shift, outages), emit);
    }
  }
  return events.sort((a, b) => a.at - b.at).map(({ event }) => event);
}

const calendars = new Map<number, ShiftCalendar>();

function calendarOf(companyId: number): ShiftCalendar {
  const known = calendars.get(companyId);
  if (known) return known;
  const ofCompany = (shift: DemoShift) => shift.companyId === companyId;
  const calendar = new ShiftCalendar([
    {
      since: 0,
      timezone: companies.find(({ id }) => id === companyId)?.timezone ?? "UTC",
      signal: "counts",
      stopAfterMs: 0,
      noDataAfterMs: null,
      commissionedAt: 0,
      decommissionedAt: null,
      standardCycleMs: null,
      skuStandardsMs: {},
      shifts: shifts.filter(ofCompany).map((shift) => ({ ...shift, days: [1, 2, 3, 4, 5, 6, 7] })),
      plan: [],
      signOutAtShiftEnd: true,
    },
  ]);
  calendars.set(companyId, calendar);
  return calendar;
}

/** About once a day a gateway is unreachable for ten minutes; its counts during that time are lost. */
function outagesBetween(gateway: DemoGateway, from: number, to: number): Interval[] {
  const outages: Interval[] = [];
  for (let day = Math.floor(from / DAY_MS); day * DAY_MS < to; day++) {
    const random = seededRandom("outage", gateway.id, day);
    const start = day * DAY_MS + Math.round(random() * 23 * HOUR_MS);
    outages.push({ start, end: start + Math.round((8 + 4 * random()) * MINUTE_MS) });
  }
  return outages;
}

function outageAt(outages: Interval[], at: number): Interval | undefined {
  return outages.find(({ start, end }) => start <= at && at < end);
}

function emitHeartbeats(gateway: DemoGateway, outages: Interval[], from: number, to: number, emit: Emit): void {
  const phase = gateway.id * 7 * SECOND_MS;
  for (let at = Math.ceil((from - phase) / MINUTE_MS) * MINUTE_MS + phase; at < to; at += MINUTE_MS) {
    if (!outageAt(outages, at)) emit(at, "h", { type: "heartbeat", nodeId: gateway.nodeId });
  }
}

function playShift(machine: DemoMachine, gateway: DemoGateway, shift: ShiftOccurrence, outages: Interval[]): MachineShift {
  // Shifts are numbered by their third of the day, so that every second one changes over to the next SKU.
  const turn = Math.floor(shift.start / (8 * HOUR_MS)) + machine.id;
  const hasChangeover = machine.skuIds.length > 1 && turn % 2 === 1;
  const ofCompany = shifts.filter(({ companyId }) => companyId === gateway.companyId);
  const position = ofCompany.findIndex(({ id }) => id === shift.shiftId);
  const { standstills, speed } = scriptShift(machine, shift, ofCompany[position]?.name === "Night", hasChangeover);
  return {
    machine,
    gateway,
    start: shift.start,
    end: shift.end,
    speed,
    standstills,
    outages,
    operatorId: machine.crew[position % machine.crew.length] ?? 0,
    skuId: skuInTurn(machine, Math.floor(turn / 2)),
    nextSkuId: skuInTurn(machine, Math.floor(turn / 2) + 1),
  };
}

function skuInTurn(machine: DemoMachine, turn: number): string {
  return machine.skuIds[turn % machine.skuIds.length] ?? "";
}

function standardCycleMs(machine: DemoMachine, skuId: string): number {
  const standard =
    machineStandards.find((entry) => entry.machineId === machine.id && entry.skuId === skuId) ??
    skus.find(({ id }) => id === skuId);
  return (standard?.standardCycleSeconds ?? machine.standardCycleSeconds) * SECOND_MS;
}

function emitShift(shift: MachineShift, emit: Emit): void {
  emitPeopleAndSkus(shift, emit);
  if (shift.machine.signal === "states") emitStates(shift, emit);
  emitCounts(shift, emit);
}

/** These come from the machine's terminal, which an outage of the gateway does not affect. */
function emitPeopleAndSkus(shift: MachineShift, emit: Emit): void {
  const { machine, operatorId, skuId, nextSkuId } = shift;
  const random = seededRandom("people", machine.id, shift.start);
  const inAt = shift.start + Math.round(random() * 3 * MINUTE_MS);
  const outAt = shift.end - Math.round((0.2 + random() * 3) * MINUTE_MS);
  const key = `o${machine.id}`;
  emit(shift.start, `k${machine.id}`, skuEvent(machine.id, skuId));
  emit(inAt, key, { type: "operator", machineId: machine.id, operatorId, action: "in" });
  emit(outAt, key, { type: "operator", machineId: machine.id, operatorId, action: "out" });
  const changeover = shift.standstills.find(({ reason }) => reason === "changeover");
  if (changeover) emit(changeover.start, `k${machine.id}`, skuEvent(machine.id, nextSkuId));
}

/** A SKU is put in work on the machine, for the order in work that needs it there, if there is one. */
function skuEvent(machineId: number, skuId: string): EventBody {
  const order = orders.find(({ status, machineIds, targets }) => {
    return status === "InProgress" && machineIds.includes(machineId) && targets.some((target) => target.skuId === skuId);
  });
  return { type: "sku", machineId, skuId, workOrderId: order?.id ?? null };
}

/** Each change of state, and after an outage the present state. */
function emitStates(shift: MachineShift, emit: Emit): void {
  const { machine, standstills } = shift;
  const changes = standstills.flatMap(({ start, end, reason }) => [
    { at: start, state: stateOf[reason] },
    { at: end, state: "running" as const },
  ]);
  for (const [i, { at, state }] of changes.entries()) {
    if (at >= shift.end) continue;
    const reportedAt = outageAt(shift.outages, at)?.end ?? at;
    const nextAt = changes[i + 1]?.at ?? shift.end;
    if (reportedAt < nextAt) emit(reportedAt, `s${machine.id}`, { type: "state", machineId: machine.id, state });
  }
}

/** Every half minute the pulses since the last report, if there were any. */
function emitCounts(shift: MachineShift, emit: Emit): void {
  const { machine, gateway, standstills } = shift;
  const [made, rejected] = machine.channels;
  if (!made || !rejected) return;
  const random = seededRandom("counts", machine.id, shift.start);
  const changeoverAt = standstills.find(({ reason }) => reason === "changeover")?.start ?? shift.end;
  let cycles = 0;
  let defects = 0;
  for (let at = shift.start + (machine.id % 8) * 3 * SECOND_MS + REPORT_MS; at < shift.end; at += REPORT_MS) {
    const cycleMs = standardCycleMs(machine, at < changeoverAt ? shift.skuId : shift.nextSkuId) / shift.speed;
    cycles += runningMs(standstills, at - REPORT_MS, at) / cycleMs;
    const pulses = Math.floor(cycles);
    cycles -= pulses;
    const chance = 2 * random() * machine.behaviour.defectRatio;
    if (pulses === 0) continue;
    defects += pulses * made.countingFactor * chance;
    const rejects = Math.min(pulses, Math.floor(defects));
    defects -= rejects;
    if (outageAt(shift.outages, at)) continue;
    const good = made.type === "good" ? pulses - rejects : pulses;
    const count = (channel: number, value: number) => {
      if (value > 0) emit(at, `c${channel}`, { type: "count", nodeId: gateway.nodeId, channel, value });
    };
    count(made.channel, good);
    count(rejected.channel, rejects);
  }
}

function runningMs(standstills: Interval[], from: number, to: number): number {
  let ms = to - from;
  for (const { start, end } of standstills) ms -= Math.max(0, Math.min(end, to) - Math.max(start, from));
  return ms;
}
