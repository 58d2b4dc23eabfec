import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { migrate } from "../../../src/core/storage-steps.ts";
import { migrations } from "../../../src/machine/storage/steps.ts";
import type { IncomingEvent } from "../../../src/objects/machine-protocol.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf, republish, stopsOf } from "../../support/machines.ts";
import { changeState, isAnyWaiting, stateIn } from "../../support/object-storage.ts";
import { changed } from "../../support/service.ts";

stopClockAtNoon();
afterEach(() => {
  vi.restoreAllMocks();
});

/** Fires the alarm of a machine with a modified database, and other variables. */
async function alarmWith(machineId: number, DB_0: D1Database, variables: Partial<Record<string, string>> = {}) {
  await runInDurableObject(machineObject(env, machineId), async (object, { storage }) => {
    const inner = object as unknown as { env: Env };
    const real = inner.env;
    inner.env = { ...real, DB_0, ...variables } as Env;
    await storage.deleteAlarm();
    await object.alarm();
    inner.env = real;
  });
}

const tableOf = async (machineId: number, table: "parked" | "projection") =>
  await runInDurableObject(machineObject(env, machineId), (_, { storage }) =>
    storage.sql.exec<{ kind: string; key: string; error?: string }>(`SELECT * FROM ${table}`).toArray(),
  );
const isWaiting = (machineId: number) =>
  runInDurableObject(machineObject(env, machineId), (_, { storage }) => isAnyWaiting(storage));
const alarmOf = (machineId: number) =>
  runInDurableObject(machineObject(env, machineId), async (_, { storage }) => (await storage.getAlarm()) ?? 0);
const parkedRows = async () => {
  // Health checks every two seconds.
  vi.setSystemTime(Date.now() + 3 * SECOND);
  return (await call("GET", "/health")).body.parkedRows;
};
const there = async (machineId: number) => (await stopsOf(machineId)).filter(({ deletedAt }) => deletedAt === null);

it("the urgent mark is cleared when there is nothing to send", async () => {
  const { machine, token } = await createLine({ commissionedAt: NOON - DAY, noDataAfterSeconds: null });
  await ingest(token, [countAt(machine.nodeId, NOON - HOUR)]);
  await flushMachine(machine.id);
  const object = machineObject(env, machine.id);
  await runInDurableObject(object, (_, { storage }) => {
    const { settled } = stateIn(storage);
    if (settled) changeState(storage, { settled: { ...settled, isUrgent: true } });
  });
  await evictDurableObject(object);
  // The machine is stopped, and stays stopped.
  await ingest(token, [countAt(machine.nodeId, NOON, 0)]);
  vi.setSystemTime(NOON + MINUTE);
  await alarmWith(machine.id, env.DB_0);
  const after = await runInDurableObject(object, (_, { storage }) => stateIn(storage));
  expect([after.settled?.isUrgent, after.settled?.dirtyFrom, after["waiting rows"]]).toEqual([false, null, []]);
});

