import { expect, test } from "vitest";
import { type ChannelType, channelSetOf, countEvent, type MachineEvent } from "../../src/oee/events.ts";
import { at, count, every, MINUTE_MS, onlyShift, replay, sample, settings, shift } from "./support.ts";

const machine = settings({ commissionedAt: at("06:00"), standardCycleMs: 12_000, skuStandardsMs: { fast: 6000 } });
const online = every(MINUTE_MS, at("06:00"), at("14:00"), sample);

/** The shift of a machine whose channels send these pulses, with factor 2. */
function counted(pulses: [ChannelType, number][]) {
  const types = pulses.map(([type]) => type);
  const set = channelSetOf(types);
  const events = pulses.map(([type, n], i) => countEvent(at("07:00") + i, { type, countingFactor: 2 }, n, set));
  const { cycleCount, total, defects, correct } = onlyShift(replay(events, machine, { now: at("08:00") })).metrics;
  return { cycleCount, total, defects, correct };
}

function setSku(clock: string, skuId: string): MachineEvent {
  return { kind: "sku", at: at(clock), skuId, workOrderId: null };
}

test.each<[string, [ChannelType, number][], number[]]>([
  ["cycles alone", [["cycle", 10]], [10, 20, 0, 20]],
  [
    "a total and its defects",
    [
      ["total", 10],
      ["defect", 2],
      ["rework", 1],
    ],
    [10, 20, 6, 14],
  ],
  [
    "a total and its good units",
    [
      ["total", 10],
      ["good", 8],
    ],
    [10, 20, 4, 16],
  ],
  [
    "a total, its good units and its defects: the good ones decide",
    [
      ["total", 10],
      ["good", 8],
      ["defect", 5],
    ],
    [10, 20, 4, 16],
  ],
  [
    "cycles and a total: cycles come from the one, units from the other",
    [
      ["cycle", 10],
      ["total", 15],
      ["defect", 2],
    ],
    [10, 30, 4, 26],
  ],
  [
    "cycles, a total and its good units",
    [
      ["cycle", 10],
      ["total", 15],
      ["good", 14],
    ],
    [10, 30, 2, 28],
  ],
  [
    "more good units than made so far",
    [
      ["total", 2],
      ["good", 3],
    ],
    [2, 4, 0, 4],
  ],
  [
    "good units and defects without a total",
    [
      ["good", 8],
      ["defect", 2],
      ["rework", 1],
    ],
    [11, 22, 6, 16],
  ],
])("%s", (_, pulses, [cycleCount, total, defects, correct]) => {
  expect(counted(pulses)).toEqual({ cycleCount, total, defects, correct });
});

test("a channel for good units that is added in mid-shift does not change earlier units", () => {
  const before = count(at("07:00"), { total: 100, defects: 3 });
  const after = [count(at("08:00"), { total: 50, good: 0 }), count(at("08:00"), { total: 0, cycles: 0, good: 48 })];
  expect(onlyShift(replay([before, ...after], machine, { now: at("09:00") })).metrics).toMatchObject({ total: 150, defects: 5 });
});

test("each SKU has its own standard, or else the machine's", () => {
  const events = [
    count(at("06:10"), { cycles: 100, total: 100 }),
    setSku("07:00", "fast"),
    count(at("07:00"), { cycles: 200, total: 400, defects: 40 }),
    setSku("08:00", "constructor"),
    count(at("08:00"), { cycles: 300, total: 300, defects: 10 }),
    ...online,
  ];
  const { made, metrics } = onlyShift(replay(events, machine, { now: at("14:00") }));
  expect(made).toMatchObject({
    idealMs: 100 * 12_000 + 200 * 6000 + 300 * 12_000,
    cyclesWithStandard: 600,
    lostByDefectsMs: 40 * 3000 + 10 * 12_000,
  });
  expect(metrics).toMatchObject({ cycleSpeed: 360, minutesLostByLowQuality: 4 });
});

test("SKUs are counted separately, whatever their names", () => {
  const names = ["__proto__", "constructor", ""];
  const events = names.flatMap((skuId, i) => [setSku(`07:0${i}`, skuId), count(at(`07:0${i}`), { cycles: i + 1, total: i + 1 })]);
  const { tally, metrics } = onlyShift(replay([count(at("06:00")), ...events], machine, { now: at("08:00") }));
  expect(tally?.perSku.map(({ skuId, cycles }) => [skuId, cycles])).toEqual([
    [null, 1],
    ["__proto__", 1],
    ["constructor", 2],
    ["", 3],
  ]);
  expect(metrics.cycleCount).toBe(7);
});

