import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { migrate } from "../../../src/core/storage-steps.ts";
import { startOf } from "../../../src/machine/inputs/ledger-position.ts";
import type { StoredEvent } from "../../../src/machine/inputs/stored-event.ts";
import { MachineStorage } from "../../../src/machine/storage/machine-storage.ts";
import { migrations } from "../../../src/machine/storage/steps.ts";
import { DamagedDay, dayOf } from "../../../src/machine/storage/stored-days.ts";
import { DAY, HOUR, NOON, SECOND } from "../../support/clock.ts";
import { machineObject } from "../../support/machine-object.ts";
import { eventsIn, stateIn } from "../../support/object-storage.ts";

const MIDNIGHT = NOON - (NOON % DAY);
const FIRST = MIDNIGHT / DAY;

/** Runs in the storage of a machine that does not exist, empty each time. */
async function withStorage<T>(work: (storage: DurableObjectStorage, open: () => MachineStorage) => T): Promise<T> {
  return await runInDurableObject(machineObject(env, 1_000_000_012), (_, { storage }) => {
    for (const table of ["segments", "days", "day_ids"]) storage.sql.exec(`DELETE FROM ${table}`);
    for (const [key] of storage.kv.list({ prefix: "unreadable " })) storage.kv.delete(key);
    storage.kv.delete("state");
    return work(storage, () => new MachineStorage(storage));
  });
}

const stateAt = (at: number): StoredEvent => {
  return {
    pos: `${startOf(at)}2#s${at % 1000}`,
    event: { kind: "state", at, state: "running" },
    content: at % 7,
    receivedAt: at + 9,
  };
};

/** Adds states to the journal, one each hour from the first midnight on. */
function addHours(machine: MachineStorage, hours: number): void {
  const events = Array.from({ length: hours }, (_, i) => {
    const at = MIDNIGHT + i * HOUR;
    return { id: `s${i}`, content: "", event: { kind: "state" as const, at, state: "running" as const } };
  });
  machine.transaction(() => machine.events.add(events, NOON));
}

const all = (machine: MachineStorage) => [...machine.events.sent({ start: 0, end: NOON * 2 })];

describe("the events of days that are over", () => {
  it("are moved out of the journal a few days at a time, and read in the same order", async () => {
    await withStorage((storage, open) => {
      const machine = open();
      addHours(machine, 24 * 7);
      const before = all(machine);
      const until = MIDNIGHT + 5 * DAY;
      const archivedTo = [1, 2, 3, 4].map(() => machine.transaction(() => machine.events.archive(until)));
      expect(archivedTo.map((at) => (at - MIDNIGHT) / DAY)).toEqual([2, 4, 5, 5]);
      expect(all(machine)).toEqual(before);
      expect(all(open())).toEqual(before);
      expect(eventsIn(storage)).toHaveLength(48);
      expect(machine.days.parts(0, 1_000_000)).toMatchObject(
        [0, 1, 2, 3, 4].map((i) => ({ day: FIRST + i, part: 0, events: 24 })),
      );
      const some = [...machine.events.sent({ start: MIDNIGHT + 30 * HOUR, end: MIDNIGHT + 54 * HOUR })];
      expect(some).toEqual(before.slice(30, 54));
    });
  });

  it("are moved whole or not at all", async () => {
    await withStorage((storage, open) => {
      const machine = open();
      addHours(machine, 72);
      const before = [all(machine), eventsIn(storage)];
      const failing = () =>
        machine.transaction(() => {
          machine.events.archive(MIDNIGHT + DAY);
          throw new Error("killed");
        });
      expect(failing).toThrow("killed");
      for (const one of [machine, open()]) {
        expect([all(one), eventsIn(storage)]).toEqual(before);
        expect([one.events.archivedTo(), one.days.parts(0, 1_000_000)]).toEqual([0, []]);
      }
    });
  });

  it("are limited at once by their number: a day of many is moved in steps, and never divided within an instant", async () => {
    await withStorage((_, open) => {
      const machine = open();
      const events = Array.from({ length: 70_000 }, (_, i) => {
        const at = MIDNIGHT + Math.floor(i / 10) * SECOND;
        return { id: `s${i}`, content: "", event: { kind: "state" as const, at, state: "running" as const } };
      });
      machine.transaction(() => machine.events.add(events, NOON));
      const archivedTo: number[] = [];
      while ((archivedTo.at(-1) ?? 0) < MIDNIGHT + DAY) {
        archivedTo.push(machine.transaction(() => machine.events.archive(MIDNIGHT + DAY)));
      }
      expect(archivedTo.map((at) => (at - MIDNIGHT) / SECOND)).toEqual([3277, 6554, 24 * 3600]);
      expect(machine.days.parts(FIRST, FIRST).map(({ part, events }) => [part, events])).toEqual([
        [0, 16_384],
        [1, 16_384],
        [2, 2],
        [3, 16_384],
        [4, 16_384],
        [5, 2],
        [6, 4460],
      ]);
      const positions = all(machine).map(({ pos }) => pos);
      expect(positions).toHaveLength(70_000);
      expect(new Set(positions).size).toBe(70_000);
      expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    });
  });
});

