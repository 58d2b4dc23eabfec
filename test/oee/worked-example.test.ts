import { expect, test } from "vitest";
import { countEvent } from "../../src/oee/events.ts";
import { toMinutes } from "../../src/oee/metrics.ts";
import { at, type Classification, every, onlyShift, readable, replay, sample, settings, shift } from "./support.ts";

const channels = { hasCycleChannel: true, hasTotalChannel: false, hasGoodChannel: false };
const cycles = (atMs: number, pulses: number) => countEvent(atMs, { type: "cycle", countingFactor: 2 }, pulses, channels);
const defects = (atMs: number, pulses: number) => countEvent(atMs, { type: "defect", countingFactor: 2 }, pulses, channels);

/** When the machine ran; in between are lateness, changeover, maintenance, jam, breakdown, no data, lunch, early end. */
const runs = [
  ["06:12", "07:00"],
  ["07:25", "08:00"],
  ["08:15", "09:00"],
  ["09:20", "10:00"],
  ["10:20", "11:00"],
  ["11:10", "12:00"],
  ["12:30", "13:52"],
] as const;

const causes: Record<number, Classification> = {
  [at("07:00")]: { isAnnotated: true, isProgrammed: true },
  [at("08:00")]: { isAnnotated: true, isProgrammed: true },
  [at("09:00")]: { isAnnotated: true },
  [at("10:00")]: { isAnnotated: true },
};

function workedExample() {
  const minutes = runs.flatMap(([from, to]) => every(60_000, at(from), at(to), sample).map((event) => event.at));
  // 347 minutes with 4 cycles each, and one more in each of the first 57: 1,445.
  const counts = minutes.map((minute, i) => cycles(minute, i < 57 ? 5 : 4));
  const online = [...every(60_000, at("00:00"), at("11:00"), sample), ...every(60_000, at("11:10"), at("15:00"), sample)];
  const lunch = { name: "Lunch", start: "12:00", end: "12:30", isIncludedInAvailability: false };
  const machine = settings({ standardCycleMs: 12_000, shifts: [shift({ breaks: [lunch] })] });
  return replay([...counts, defects(at("13:52"), 29), ...online], machine, {
    now: at("15:00"),
    classify: ({ start }) => causes[start] ?? null,
  });
}

test("a shift's indicators, to the digit", () => {
  expect(onlyShift(workedExample()).indicators).toEqual({
    noDataTime: 10,
    otherStopsTime: 30,
    programmedDowntime: 40,
    nonProgrammedDowntime: 60,
    unavailableTime: 100,
    availableTime: 340,
    lateStartTime: 12,
    earlyStopTime: 8,
    annotatedDowntime: 80,
    availability: 77.27,
    netAvailability: 85,
  });
});

test("a shift's production metrics, to the digit", () => {
  expect(onlyShift(workedExample()).metrics).toEqual({
    cycleCount: 1445,
    total: 2890,
    defects: 58,
    correct: 2832,
    cycleSpeed: 300,
    averageCycleSpeed: 255,
    averageSpeed: 510,
    // 8 units a minute at the end.
    actualSpeed: 480,
    effectiveness: 85,
    quality: 98,
    oee: 64,
    netOee: 71,
    minutesLostByLowSpeed: 51,
    minutesLostByLowQuality: 6,
    availability: 77,
    netAvailability: 85,
  });
});

test("the minutes of the shift are all accounted for", () => {
  const { sums, made } = onlyShift(workedExample());
  const lowSpeedMs = sums.availableMs - made.idealMs;
  const effectiveMs = made.idealMs - made.lostByDefectsMs;
  expect([effectiveMs, lowSpeedMs, made.lostByDefectsMs].map(toMinutes)).toEqual([283.2, 51, 5.8]);
  const others = sums.programmedMs + sums.nonProgrammedMs + sums.otherMs + sums.noDataMs;
  expect(toMinutes(effectiveMs + lowSpeedMs + made.lostByDefectsMs + others)).toBe(480);
});

test("its stops", () => {
  expect(readable(workedExample(), at("06:00"))).toEqual([
    "-360-12 unplanned",
    "60-85 programmed",
    "120-135 programmed",
    "180-200 unplanned",
    "240-260 unplanned",
    "360-390 Lunch",
    "472- unplanned",
  ]);
});