test("a standard that changes in mid-shift applies to the cycles after the change", () => {
  const slower = { ...machine, since: at("08:00"), standardCycleMs: 24_000 };
  const events = [count(at("07:00"), { cycles: 10 }), count(at("08:00"), { cycles: 5 })];
  const { made } = onlyShift(replay(events, [machine, slower], { now: at("09:00") }));
  expect(made.idealMs).toBe(10 * 12_000 + 5 * 24_000);
});

test("without a standard the effectiveness is 0, and without production the SKU's standard is shown", () => {
  const none = { ...machine, standardCycleMs: null };
  const metricsOf = (events: MachineEvent[]) => onlyShift(replay([...events, ...online], none, { now: at("14:00") })).metrics;
  expect(metricsOf([count(at("07:00"))])).toMatchObject({ cycleCount: 1, effectiveness: 0, oee: 0, cycleSpeed: 0 });
  expect(metricsOf([setSku("07:00", "fast")])).toMatchObject({ cycleCount: 0, effectiveness: 0, cycleSpeed: 600 });
});

test("good units beyond a SKU's total settle the deficit of the SKU before it", () => {
  const made = (instant: string, total: number, good: number) => count(at(instant), { cycles: total, total, good });
  const defects = (...events: MachineEvent[]) => {
    const { metrics, made: production } = onlyShift(replay(events, machine, { now: at("14:00") }));
    return [metrics.total, metrics.defects, metrics.correct, production.lostByDefectsMs];
  };
  const a = [setSku("06:00", "slow"), made("07:00", 100, 98)];
  const b = setSku("08:00", "fast");
  expect(defects(...a, b, made("09:00", 0, 2))).toEqual([100, 0, 100, 0]);
  expect(defects(...a, b, made("09:00", 50, 51))).toEqual([150, 1, 149, 12_000]);
  expect(defects(...a, b, made("09:00", 50, 49))).toEqual([150, 3, 147, 2 * 12_000 + 6000]);
  // With three SKUs, the nearest one before it comes first.
  expect(defects(...a, b, made("09:00", 50, 49), setSku("10:00", "slower"), made("11:00", 10, 12))).toEqual([
    160, 1, 159, 12_000,
  ]);
  // Good units beyond the total of a shift's first SKU are credited to no other.
  expect(defects(setSku("06:00", "slow"), made("07:00", 10, 12))).toEqual([10, 0, 10, 0]);
});

test("the actual speed is that of the last ten minutes of running in the shift, across stops", () => {
  const burst = (from: string, to: string, units: number) =>
    every(MINUTE_MS, at(from), at(to), (instant) => count(instant, { total: units }));
  const events = [...burst("06:00", "08:00", 1), ...burst("08:30", "08:36", 10), ...burst("13:00", "13:02", 2), ...online];
  const speedAt = (now: string) => replay(events, machine, { now: at(now) }).shifts.at(-1)?.metrics.actualSpeed;
  // Two minutes with 2 units, six with 10, two with 1.
  expect(speedAt("14:00")).toBe((2 * 2 + 6 * 10 + 2) * 6);
  const before = every(MINUTE_MS, at("05:50"), at("05:59"), (instant) => count(instant, { total: 9 }));
  const since = { ...machine, commissionedAt: at("05:50") };
  const young = replay([...before, count(at("06:00"), { total: 3 }), count(at("06:01"))], since, { now: at("06:01") });
  expect(onlyShift(young).metrics.actualSpeed).toBe(180);
});

test("a count at a shift's edge belongs to the shift that begins, and outside shifts to none", () => {
  const events = [count(at("13:59:59")), count(at("14:00")), count(at("20:00")), count(at("06:00", 1))];
  const { shifts } = replay(events, machine, { now: at("07:00", 1) });
  expect(shifts.map(({ metrics }) => metrics.cycleCount)).toEqual([1, 1]);
});

test("units are made for a work order from one SKU event to the next, across shifts", () => {
  const work = (clock: string, skuId: string, workOrderId: string | null): MachineEvent => ({
    kind: "sku",
    at: at(clock),
    skuId,
    workOrderId,
  });
  const events = [
    ...every(MINUTE_MS, at("06:00"), at("15:00"), count),
    work("07:00", "fast", "first"),
    work("08:00", "fast", null),
    work("13:00", "slow", "left at once"),
    work("13:00", "slow", "second"),
    work("14:30", "fast", "third"),
  ];
  const { runs, ledger } = replay(events, machine, { now: at("15:00") }).fold;
  const made = [...runs, ...(ledger.run ? [ledger.run] : [])].map((run) => [run.workOrderId, run.start, run.made]);
  expect(made).toEqual([
    ["first", at("07:00"), expect.objectContaining({ skuId: "fast", cycles: 60, total: 60, idealMs: 60 * 6000 })],
    [null, at("08:00"), expect.objectContaining({ skuId: "fast", cycles: 300 })],
    ["second", at("13:00"), expect.objectContaining({ skuId: "slow", cycles: 90, idealMs: 90 * 12_000 })],
    ["third", at("14:30"), expect.objectContaining({ skuId: "fast", cycles: 31 })],
  ]);
});