describe("a damaged row of a day", () => {
  /** Three days of events in rows, and what is found of each. */
  const prepare = (machine: MachineStorage) => {
    for (const day of [0, 1, 2]) {
      const from = MIDNIGHT + day * DAY;
      machine.days.add(FIRST + day, [stateAt(from), stateAt(from + HOUR), stateAt(from + 2 * HOUR + 7)]);
    }
  };
  const found = (machine: MachineStorage) =>
    machine.days.parts(0, 1_000_000).map((part) => {
      try {
        return machine.days.eventsOf(part).length;
      } catch (error) {
        if (!(error instanceof DamagedDay)) throw error;
        return `day ${error.day - FIRST}, part ${error.part}`;
      }
    });

  it("is found, whichever bit is wrong, and the other days can be read", async () => {
    await withStorage((storage, open) => {
      prepare(open());
      expect(found(open())).toEqual([3, 3, 3]);
      const k = (FIRST + 1) * 1000;
      for (const table of ["days", "day_ids"]) {
        const read = () => storage.sql.exec<{ body: ArrayBuffer }>(`SELECT body FROM ${table} WHERE k = ?`, k).one().body;
        const bytes = new Uint8Array(read());
        for (let i = 0; i < bytes.length; i++) {
          const damaged = bytes.slice();
          damaged[i] = (damaged[i] ?? 0) ^ (1 << (i % 8));
          storage.sql.exec(`UPDATE ${table} SET body = ? WHERE k = ?`, damaged, k);
          expect(found(open())).toEqual([3, "day 1, part 0", 3]);
        }
        storage.sql.exec(`UPDATE ${table} SET body = ? WHERE k = ?`, bytes, k);
      }
      expect(found(open())).toEqual([3, 3, 3]);
      const last = storage.sql.exec<{ last_pos: string }>("SELECT last_pos FROM days WHERE k = ?", k).one().last_pos;
      storage.sql.exec("UPDATE days SET last_pos = ? WHERE k = ?", `${last}1`, k);
      expect(found(open())).toEqual([3, "day 1, part 0", 3]);
    });
  });

  it("is counted once among the rows that cannot be read, and stays where it is", async () => {
    await withStorage((storage, open) => {
      const machine = open();
      prepare(machine);
      storage.sql.exec("DELETE FROM day_ids WHERE k = ?", FIRST * 1000);
      const read = () => [...open().days.between(startOf(MIDNIGHT), startOf(MIDNIGHT + DAY))];
      expect(read).toThrow(DamagedDay);
      expect(read).toThrow(`Part 0 of day ${FIRST} is damaged`);
      expect(open().unreadable.count).toBe(1);
      expect(open().days.parts(0, 1_000_000)).toHaveLength(3);
      // What does not need it is read without it.
      expect([...open().days.between(startOf(MIDNIGHT + DAY), startOf(MIDNIGHT + 2 * DAY))]).toHaveLength(3);
    });
  });
});

it("a machine of version 0.1.0 says since when its events are complete", async () => {
  await withStorage((storage) => {
    const { sql, kv } = storage;
    kv.put("state", { "forgotten to": NOON });
    for (const table of ["days", "day_ids"]) sql.exec(`DROP TABLE ${table}`);
    sql.exec("DELETE FROM migrations WHERE id = '0018_days'");
    migrate(storage, migrations);
    expect(stateIn(storage)).toEqual({ "forgotten to": NOON, "complete from": NOON });
    expect(dayOf(startOf(NOON))).toBe(FIRST);
  });
});
