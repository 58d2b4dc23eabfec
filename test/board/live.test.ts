import { effect } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { Rows } from "../../src/board/domain/rows.ts";

const row = (id: number, total = 0) => ({ machine: { id }, total });

describe("the rows of a screen", () => {
  it("take a snapshot, then changes, and remove deleted rows", () => {
    const rows = new Rows<ReturnType<typeof row>>();
    expect(rows.ids.value).toBeNull();
    rows.replace([row(1), row(2), row(3)]);
    rows.change([row(2, 5), row(9)], [1]);
    expect(rows.ids.value).toEqual([2, 3, 9]);
    expect([rows.of(1).value, rows.of(2).value?.total, rows.of(3).value?.total]).toEqual([undefined, 5, 0]);
    rows.replace([row(9), row(3, 7)]);
    expect(rows.ids.value).toEqual([9, 3]);
    expect([rows.of(2).value, rows.of(3).value?.total]).toEqual([undefined, 7]);
  });

  it("notify only listeners of the machine that has changed", () => {
    const rows = new Rows<ReturnType<typeof row>>();
    rows.replace([row(1), row(2)]);
    const drawn: string[] = [];
    const ends = [
      effect(() => void drawn.push(`list ${rows.ids.value?.length}`)),
      effect(() => void drawn.push(`1: ${rows.of(1).value?.total}`)),
      effect(() => void drawn.push(`2: ${rows.of(2).value?.total}`)),
    ];
    drawn.length = 0;
    rows.change([row(2, 8)], []);
    expect(drawn).toEqual(["2: 8"]);
    for (const end of ends) end();
  });

  it("notify of a machine that is added later", () => {
    const rows = new Rows<ReturnType<typeof row>>();
    const later = rows.of(4);
    rows.change([row(4, 1)], []);
    expect([later.value?.total, rows.ids.value]).toEqual([1, [4]]);
  });
});
