import fc from "fast-check";
import { type MachineEvent, machineStates, type ReportedState } from "../../src/oee/events.ts";
import type { Settings, SettingsHistory } from "../../src/oee/settings.ts";
import type { ManualStop, Piece } from "../../src/oee/timeline.ts";
import { type Classification, count, MONDAY, reading, sample, settings, shift } from "./support.ts";

/** A machine, its events (in no order), the stops that people recorded, and now. */
export interface Stream {
  machine: Settings;
  events: MachineEvent[];
  manual: ManualStop[];
  now: number;
}

const SPAN_SECONDS = 1500;
/** The streams cross midnight between Monday and Tuesday. */
const START = MONDAY + 24 * 3_600_000 - 600_000;
const skuIds = ["A", "B", "constructor"];
const operatorIds = [1, 2, 3];

/**
 * Streams of a working machine: runs of counts, silence, offline times and changes of state, with single events in between.
 * @param tickMs all times are multiples of it: 1000 for the naive implementation
 */
export function streams(tickMs: number): fc.Arbitrary<Stream> {
  return fc.constantFrom<Settings["signal"]>("counts", "states").chain((signal) =>
    fc
      .record({
        machine: machines(signal),
        phases: fc.array(phase(signal), { minLength: 1, maxLength: 9 }),
        single: fc.array(fc.tuple(fc.nat(SPAN_SECONDS), fc.nat(999), single(signal)), { maxLength: 15 }),
        stops: fc.array(fc.tuple(fc.nat(SPAN_SECONDS), fc.integer({ min: 1, max: 300 }), fc.boolean(), fc.boolean()), {
          maxLength: 2,
        }),
        length: fc.integer({ min: 100, max: SPAN_SECONDS }),
      })
      .map(({ machine, phases, single, stops, length }) => {
        const tick = (seconds: number, ms = 0) => START + Math.floor((seconds * 1000 + ms) / tickMs) * tickMs;
        const now = tick(length);
        const events: MachineEvent[] = single.map(([seconds, ms, make]) => make(tick(seconds, ms)));
        let second = 0;
        for (const { seconds, everySeconds, make, first } of phases) {
          if (first) events.push(first(tick(second)));
          if (make) for (let s = 0; s < seconds; s += everySeconds) events.push(make(tick(second + s)));
          second += seconds;
        }
        return {
          machine,
          events: withOneStatePerInstant(events.filter((event) => event.at <= now)),
          manual: apart(stops, tick),
          now,
        };
      }),
  );
}

/** Streams of a machine whose settings change meanwhile; `isLimitsAlone`: its signal stays the same. */
export function streamsUnderChange(isLimitsAlone: boolean): fc.Arbitrary<Omit<Stream, "machine"> & { history: SettingsHistory }> {
  const change = fc.record({
    second: fc.nat(SPAN_SECONDS),
    stopAfterMs: fc.constantFrom(0, 20_000, 120_000),
    noDataAfterMs: fc.constantFrom(null, 15_000, 120_000),
    signal: fc.constantFrom<Settings["signal"]>("counts", "states"),
  });
  return fc.tuple(streams(1), change).map(([{ machine, ...stream }, { second, ...over }]) => {
    const signal = isLimitsAlone ? machine.signal : over.signal;
    return { ...stream, history: [machine, { ...machine, ...over, signal, since: START + second * 1000 }] };
  });
}

/** Classifies some stops by their start only, so that all implementations classify a stop alike. */
export function classify({ start }: Pick<Piece, "start">): Classification | null {
  const seconds = Math.floor(start / 1000);
  if (seconds % 3 !== 0) return null;
  return { isAnnotated: seconds % 2 === 0, isProgrammed: seconds % 4 < 2, isIncludedInAvailability: seconds % 5 > 0 };
}

function machines(signal: Settings["signal"]): fc.Arbitrary<Settings> {
  const plan = fc.record({
    operatorId: fc.constantFrom(...operatorIds),
    shiftId: fc.constantFrom(1, 2, 3),
    since: fc.constantFrom(0, START + 200_000, START + 900_000),
    until: fc.constantFrom(START + 700_000, Number.MAX_SAFE_INTEGER),
  });
  const shifts = fc.subarray(
    [
      shift({ id: 1, start: "23:00", end: "23:57", breaks: [pause("rest", "23:52", "23:54", false)] }),
      shift({
        id: 2,
        start: "23:55",
        end: "00:08",
        breaks: [
          pause("tea", "23:58", "00:03", true),
          pause("talk", "00:01", "00:04", false),
          pause("walk", "00:06", "00:20", false),
        ],
      }),
      shift({ id: 3, start: "00:10", end: "00:10", days: [2], breaks: [pause("lunch", "00:11", "00:12", false)] }),
    ],
    { minLength: 1 },
  );
  return fc
    .record({
      stopAfterMs: fc.constantFrom(0, 1000, 20_000, 60_000, 120_000),
      noDataAfterMs: fc.constantFrom(null, 15_000, 60_000, 90_000, 300_000),
      reportingMs: fc.constantFrom(undefined, undefined, undefined, 40_000, 150_000),
      standardCycleMs: fc.constantFrom(null, 12_000),
      skuStandardsMs: fc.constantFrom({}, { A: 9000 }, { A: 9000, B: 20_000 }),
      plan: fc.array(plan, { maxLength: 3 }),
      signOutAtShiftEnd: fc.boolean(),
      shifts,
    })
    .map(({ reportingMs, ...members }) => {
      const reporting = reportingMs === undefined ? {} : { reportingMs };
      return settings({ signal, commissionedAt: START, ...members, ...reporting, skuStandardsMs: { ...members.skuStandardsMs } });
    });
}

