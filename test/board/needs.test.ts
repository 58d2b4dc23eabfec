import { describe, expect, it } from "vitest";
import { needsOf } from "../../src/board/domain/needs.ts";
import { isoOf, now, row, stopWithCause, stopWithoutCause } from "./wall/rows.ts";

const minute = 60_000;
const ago = (minutes: number) => isoOf(now - minutes * minute);
const call = (id: number, minutes: number) =>
  row(id, {
    ...{ status: "N", stop: stopWithoutCause, since: ago(90) },
    helpCall: { id, since: ago(minutes), message: null, calledBy: { id: 1, name: null } },
  });

describe("the machines that need somebody", () => {
  it("are calls, stops without a cause, silent machines and breaks that are over, each kind by age, each machine once", () => {
    const rows = [
      row(1),
      row(2, { status: "N", stop: stopWithCause, since: ago(60) }),
      row(3, { status: "N", stop: stopWithoutCause, since: ago(5) }),
      row(4, { status: "N", stop: stopWithoutCause, since: ago(50) }),
      row(5, { status: "D", since: null }),
      row(6, { status: "P", plannedUntil: ago(2), since: ago(30) }),
      row(7, { status: "P", plannedUntil: ago(-2), since: ago(30) }),
      call(8, 1),
      call(9, 3),
    ];
    expect(
      needsOf(rows, now).map(({ kind, row: { machine }, since }) => [kind, machine.id, since && (now - since) / minute]),
    ).toEqual([
      ["call", 9, 3],
      ["call", 8, 1],
      ["cause", 4, 50],
      ["cause", 3, 5],
      ["noData", 5, null],
      ["overrun", 6, 2],
    ]);
  });

  it("are none while all run", () => {
    expect(needsOf([row(1), row(2)], now)).toEqual([]);
  });
});
