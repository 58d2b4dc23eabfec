import { expect, onTestFinished, test } from "vitest";
import { createClock } from "../../bridge/src/clock.ts";
import { createQueue } from "../../bridge/src/queue/queue.ts";
import { createOffset } from "../../bridge/src/upstream/offset.ts";
import { testFolder } from "./support/program.ts";

const queueIn = (folder: string) => {
  const queue = createQueue({ folder, maxAgeMs: 1e9, maxBytes: 1e9, log: () => undefined });
  onTestFinished(() => queue.close());
  queue.open();
  return queue;
};

test("the bridge's clock runs on through its restarts, and after one of the computer it begins after all that was read", () => {
  const folder = testFolder();
  const first = queueIn(folder);
  const clock = first.clock();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  // Only what was read says so: the event of it was sent, and is gone. The computer's clock is an hour behind it after its restart.
  const ahead = Date.now() + 3_600_000;
  first.transact(() => first.saveState("sim", "key", { counter: { at: ahead, last: "7" } }));
  expect(first.clock().start).toEqual(clock.start);
  first.transact(() => first.saveClock({ boot: "before", offsetMs: 0 }));
  first.close();
  expect(queueIn(folder).clock().now()).toBeGreaterThan(ahead);
});

test("what was read before the computer started anew is corrected by what was measured then", () => {
  const folder = testFolder();
  const queue = queueIn(folder);
  queue.clock();
  const add = () =>
    queue.transact(() => queue.addEvent("sim", "P1", { kind: "total", value: 1, at: Date.now(), since: null }, true));
  add();
  const [sent] = queue.oldest(queue.lanes()[0]?.id ?? 0, 1);
  queue.fixTimes([{ ...sent, offsetMs: 250 } as NonNullable<typeof sent>], 250);
  add();
  queue.transact(() => queue.saveClock({ boot: "before", offsetMs: 0 }));
  queue.clock();
  add();
  expect(queue.oldest(queue.lanes()[0]?.id ?? 0, 9).map(({ offsetMs }) => offsetMs)).toEqual([250, 250, null]);
});

test("a clock begins by that of the computer, and another process of the same start has the same", () => {
  const clock = createClock(null, 0);
  const again = createClock(clock.start, 0);
  expect(Math.abs(again.now() - clock.now())).toBeLessThan(50);
});

test("the difference to Andon's clock is measured from the middle of an answer's way, and small changes of it are none", () => {
  const offset = createOffset();
  expect(offset.current()).toBeNull();
  offset.measure(600_100, 0, 200);
  expect(offset.current()).toBe(600_000);
  offset.measure(600_400, 0, 200);
  expect(offset.current()).toBe(600_000);
  // An answer that took ten seconds says little.
  offset.measure(604_000, 0, 10_000);
  expect(offset.current()).toBe(600_000);
  offset.measure(605_100, 0, 200);
  expect(offset.current()).toBe(605_000);
});
