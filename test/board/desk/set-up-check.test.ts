import { describe, expect, it } from "vitest";
import { placeOf } from "../../../src/board/domain/set-up-check.ts";

describe("where a finding of the set-up is put right", () => {
  const machine = { type: "machine", id: 7 };
  it.each([
    ["no_machine", null, "start"],
    ["machine_not_heard", machine, "start"],
    ["no_stop_cause", null, { part: "cause", itemId: null }],
    ["machine_in_no_shift", machine, { part: "shift", itemId: null }],
    ["counting_disabled", machine, { part: "sensors", itemId: "7" }],
    ["no_standard_cycle", machine, { part: "machine", itemId: "7" }],
    ["counts_held", machine, "changes"],
    ["sku_without_standard", { type: "sku", id: "CAP-28" }, { part: "sku", itemId: "CAP-28" }],
    ["names_deleted", { type: "stop-cause", id: 3 }, { part: "cause", itemId: "3" }],
    ["names_deleted", { type: "work-order", id: "W-1" }, "orders"],
    ["names_deleted", { type: "persona", id: 3 }, { part: "personas", itemId: "3" }],
    ["names_deleted", { type: "operator-plan", id: 3 }, null],
    ["webhook_secret_lost", null, null],
  ] as const)("%s of %j: %j", (code, object, place) => {
    expect(placeOf({ code, object })).toEqual(place);
  });
});
