import { expect, test } from "vitest";
import type { MachineEvent } from "../../src/oee/events.ts";
import { type CounterReader, readingOf, takeReading } from "../../src/oee/readings.ts";
import type { Settings, SettingsHistory } from "../../src/oee/settings.ts";
import { at, onlyShift, reading, replay, settings } from "./support.ts";

const history: SettingsHistory = [settings()];

/** What the last of the readings counts, after the others. */
function counted(readings: readonly MachineEvent[], over: Partial<Settings> = {}, skuId: string | null = null) {
  const reader: CounterReader = { skuId };
  return readings.map((one) => takeReading(reader, one, [settings(over)])).at(-1);
}

function unitsOf(events: readonly MachineEvent[]): number {
  return onlyShift(replay(events, settings(), { now: at("13:00") })).made.totalUnits;
}

test("a reading is a count of the pulses since the reading before, and a sample if there are none", () => {
  const first = reading(at("07:00"), 100);
  expect(counted([first])).toEqual({ kind: "sample", at: at("07:00") });
  const perPulse = { cycles: 1, total: 0.1, defects: 0, good: null };
  const second = reading(at("07:01"), 103, { perPulse });
  expect(counted([first, second])).toEqual({ kind: "count", at: at("07:01"), cycles: 3, total: 0.3, defects: 0, good: null });
  expect(counted([first, second, reading(at("07:02"), 103)])).toEqual({ kind: "sample", at: at("07:02") });
  const since = at("07:00");
  expect(counted([first, { ...second, since }])).toMatchObject({ kind: "count", since });
  expect(counted([first, { ...second, perPulse: null, since }])).toEqual({ kind: "sample", at: at("07:01"), since });
});

test("asking what a reading counts changes nothing", () => {
  const reader: CounterReader = { skuId: null };
  takeReading(reader, reading(at("07:00"), 100), history);
  const before = JSON.stringify(reader);
  const next = reading(at("07:01"), 104);
  for (let i = 0; i < 2; i++) expect(readingOf(reader, next, history)).toMatchObject({ pulses: 4, event: { total: 4 } });
  expect(JSON.stringify(reader)).toBe(before);
});

test("counters do not mix, and each begins anew where it did not feed the machine meanwhile", () => {
  const other = { counter: "1:2" };
  expect(counted([reading(at("07:00"), 100), reading(at("07:01"), 5, other), reading(at("07:02"), 101)])).toMatchObject({
    total: 1,
  });
  const back = { fedSince: at("07:01") };
  expect(counted([reading(at("07:00"), 100), reading(at("07:02"), 500, back)])).toMatchObject({ kind: "sample" });
  expect(counted([reading(at("07:00"), 100), reading(at("07:02"), 500, back), reading(at("07:03"), 501, back)])).toMatchObject({
    total: 1,
  });
});

test("whether a counter wrapped is checked by the standard in force, of the SKU in work", () => {
  const wraps = { at: 1000, pulsesPerCycle: 1 };
  const readings = [reading(at("07:00"), 800, { wraps }), reading(at("07:01"), 0, { wraps })];
  expect(counted(readings, { standardCycleMs: 10_000 })).toMatchObject({ kind: "sample" });
  expect(counted(readings, { standardCycleMs: 6000 })).toMatchObject({ total: 200 });
  expect(counted(readings, { standardCycleMs: 10_000, skuStandardsMs: { fast: 1000 } }, "fast")).toMatchObject({ total: 200 });
  const two = { wraps: { at: 1000, pulsesPerCycle: 2 } };
  const twice = readings.map((one) => ({ ...one, ...two }));
  expect(counted(twice, { standardCycleMs: 10_000 })).toMatchObject({ total: 200 });
});

test("a late reading splits what the next one counted, and a replay without it takes that back", () => {
  const events = [reading(at("07:00"), 100), reading(at("09:00"), 130)];
  expect(unitsOf(events)).toBe(30);
  expect(unitsOf([...events, reading(at("08:00"), 110)])).toBe(30);
  expect(unitsOf([...events, reading(at("08:00"), 90)])).toBe(90 + 40);
});

test("only so many counters are kept: the one that was not read for longest is dropped", () => {
  const reader: CounterReader = { skuId: null };
  for (let i = 0; i < 128; i++) takeReading(reader, reading(at("07:00") + i, 0, { counter: `1:${i}` }), history);
  takeReading(reader, reading(at("07:01"), 0, { counter: "1:0" }), history);
  takeReading(reader, reading(at("07:01"), 0, { counter: "2:0" }), history);
  expect(Object.keys(reader.counters ?? {})).toHaveLength(128);
  const isKnown = (counter: string) => readingOf(reader, reading(at("07:02"), 5, { counter }), history).pulses > 0;
  expect([isKnown("1:0"), isKnown("1:1"), isKnown("1:2"), isKnown("2:0")]).toEqual([true, false, true, true]);
});
