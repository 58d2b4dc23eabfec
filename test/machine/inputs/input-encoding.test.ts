import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { migrate } from "../../../src/core/storage-steps.ts";
import type { StoredEvents } from "../../../src/machine/inputs/input-encoding.ts";
import { positionOf } from "../../../src/machine/inputs/ledger-position.ts";
import type { TakenEvent } from "../../../src/machine/inputs/stored-event.ts";
import { MachineStorage } from "../../../src/machine/storage/machine-storage.ts";
import { migrations } from "../../../src/machine/storage/steps.ts";
import type { IncomingEvent } from "../../../src/objects/machine-protocol.ts";
import type { MachineEvent } from "../../../src/oee/events.ts";
import { HOUR, NOON } from "../../support/clock.ts";
import { storageCostOf } from "../../support/machine-costs.ts";
import { machineObject } from "../../support/machine-object.ts";
import { eventsIn, takeBackFewerRows } from "../../support/object-storage.ts";

/** The same in the simplest way: a list. */
class ListedEvents {
  #events: { pos: string; id: string | null; event: MachineEvent }[] = [];
  #newestPos: string | null = null;
  #newestAt: number | null = null;
  #archivedTo = 0;

  add(events: readonly IncomingEvent[]): Map<string, MachineEvent> {
    const added = new Map<string, MachineEvent>();
    for (const incoming of events) {
      const { id, event } = incoming;
      const pos = positionOf(incoming);
      if (this.isKnown(incoming)) continue;
      this.#events.push({ pos, id, event });
      added.set(pos, event);
      if (pos > (this.#newestPos ?? "")) this.#newestPos = pos;
      if (event.kind !== "cut") this.#newestAt = Math.max(this.#newestAt ?? 0, event.at);
    }
    this.#events.sort((a, b) => (a.pos < b.pos ? -1 : 1));
    return added;
  }

  isKnown(incoming: IncomingEvent): boolean {
    return this.#events.some(({ pos, id }) => pos === positionOf(incoming) || (id !== null && id === incoming.id));
  }

  newestPos = () => this.#newestPos;
  newestAt = () => this.#newestAt;

  after(after: string, until: number) {
    return this.#events.filter(({ pos, event }) => pos > after && event.at <= until).map(({ pos, event }) => ({ pos, event }));
  }

  nextAt(after: string): number | null {
    return this.#events.find(({ pos }) => pos > after)?.event.at ?? null;
  }

  firstSampleAfter(from: number, until: number): number | null {
    const isSample = ({ kind, at }: MachineEvent) =>
      ["count", "reading", "sample", "state"].includes(kind) && from < at && at <= until;
    return this.#events.find(({ event }) => isSample(event))?.event.at ?? null;
  }

  in({ start, end }: { start: number; end: number }): string[] {
    return this.#events.filter(({ event: { at } }) => start <= at && at < end).map(({ pos }) => pos);
  }

  /** Events before this instant are only read in order. */
  archive(before: number): void {
    this.#archivedTo = before;
  }

  journal() {
    return this.#events.filter(({ event }) => event.at >= this.#archivedTo);
  }

  all() {
    return this.#events;
  }
}

const SPAN = 600;
const offset = fc.integer({ min: 0, max: SPAN });
const timed = (at: number): fc.Arbitrary<MachineEvent> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }).map((total) => countOf(at, total)) },
    { weight: 1, arbitrary: fc.constant<MachineEvent>({ kind: "sample", at }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((value) => readingOf(at, value)) },
    { weight: 1, arbitrary: fc.constant<MachineEvent>({ kind: "cut", at, workOrderId: "a" }) },
    { weight: 1, arbitrary: fc.constant<MachineEvent>({ kind: "sku", at, skuId: "s", workOrderId: null }) },
  );
const readingOf = (at: number, value: number): MachineEvent => {
  return { kind: "reading", at, value, counter: "1:1", fedSince: 0, perPulse: null };
};
/** The machine's channels: the first does not count, a pulse of the second is two units. */
const channels = [1, 2].map((channel) => ({
  ...{ nodeId: 1, channel, type: "total", countingFactor: channel, isCounted: channel === 2, since: 0, until: null },
}));
const pulsesAt = (at: number, value: number): TakenEvent => ({
  ...{ id: null, content: `count 1 2 ${value}` },
  event: { kind: "count", at, cycles: value, total: 2 * value, defects: 0, good: null },
  source: { sent: { kind: "pulses", at, nodeId: 1, channel: 2, value }, fedSince: 0 },
});
const countOf = (at: number, total: number) => ({ kind: "count" as const, at, cycles: 1, total, defects: 0, good: null });
const sentPulses = fc
  .tuple(offset, fc.integer({ min: 1, max: 3 }), fc.option(fc.integer({ min: 0, max: 400 }), { freq: 2 }))
  .map(([at, value, id]): IncomingEvent => ({ ...pulsesAt(NOON + at, value), id: id === null ? null : `id ${id}` }));
