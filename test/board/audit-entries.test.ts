import { expect, test } from "vitest";
import { changedMembers, nameOfEntry, namesOfEntries } from "../../src/board/domain/audit-entries.ts";

test("an entry is named as its object was then", () => {
  const named = (before: unknown, after: unknown) => nameOfEntry({ objectType: "line", objectId: "7", before, after });
  expect(named({ name: "Press 1" }, { name: "Press 2" })).toBe("Press 2");
  expect(named({ name: "Press 1" }, null)).toBe("Press 1");
  expect(named(null, { url: "https://erp.example.com", description: "" })).toBe("https://erp.example.com");
  expect(named({ order: 1 }, { order: 2 })).toBeNull();
  expect(named([{ name: "x" }], null)).toBeNull();
});

test("a change says its members without the stamps; what is new or gone says none", () => {
  const before = { id: 1, name: "Press", stopAfterSeconds: 120, updatedAt: "2026-01-01T00:00:00.000Z" };
  const after = { ...before, stopAfterSeconds: 90, lineId: 3, updatedAt: "2026-01-02T00:00:00.000Z" };
  expect(changedMembers({ objectType: "machine", objectId: "1", before, after })).toEqual([
    { name: "stopAfterSeconds", before: 120, after: 90 },
    { name: "lineId", before: undefined, after: 3 },
  ]);
  expect(changedMembers({ objectType: "machine", objectId: "1", before: null, after })).toEqual([]);
  expect(changedMembers({ objectType: "machine", objectId: "1", before, after: null })).toEqual([]);
});

test("entries of one object lend each other its newest name", () => {
  const entry = (objectId: string, after: object) => ({ objectType: "line", objectId, before: {}, after });
  const names = namesOfEntries([
    entry("7", { order: 2 }),
    entry("7", { name: "New" }),
    entry("7", { name: "Old" }),
    entry("8", {}),
  ]);
  expect([...names]).toEqual([["line 7", "New"]]);
});
