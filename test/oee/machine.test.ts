import { describe, expect, test } from "vitest";
import type { LedgerEvent, MachineEvent } from "../../src/oee/events.ts";
import { advanceLedger, type LedgerSink, startLedger } from "../../src/oee/machine.ts";
import type { Settings, SettingsHistory } from "../../src/oee/settings.ts";
import { ShiftCalendar } from "../../src/oee/shifts.ts";
import { advanceSignal, certainTo, type SignalState, startSignal } from "../../src/oee/signal.ts";
import { at, count, every, MINUTE_MS, onlyShift, readable, replay, sample, settings, shift } from "./support.ts";

const machine = settings({ commissionedAt: at("06:00") });

test("a change of the limits applies to gaps that begin after it, and does not change the closed shift", () => {
  const shifts = [shift(), shift({ id: 2, start: "14:00", end: "22:00" })];
  const before = { ...machine, shifts };
  const after = { ...before, since: at("14:00"), stopAfterMs: 10 * MINUTE_MS };
  const counts = [
    ...every(5 * MINUTE_MS, at("06:00"), at("13:55"), count),
    ...every(5 * MINUTE_MS, at("14:02"), at("18:02"), count),
  ];
  const events = [...counts, ...every(MINUTE_MS, at("06:00"), at("18:00"), sample)];
  const changed = replay(events, [before, after], { now: at("18:00") });
  expect(changed.shifts[0]).toEqual(replay(events, before, { now: at("18:00") }).shifts[0]);
  // The gap from 13:55 to 14:02 began under the old limit.
  expect(changed.shifts.map(({ indicators }) => indicators.nonProgrammedDowntime)).toEqual([480, 2]);
});

test("a change of the no-data limit applies to silences that begin after it", () => {
  const patient = { ...machine, since: at("08:00"), noDataAfterMs: null };
  const events = [...every(10 * MINUTE_MS, at("06:00"), at("09:00"), count)];
  const { pieces } = replay(events, [machine, patient], { now: at("09:00") });
  expect(pieces.map(({ kind, start }) => [kind, (start - at("08:00")) / MINUTE_MS])).toEqual([
    ["noData", -120],
    ["stop", 0],
    ["stop", 10],
    ["stop", 20],
    ["stop", 30],
    ["stop", 40],
    ["stop", 50],
    ["available", 60],
  ]);
});

test("a machine that changes to states has no data until the first of them", () => {
  const states = { ...machine, since: at("07:00"), signal: "states" as const };
  const events: MachineEvent[] = [
    ...every(MINUTE_MS, at("06:00"), at("08:00"), count),
    { kind: "state", at: at("07:30"), state: "running" },
  ];
  const { pieces } = replay(events, [machine, states], { now: at("08:00") });
  expect(pieces.map(({ kind, start }) => [kind, (start - at("06:00")) / MINUTE_MS])).toEqual([
    ["available", 0],
    ["noData", 60],
    ["available", 90],
  ]);
});

test("a machine that changes to counts is stopped from its last count, whatever its state was", () => {
  const states = { ...machine, signal: "states" as const };
  const counts = { ...machine, since: at("07:00") };
  const events: MachineEvent[] = [
    { kind: "state", at: at("06:00"), state: "running" },
    ...every(MINUTE_MS, at("06:00"), at("08:00"), sample),
    count(at("07:10")),
  ];
  const result = replay(events, [states, counts], { now: at("08:00") });
  expect(readable(result, at("07:00"))).toEqual(["0-10 unplanned", "10- unplanned"]);
});

test("a decommissioned machine's ledger ends there, and with it its running shift and its stop", () => {
  const gone = { ...machine, decommissionedAt: at("10:00") };
  const events = [...every(MINUTE_MS, at("06:00"), at("09:00"), count), ...every(MINUTE_MS, at("06:00"), at("09:59"), sample)];
  const result = replay(events, gone, { now: at("12:00", 2) });
  expect(result.pieces.at(-1)?.end).toBe(at("10:00"));
  expect(result.shifts).toHaveLength(1);
  expect(result.shifts[0]).toMatchObject({
    sums: { openBucket: null },
    indicators: { availableTime: 180, nonProgrammedDowntime: 60, earlyStopTime: 60 },
  });
});

test("a machine in service since mid-shift has only the rest of the shift", () => {
  const events = every(MINUTE_MS, at("10:00"), at("14:00"), count);
  const [report] = replay(events, { ...machine, commissionedAt: at("09:30") }, { now: at("15:00") }).shifts;
  expect(report?.indicators).toMatchObject({ availableTime: 240, noDataTime: 30, lateStartTime: 0 });
});

test.each<[string, Settings, MachineEvent[]]>([
  [
    "a stopped machine whose data comes and goes",
    machine,
    ["06:00", "06:01"].flatMap((clock) => every(10 * MINUTE_MS, at(clock), at(clock, 7), sample)),
  ],
  [
    "a machine whose state goes to and fro between programmed and not",
    { ...machine, signal: "states" },
    every(MINUTE_MS, at("06:00"), at("06:00", 7), (t) => ({ kind: "state", at: t, state: t % 120_000 ? "idle" : "setup" })),
  ],
])("the ledger of %s stays small", (_, ofMachine, events) => {
  const { fold } = replay(events, ofMachine, { now: at("06:00", 7) });
  expect(fold.spans.length).toBeGreaterThan(500);
  expect(JSON.stringify(fold.ledger).length).toBeLessThan(5000);
});

