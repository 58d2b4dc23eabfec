import { describe, expect, it } from "vitest";
import { briefOf, type CauseSummary } from "../../../src/board/domain/brief.ts";
import { areSamePlace, comparedBy, earlierDays, sidesOf, stepsOf } from "../../../src/board/domain/compare.ts";
import { stateOf } from "../../../src/board/domain/desk-state.ts";

const stateAt = (query: string) => stateOf(["compare"], new URLSearchParams(query));

describe("the two sides of a comparison", () => {
  it("are a time and the time before it, with the same machines, SKU and operator", () => {
    const { now, before } = sidesOf(stateAt("span=week&line=3&sku=CAP&operator=7"), "2026-11-25", "monday");
    expect(now).toEqual({ day: "2026-11-25", machineId: null, lineId: 3, skuId: "CAP", operatorId: 7 });
    expect(before).toEqual({ ...now, day: "2026-11-16" });
    expect(areSamePlace(now, before)).toBe(true);
  });

  it("have the same time if anything else differs", () => {
    const against = (query: string) => sidesOf(stateAt(`machine=2&${query}`), "2026-11-25", "monday").before;
    expect(against("vs=machine-4")).toMatchObject({ day: "2026-11-25", machineId: 4, lineId: null });
    expect(against("vs=line-3")).toMatchObject({ day: "2026-11-25", machineId: null, lineId: 3 });
    expect(against("vs=all")).toMatchObject({ day: "2026-11-25", machineId: null, lineId: null });
    expect(against("sku=CAP&vsSku=LID")).toMatchObject({ day: "2026-11-25", machineId: 2, skuId: "LID" });
    expect(against("vsOperator=8")).toMatchObject({ day: "2026-11-25", operatorId: 8 });
    expect(against("vs=machine-2")).toMatchObject({ day: "2026-11-24", machineId: 2 });
    expect(against("vs=machine-4&vsDay=2026-10-01")).toMatchObject({ day: "2026-10-01", machineId: 4 });
  });

  it("may be four or 52 weeks apart, whatever day of its week is shown", () => {
    expect(earlierDays("week", "2026-11-25", "monday")).toEqual({
      before: "2026-11-16",
      fourWeeks: "2026-10-26",
      year: "2025-11-24",
    });
    expect(earlierDays("day", "2026-11-25", "monday")).toEqual({
      before: "2026-11-24",
      fourWeeks: "2026-10-28",
      year: "2025-11-26",
    });
  });
});

const figures = (stopped: number, quality: number) => {
  const availableTime = 1000 - stopped;
  return {
    ...{ availableTime, unavailableTime: stopped, programmedDowntime: 0, otherStopsTime: 0, noDataTime: 0 },
    ...{ idealTime: availableTime, total: 100, correct: 100 * quality, oee: (100 - stopped / 10) * quality },
  };
};

describe("what is compared", () => {
  it("goes from one OEE to the other in steps that add up, on an axis that contains them all", () => {
    const day = (stopped: number, quality: number): CauseSummary => ({ total: figures(stopped, quality), data: [] });
    const brief = briefOf(day(300, 1), [day(100, 0.9)]);
    if (!brief?.usual) throw new Error("There is nothing to compare");
    const { steps, axis } = stepsOf(brief.parts, brief.oee, brief.usual.oee);
    expect([brief.usual.oee, brief.oee]).toEqual([81, 70]);
    const [first, ...rest] = steps;
    const last = rest.pop();
    expect(rest.reduce((sum, { points }) => sum + points, first?.points ?? 0)).toBeCloseTo(last?.points ?? 0, 9);
    expect(rest.map(({ key, points }) => [key, Math.round(points)])).toEqual([
      ["planned", 0],
      ["stops", -20],
      ["speed", 0],
      ["quality", 9],
    ]);
    expect(axis).toBe(50);
    for (const { from, to } of steps) expect(from >= 0 && to <= 100 && from <= to, `${from} to ${to}`).toBe(true);
  });

  it("by machine are the machines of both sides, those that lost most first, and those of one side last", () => {
    const row = (id: number, stopped: number) => ({ ...figures(stopped, 1), machine: { id, name: `M${id}` } });
    const rows = comparedBy(
      [row(1, 100), row(2, 400), row(3, 0)],
      [row(1, 200), row(2, 100), row(4, 0)],
      ({ machine }) => machine,
    );
    expect(rows.map(({ name, oee, oeeBefore, change }) => [name, oee, oeeBefore, change])).toEqual([
      ["M2", 60, 90, -30],
      ["M1", 90, 80, 10],
      ["M3", 100, null, null],
      ["M4", null, 100, null],
    ]);
  });
});