describe("a full database", () => {
  /** A machine with a row in its outbox, and what happens to it when its alarm rings. */
  async function withRow() {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const { machine, token } = await createLine({ commissionedAt: NOON - DAY, noDataAfterSeconds: null });
    await ingest(token, [countAt(machine.nodeId, NOON - HOUR)]);
    await flushMachine(machine.id);
    const units = async () => (await recordsOf(machine.id)).at(-1)?.totalUnits;
    const count = async () => {
      vi.setSystemTime(Date.now() + 10 * MINUTE);
      await ingest(token, [countAt(machine.nodeId, Date.now())]);
    };
    return { machineId: machine.id, units, count };
  }

  it("by its size leaves the rows in the outbox, parks none, and gets them when there is room", async () => {
    const { machineId, units, count } = await withRow();
    const { meta } = await env.DB_0.prepare("SELECT 1").run();
    const variables = { DATABASE_LIMIT_BYTES: String(meta.size_after) };
    // The answer to this flush says that it is full.
    await count();
    await alarmWith(machineId, env.DB_0, variables);
    expect(await units()).toBe(2);
    await count();
    await alarmWith(machineId, env.DB_0, variables);
    expect([await units(), await isWaiting(machineId), await tableOf(machineId, "parked")]).toEqual([2, true, []]);
    vi.setSystemTime(Date.now() + 10 * MINUTE);
    await alarmWith(machineId, env.DB_0);
    expect([await units(), await isWaiting(machineId)]).toEqual([3, false]);
  });

  it("by its own words leaves the rows in the outbox and parks none", async () => {
    const { machineId, units, count } = await withRow();
    const withSession = (start: string) => {
      const session = env.DB_0.withSession(start);
      const batch = () => Promise.reject(new Error("D1_ERROR: database or disk is full: SQLITE_FULL"));
      return { prepare: (text: string) => session.prepare(text), batch, getBookmark: () => session.getBookmark() };
    };
    await count();
    await alarmWith(machineId, changed(env.DB_0, { withSession }));
    expect([await units(), await isWaiting(machineId), await tableOf(machineId, "parked")]).toEqual([1, true, []]);
    vi.setSystemTime(Date.now() + 10 * MINUTE);
    await alarmWith(machineId, env.DB_0);
    expect([await units(), await isWaiting(machineId)]).toEqual([2, false]);
  });
});

describe("a row that D1 refuses", () => {
  it("is parked, logged once, counted in /health, and does not block other rows", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    const { machine, token } = await createLine({ commissionedAt: NOON - DAY, noDataAfterSeconds: null });
    const minutes = [600, 590, 500, 490, 400, 300, 200, 100];
    await env.DB_0.exec(
      `CREATE TRIGGER refuse BEFORE INSERT ON stops WHEN new.start_at IN (${NOON - 590 * MINUTE}, ${NOON - 300 * MINUTE}) BEGIN SELECT raise(ABORT, 'not this one'); END`,
    );
    await ingest(
      token,
      minutes.map((minute) => countAt(machine.nodeId, NOON - minute * MINUTE)),
    );
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toMatchObject([{}, { totalUnits: minutes.length }]);
    const starts = async () => (await there(machine.id)).map(({ startAt }) => (NOON - startAt) / MINUTE);
    expect(await starts()).toEqual([1440, 1440, 600, 500, 490, 400, 200, 100]);
    expect(await isWaiting(machine.id)).toBe(false);
    const parked = await tableOf(machine.id, "parked");
    expect(parked).toMatchObject([{ kind: "stop" }, { kind: "stop" }]);
    expect(parked[0]?.error).toContain("not this one");
    expect(await parkedRows()).toBe(2);
    await flushMachine(machine.id);
    const lines = error.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines).toMatchObject([
      { event: "row_parked", machineId: machine.id, kind: "stop" },
      { event: "row_parked", machineId: machine.id, kind: "stop" },
    ]);

    // A new version of it is tried again; so is everything when the machine is republished.
    await env.DB_0.exec("DROP TRIGGER refuse");
    await ingest(token, [countAt(machine.nodeId, NOON - 250 * MINUTE)]);
    await flushMachine(machine.id);
    expect(await starts()).toEqual([1440, 1440, 600, 500, 490, 400, 300, 250, 200, 100]);
    expect(await parkedRows()).toBe(1);
    await republish(machine.id);
    await flushMachine(machine.id);
    expect(await starts()).toEqual([1440, 1440, 600, 590, 500, 490, 400, 300, 250, 200, 100]);
    expect(await parkedRows()).toBe(0);
  });
});

