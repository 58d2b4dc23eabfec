import { describe, expect, it } from "vitest";
import { columnsOf, placesInOrder, placesOf, specOf } from "../../../src/board/domain/widget-spec.ts";

describe("the spec of a widget", () => {
  it.each([
    [{ kind: "number" }, { kind: "number", metric: "oee", days: 1 }],
    [
      { kind: "trend", metric: "defects", days: 92 },
      { kind: "trend", metric: "defects", days: 92 },
    ],
    [
      { kind: "pareto", lineIds: [3] },
      { kind: "pareto", metric: "minutes", days: 7, lineIds: [3] },
    ],
    [
      { kind: "table", machineIds: [1, 2] },
      { kind: "table", days: 1, machineIds: [1, 2] },
    ],
    [{ kind: "timeline" }, { kind: "timeline" }],
  ])("%j is drawn", (spec, drawn) => {
    expect(specOf(spec)).toEqual(drawn);
  });

  it.each([
    {},
    { kind: "map" },
    { kind: ["number"] },
    { chart: "bar", metrics: ["stop_count"] },
    { kind: "number", metric: "oee", colour: "red" },
    { kind: "number", metric: "minutes" },
    { kind: "pareto", metric: "oee" },
    { kind: "timeline", days: 1 },
    { kind: "table", metric: "oee" },
    { kind: "trend", days: 0 },
    { kind: "trend", days: 93 },
    { kind: "trend", days: "7" },
    { kind: "trend", days: null },
    { kind: "number", machineIds: [] },
    { kind: "number", machineIds: [1.5] },
    { kind: "number", machineIds: ["1"] },
    { kind: "number", lineIds: "1" },
    { kind: "number", lineIds: Array(101).fill(1) },
    { kind: "number", machineIds: [1], lineIds: [1] },
  ])("%j is drawn by another client", (spec) => {
    expect(specOf(spec)).toBeNull();
  });

  it("is overridden where the widget is shown", () => {
    expect(specOf({ kind: "trend", days: 7 }, { days: 14, machineIds: [5] })).toEqual({
      ...{ kind: "trend", metric: "oee", days: 14, machineIds: [5] },
    });
    expect(specOf({ kind: "trend" }, { colour: "red" })).toBeNull();
  });
});

describe("places on a dashboard", () => {
  it.each([
    [{}, 2],
    [{ columns: 3 }, 3],
    [{ columns: 0 }, 2],
    [{ columns: 5 }, 2],
    [{ columns: "3" }, 2],
  ])("%j has %i columns", (spec, columns) => {
    expect(columnsOf(spec)).toBe(columns);
  });

  it("are in reading order; what has no place comes last, and nothing is wider than the dashboard", () => {
    const at = (id: string, visualConfig: Record<string, unknown>) => ({ id, visualConfig });
    const placed = placesOf(
      [
        at("none", {}),
        at("below", { x: 0, y: 1, w: 4 }),
        at("other client's", { column: 0, row: 0 }),
        at("right", { x: 1, y: 0, w: 0 }),
        at("left", { x: 0, y: 0, w: 2 }),
      ],
      3,
    );
    expect(placed.map(({ instance, width }) => [instance.id, width])).toEqual([
      ["left", 2],
      ["right", 1],
      ["below", 3],
      ["none", 1],
      ["other client's", 1],
    ]);
  });
});

describe("places in order", () => {
  it("fill each row from the left, and a widget that does not fit beside the last one begins the next row", () => {
    expect(placesInOrder([1, 2, 1, 3], 3)).toEqual([
      { x: 0, y: 0, w: 1 },
      { x: 1, y: 0, w: 2 },
      { x: 0, y: 1, w: 1 },
      { x: 0, y: 2, w: 3 },
    ]);
  });

  it("are at most as wide as the dashboard, and shown in the same order", () => {
    const places = placesInOrder([4, 1, 2], 2);
    expect(places.map(({ w }) => w)).toEqual([2, 1, 2]);
    const instances = places.map((visualConfig, id) => ({ id, visualConfig }));
    expect(placesOf(instances.toReversed(), 2).map(({ instance }) => instance.id)).toEqual([0, 1, 2]);
  });
});
