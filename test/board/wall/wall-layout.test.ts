import { describe, expect, it } from "vitest";
import { CAP, distances, layOut, pagesOf, pinSize, pxPerArcMinute, textSizes } from "../../../src/board/domain/wall-layout.ts";
import { optionsOf } from "../../../src/board/domain/wall-options.ts";

const fullHd = { width: 1920, height: 1080 };
const large = { width: 3840, height: 2160 };
/** The room of the tiles on it. */
const room = { width: 1880, height: 886 };
const counts = [0, 1, 2, 5, 8, 13, 30, 60, 100, 300];

describe("a wall's layout", () => {
  it("knows the px of a minute of arc on a 55-inch screen", () => {
    // The screen is 685 mm high, and a minute of arc is 1.454 mm at 5 m.
    expect(pxPerArcMinute(5, 1080)).toBeCloseTo(2.293, 3);
    expect([3, 8, 10].map((distance) => Number(pxPerArcMinute(distance, 1080).toFixed(3)))).toEqual([1.376, 3.669, 4.586]);
  });

  it.each(distances)("has capitals of at least 16 minutes of arc at %s m, whatever the number of machines", (distance) => {
    for (const count of counts) {
      for (const screen of [fullHd, large, { width: 1440, height: 900 }]) {
        const { text, columns, rows, perPage } = layOut(count, room, screen, distance);
        expect((CAP * text) / pxPerArcMinute(distance, screen.height)).toBeGreaterThanOrEqual(16);
        expect(perPage).toBe(columns * rows);
      }
    }
    // The column has room for a machine with three lines.
    for (const count of counts) expect(layOut(count, room, fullHd, distance).column?.room).toBeGreaterThan(pinSize(3));
    const { figure, text } = textSizes(distance, fullHd);
    expect((CAP * figure) / pxPerArcMinute(distance, 1080)).toBeGreaterThanOrEqual(16);
    expect(text).toBe({ 3: 31, 5: 52, 8: 83, 10: 104 }[distance]);
  });

  it("has fewer machines on a page for a longer reading distance, and two lines where three would take more than two pages", () => {
    expect(distances.map((distance) => layOut(300, room, fullHd, distance)).map(({ columns, rows }) => [columns, rows])).toEqual([
      ...[
        [6, 10],
        [3, 6],
        [2, 3],
        [2, 3],
      ],
    ]);
    expect(distances.map((distance) => layOut(300, room, fullHd, distance).isDense)).toEqual([true, true, true, true]);
    expect([12, 24, 25].map((count) => layOut(count, room, fullHd, 5).isDense)).toEqual([false, false, true]);
  });

  it("has larger letters where all machines fit on one page with them", () => {
    expect([1, 6, 9, 12].map((count) => layOut(count, room, fullHd, 5).text)).toEqual([78, 65, 52, 52]);
  });

  it("takes at most four pages for 60 machines at 5 m, and has no column on narrow and upright screens", () => {
    expect(Math.ceil(60 / layOut(60, room, fullHd, 5).perPage)).toBe(4);
    expect(layOut(60, { width: 380, height: 640 }, { width: 390, height: 844 }, 5).column).toBeNull();
    expect(layOut(60, { width: 1040, height: 1700 }, { width: 1080, height: 1920 }, 5).column).toBeNull();
  });

  it("scales with the screen", () => {
    const one = layOut(60, room, fullHd, 5);
    const twice = layOut(60, { width: 3760, height: 1772 }, large, 5);
    expect([twice.columns, twice.rows, twice.isDense]).toEqual([one.columns, one.rows, one.isDense]);
    expect(twice.text).toBe(104);
  });

  it("stays readable on a phone, and works in a window without space", () => {
    const phone = layOut(8, { width: 380, height: 640 }, { width: 390, height: 844 }, 5);
    expect([phone.columns, phone.text]).toEqual([2, 21]);
    const none = layOut(5, { width: 0, height: 0 }, { width: 0, height: 0 }, 10);
    expect([none.perPage, none.text]).toEqual([1, 20]);
    expect(textSizes(10, { width: 0, height: 0 })).toEqual({ text: 20, figure: 20, title: 20, caption: 12 });
  });
});

describe("a wall's options", () => {
  it("are read from its address", () => {
    expect(
      optionsOf(new URLSearchParams("lines=3,1,3&machines=7&distance=10&page=30&theme=light&order=fixed&show=hours")),
    ).toEqual({
      ...{ lineIds: [3, 1], machineIds: [7], distance: 10, secondsPerPage: 30, theme: "light", order: "fixed", show: "hours" },
    });
  });

  it.each(["", "lines=&machines=x,-1,0,1e3&distance=4&page=1&theme=pink&order=none", "distance=five&page=9999&page=1.5"])(
    "are the defaults for ?%s",
    (query) => {
      expect(optionsOf(new URLSearchParams(query))).toEqual({
        ...{ lineIds: [], machineIds: [], distance: 5, secondsPerPage: 12, theme: "dark", order: "urgency", show: "tiles" },
      });
    },
  );
});

describe("the pages of a wall", () => {
  const pages = (letters: string, perPage: number) => {
    const pinned = [...letters].filter((letter) => letter === letter.toUpperCase());
    return pagesOf([...letters], pinned, perPage).map((page) => page.join(""));
  };

  it("have pinned items on each, as far as there is room for others", () => {
    expect(pages("abcde", 2)).toEqual(["ab", "cd", "e"]);
    expect(pages("Aabcde", 3)).toEqual(["Aab", "Acd", "Ae"]);
    expect(pages("ABabc", 2)).toEqual(["AB", "Aa", "Ab", "Ac"]);
    expect(pages("ABC", 2)).toEqual(["AB", "AC"]);
    expect(pages("A", 2)).toEqual(["A"]);
    expect(pages("Aab", 4)).toEqual(["Aab"]);
    expect(pages("Aab", 1)).toEqual(["A", "a", "b"]);
    expect(pages("", 3)).toEqual([]);
  });
});