describe("a database that fails", () => {
  it("is retried with growing pauses and receives all waiting rows once it is back", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const silent = { noDataAfterSeconds: null, stopAfterSeconds: 10 * 3600 };
    const { machine, token } = await createLine({ commissionedAt: NOON - DAY, ...silent });
    await ingest(token, [countAt(machine.nodeId, NOON - MINUTE)]);
    const fail = async () => {
      throw new Error("D1_ERROR: Network connection lost.");
    };
    const withSession = (start: string) => changed(env.DB_0.withSession(start), { batch: fail });
    const pauses: number[] = [];
    for (let i = 0; i < 8; i++) {
      await alarmWith(machine.id, changed(env.DB_0, { withSession }));
      const at = await alarmOf(machine.id);
      pauses.push((at - Date.now()) / SECOND);
      vi.setSystemTime(at);
    }
    expect(pauses.map(Math.round)).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
    expect(await tableOf(machine.id, "parked")).toEqual([]);
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toMatchObject([{}, { totalUnits: 1 }]);
    // Without counts that only change numbers, which need not be sent at once.
    await ingest(token, [countAt(machine.nodeId, Date.now())]);
    expect((await alarmOf(machine.id)) - Date.now()).toBe(5 * MINUTE);
  });
});

describe("a flush", () => {
  it("is limited in bytes: a year of shifts with many gaps is republished in several flushes", { timeout: 120_000 }, async () => {
    const days = 365;
    const { machine } = await createLine({ commissionedAt: NOON - days * DAY, noDataAfterSeconds: 60 });
    const object = machineObject(env, machine.id);
    // Half a minute with data every ten minutes.
    for (let from = NOON - days * DAY; from < NOON; from += 4 * DAY) {
      const to = Math.min(NOON, from + 4 * DAY);
      const events = Array.from({ length: (to - from) / (5 * MINUTE) }, (_, i): IncomingEvent => {
        const at = from + Math.floor(i / 2) * 10 * MINUTE + (i % 2) * 30 * SECOND;
        return { id: null, content: "count", event: { kind: "count", at, cycles: 1, total: 1, defects: 0, good: null } };
      });
      await object.ingest(events, 1);
    }
    await flushMachine(machine.id);
    const before = await recordsOf(machine.id);
    const bytes = JSON.stringify(before.map(({ noDataSpans }) => noDataSpans)).length;
    expect(before).toHaveLength(days + 1);
    expect(bytes).toBeGreaterThan(1_500_000);
    await env.DB_0.prepare("delete from shift_records where machine_id = ?").bind(machine.id).run();
    await republish(machine.id);

    const sizes: number[] = [];
    const prepare = (session: D1DatabaseSession) => (query: string) => {
      const bind = (...values: unknown[]) => {
        sizes.push(...values.map((value) => (typeof value === "string" ? value.length : 0)));
        return session.prepare(query).bind(...values);
      };
      return changed(session.prepare(query), { bind });
    };
    const withSession = (start: string) => {
      const session = env.DB_0.withSession(start);
      return changed(session, { prepare: prepare(session) });
    };
    const DB_0 = changed(env.DB_0, { withSession });
    for (let i = 0; i < 50 && (await isWaiting(machine.id)); i++) {
      vi.setSystemTime(Date.now() + 10 * SECOND);
      await alarmWith(machine.id, DB_0);
    }
    const published = ({ revision: _, ...row }: (typeof before)[number]) => row;
    expect((await recordsOf(machine.id)).map(published)).toEqual(before.map(published));
    expect(Math.max(...sizes)).toBeGreaterThan(500_000);
    expect(Math.max(...sizes)).toBeLessThan(1_300_000);
  });
});

