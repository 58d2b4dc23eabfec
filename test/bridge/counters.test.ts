import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type SignalConfig, signalMembers } from "../../bridge/src/config/signal.ts";
import { readSignal, type SignalState } from "../../bridge/src/readings/read-signal.ts";

const schema = z.strictObject(signalMembers);
const signal = (members: Partial<z.input<typeof schema>>): SignalConfig =>
  schema.parse({ machine: "P1", kind: "total", ...members });

/** What readings one second apart make: the pulses of each, "-" for those that are put into quarantine. */
function read(
  config: SignalConfig,
  values: readonly (number | bigint | string | boolean)[],
  everyMs = 1000,
): (number | "-" | "?")[] {
  let state: SignalState = {};
  return values.map((value, index) => {
    const result = readSignal(config, state, { signal: 0, value, at: index * everyMs }, false);
    if (!result) return 0;
    state = result.state;
    if (result.refused) return result.refused.code === "implausible" ? "-" : "?";
    return result.event && "value" in result.event && typeof result.event.value === "number" ? result.event.value : 0;
  });
}

const size = { 16: 2n ** 16n, 32: 2n ** 32n, 64: 2n ** 64n };

describe.each([16, 32, 64] as const)("a counter of %d bits", (width) => {
  const end = size[width];
  const counter = signal({ width, max_per_minute: 600 });
  const high = end - 5n;

  test.each([
    ["counts what it made, and nothing at its first reading", counter, [100n, 103n, 110n], [0, 3, 7]],
    ["counts on through its roll-over", counter, [high, end - 1n, 2n, 4n], [0, 4, 3, 2]],
    ["counts what it shows after a reset to 0", counter, [5000n, 0n, 3n], [0, 0, 3]],
    ["counts what it made since a reset, if that was plausible in the time", counter, [5000n, 4n, 6n], [0, 4, 2]],
    ["counts nothing of a preset that cannot have been made, and goes on from it", counter, [5000n, 1000n, 1002n], [0, "-", 2]],
    ["counts no preset where resets count nothing", signal({ width, on_reset: "count-nothing" }), [5000n, 100n, 102n], [0, 0, 2]],
    ["puts a jump into quarantine, and goes on from it", counter, [100n, 30_000n, 30_003n], [0, "-", 3]],
    ["that is stuck counts nothing", counter, [100n, 100n, 100n], [0, 0, 0]],
    ["does not show a total beyond its bits", counter, [100n, end, 101n], [0, "?", 1]],
  ] as const)("%s", (_, config, values, made) => {
    expect(read(config, values)).toEqual(made);
  });
});

test("a total that cannot be read is reported once, and what follows counts from the last one that could", () => {
  expect(read(signal({}), [5, "no", "no", -1, Number.NaN, "7.0", 8])).toEqual([0, "?", 0, "?", "?", 2, 1]);
});

test("after a pause, the count of a running total says since when it was made", () => {
  const config = signal({});
  let state: SignalState = {};
  const at = (seconds: number, value: number, isAfterStart = false) => {
    const result = readSignal(config, state, { signal: 0, value, at: seconds * 1000 }, isAfterStart);
    if (result) state = result.state;
    return result?.event;
  };
  for (let second = 0; second < 10; second += 1) at(second, second);
  expect(at(10, 10)).toEqual({ kind: "total", value: 1, at: 10_000, since: null });
  expect(at(7210, 730)).toEqual({ kind: "total", value: 720, at: 7_210_000, since: 10_000 });
  expect(at(7211, 731, true)).toEqual({ kind: "total", value: 1, at: 7_211_000, since: 7_210_000 });
});

test("readings that come late, or again, do not change what a running total has made", () => {
  const config = signal({ max_per_minute: 6000 });
  let state: SignalState = {};
  const made = (value: number, at: number, isRepeated = false) => {
    const result = readSignal(config, state, { signal: 0, value, at, isRepeated }, false);
    if (result) state = result.state;
    return result?.event ? result.event : null;
  };
  made(100, 1000);
  expect(made(99, 500)).toBeNull();
  expect(made(99, 1500, true)).toBeNull();
  expect(made(103, 2000, true)).toMatchObject({ value: 3 });
  expect(made(104, 2000)).toMatchObject({ value: 1 });
});

