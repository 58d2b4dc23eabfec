import { describe, expect, it } from "vitest";
import type { MachineEvent } from "../../src/oee/events.ts";
import { spreadDefects } from "../../src/oee/production.ts";
import { extendPart, shiftParts, targetOf, wholeShift } from "../../src/oee/shift-parts.ts";
import { shiftRecord } from "../../src/oee/shift-record.ts";
import { ShiftCalendar } from "../../src/oee/shifts.ts";
import { at, HOUR_MS, MINUTE_MS, onlyShift, replay, settings, shift } from "./support.ts";

function count(time: number, total = 1, more: { defects?: number; good?: number | null } = {}): MachineEvent {
  return { kind: "count", at: time, cycles: total, total, defects: 0, good: null, ...more };
}

/** A count each minute of [from, to). */
const counts = (from: number, to: number) =>
  Array.from({ length: (to - from) / MINUTE_MS }, (_, i) => count(from + i * MINUTE_MS));

describe("the local hours of a shift", () => {
  const hoursOf = (timezone: string, day: string) => {
    const night = shift({ start: "22:00", end: "06:00" });
    const calendar = new ShiftCalendar([
      settings({ timezone, shifts: [night], commissionedAt: Date.parse(day) - 5 * 24 * HOUR_MS }),
    ]);
    const [occurrence] = calendar.between(Date.parse(day), Date.parse(day) + 1);
    return occurrence
      ? calendar
          .hours(occurrence)
          .map(({ start, end }) => [new Date(start).toISOString().slice(11, 16), (end - start) / MINUTE_MS])
      : [];
  };

  it("begin where the wall clock shows a full hour", () => {
    expect(hoursOf("Asia/Kathmandu", "2026-01-05T20:00:00Z")[1]).toEqual(["17:15", 60]);
  });

  it("are one fewer in the night that sets the clock forward, and one more in the night that sets it back", () => {
    expect(hoursOf("Europe/Madrid", "2026-03-29T00:00:00Z")).toHaveLength(7);
    expect(hoursOf("Europe/Madrid", "2026-10-25T00:00:00Z")).toHaveLength(9);
  });
});

describe("the defects of a SKU", () => {
  const spread = (notGood: number[], total: number) =>
    spreadDefects(
      notGood.map((one) => ({ defects: 0, notGood: one })),
      total,
    );

  it("are the units that were not good", () => {
    expect(spread([2, 0, 3], 5)).toEqual([2, 0, 3]);
    expect(
      spreadDefects(
        [
          { defects: 1, notGood: 0 },
          { defects: 0, notGood: 2 },
        ],
        3,
      ),
    ).toEqual([1, 2]);
  });

  it("are fewer before a good unit that was counted late, the nearest first", () => {
    expect(spread([2, 3, -1, 1], 5)).toEqual([2, 2, 0, 1]);
  });

  it("are fewer after a good unit that was counted before its total", () => {
    expect(spread([-3, 3, 1], 1)).toEqual([0, 0, 1]);
  });

  it("are fewer at the end if good units of a later SKU settle some", () => {
    expect(spread([2, 3], 4)).toEqual([2, 2]);
  });
});

