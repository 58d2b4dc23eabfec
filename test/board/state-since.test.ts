import { describe, expect, it } from "vitest";
import { type SeenRow, seenAfter, shownSince } from "../../src/board/domain/state-since.ts";
import { isoOf, now, row, stopWithCause, stopWithoutCause } from "./wall/rows.ts";

const minutesAgo = (count: number) => isoOf(now - count * 60_000);
const seen = (changes: Parameters<typeof row>[1], before?: SeenRow, isNext = true) =>
  seenAfter(before, row(1, changes), isoOf(now), isNext);

describe("the clock of a slow machine", () => {
  it("counts since it became slow, not since it runs", () => {
    const running = seen({ since: minutesAgo(90) });
    const slow = seen({ since: minutesAgo(90), isSlow: true }, running);
    expect([shownSince(running), shownSince(slow)]).toEqual([minutesAgo(90), isoOf(now)]);
    expect(shownSince(seenAfter(slow, row(1, { isSlow: true }), isoOf(now + 5000), true))).toBe(isoOf(now));
    expect(shownSince(seen({ since: minutesAgo(90) }, slow))).toBe(minutesAgo(90));
  });

  it("is not shown if nobody saw when it became slow", () => {
    expect(shownSince(seen({ since: minutesAgo(90), isSlow: true }))).toBeNull();
  });
});

describe("the clock of a stopped machine", () => {
  const open = (id: number, since: number) => {
    const stop = { ...stopWithoutCause, id, since: minutesAgo(since) };
    return { status: "N" as const, since: minutesAgo(since), stop };
  };

  it("goes on when somebody splits its stop", () => {
    const first = seen(open(1, 30));
    const second = seen(open(2, 10), first);
    const third = seen({ ...open(3, 5), stop: { ...stopWithCause, id: 3, since: minutesAgo(5) } }, second);
    expect([first, second, third].map(shownSince)).toEqual([minutesAgo(30), minutesAgo(30), minutesAgo(30)]);
  });

  it("begins anew with a new stop, and is that of the stop if something was missed", () => {
    const first = seen(open(1, 30));
    const running = seen({ since: minutesAgo(12) }, first);
    expect(shownSince(seen(open(2, 10), running))).toBe(minutesAgo(10));
    expect(shownSince(seen(open(2, 10), first, false))).toBe(minutesAgo(10));
  });
});
