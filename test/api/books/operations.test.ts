import { describe, expect, it } from "vitest";
import { changeNoNumber, changeNumbers } from "../../support/past-writers.ts";
import { isRead, operations } from "../../table/operations.ts";
import { writers } from "./writers.ts";

describe("the writers of the past", () => {
  it("are all operations that write, apart from those of which is said why they change no number", () => {
    const writing = operations.filter((operation) => !isRead(operation)).map(({ id }) => id);
    const listed = [...changeNumbers, ...Object.values(changeNoNumber).flat()];
    expect(listed.toSorted()).toEqual(writing.toSorted());
  });

  it("are all tried", () => {
    const done = new Set(writers.flatMap(({ by }) => by ?? []));
    expect([...done].toSorted()).toEqual([...changeNumbers].toSorted());
  });
});
