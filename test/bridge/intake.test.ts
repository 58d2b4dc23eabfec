import { expect, onTestFinished, test } from "vitest";
import { configSchema } from "../../bridge/src/config/config.ts";
import { createIntake } from "../../bridge/src/intake/intake.ts";
import { createQueue } from "../../bridge/src/queue/queue.ts";
import type { SourceContext } from "../../bridge/src/sources/source.ts";
import { testFolder } from "./support/program.ts";

interface Member {
  machine?: string;
  kind: string;
  reading?: string;
  max_per_minute?: number;
}

/** An intake over a queue of its own, with a clock that the test sets. */
function startIntake(signals: readonly Member[]) {
  const queue = createQueue({ folder: testFolder(), maxAgeMs: 1e9, maxBytes: 1e9, log: () => undefined });
  onTestFinished(() => queue.close());
  queue.open();
  const signal = signals.map((members) => ({ machine: "P1", every: "1s", ...members }));
  const { source } = configSchema.parse({
    andon: { url: "http://localhost" },
    source: [{ id: "sim", type: "simulator", signal }],
  });
  const clock = { at: 1_000_000, start: { boot: "", offsetMs: 0 }, now: () => clock.at };
  const start = (): SourceContext => {
    const intake = createIntake({ queue, clock, log: () => undefined });
    const context = intake.contextOf(source[0] as (typeof source)[number], new AbortController().signal);
    intake.load(queue);
    return context;
  };
  /** What waits in the queue, in the order of its storing. */
  const events = () =>
    queue
      .lanes()
      .flatMap((lane) => queue.oldest(lane.id, 1000).map((event) => ({ ...event, kind: lane.kind })))
      .sort((a, b) => a.seq - b.seq)
      .map(({ kind, content, at, since }) => ({ kind, content, at, ...(since !== null && { since }) }));
  return { queue, clock, start, events };
}

test("what a counter made while the bridge did not run is one count, with the time since which it was made", async () => {
  const { clock, start, events } = startIntake([{ kind: "total" }]);
  const before = start();
  await before.store([{ signal: 0, value: 100, at: null }]);
  clock.at += 1000;
  await before.store([{ signal: 0, value: 105, at: null }]);
  clock.at += 3_600_000;
  await start().store([{ signal: 0, value: 125, at: null }]);
  expect(events().filter(({ kind }) => kind === "total")).toEqual([
    { kind: "total", content: 5, at: 1_001_000 },
    { kind: "total", content: 20, at: 4_601_000, since: 1_001_000 },
  ]);
});

test("a SKU and an order that change at once are one event, and each alone makes one with what the other was", async () => {
  const { clock, start, events } = startIntake([{ kind: "sku" }, { kind: "order" }]);
  const source = start();
  const store = async (...values: [signal: number, value: string][]) => {
    clock.at += 1000;
    await source.store(values.map(([signal, value]) => ({ signal, value, at: null })));
  };
  await store([0, "CAP-28"], [1, "WO-1"]);
  await store([0, "CAP-28"], [1, "WO-1"]);
  await store([1, "WO-2"]);
  await store([0, "CAP-38"], [1, ""]);
  expect(events().map(({ kind, content }) => [kind, content])).toEqual([
    ["sku", '["CAP-28","WO-1"]'],
    ["sku", '["CAP-28","WO-2"]'],
    ["sku", '["CAP-38",null]'],
  ]);
});

test("a machine that is heard gives a sample a minute, unless it counted or its source has no value for it", async () => {
  const { clock, start, events } = startIntake([{ kind: "total" }]);
  const source = start();
  for (let second = 0; second <= 120; second += 1) {
    await source.store([{ signal: 0, value: second < 90 ? 7 : 8, at: null }]);
    clock.at += 1000;
  }
  const shown = events().map(({ kind, at }) => [kind, (at - 1_000_000) / 1000]);
  expect(shown).toEqual([
    ["heartbeat", 0],
    ["heartbeat", 60],
    ["total", 90],
  ]);
  await source.unavailable(0, null);
  clock.at += 600_000;
  source.heard();
  await source.store([]);
  expect(events()).toHaveLength(3);
});

test("a state signal without a value is the state unavailable, once, and its next value is sent again", async () => {
  const { start, events } = startIntake([{ kind: "state" }]);
  const source = start();
  await source.store([{ signal: 0, value: "running", at: null }]);
  await source.unavailable(0, 1_000_500);
  await source.unavailable(0, 1_000_600);
  await source.store([{ signal: 0, value: "running", at: 1_000_700 }]);
  expect(events().map(({ content }) => content)).toEqual(["running", "unavailable", "running"]);
});

test("a value that says nothing new costs no write, and a cursor is stored with the events of its readings or not at all", async () => {
  const { queue, start } = startIntake([{ kind: "total" }]);
  const source = start();
  await source.store([{ signal: 0, value: 1, at: null }], { next: 17 });
  const transact = queue.transact;
  let writes = 0;
  queue.transact = (work) => {
    writes += 1;
    return transact(work);
  };
  await source.store([{ signal: 0, value: 1, at: null }]);
  expect(writes).toBe(0);
  queue.transact = () => {
    throw new Error("the disk is gone");
  };
  await expect(source.store([{ signal: 0, value: 9, at: null }], { next: 18 })).rejects.toThrow("the disk is gone");
  queue.transact = transact;
  expect(start().cursor).toEqual({ next: 17 });
  await source.store([{ signal: 0, value: 9, at: null }], { next: 18 });
  expect(start().cursor).toEqual({ next: 18 });
  expect(
    queue
      .lanes()
      .flatMap(({ id, kind }) => (kind === "total" ? queue.oldest(id, 9) : []))
      .map(({ content }) => content),
  ).toEqual([8]);
});

test("what is implausible is kept in quarantine with what it would be, and is sent when people say so", async () => {
  const { queue, clock, start, events } = startIntake([{ kind: "total", max_per_minute: 60 }]);
  const source = start();
  await source.store([{ signal: 0, value: 10, at: null }]);
  clock.at += 1000;
  await source.store([{ signal: 0, value: 5000, at: null }]);
  const [row] = queue.quarantine();
  expect(row).toMatchObject({
    isEvent: true,
    content: 4990,
    code: "implausible",
    message: "4990 pulses in 1 s are more than 60 a minute",
  });
  expect(queue.retry([row?.seq ?? 0])).toBe(1);
  expect(events().at(-1)).toMatchObject({ kind: "total", content: 4990, at: 1_001_000 });
});