function pause(name: string, start: string, end: string, isIncludedInAvailability: boolean) {
  return { name, start, end, isIncludedInAvailability };
}

type Make = (at: number) => MachineEvent;

interface Phase {
  seconds: number;
  everySeconds: number;
  /** Makes the recurring event; null: none. */
  make: Make | null;
  first: Make | null;
}

function phase(signal: Settings["signal"]): fc.Arbitrary<Phase> {
  const first: fc.Arbitrary<Make | null> = signal === "states" ? state() : fc.constant(null);
  const make = fc.oneof(counts(), readings(), fc.constant(sample), fc.constant(null), covering());
  return fc.record({ seconds: fc.integer({ min: 1, max: 400 }), everySeconds: fc.constantFrom(5, 10, 45, 150), make, first });
}

function single(signal: Settings["signal"]): fc.Arbitrary<Make> {
  const sku = fc.tuple(fc.constantFrom(...skuIds), fc.constantFrom(null, "order")).map(
    ([skuId, workOrderId]): Make =>
      (at) => ({ kind: "sku", at, skuId, workOrderId }),
  );
  const operator = fc.tuple(fc.constantFrom(...operatorIds), fc.constantFrom("in" as const, "out" as const)).map(
    ([operatorId, action]): Make =>
      (at) => ({ kind: "operator", at, operatorId, action }),
  );
  return fc.oneof(
    sku,
    operator,
    counts(),
    readings(),
    covering(),
    fc.constant(sample),
    ...(signal === "states" ? [state()] : []),
  );
}

function state(): fc.Arbitrary<Make> {
  return fc
    .constantFrom<ReportedState>("running", "running", ...machineStates)
    .map((state) => (at) => ({ kind: "state", at, state }));
}

function counts(): fc.Arbitrary<Make> {
  return fc
    .record({ cycles: fc.nat(3), total: fc.nat(5), defects: fc.nat(2), good: fc.constantFrom(null, null, 0, 2) })
    .map((made) => (at) => count(at, made));
}

/**
 * Readings of a counter that goes on at a steady rate, is reset at times, or wraps. Those of one maker are off by some pulses, so that readings
 * of one counter contradict each other now and then.
 */
function readings(): fc.Arbitrary<Make> {
  const counters = [
    { counter: "1:1", perPulse: { cycles: 1, total: 2, defects: 0, good: null }, everyMs: 7000, resetMs: 400_000 },
    { counter: "1:2", perPulse: { cycles: 0, total: 0, defects: 1, good: null }, everyMs: 60_000, resetMs: 700_000 },
    {
      counter: "2:1",
      perPulse: { cycles: 1, total: 1, defects: 0, good: null },
      everyMs: 4000,
      wraps: { at: 64, pulsesPerCycle: 1 },
    },
    {
      counter: "2:2",
      perPulse: { cycles: 0, total: 3, defects: 0, good: null },
      everyMs: 900,
      wraps: { at: 256, pulsesPerCycle: 8 },
    },
    { counter: "2:3", perPulse: null, everyMs: 5000 },
  ];
  const seconds = fc.constantFrom(undefined, undefined, undefined, 30, 170);
  return fc.tuple(fc.constantFrom(...counters), fc.nat(3), seconds).map(([one, off, seconds]): Make => {
    const {
      everyMs,
      resetMs = Number.POSITIVE_INFINITY,
      counter,
      perPulse,
      wraps,
    } = { resetMs: undefined, wraps: undefined, ...one };
    return (at) => {
      const passed = at - START;
      const total = Math.floor((Number.isFinite(resetMs) ? passed % resetMs : passed) / everyMs) + off;
      const covers = seconds === undefined ? {} : { since: at - seconds * 1000 };
      // The counter feeds another machine before that.
      const fedSince = passed < 900_000 ? 0 : START + 900_000;
      const value = wraps ? total % wraps.at : total;
      return reading(at, value, { counter, perPulse, fedSince, ...(wraps && { wraps }), ...covers });
    };
  });
}

/** Counts and samples that cover time before them. */
function covering(): fc.Arbitrary<Make> {
  const seconds = fc.constantFrom(5, 30, 100, 170, 600);
  const make = fc.oneof(counts(), counts(), fc.constant(sample));
  return fc.tuple(make, seconds, fc.nat(20)).map(([make, seconds, cycles]): Make => {
    return (at) => {
      const event = make(at);
      const since = at - seconds * 1000;
      return event.kind === "count" ? { ...event, cycles: event.cycles && cycles, since } : { kind: "sample", at, since };
    };
  });
}

/** Two states at one instant leave a spell without length, which the naive implementation cannot see. */
function withOneStatePerInstant(events: readonly MachineEvent[]): MachineEvent[] {
  const seen = new Set<number>();
  return events.filter((event) => event.kind !== "state" || (!seen.has(event.at) && seen.add(event.at)));
}

function apart(stops: readonly [number, number, boolean, boolean][], tick: (seconds: number) => number): ManualStop[] {
  let free = 0;
  const manual: ManualStop[] = [];
  for (const [start, seconds, isProgrammed, isIncludedInAvailability] of stops.toSorted((a, b) => a[0] - b[0])) {
    const from = Math.max(start, free);
    free = from + seconds;
    manual.push({ start: tick(from), end: tick(free), isProgrammed, isIncludedInAvailability });
  }
  return manual;
}
