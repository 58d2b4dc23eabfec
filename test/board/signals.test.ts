import { describe, expect, it } from "vitest";
import { adoptionOf, dotsOf, newPulses } from "../../src/board/domain/signals.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 29, 10, 0, second)).toISOString();
const config = (type: "total" | "defect", channel: number) => ({ type, channel, nodeId: 1, countingFactor: 1, wrapsAt: null });
const nine = { nodeId: 1, channel: 9, kept: { events: 13, pulses: 13, from: at(20) } };
const taken = { ...config("total", 9), countingFactor: 4 };

describe("a machine that takes a channel as its total", () => {
  it("has it in place of the total that nobody used, if it was never heard", () => {
    const sensors = { configs: [config("total", 1), config("defect", 2)] };
    expect(adoptionOf(nine, { commissionedAt: at(0), isHeard: false }, sensors, 4)).toEqual({
      configs: [config("defect", 2), taken],
      commissionedAt: null,
      effectiveFrom: null,
    });
  });

  it("is commissioned with the first kept count, if it was never heard", () => {
    const machine = { commissionedAt: at(30), isHeard: false };
    expect(adoptionOf(nine, machine, undefined, 4)).toEqual({ configs: [taken], commissionedAt: at(20), effectiveFrom: null });
  });

  it("has it besides those that it has from the first kept count on, if it was heard, and not from before its commissioning", () => {
    const sensors = { configs: [config("total", 1)] };
    const heard = (commissionedAt: string) => adoptionOf(nine, { commissionedAt, isHeard: true }, sensors, 4);
    const configs = [config("total", 1), taken];
    expect(heard(at(0))).toEqual({ configs, commissionedAt: null, effectiveFrom: at(20) });
    expect(heard(at(30))).toEqual({ configs, commissionedAt: null, effectiveFrom: at(30) });
  });

  it("has it from now on if none of its counts is kept", () => {
    const none = { ...nine, kept: null };
    expect(adoptionOf(none, { commissionedAt: at(0), isHeard: true }, undefined, 4)).toMatchObject({ effectiveFrom: null });
  });
});

it("the dots of a signal are those of the last minute, also of a clock that is ahead", () => {
  expect(dotsOf({ recent: [at(0), at(15), at(45), at(80)] }, at(75))).toEqual([0, 0.5, 1]);
});

it("new pulses are those that an earlier answer did not have, each once, whatever their times say", () => {
  const signal = (channel: number, recent: string[]) =>
    ({ nodeId: 1, channel, recent }) as Parameters<typeof newPulses>[1][number];
  const before = [signal(1, [at(1), at(2)])];
  const first = newPulses(before, [signal(1, [at(1), at(2), at(3)]), signal(7, [at(0)])], []);
  expect(first.map(({ channel, times }) => [channel, [...times]])).toEqual([
    [1, [at(3)]],
    [7, [at(0)]],
  ]);
  // What is kept and counted by now is in both.
  const then = newPulses(before, [signal(1, [at(3), at(4)]), signal(1, [at(4)])], first);
  expect(then.find(({ channel }) => channel === 1)?.times.size).toBe(2);
});
