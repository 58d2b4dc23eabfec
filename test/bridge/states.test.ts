import { expect, test } from "vitest";
import { z } from "zod";
import { type SignalConfig, signalMembers } from "../../bridge/src/config/signal.ts";
import { productOf, readSignal, type SignalState, unavailableState } from "../../bridge/src/readings/read-signal.ts";

const schema = z.strictObject(signalMembers);
const signal = (members: Partial<z.input<typeof schema>>): SignalConfig =>
  schema.parse({ machine: "P1", kind: "state", ...members });

function statesOf(config: SignalConfig, values: readonly (string | number | boolean)[]): (string | null)[] {
  let state: SignalState = {};
  return values.map((value, at) => {
    const result = readSignal(config, state, { signal: 0, value, at }, at === 0);
    if (!result) return null;
    state = result.state;
    if (result.refused) return result.refused.code;
    return result.event?.kind === "state" ? result.event.state : null;
  });
}

test("a state is sent when it changes, and a value that no table has is reported once", () => {
  expect(statesOf(signal({}), ["running", "running", "Down", "off", "off", "down", "idle"])).toEqual([
    "running",
    null,
    "down",
    "unknown_state",
    null,
    null,
    "idle",
  ]);
  expect(statesOf(signal({ states: { "1": "running", "0": "down" } }), [true, 1, "1", false, 2])).toEqual([
    "running",
    null,
    null,
    "down",
    "unknown_state",
  ]);
});

test("all 17 states of PackML are known by number and name, and only Execute produces", () => {
  const numbers = statesOf(
    signal({ states: "packml" }),
    Array.from({ length: 19 }, (_, index) => index),
  );
  expect(numbers.map((state, number) => (state === "running" ? number : 0)).filter(Boolean)).toEqual([6]);
  expect([numbers[0], numbers[18]]).toEqual(["unknown_state", "unknown_state"]);
  expect(numbers.slice(1, 18)).not.toContain("unknown_state");
  // Stopping and Stopped are both a stop: nothing is sent between them.
  expect(numbers.slice(1, 5)).toEqual(["down", null, "idle", null]);
  expect(statesOf(signal({ states: "packml" }), ["Execute", "HELD", "Complete"])).toEqual(["running", "down", "idle"]);
});

test("MTConnect's Execution: ACTIVE produces, the others wait", () => {
  expect(statesOf(signal({ states: "execution" }), ["ACTIVE", "READY", "FEED_HOLD", "UNAVAILABLE"])).toEqual([
    "running",
    "idle",
    null,
    "unavailable",
  ]);
});

test("a state is sent again after a start of the bridge, and after the source had none", () => {
  const config = signal({});
  const first = readSignal(config, {}, { signal: 0, value: "running", at: 1 }, true);
  expect(readSignal(config, first?.state ?? {}, { signal: 0, value: "running", at: 2 }, false)?.event).toBeNull();
  expect(readSignal(config, first?.state ?? {}, { signal: 0, value: "running", at: 2 }, true)?.event).toMatchObject({
    state: "running",
  });
  expect(readSignal(config, unavailableState(2), { signal: 0, value: "running", at: 3 }, false)?.event).toMatchObject({
    state: "running",
  });
});

test("the product in work is the SKU with the order, if one is known", () => {
  const read = (kind: "sku" | "order", value: string, at: number) =>
    readSignal(signal({ kind }), {}, { signal: 0, value, at }, false)?.state ?? {};
  expect(productOf(read("sku", "CAP-28", 1), null)).toEqual({
    kind: "sku",
    skuId: "CAP-28",
    workOrderId: null,
    at: 1,
    since: null,
  });
  expect(productOf(read("sku", "CAP-28", 1), read("order", "WO-7", 5))).toMatchObject({ workOrderId: "WO-7", at: 5 });
  expect(productOf(read("sku", "CAP-28", 1), read("order", " ", 5))).toMatchObject({ workOrderId: null });
  expect(productOf({}, read("order", "WO-7", 5))).toBeNull();
});
