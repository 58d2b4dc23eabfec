import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addReading, type CounterState, type Reading } from "../../src/oee/counters.ts";

const MINUTE = 60_000;

interface Facts {
  wrapsAt?: number | null;
  perMinute?: number | null;
}

/** The pulses of each reading, one after the other. */
function pulsesOf(readings: readonly Reading[], { wrapsAt = null, perMinute = null }: Facts = {}): number[] {
  let state: CounterState | null = null;
  return readings.map((reading) => {
    const added = addReading(state, reading, { wrapsAt, standardMs: perMinute === null ? null : MINUTE / perMinute });
    state = added.state;
    return added.pulses;
  });
}

/** The pulses of a reading that comes some minutes after another one. */
function between(before: number, after: number, { minutes = 1, ...facts }: Facts & { minutes?: number } = {}) {
  const readings = [
    { at: 0, value: before },
    { at: minutes * MINUTE, value: after },
  ];
  return pulsesOf(readings, facts)[1];
}

/** The pulses that readings of one time add up to, after one of an earlier time. */
function together(before: number, values: readonly number[], facts: Facts = {}): number {
  const readings = [{ at: 0, value: before }, ...values.map((value) => ({ at: MINUTE, value }))];
  return pulsesOf(readings, facts).reduce((sum, pulses) => sum + pulses, 0);
}

describe("the pulses between two readings of a counter", () => {
  it("are the difference while the total grows, however fast", () => {
    expect(between(5, 9)).toBe(4);
    expect(between(9, 9)).toBe(0);
    expect(between(0, 999_999_999, { perMinute: 1 })).toBe(999_999_999);
  });

  it("are none for the first reading, whatever it shows", () => {
    expect(pulsesOf([{ at: 0, value: 500 }])).toEqual([0]);
    expect(
      pulsesOf([
        { at: 0, value: 500 },
        { at: 0, value: 510 },
        { at: 0, value: 490 },
        { at: 1, value: 511 },
      ]),
    ).toEqual([0, 0, 0, 1]);
  });

  it("are the new total after a reset", () => {
    expect(between(500, 4)).toBe(4);
    expect(between(500, 0)).toBe(0);
  });

  it("go on from 0 after the highest total of a counter that wraps", () => {
    expect(between(65_530, 4, { wrapsAt: 65_536 })).toBe(10);
    expect(between(65_535, 0, { wrapsAt: 65_536 })).toBe(1);
    expect(between(32_766, 5, { wrapsAt: 32_768, perMinute: 10 })).toBe(7);
  });

  it("are the new total where the counter would have had to wrap at more than 20 times the standard: it was reset", () => {
    expect(between(40_000, 5, { wrapsAt: 65_536, perMinute: 1000 })).toBe(5);
    expect(between(40_000, 5, { wrapsAt: 65_536, perMinute: 1000, minutes: 2 })).toBe(25_541);
    expect(between(80, 0, { wrapsAt: 100, perMinute: 1 })).toBe(20);
    expect(between(79, 0, { wrapsAt: 100, perMinute: 1 })).toBe(0);
  });

  it("wrap between two readings that are closer than a cycle, too", () => {
    expect(between(65_535, 1, { wrapsAt: 65_536, perMinute: 2, minutes: 1 / 60 })).toBe(2);
    expect(between(40_000, 5, { wrapsAt: 65_536, perMinute: 2, minutes: 1 / 60 })).toBe(5);
  });

  it("are the new total where wrapping would mean more than half of the range and no rate is known", () => {
    expect(between(40_000, 5, { wrapsAt: 65_536 })).toBe(25_541);
    expect(between(20_000, 5, { wrapsAt: 65_536 })).toBe(5);
  });

  it("do not wrap from a total that the counter cannot have", () => {
    expect(between(70_000, 5, { wrapsAt: 65_536 })).toBe(5);
  });

  it("add up to the same in whatever order readings of one time come", () => {
    expect(together(10, [12, 11])).toBe(2);
    expect(together(10, [11, 12])).toBe(2);
    for (const values of [
      [5001, 0],
      [0, 5001],
    ])
      expect(together(5000, values)).toBe(1);
    for (const values of [
      [65_535, 3],
      [3, 65_535],
    ])
      expect(together(65_530, values, { wrapsAt: 65_536 })).toBe(9);
    expect(
      pulsesOf([
        { at: 0, value: 10 },
        { at: 1, value: 12 },
        { at: 1, value: 11 },
        { at: 2, value: 13 },
      ]),
    ).toEqual([0, 2, 0, 1]);
  });

  it("add up to everything that a counter made, if it is read often enough", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 120 })), fc.constantFrom(256, 1000, 65_536), (made, wrapsAt) => {
        let total = 0;
        const readings = made.map((pulses, i) => {
          total += pulses;
          return { at: (i + 1) * MINUTE, value: total % wrapsAt };
        });
        const counted = pulsesOf([{ at: 0, value: 0 }, ...readings], { wrapsAt });
        expect(counted.reduce((sum, pulses) => sum + pulses, 0)).toBe(total);
      }),
    );
  });

  it("add up to the same however many of the readings in between are left out, without a reset", () => {
    const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.boolean()), { minLength: 2 });
    fc.assert(
      fc.property(values, (steps) => {
        let total = 0;
        const all = steps.map(([pulses, isLeftOut], i) => {
          total += pulses;
          return { at: i * MINUTE, value: total, isLeftOut: isLeftOut && i > 0 && i < steps.length - 1 };
        });
        const sum = (readings: readonly Reading[]) => pulsesOf(readings).reduce((sum, pulses) => sum + pulses, 0);
        expect(sum(all.filter(({ isLeftOut }) => !isLeftOut))).toBe(sum(all));
      }),
    );
  });
});
