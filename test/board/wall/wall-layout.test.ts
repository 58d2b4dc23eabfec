import { describe, expect, it } from "vitest";
import { distances, fontShare, headSize, layOut, pagesOf } from "../../../src/board/domain/wall-layout.ts";
import { optionsOf } from "../../../src/board/domain/wall-options.ts";

const fullHd = { width: 1920, height: 1080 };
const room = { width: 1866, height: 900 };

describe("a wall's layout", () => {
  it("has text of 20 minutes of arc on a 55-inch screen", () => {
    // Capitals are 29 mm high at 5 m, 58 mm at 10 m; the screen is 685 mm high, and a capital is 0.7 of a font size.
    expect(fontShare(5) * 685 * 0.7).toBeCloseTo(29.1, 1);
    expect(fontShare(10) * 685 * 0.7).toBeCloseTo(58.2, 1);
  });

  it.each(distances)("keeps at least 18 minutes of arc at %s m, whatever the number of machines", (distance) => {
    for (const count of [1, 2, 5, 8, 13, 30, 100]) {
      const { fontSize, columns, rows, perPage } = layOut(count, room, fullHd, distance);
      expect(fontSize / 1080 / fontShare(distance)).toBeGreaterThan(0.9);
      expect(perPage).toBe(columns * rows);
      expect(perPage).toBeGreaterThanOrEqual(Math.min(count, 2));
    }
  });

  it.each(distances)("keeps the header's figures at 18 minutes of arc at %s m", (distance) => {
    const share = headSize(fullHd, distance, false) / 1080 / fontShare(distance);
    expect(share).toBeGreaterThanOrEqual(0.895);
    expect(share).toBeLessThan(1.5);
    // Smaller if not all of them would fit side by side.
    expect(headSize({ width: 390, height: 844 }, distance, true)).toBeLessThanOrEqual(390 / 12);
  });

  it("has fewer machines on a page for a longer reading distance", () => {
    expect(distances.map((distance) => layOut(168, room, fullHd, distance).perPage)).toEqual([28, 8, 6, 4]);
    expect(distances.map((distance) => layOut(168, room, fullHd, distance).density)).toEqual([
      ...["full", "full", "compact", "compact"],
    ]);
  });

  it("spreads machines over its pages evenly", () => {
    // 28 fit on a page at 3 m, 6 at 8 m.
    expect(layOut(40, room, fullHd, 3).perPage).toBe(20);
    expect(layOut(8, room, fullHd, 8).perPage).toBe(4);
    expect(layOut(29, room, fullHd, 3).perPage).toBeLessThan(20);
  });

  it("leaves no row empty, and uses the available space", () => {
    for (let count = 1; count <= 18; count++) {
      const { columns, rows } = layOut(count, room, fullHd, 3);
      expect([count, columns * rows >= count, columns * (rows - 1) < count]).toEqual([count, true, true]);
    }
    expect(layOut(1, room, fullHd, 5).fontSize).toBeGreaterThan(layOut(8, room, fullHd, 5).fontSize);
  });

  it("scales with the screen", () => {
    const large = layOut(8, { width: 3732, height: 1800 }, { width: 3840, height: 2160 }, 5);
    const small = layOut(8, room, fullHd, 5);
    expect([large.columns, large.rows]).toEqual([small.columns, small.rows]);
    expect(large.fontSize / small.fontSize).toBeCloseTo(2, 1);
  });

  it("stays readable on a phone", () => {
    const phone = layOut(8, { width: 380, height: 680 }, { width: 390, height: 844 }, 5);
    expect([phone.columns, phone.density]).toEqual([2, "full"]);
    expect(phone.fontSize).toBeGreaterThanOrEqual(24);
  });

  it("works in a window without space", () => {
    const { fontSize, perPage } = layOut(5, { width: 0, height: 0 }, { width: 0, height: 0 }, 10);
    expect([Number.isFinite(fontSize), fontSize >= 0, perPage >= 1]).toEqual([true, true, true]);
  });
});

describe("a wall's options", () => {
  it("are read from its address", () => {
    expect(optionsOf(new URLSearchParams("lines=3,1,3&machines=7&distance=10&page=30&theme=light"))).toEqual({
      ...{ lineIds: [3, 1], machineIds: [7], distance: 10, secondsPerPage: 30, theme: "light" },
    });
  });

  it.each(["", "lines=&machines=x,-1,0,1e3&distance=4&page=1&theme=pink", "distance=five&page=9999&page=1.5"])(
    "are the defaults for ?%s",
    (query) => {
      expect(optionsOf(new URLSearchParams(query))).toEqual({
        ...{ lineIds: [], machineIds: [], distance: 5, secondsPerPage: 12, theme: "dark" },
      });
    },
  );
});

describe("the pages of a wall", () => {
  const isCapital = (letter: string) => letter === letter.toUpperCase();
  const pages = (letters: string, perPage: number) => pagesOf([...letters], isCapital, perPage).map((page) => page.join(""));

  it("have pinned items on each, as far as there is room for others", () => {
    expect(pages("abcde", 2)).toEqual(["ab", "cd", "e"]);
    expect(pages("Aabcde", 3)).toEqual(["Aab", "Acd", "Ae"]);
    expect(pages("ABabc", 2)).toEqual(["Aa", "Bb", "Ac"]);
    expect(pages("ABCa", 2)).toEqual(["Aa", "Ba", "Ca"]);
    expect(pages("ABC", 2)).toEqual(["AB", "C"]);
    expect(pages("Aab", 4)).toEqual(["Aab"]);
    expect(pages("Aab", 1)).toEqual(["A", "a", "b"]);
    expect(pages("", 3)).toEqual([]);
  });
});