const other: fc.Arbitrary<IncomingEvent> = fc
  .tuple(offset, fc.option(fc.integer({ min: 0, max: 400 }), { freq: 2 }))
  .chain(([at, id]) =>
    timed(NOON + at).map((event) => {
      return { id: id === null ? null : `id ${id}`, content: `${event.kind === "count" ? event.total : 0}`, event };
    }),
  );
const incoming = fc.oneof({ weight: 1, arbitrary: sentPulses }, { weight: 2, arbitrary: other });

/** A step: events come one after the other, or in any order, or those before an instant are archived. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.array(incoming, { minLength: 1, maxLength: 300, size: "max" }) },
  { weight: 4, arbitrary: fc.array(incoming, { minLength: 1, maxLength: 20 }) },
  {
    weight: 4,
    arbitrary: fc.tuple(offset, fc.integer({ min: 1, max: 200 })).map(([from, n]): IncomingEvent[] => {
      return Array.from({ length: n }, (_, i) => ({ id: null, content: "in order", event: countOf(NOON + from + i, 1) }));
    }),
  },
  { weight: 1, arbitrary: fc.constant<"fail">("fail") },
  { weight: 1, arbitrary: fc.constant<"restart">("restart") },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: SPAN }) },
);

function empty({ sql, kv }: DurableObjectStorage): void {
  for (const table of ["segments", "days", "day_ids"]) sql.exec(`DELETE FROM ${table}`);
  kv.delete("state");
}

/** Runs in the storage of a machine that does not exist, empty each time. */
async function withEvents<T>(work: (storage: DurableObjectStorage, open: () => MachineStorage) => T): Promise<T> {
  return await runInDurableObject(machineObject(env, 1_000_000_011), (_, { storage }) => {
    empty(storage);
    storage.kv.put("channels", channels);
    return work(storage, () => new MachineStorage(storage));
  });
}

function expectSame(events: StoredEvents, list: ListedEvents, from: number, to: number): void {
  const ever = NOON * 2;
  const after = (pos: string, until: number) => [...events.after(pos, until)].map(({ pos, event }) => ({ pos, event }));
  expect(after("", ever)).toEqual(list.after("", ever));
  const middle = list.all()[Math.floor(list.all().length / 2)]?.pos ?? "";
  expect(after(middle, to)).toEqual(list.after(middle, to));
  expect(events.nextAt(middle)).toBe(list.nextAt(middle));
  expect(events.nextAt(list.newestPos() ?? "")).toBeNull();
  expect(events.firstSampleAfter(from, to)).toBe(list.firstSampleAfter(from, to));
  expect([...events.in({ start: from, end: to })].map(({ pos }) => pos)).toEqual(list.in({ start: from, end: to }));
}

function failToAdd(machine: MachineStorage): void {
  const failing = () =>
    machine.transaction(() => {
      machine.events.add(inOrder(300), NOON);
      throw new Error("not stored");
    });
  expect(failing).toThrow("not stored");
}

const inOrder = (n: number, from = 0) =>
  Array.from({ length: n }, (_, i): IncomingEvent => {
    return { id: `gateway-1-${from + i}`, content: "", event: countOf(NOON + (from + i) * 10_000, 1) };
  });

function archive(machine: MachineStorage, list: ListedEvents, time: number): void {
  // Nothing is archived before a newer event came.
  if ((list.newestAt() ?? 0) < time) return;
  const before = Math.max(time, machine.events.archivedTo());
  expect(machine.transaction(() => machine.events.archive(before))).toBe(before);
  list.archive(before);
}