test("a month of counts every ten seconds is folded within 3 s, and the ledger stays small", () => {
  const days = [1, 2, 3, 4, 5, 6, 7];
  const shifts = [
    shift({ id: 1, days }),
    shift({ id: 2, start: "14:00", end: "22:00", days }),
    shift({ id: 3, start: "22:00", end: "06:00", days }),
  ];
  const history: SettingsHistory = [settings({ timezone: "Europe/Madrid", standardCycleMs: 12_000, shifts })];
  const ledger = startLedger(history);
  const calendar = new ShiftCalendar(history);
  let closedShifts = 0;
  const sink: LedgerSink = { span() {}, presence() {}, tally: () => closedShifts++, run() {}, part() {}, outsideHour() {} };
  const startedAt = performance.now();
  for (let t = at("00:00"); t < at("00:00", 30); t += 10_000) advanceLedger(ledger, count(t), history, calendar, sink);
  expect(performance.now() - startedAt).toBeLessThan(3000);
  expect(closedShifts).toBe(90);
  expect(JSON.stringify(ledger).length).toBeLessThan(2000);
});

test("what a machine did is certain up to its last count, and up to a later sample as soon as that settles it", () => {
  const minuteAfter = (signal: SignalState, event: LedgerEvent, rules: Settings) => {
    advanceSignal(signal, event, rules, null, () => {});
    return (certainTo(signal) - at("06:00")) / MINUTE_MS;
  };
  const signal = startSignal(machine, machine.commissionedAt);
  expect(minuteAfter(signal, count(at("06:01")), machine)).toBe(1);
  expect(minuteAfter(signal, sample(at("06:03")), machine)).toBe(1);
  expect(minuteAfter(signal, sample(at("06:04")), machine)).toBe(4);
  const states = { ...machine, signal: "states" as const };
  const running: LedgerEvent = { kind: "state", at: at("06:01"), state: "running" };
  const byStates = startSignal(states, machine.commissionedAt);
  expect(minuteAfter(byStates, running, states)).toBe(1);
  expect(minuteAfter(byStates, sample(at("06:04")), states)).toBe(4);
});

describe("a cut of an order's run", () => {
  const order = (time: number, workOrderId: string | null): MachineEvent => ({ kind: "sku", at: time, skuId: "A", workOrderId });
  const cut = (time: number, workOrderId: string): MachineEvent => ({ kind: "cut", at: time, workOrderId });
  const counted = every(MINUTE_MS, at("06:00"), at("06:59"), count);
  /** Start and units of each run. */
  const runsOf = (...events: MachineEvent[]) => {
    const { runs, ledger } = replay([...counted, ...events], machine, { now: at("07:00") }).fold;
    return [...runs, ...(ledger.run ? [ledger.run] : [])].map((run) => [run.workOrderId, run.start, run.made.total]);
  };

  test("separates the units before it and after it, of the same SKU", () => {
    const events = [order(at("06:10"), "W"), cut(at("06:30"), "W")];
    expect(runsOf(...events)).toEqual([
      ["W", at("06:10"), 20],
      ["W", at("06:30"), 30],
    ]);
    const { parts } = onlyShift(replay([...counted, ...events], machine, { now: at("07:00") }));
    expect(parts.map(({ startAt, skuId, workOrderId, totalUnits }) => [startAt, skuId, workOrderId, totalUnits])).toEqual([
      [at("06:00"), null, null, 10],
      [at("06:10"), "A", "W", 20],
      [at("06:30"), "A", "W", 30],
      [at("07:00"), "A", "W", 0],
    ]);
  });

  test("does nothing at the start of the run, to another order's run, and without a run", () => {
    const whole = [["W", at("06:10"), 50]];
    expect(runsOf(order(at("06:10"), "W"), cut(at("06:10"), "W"))).toEqual(whole);
    expect(runsOf(order(at("06:10"), "W"), cut(at("06:30"), "V"))).toEqual(whole);
    expect(runsOf(cut(at("06:30"), "W"))).toEqual([]);
  });

  describe("that was closed or reopened", () => {
    const closed = (time: number): MachineEvent => ({ kind: "cut", at: time, workOrderId: "W", order: "closed" });
    const reopened = (time: number): MachineEvent => ({ kind: "cut", at: time, workOrderId: "W", order: "reopened" });
    const [from, later, last] = [order(at("06:10"), "W"), at("06:30"), at("06:40")];

    test("what is made from then on is for no order, and for it again", () => {
      const events = [from, closed(later), reopened(last)];
      expect(runsOf(...events)).toEqual([
        ["W", at("06:10"), 20],
        [null, later, 10],
        ["W", last, 20],
      ]);
      const { parts } = onlyShift(replay([...counted, ...events], machine, { now: at("07:00") }));
      expect(parts.map(({ startAt, skuId, workOrderId }) => [startAt, skuId, workOrderId])).toEqual([
        [at("06:00"), null, null],
        [at("06:10"), "A", "W"],
        [later, "A", null],
        [last, "A", "W"],
        [at("07:00"), "A", "W"],
      ]);
    });

    test("at the start of its run, the run is for no order at all", () => {
      expect(runsOf(from, closed(at("06:10")))).toEqual([[null, at("06:10"), 50]]);
      expect(runsOf(from, closed(later), reopened(later))).toEqual([
        ["W", at("06:10"), 20],
        ["W", later, 30],
      ]);
    });

    test("another run is left alone, and so is one that was set since the order was closed", () => {
      const other = [order(at("06:10"), "V"), closed(later), reopened(last)];
      expect(runsOf(...other)).toEqual([["V", at("06:10"), 50]]);
      expect(runsOf(from, closed(at("06:20")), order(later, null), reopened(last))).toEqual([
        ["W", at("06:10"), 10],
        [null, at("06:20"), 10],
        [null, later, 30],
      ]);
      expect(runsOf(from, reopened(last))).toEqual([["W", at("06:10"), 50]]);
    });
  });
});