test("fractions of a unit add up: ten pulses of a tenth are one, and whole units are shown, rounded half up", () => {
  const set = channelSetOf(["total", "defect"]);
  const channel = (type: ChannelType) => ({ type, countingFactor: 0.1 });
  const pulses = (type: ChannelType, n: number) =>
    Array.from({ length: n }, (_, i) => countEvent(at("07:00") + i, channel(type), 1, set));
  const { made, tally, metrics } = onlyShift(
    replay([...pulses("total", 27), ...pulses("defect", 13)], machine, { now: at("08:00") }),
  );
  expect([made.totalUnits, made.defectUnits]).toEqual([2.7, 1.3]);
  expect(tally?.perSku).toMatchObject([{ total: 2.7, defects: 1.3 }]);
  expect(metrics).toMatchObject({ cycleCount: 27, total: 3, defects: 1, correct: 2, quality: 52 });
  expect(countEvent(0, channel("total"), 3, set).total).toBe(0.3);
});

test("large whole numbers of units stay exact", () => {
  const many = 9_007_199_254_740_000;
  const events = [count(at("07:00"), { total: many }), count(at("07:01"), { total: 991 })];
  expect(onlyShift(replay(events, machine, { now: at("08:00") })).made.totalUnits).toBe(many + 991);
});

const twoShifts = settings({
  commissionedAt: at("06:00"),
  standardCycleMs: null,
  skuStandardsMs: { A: 10_000, B: 60_000 },
  shifts: [shift({ id: 1, start: "06:00", end: "12:00" }), shift({ id: 2, start: "12:00", end: "20:00" })],
});
const rejected = (clock: string, units: number) => count(at(clock), { cycles: 0, total: 0, defects: units });
const fiftyOfA = [setSku("11:00", "A"), ...every(MINUTE_MS, at("11:01"), at("11:50"), (time) => count(time))];

/** Units, defects, standard minutes of the defects and quality of each shift, and of its parts with defects. */
function qualityOf(...events: MachineEvent[]) {
  return replay([...fiftyOfA, ...events], twoShifts, { now: at("19:59") }).shifts.map(({ made, metrics, parts }) => {
    const minutes = parts.reduce((sum, part) => sum + part.lostByDefectsMs, 0) / MINUTE_MS;
    expect(minutes).toBeCloseTo(made.lostByDefectsMs / MINUTE_MS, 6);
    return [made.totalUnits, made.defectUnits, Math.round(minutes * 100) / 100, metrics.quality];
  });
}

test("units rejected after the change of shift are lost there, at the standard of their SKU, and the shift has quality 0", () => {
  expect(qualityOf(rejected("12:05", 8))).toEqual([
    [50, 0, 0, 100],
    [0, 8, 1.33, 0],
  ]);
  expect(qualityOf()).toEqual([
    [50, 0, 0, 100],
    [0, 0, 0, 100],
  ]);
});

test("units rejected after the change of SKU cost the standard of the SKU before, those that it has made itself its own", () => {
  expect(qualityOf(setSku("11:55", "B"), rejected("11:58", 8))).toEqual([
    [50, 8, 1.33, 84],
    [0, 0, 0, 100],
  ]);
  const twoOfB = [setSku("11:55", "B"), count(at("11:56")), count(at("11:57"))];
  expect(qualityOf(...twoOfB, rejected("11:58", 3))).toEqual([
    [52, 3, 2.17, 94],
    [0, 0, 0, 100],
  ]);
  expect(qualityOf(...twoOfB, rejected("12:05", 3))).toEqual([
    [52, 0, 0, 100],
    [0, 3, 2.17, 0],
  ]);
  // Units are rejected once: the second time, none of B is left.
  expect(qualityOf(...twoOfB, rejected("12:05", 2), rejected("12:06", 6))).toEqual([
    [52, 0, 0, 100],
    [0, 8, 3, 0],
  ]);
});

test("units that are rejected before any was made cost one cycle each", () => {
  const events = [setSku("07:00", "A"), rejected("07:30", 6)];
  const { metrics, made } = replay(events, twoShifts, { now: at("11:00") }).shifts[0] ?? {};
  expect([metrics?.quality, metrics?.correct, made?.lostByDefectsMs]).toEqual([0, -6, 60_000]);
});
