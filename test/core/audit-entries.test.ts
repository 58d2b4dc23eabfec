import { describe, expect, it } from "vitest";
import { entryId, shownChanges, storedEntry } from "../../src/core/audit-entries.ts";

const entry = {
  ...{ id: "0000000a-000b-4fff-8fff-ffffffffffff", at: 5, companyId: 1, userId: 2, apiTokenId: null, requestId: null },
  ...{ action: "sku.change", objectType: "sku", objectId: "S" },
};
const storedOf = (before: object | null, after: object | null, objectType = "sku") =>
  storedEntry({ ...entry, objectType, before, after });
const shownOf = (before: object | null, after: object | null) => {
  const { form, changes } = storedOf(before, after);
  return shownChanges({ form, changes: JSON.parse(JSON.stringify(changes)) });
};

describe("an entry", () => {
  it("has the number of its id, always the same", () => {
    expect(storedOf(null, {}).nr).toBe(0xa000b);
    expect(storedOf(null, {})).toEqual(storedOf(null, {}));
    expect(entryId({ at: 5, nr: 0xa000b })).toBe("5-0000000a000b");
  });

  it("of a change has the members that differ", () => {
    const [before, after] = [
      { name: "A", list: [1], same: { of: [1] }, gone: null, isNull: null },
      { name: "B", list: [1, 2], same: { of: [1] }, isNull: 0, isNew: null },
    ];
    expect(storedOf(before, after).changes).toEqual({
      name: ["A", "B"],
      list: [[1], [1, 2]],
      gone: [null],
      isNull: [null, 0],
      isNew: [null, null, true],
    });
    expect(shownOf(before, after)).toEqual({
      before: { name: "A", list: [1], gone: null, isNull: null },
      after: { name: "B", list: [1, 2], isNull: 0, isNew: null },
    });
    expect(shownOf(before, before)).toEqual({ before: {}, after: {} });
  });

  it("of a stop has all its causes if one differs", () => {
    const causes = { generalCauseId: "1", specificCauseId: "2", componentId: null };
    expect(storedOf({ ...causes, name: "A" }, { ...causes, specificCauseId: "3", name: "A" }, "stop").changes).toEqual({
      ...{ generalCauseId: ["1", "1"], specificCauseId: ["2", "3"] },
    });
    expect(storedOf({ ...causes, name: "A" }, { ...causes, name: "B" }, "stop").changes).toEqual({ name: ["A", "B"] });
  });

  it("of what was created or deleted has the whole object", () => {
    expect(storedOf(null, { name: "A" }).changes).toEqual({ name: "A" });
    expect(shownOf(null, { name: "A" })).toEqual({ before: null, after: { name: "A" } });
    expect(shownOf({ name: "A" }, null)).toEqual({ before: { name: "A" }, after: null });
  });

  it.each([
    [null, null],
    [{ id: 1 }, [{ id: 1 }, { id: 2 }]],
    [[{ id: 1 }, { id: 2 }], { id: 1 }],
    [[{ id: 1 }], [{ id: 1 }]],
  ])("of %j and %j has both", (before, after) => {
    expect(shownOf(before, after)).toEqual({ before, after });
  });
});
