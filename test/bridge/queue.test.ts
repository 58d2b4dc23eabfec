import { expect, test } from "vitest";
import { createQueue } from "../../bridge/src/queue/queue.ts";
import { testFolder } from "./support/program.ts";

const DAY = 86_400_000;
const now = Date.UTC(2026, 0, 20);

function queueOf(maxBytes: number) {
  const queue = createQueue({ folder: testFolder(), maxAgeMs: 14 * DAY, maxBytes, log: () => undefined });
  const add = (machine: string, ats: readonly number[], byBridge = true) =>
    queue.transact(() => {
      for (const at of ats) queue.addEvent("hall", machine, { kind: "total", at, since: null, value: 1 }, byBridge);
    });
  const timesOf = () =>
    Object.fromEntries(queue.lanes().map(({ id, machine }) => [machine, queue.oldest(id, 100_000).map(({ at }) => at)]));
  return { queue, add, timesOf };
}

test("a queue that is too large drops the oldest events of all machines, and says how many of which, from when to when", () => {
  const { queue, add, timesOf } = queueOf(500_000);
  const each = (from: number) => Array.from({ length: 20_000 }, (_, i) => from + i * 1000);
  add("P1", each(now - DAY));
  add("P2", each(now - DAY + 5_000_000));
  const dropped = queue.keepBounds(now);
  expect(queue.status().bytes).toBeLessThanOrEqual(500_000);
  const { P1 = [], P2 = [] } = timesOf();
  expect(P1.length + P2.length + dropped).toBe(40_000);
  expect(dropped).toBeGreaterThan(10_000);
  // What is left of both begins at about the same time: steps of 500 events are dropped.
  expect(Math.abs((P1[0] ?? 0) - (P2[0] ?? 0))).toBeLessThanOrEqual(1_000_000);
  const drops = Object.fromEntries(queue.drops().map((drop) => [drop.machine, drop]));
  expect(drops.P1).toEqual({ machine: "P1", events: 20_000 - P1.length, from: now - DAY, to: (P1[0] ?? 0) - 1000 });
  expect((drops.P1?.events ?? 0) + (drops.P2?.events ?? 0)).toBe(dropped);
  // Nothing more has to go.
  expect(queue.keepBounds(now)).toBe(0);
  queue.close();
});

test("events that are too old by the bridge's clock are dropped; those of files, whose times may be long ago, are not", () => {
  const { queue, add, timesOf } = queueOf(1e9);
  add("P1", [now - 15 * DAY, now - 14 * DAY - 1, now - 14 * DAY, now]);
  add("P2", [now - 400 * DAY], false);
  expect(queue.keepBounds(now)).toBe(2);
  expect(timesOf()).toEqual({ P1: [now - 14 * DAY, now], P2: [now - 400 * DAY] });
  expect(queue.drops()).toEqual([{ machine: "P1", events: 2, from: now - 15 * DAY, to: now - 14 * DAY - 1 }]);
  queue.close();
});