describe("the parts of a shift", () => {
  const machine = settings({ commissionedAt: at("06:30"), standardCycleMs: 30_000, noDataAfterMs: null });
  const sku = (time: number, skuId: string): MachineEvent => ({ kind: "sku", at: time, skuId, workOrderId: "W" });

  it("begin with the commissioning, each hour and each SKU, and have its standard", () => {
    const events = [...counts(at("06:30"), at("08:10")), sku(at("07:40"), "A")];
    const ofA = { ...machine, skuStandardsMs: { A: 45_000 } };
    const { parts } = onlyShift(replay(events, ofA, { now: at("08:10") }));
    expect(parts.map(({ startAt, endAt, totalUnits }) => [startAt, endAt, totalUnits])).toEqual([
      [at("06:30"), at("07:00"), 30],
      [at("07:00"), at("07:40"), 40],
      [at("07:40"), at("08:00"), 20],
      [at("08:00"), at("09:00"), 10],
    ]);
    expect(parts.map(({ skuId, workOrderId, unitStandardMs }) => [skuId, workOrderId, unitStandardMs])).toEqual([
      [null, null, 30_000],
      [null, null, 30_000],
      ["A", "W", 45_000],
      ["A", "W", 45_000],
    ]);
    expect(parts.map(targetOf)).toEqual([60, 80, (20 * 60) / 45, (10 * 60) / 45]);
  });

  it("have no ideal time without a standard", () => {
    const { parts } = onlyShift(
      replay(counts(at("06:30"), at("06:40")), { ...machine, standardCycleMs: null }, { now: at("06:40") }),
    );
    expect(parts.map(targetOf)).toEqual([0]);
  });

  it("keep counts after a later-set decommissioning in the last part", () => {
    const now = at("09:00");
    const over = { ...machine, since: now - 1, decommissionedAt: at("07:30") };
    const { parts, made } = onlyShift(replay(counts(at("06:30"), at("09:00")), [machine, over], { now }));
    expect(parts.map(({ endAt, totalUnits }) => [endAt, totalUnits])).toEqual([
      [at("07:00"), 30],
      [at("07:30"), 120],
    ]);
    expect(made.totalUnits).toBe(150);
    expect(parts[1]?.openBucket).toBe(null);
  });

  it("continue for any number of hours, but not beyond the shift", () => {
    const { parts, occurrence } = onlyShift(replay(counts(at("06:30"), at("12:30")), machine, { now: at("12:40") }));
    const [open] = parts.slice(-1);
    if (!open) throw new Error("no part");
    const later = extendPart(open, at("18:00"), occurrence.end);
    expect(later.map(({ startAt, endAt, nonProgrammedMs }) => [startAt, endAt, nonProgrammedMs / MINUTE_MS])).toEqual([
      [at("12:00"), at("13:00"), 31],
      [at("13:00"), at("14:00"), 60],
    ]);
    expect(later.map(({ asOf }) => asOf)).toEqual([null, at("14:00")]);
    expect(extendPart(open, at("12:39"), occurrence.end)).toEqual([open]);
    const [closed] = parts;
    expect(closed && extendPart(closed, at("18:00"), occurrence.end)).toEqual([closed]);
  });

  it("are none for a shift that a later-set decommissioning excludes, whatever was counted", () => {
    const replayed = replay(counts(at("06:30"), at("07:00")), machine, { now: at("07:00") });
    const { tally } = onlyShift(replayed);
    const { part } = replayed.fold.ledger;
    const calendar = new ShiftCalendar([machine]);
    const [occurrence] = calendar.between(at("06:00"), at("07:00"));
    if (!occurrence || !part) throw new Error("no shift");
    const record = shiftRecord({
      ...{ occurrence, pieces: [], asOf: at("05:00"), isOpen: false, tally, standardCycleMs: null },
      unitsCounted: () => 0,
    });
    const standards = { standardAt: () => null, unitsPerCycleAt: () => ({ units: 1, isExact: true }), changes: [] };
    const counted = { tally, tallies: [part], runs: [] };
    expect(shiftParts({ hours: calendar.hours(occurrence), record, ...counted, ...standards })).toEqual([]);
  });

  it("are a single one, which is the record, if counts were not stored by part", () => {
    for (const now of [at("12:00"), at("15:00")]) {
      const report = onlyShift(replay(counts(at("06:30"), at("11:00")), machine, { now }));
      const part = wholeShift(report, at("06:30"), report.occurrence.end);
      const { availableMs, nonProgrammedMs, openBucket, asOf } = report.sums;
      expect(part).toMatchObject({
        ...{ availableMs, nonProgrammedMs, openBucket },
        totalUnits: 270,
        unitStandardMs: 30_000,
        fiveMinutes: [],
      });
      expect(part).toMatchObject({ startAt: at("06:30"), endAt: at("14:00"), asOf: openBucket ? asOf : null });
    }
    const idle = onlyShift(replay([], machine, { now: at("12:00") }));
    expect(wholeShift(idle, at("06:30"), at("14:00")).unitStandardMs).toBe(30_000);
  });
});

describe("the target of a shift whose standard or counting factor changes", () => {
  const day = settings({ commissionedAt: at("06:00"), standardCycleMs: 30_000, stopAfterMs: 120_000 });
  const targets = (parts: readonly Parameters<typeof targetOf>[0][]) =>
    parts.map((part) => Math.round(targetOf(part) * 100) / 100);

  it("keeps the target of the time that has passed when the standard changes", () => {
    const slower = { ...day, since: at("06:58"), standardCycleMs: 60_000 };
    const { parts } = onlyShift(replay(counts(at("06:00"), at("08:00")), [day, slower], { now: at("08:00") }));
    expect(parts.map(({ startAt }) => (startAt - at("06:00")) / MINUTE_MS)).toEqual([0, 58, 60, 120]);
    expect(targets(parts)).toEqual([116, 2, 60, 0]);
    expect(parts.map((part) => part.totalUnits)).toEqual([58, 2, 60, 0]);
  });

  it("begins no part when another setting changes", () => {
    const patient = { ...day, since: at("06:58"), stopAfterMs: 180_000 };
    const { parts } = onlyShift(replay(counts(at("06:00"), at("07:30")), [day, patient], { now: at("07:30") }));
    expect(targets(parts)).toEqual([120, 60]);
  });

  it("goes by the counting factor at each instant, whatever was counted with which", () => {
    const [occurrence] = new ShiftCalendar([day]).between(at("06:00"), at("06:01"));
    if (!occurrence) throw new Error("no shift");
    const factorAt = (time: number) => (time < at("06:40") ? 2 : 5);
    const events = counts(at("06:00"), at("07:00")).map((event) => ({ ...event, total: factorAt(event.at) }) as MachineEvent);
    const { segments, sums, tally, fold } = {
      ...onlyShift(replay(events, day, { now: at("07:00") })),
      ...replay(events, day, { now: at("07:00") }),
    };
    const parts = shiftParts({
      hours: new ShiftCalendar([day]).hours(occurrence),
      record: { segments, sums },
      runs: [],
      tally,
      tallies: [...fold.parts, ...(fold.ledger.part ? [fold.ledger.part] : [])],
      standardAt: () => 30_000,
      unitsPerCycleAt: (time) => ({ units: factorAt(time), isExact: true }),
      changes: [at("06:40")],
    });
    // 80 cycles of 2 units, then 40 of 5.
    expect(targets(parts)).toEqual([160, 200, 0]);
  });
});