test("what a broker kept in an outage comes at once, and is plausible as far as it can have been made in the outage", () => {
  const config = signal({ max_per_minute: 60 });
  const times = [0, 600_000, 600_001, 600_002, 600_003];
  let state: SignalState = {};
  const made = [0, 200, 400, 590, 900].map((value, index) => {
    const result = readSignal(config, state, { signal: 0, value, at: times[index] ?? 0 }, false);
    if (result) state = result.state;
    return result?.refused ? "-" : (result?.event as { value: number } | null)?.value;
  });
  expect(made).toEqual([undefined, 200, 200, 190, "-"]);
});

test("deltas are scaled to whole pulses, and the rest is carried on", () => {
  expect(read(signal({ reading: "delta", scale: 0.1 }), [4, 4, 4, 25, 3])).toEqual([0, 0, 1, 2, 1]);
  expect(read(signal({ scale: 0.001 }), ["0", "999", "1000", "3500.5", "4000"])).toEqual([0, 0, 1, 2, 1]);
  expect(read(signal({ reading: "delta", max_per_minute: 60 }), [1, 1, 50, 2])).toEqual([1, 1, "-", 2]);
});

test("a contact counts each closing that is long enough, and not too soon after the one before", () => {
  const contact = { reading: "edge" } as const;
  expect(read(signal(contact), [1, 0, 1, 1, 0, 1], 10)).toEqual([0, 0, 1, 0, 0, 1]);
  expect(read(signal(contact), [false, true, "off", "on", "x"], 10)).toEqual([0, 1, 0, 1, "?"]);
  // 10 ms apart: a pulse of 10 ms is a bounce, one of 30 ms counts as soon as it is 20 ms long.
  expect(read(signal({ ...contact, min_pulse: "20ms" }), [0, 1, 0, 1, 1, 1, 0], 10)).toEqual([0, 0, 0, 0, 0, 1, 0]);
  expect(read(signal({ ...contact, min_gap: "20ms" }), [0, 1, 0, 1, 0, 0, 0, 1], 10)).toEqual([0, 1, 0, 0, 0, 0, 0, 1]);
});

const steps = fc.array(fc.record({ made: fc.nat(1000), ms: fc.nat(100_000) }), { minLength: 1, maxLength: 60 });

test("without a reset, the events of a counter of any width add up to what it made, through all of its roll-overs", () => {
  fc.assert(
    fc.property(fc.constantFrom(16, 32, 64, undefined), fc.bigInt(0n, 2n ** 64n - 1n), steps, (width, start, made) => {
      const config = signal({ width, max_per_minute: 60_000 });
      let state: SignalState = {};
      let [total, counted, at] = [width === undefined ? start : start % size[width as 16], 0, 0];
      for (const { made: pulses, ms } of [{ made: 0, ms: 0 }, ...made]) {
        total += BigInt(pulses);
        // The machine is never faster than it may be.
        at += Math.max(ms % 60_000, pulses);
        const value = width === undefined ? total : total % size[width as 16];
        const result = readSignal(config, state, { signal: 0, value, at }, false);
        if (!result) throw new Error("a newer reading was ignored");
        state = result.state;
        expect(result.refused).toBeNull();
        counted += (result.event as { value: number } | null)?.value ?? 0;
      }
      expect(counted).toBe(made.reduce((sum, step) => sum + step.made, 0));
    }),
  );
});

test("whatever a counter shows, no more is counted than is plausible in the time", () => {
  const shown = fc.array(fc.record({ value: fc.oneof(fc.nat(70_000), fc.nat(50)), ms: fc.nat(20_000) }), { maxLength: 60 });
  fc.assert(
    fc.property(
      fc.constantFrom(16, undefined),
      fc.constantFrom("count-new", "count-nothing"),
      shown,
      (width, on_reset, values) => {
        const config = signal({ width, on_reset, max_per_minute: 60 });
        let state: SignalState = {};
        let [counted, at] = [0, 0];
        for (const { value, ms } of values) {
          at += ms;
          const result = readSignal(config, state, { signal: 0, value, at }, false);
          if (!result) continue;
          state = result.state;
          counted += (result.event as { value: number } | null)?.value ?? 0;
        }
        // One a second, one more for each reading, and ten for those that come in a burst.
        expect(counted).toBeLessThanOrEqual(at / 1000 + 2 * values.length + 10);
      },
    ),
  );
});
