import { describe, expect, it } from "vitest";
import { isLargestFirst, type SortValue, sorted } from "../../../src/board/domain/sorted.ts";

const collator = new Intl.Collator("en-GB", { numeric: true });
const itself = (value: SortValue) => value;
const inOrder = (values: readonly SortValue[], isDescending = false) => sorted(values, itself, isDescending, collator);

describe("rows in order", () => {
  it("has numbers by size, in both directions", () => {
    expect(inOrder([10, 9, -1, 100])).toEqual([-1, 9, 10, 100]);
    expect(inOrder([10, 9, -1, 100], true)).toEqual([100, 10, 9, -1]);
  });

  it("has texts as people read them: numbers in them by size, capitals and accents where their letter is", () => {
    expect(inOrder(["Press 10", "press 2", "Águila", "Lathe", "Banco"])).toEqual([
      ...["Águila", "Banco", "Lathe", "press 2", "Press 10"],
    ]);
  });

  it("has what is not known last in both directions", () => {
    expect(inOrder([null, 2, null, 1])).toEqual([1, 2, null, null]);
    expect(inOrder([null, "a", "b"], true)).toEqual(["b", "a", null]);
  });

  it("leaves rows that are the same in the order of the list, and the list as it is", () => {
    const rows = [
      { name: "b", at: 1 },
      { name: "a", at: 1 },
      { name: "c", at: 2 },
    ];
    const names = (isDescending: boolean) => sorted(rows, ({ at }) => at, isDescending, collator).map(({ name }) => name);
    expect([names(false), names(true)]).toEqual([
      ["b", "a", "c"],
      ["c", "b", "a"],
    ]);
    expect(rows.map(({ name }) => name)).toEqual(["b", "a", "c"]);
  });

  it("begins with the largest number, but with the first text", () => {
    expect(isLargestFirst([null, 3], itself)).toBe(true);
    expect(isLargestFirst([null, "a"], itself)).toBe(false);
    expect(isLargestFirst([null], itself)).toBe(false);
  });
});