describe("while history is imported", () => {
  it("the stops of a closed shift and its record are published together, whatever a flush or an alarm leaves for the next", {
    timeout: 120_000,
  }, async () => {
    const days = 130;
    const { machine } = await createLine({ commissionedAt: NOON - days * DAY, noDataAfterSeconds: 120 });
    const object = machineObject(env, machine.id);
    await object.ingest([counted(NOON - days * DAY)], 1);
    await flushMachine(machine.id);

    // A count every half hour: a stop lasts until the next one, also over midnight. Without a sample in between there would be no data.
    for (let from = NOON - days * DAY; from < NOON - DAY; from += 2 * DAY) {
      const minutes = Array.from({ length: (2 * DAY) / MINUTE }, (_, i) => from + i * MINUTE + 1);
      await object.ingest(
        minutes.map((at, i) => (i % 30 === 15 ? counted(at) : sampled(at))),
        1,
      );
    }
    let flushes = 0;
    for (; flushes < 100 && (await isWaitingOrDirty(machine.id)); flushes++) {
      vi.setSystemTime(Date.now() + 10 * SECOND);
      await alarmWith(machine.id, env.DB_0);
      expect(await unequalShifts(machine.id), `after ${flushes + 1} flushes`).toEqual([]);
    }
    expect(flushes).toBeGreaterThan(3);
    expect((await there(machine.id)).length).toBeGreaterThan(40 * days);
  });

  const counted = (at: number): IncomingEvent => ({
    ...{ id: null, content: "count" },
    event: { kind: "count", at, cycles: 1, total: 1, defects: 0, good: null },
  });
  const sampled = (at: number): IncomingEvent => ({ id: null, content: "sample", event: { kind: "sample", at } });

  const isWaitingOrDirty = (machineId: number) =>
    runInDurableObject(machineObject(env, machineId), (_, { storage }) => {
      return isAnyWaiting(storage) || (stateIn(storage).settled?.dirtyFrom ?? null) !== null;
    });

  /** The closed shifts in D1 whose stops do not add up to the stopped time of their record. */
  async function unequalShifts(machineId: number): Promise<object[]> {
    const found = await env.DB_0.prepare(
      `SELECT r.start_at AS startAt, r.programmed_ms + r.non_programmed_ms + r.other_ms AS recorded, (SELECT total(s.slice_end - s.slice_start)
          FROM stops s WHERE s.machine_id = r.machine_id AND s.shift_start = r.start_at AND s.deleted_at IS NULL) AS stopped
        FROM shift_records r WHERE r.machine_id = ? AND r.open_bucket IS NULL AND recorded <> stopped`,
    )
      .bind(machineId)
      .all();
    return found.results;
  }
});

describe("the storage of an object of an older version", () => {
  it("is migrated: the projection, the outbox and the progress of the object", async () => {
    const stub = machineObject(env, 1_000_000_001);
    await runInDurableObject(stub, (_, { storage }) => {
      const { sql } = storage;
      for (const { name } of sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()) {
        if (!name.startsWith("_") && !name.startsWith("sqlite_")) sql.exec(`DROP TABLE ${name}`);
      }
      const steps = migrations.findIndex(({ id }) => id === "0006_projection_and_outbox");
      migrate(storage, migrations.slice(0, steps));
      const rows = { never: [1, 0], tried: [1, -1], older: [3, 2], same: [4, 4] };
      for (const [key, [version, sent]] of Object.entries(rows)) {
        sql.exec("INSERT INTO outbox VALUES ('stop', ?, 5, '{}', 1, 2, ?, ?)", key, version, sent);
      }
      const settled = { dirtyFrom: 7, settledAt: 8, settlingSince: null };
      const numbers = { lastStop: 3, lastRecord: 4 };
      storage.kv.put("progress", { ...settled, ...numbers, flushedAt: 9, revision: 5, sentConfigVersion: 2, forgottenTo: 6 });
      migrate(storage, migrations);
      const state = stateIn(storage);
      const values = ["progress", "settled", "numbers", "forgotten to", "outbox", "told"].map((name) => state[name]);
      expect(["progress", "settled", "outbox"].map((name) => storage.kv.get(name))).toEqual([undefined, undefined, undefined]);
      const sent = { configVersion: 2, isHeard: false, parkedRows: 0 };
      expect(values).toEqual([undefined, settled, numbers, 6, { flushedAt: 9, revision: 5, failures: 0 }, sent]);
      expect(isAnyWaiting(storage)).toBe(true);
      expect(sql.exec("SELECT key, version FROM outbox ORDER BY key").toArray()).toEqual([
        { key: "never", version: 1 },
        { key: "older", version: 3 },
        { key: "tried", version: 1 },
      ]);
      expect(sql.exec("SELECT key, version, made_after AS madeAfter FROM projection ORDER BY key").toArray()).toEqual([
        { key: "never", version: 1, madeAfter: 5 },
        { key: "older", version: 3, madeAfter: 0 },
        { key: "same", version: 4, madeAfter: 0 },
        { key: "tried", version: 1, madeAfter: 0 },
      ]);
    });
  });
});