describe("the stored events of a machine", () => {
  it("behave like a plain list, in whatever order they arrive", { timeout: 120_000 }, async () => {
    await withEvents((storage, open) => {
      const property = fc.property(
        fc.array(step, { minLength: 1, maxLength: 25, size: "max" }),
        offset,
        offset,
        (steps, a, b) => {
          empty(storage);
          let machine = open();
          const list = new ListedEvents();
          for (const one of steps) {
            if (typeof one === "number") {
              archive(machine, list, NOON + one);
            } else if (one === "restart") {
              machine = open();
            } else if (one === "fail") {
              failToAdd(machine);
            } else {
              expect(machine.transaction(() => machine.events.add(one, NOON))).toEqual(list.add(one));
            }
            expect([machine.events.newestPos(), machine.events.newestAt()]).toEqual([list.newestPos(), list.newestAt()]);
          }
          expectSame(machine.events, list, NOON + Math.min(a, b), NOON + Math.max(a, b));
          const known = steps.flatMap((some) => (Array.isArray(some) ? some.slice(0, 3) : []));
          const find = machine.events.find(known);
          expect(known.map((one) => find(one) !== undefined)).toEqual(known.map((one) => list.isKnown(one)));
          expect(eventsIn(storage).map(({ pos }) => pos)).toEqual(list.journal().map(({ pos }) => pos));
        },
      );
      fc.assert(property, { numRuns: 30 });
    });
  });

  it("take few rows of limited size, whether they arrive in order or shuffled", async () => {
    for (const isMixed of [false, true]) {
      const { rows, most } = await withEvents((storage, open) => {
        const machine = open();
        const sent = inOrder(4000);
        if (isMixed)
          sent.sort((a, b) => (positionOf(a).split("").reverse().join("") < positionOf(b).split("").reverse().join("") ? -1 : 1));
        for (const one of sent) machine.transaction(() => machine.events.add([one], NOON));
        const sizes = storage.sql.exec<{ n: number }>("SELECT json_array_length(events) AS n FROM segments").toArray();
        expect(eventsIn(storage)).toHaveLength(4000);
        return { rows: sizes.length, most: Math.max(...sizes.map(({ n }) => n)) };
      });
      expect(rows).toBeLessThan(40);
      expect(most).toBeLessThanOrEqual(256);
    }
  });

  it("cost one row write each, and hardly more to move and archive", async () => {
    const [added, archived] = await withEvents((storage, open) => {
      const machine = open();
      const { rowsWritten: added } = storageCostOf(storage, () => {
        for (const one of inOrder(2000)) machine.transaction(() => machine.events.add([one], NOON));
      });
      const { rowsWritten: archived } = storageCostOf(storage, () => {
        machine.transaction(() => machine.events.archive(NOON + 2000 * 10_000 - HOUR));
      });
      expect(eventsIn(storage)).toHaveLength(360);
      return [added, archived];
    });
    expect(added).toBeGreaterThanOrEqual(2000);
    expect(added).toBeLessThan(2000 * 1.05);
    expect(archived).toBeLessThan(20);
  });

  it("survive the migration to segments", async () => {
    await withEvents((storage, open) => {
      const machine = open();
      const cut: IncomingEvent = { id: null, content: "cut a", event: { kind: "cut", at: NOON + HOUR * 20, workOrderId: "a" } };
      const sent = [...inOrder(700), cut];
      machine.transaction(() => machine.events.add(sent, NOON));
      machine.saveValue("settled", { dirtyFrom: 5 });
      const before = eventsIn(storage);
      takeBackFewerRows(storage);
      expect(storage.sql.exec("SELECT count(*) AS n FROM events").one()).toEqual({ n: 701 });
      expect(storage.kv.get("settled")).toEqual({ dirtyFrom: 5 });
      migrate(storage, migrations);
      // The steps before know neither contents nor arrivals.
      expect(eventsIn(storage)).toEqual(before.map(({ content: _, receivedAt: __, ...event }) => event));
      const after = open();
      expect([after.events.newestPos(), after.events.newestAt()]).toEqual([positionOf(cut), NOON + 699 * 10_000]);
      expect(after.value("settled")).toEqual({ dirtyFrom: 5 });
      expect(storage.kv.get("settled")).toBeUndefined();
      expect(after.transaction(() => after.events.add(sent, NOON)).size).toBe(0);
      const moved = { ...inOrder(1, 300)[0], event: countOf(NOON + 1, 1) } as IncomingEvent;
      const find = after.events.find([moved]);
      expect(find(moved) !== undefined).toBe(true);
      expect(find({ ...moved, id: "another" }) !== undefined).toBe(false);
    });
  });
});
