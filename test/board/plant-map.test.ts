import { expect, test } from "vitest";
import { MOST_PLACES, placeAt, plantMaps, specOf, withPlace } from "../../src/board/domain/plant-map.ts";

const widget = (name: string, spec: Record<string, unknown>) => ({
  ...{ id: name, title: { en: name }, spec, thumbnailUrl: "https://plant.example/thumbnails/ab.png" },
});

test("widgets of another type are no plant maps, and maps are sorted by name", () => {
  const widgets = [widget("West", specOf([])), widget("Stops", { type: "bar" }), widget("East", specOf([])), widget("None", {})];
  expect(plantMaps(widgets).map(({ name }) => name)).toEqual(["East", "West"]);
  expect(plantMaps(widgets)[0]?.picture).toBe("/thumbnails/ab.png");
});

test("places are read as they were written, and what is no place is left out", () => {
  const places = [placeAt(1, 0.25, 0.5), placeAt(2, -3, 7)];
  expect(places).toEqual([
    { machineId: 1, x: 0.25, y: 0.5 },
    { machineId: 2, x: 0, y: 1 },
  ]);
  const written = JSON.parse(JSON.stringify(specOf(places)));
  expect(plantMaps([widget("Hall", written)])[0]?.places).toEqual(places);
  const wrong = [null, 7, "place", {}, { machineId: "1", x: 0, y: 0 }, { machineId: 3, x: Number.NaN, y: 0 }, places[0]];
  expect(plantMaps([widget("Hall", { type: "plant-map", places: wrong })])[0]?.places).toEqual([places[0]]);
  expect(plantMaps([widget("Hall", { type: "plant-map", places: "none" })])[0]?.places).toEqual([]);
});

test("a map has a bounded number of places, which fit into what the API keeps of a widget", () => {
  const many = Array.from({ length: MOST_PLACES + 1 }, (_, i) => placeAt(1_000_000 + i, 0.123, 0.456));
  expect(plantMaps([widget("Hall", specOf(many))])[0]?.places).toHaveLength(MOST_PLACES);
  expect(JSON.stringify(specOf(many)).length).toBeLessThan(64 * 1024);
});

test("a machine is at one place of a map", () => {
  const places = [placeAt(1, 0.1, 0.1), placeAt(2, 0.2, 0.2)];
  expect(withPlace(places, 1, placeAt(1, 0.9, 0.9))).toEqual([placeAt(2, 0.2, 0.2), placeAt(1, 0.9, 0.9)]);
  expect(withPlace(places, 2, null)).toEqual([placeAt(1, 0.1, 0.1)]);
});
