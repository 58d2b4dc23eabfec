import { expect, test } from "vitest";
import { briefOf, type CauseSummary, changesOf, oeeOfRows, reasonsOf } from "../../src/board/domain/brief.ts";

const jam = { generalCause: { id: 3, name: "Jam" }, specificCause: null };
const setup = { generalCause: { id: 4, name: "Setup" }, specificCause: null };
const none = { generalCause: null, specificCause: null };

/** A day of 1,000 planned minutes: stops of these minutes, made at 90 % of the standard, one unit in ten rejected. */
function day(stops: { jam: number; setup?: number; none?: number }): CauseSummary {
  const { jam: jams, setup: setups = 0, none: unknown = 0 } = stops;
  const row = (cause: typeof jam | typeof none, minutes: number, isPlanned = false) => ({
    ...{ machine: { id: 1, name: "Press" }, ...cause, unavailableTime: minutes, stopCount: 2 },
    programmedDowntime: isPlanned ? minutes : 0,
  });
  const unavailableTime = jams + setups + unknown;
  const availableTime = 1000 - unavailableTime;
  const idealTime = 0.9 * availableTime;
  return {
    total: {
      ...{ availableTime, unavailableTime, programmedDowntime: setups, otherStopsTime: 50, noDataTime: 10, idealTime },
      ...{ total: 1000, correct: 900, oee: (100 * 0.9 * idealTime) / 1000 },
    },
    data: [row(jam, jams), row(setup, setups, true), row(none, unknown)],
  };
}

test("a brief's losses and its OEE add up to 100 points, and its parts to all minutes", () => {
  const brief = briefOf(day({ jam: 120, setup: 60, none: 20 }), []);
  if (!brief) throw new Error("There is no brief");
  expect(brief.oee).toBeCloseTo(64.8);
  expect(brief.losses.reduce((sum, { points }) => sum + points, brief.oee)).toBeCloseTo(100);
  expect(brief.losses.map(({ key, kind }) => [key, kind])).toEqual([
    ["3/", "stops"],
    ["speed", "speed"],
    ["quality", "quality"],
    ["4/", "planned"],
    ["/", "stops"],
  ]);
  const [all, ...rest] = brief.parts;
  const good = rest.pop();
  expect(all?.minutes).toBe(1060);
  expect(rest.map(({ key, minutes }) => [key, Math.round(minutes)])).toEqual([
    ["noData", -10],
    ["outside", -50],
    ["planned", -60],
    ["stops", -140],
    ["speed", -80],
    ["quality", -72],
  ]);
  expect(rest.reduce((left, { minutes }) => left + minutes, all?.minutes ?? 0)).toBeCloseTo(good?.minutes ?? 0);
});

test("a brief compares shares with those of the same weekdays before, however long these were", () => {
  const half = day({ jam: 100 });
  const shorter = {
    total: { ...half.total, availableTime: 450, unavailableTime: 50, idealTime: 405 },
    data: half.data.map((row) => ({ ...row, unavailableTime: (row.unavailableTime ?? 0) / 2 })),
  };
  const brief = briefOf(day({ jam: 200 }), [shorter, day({ jam: 100 })]);
  if (!brief) throw new Error("There is no brief");
  expect(brief.usual?.days).toBe(2);
  expect(brief.usual?.oee).toBeCloseTo(72.9);
  const { difference, reasons, sum } = reasonsOf(brief);
  expect(difference).toBeCloseTo(-8.1);
  expect(reasons.map(({ loss, points }) => [loss.key, points])).toEqual([["3/", 10]]);
  expect(sum).toBe(10);
  const [change] = changesOf(brief, 5);
  expect(
    [change?.key, change?.changed, change?.usualMinutes].map((value) => (typeof value === "number" ? Math.round(value) : value)),
  ).toEqual(["3/", 100, 100]);
});

test("a brief of a better day names what was less than usual", () => {
  const brief = briefOf(day({ jam: 50, none: 10 }), [day({ jam: 150 })]);
  if (!brief) throw new Error("There is no brief");
  const { difference, reasons } = reasonsOf(brief);
  expect(difference).toBeGreaterThan(0);
  expect(reasons.map(({ loss, points }) => [loss.key, points])).toEqual([["3/", 10]]);
});

test("a brief without days before names the largest losses", () => {
  const brief = briefOf(day({ jam: 50, setup: 300 }), [
    { total: { ...day({ jam: 0 }).total, availableTime: 0, unavailableTime: 0 }, data: [] },
  ]);
  if (!brief) throw new Error("There is no brief");
  expect(brief.usual).toBeNull();
  expect(reasonsOf(brief).reasons.map(({ loss }) => loss.key)).toEqual(["4/", "speed", "quality"]);
  expect(brief.losses[0]?.mostly).toEqual({ id: 1, name: "Press" });
});

test("there is no brief of a day without planned time", () => {
  const nothing = day({ jam: 0 });
  expect(briefOf({ total: { ...nothing.total, availableTime: 0, unavailableTime: 0 }, data: [] }, [])).toBeNull();
});

test("the OEE of several rows is of their sums, not their mean", () => {
  const long = day({ jam: 0 }).total;
  const short = { ...day({ jam: 0 }).total, availableTime: 100, idealTime: 0, total: 0, correct: 0 };
  expect(oeeOfRows([long, short])).toBeCloseTo((100 * 900 * 0.9) / 1100);
  expect(oeeOfRows([])).toBeNull();
});
