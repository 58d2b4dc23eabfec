import { expect, it } from "vitest";
import { waitAfter } from "../../src/board/domain/backoff.ts";

it("waits longer after each failure, up to half a minute", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 50].map((failures) => waitAfter(failures, 1))).toEqual([
    ...[1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000],
  ]);
});

it("never waits less than half of that, and at random, so that screens do not all come back at once", () => {
  expect([1, 2, 50].map((failures) => waitAfter(failures, 0))).toEqual([500, 1000, 15_000]);
  expect(waitAfter(50, 0.5)).toBe(22_500);
});

it("waits at least as long as the service asks for", () => {
  expect(waitAfter(1, 0, 20)).toBe(20_000);
  expect(waitAfter(6, 1, 20)).toBe(30_000);
});
