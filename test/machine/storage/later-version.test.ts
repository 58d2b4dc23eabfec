import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ProjectionRow } from "../../../src/machine/publish/projection-rows.ts";
import { MachineStorage } from "../../../src/machine/storage/machine-storage.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, createLine, ingest, recordsOf, republish } from "../../support/machines.ts";
import { changeState, eventsIn, stateIn } from "../../support/object-storage.ts";

// The storage of a machine whose service was rolled back: a later version has used it.

stopClockAtNoon();
afterEach(() => {
  vi.restoreAllMocks();
});

async function countingLine() {
  const line = await createLine({ commissionedAt: NOON - DAY, noDataAfterSeconds: null, stopAfterSeconds: 3600 });
  await ingest(line.token, [countAt(line.machine.nodeId, NOON - 3 * HOUR, 3)]);
  const stub = machineObject(env, line.machine.id);
  const inObject = <T>(work: (storage: DurableObjectStorage) => T) => runInDurableObject(stub, (_, { storage }) => work(storage));
  const settle = () =>
    runInDurableObject(stub, async (object) => {
      await object.alarm();
      await object.publish(0);
    });
  await settle();
  return {
    ...line,
    stub,
    inObject,
    settle,
    /** Changes the storage as a later version would, and starts the object again. */
    later: async (work: (storage: DurableObjectStorage) => void) => {
      await inObject((storage) => {
        storage.sql.exec("INSERT INTO migrations VALUES ('9998_later', 'CREATE TABLE later (a INTEGER)')");
        storage.sql.exec("CREATE TABLE later (a INTEGER)");
        work(storage);
      });
      await evictDurableObject(stub);
    },
  };
}

const rowOf = (kind: string, key: string, until: number) =>
  ({ kind, key, until, body: '{"a":1}', createdAt: 1, updatedAt: 1, version: 1, madeAfter: 0 }) as unknown as ProjectionRow;

describe("rows of kinds that only a later version knows", () => {
  it.each([
    ["few", 1],
    ["many", 60],
  ])("stay in the outbox, and delay nothing: %s", async (_, many) => {
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    const line = await countingLine();
    const keys = Array.from({ length: many }, (_, i) => String(i));
    await line.later((storage) => {
      const machine = new MachineStorage(storage);
      machine.transaction(() => {
        for (const row of keys.flatMap((key) => [rowOf("forecast", key, 0), rowOf("audits", key, Number.MAX_SAFE_INTEGER)])) {
          machine.projection.save(row);
          machine.waiting.add(row);
        }
      });
    });
    const waiting = () =>
      line.inObject((storage) => {
        const listed = stateIn(storage)["waiting rows"] ?? [];
        const rows = listed === "in table" ? storage.sql.exec("SELECT kind, key FROM outbox").toArray() : listed;
        return rows.map(({ kind, key }) => `${kind} ${key}`).sort();
      });
    const theirs = keys.flatMap((key) => [`audits ${key}`, `forecast ${key}`]).sort();

    await ingest(line.token, [countAt(line.machine.nodeId, NOON - 2 * HOUR, 4)]);
    await line.settle();
    expect(await recordsOf(line.machine.id)).toMatchObject([{}, { totalUnits: 7 }]);
    expect(await waiting()).toEqual(theirs);
    // They are no reason to run: the machine is up to date, and stays so until its shift ends.
    vi.setSystemTime(NOON + 5 * MINUTE);
    const alarm = await runInDurableObject(line.stub, async (object, { storage }) => {
      await storage.deleteAlarm();
      await object.alarm();
      return await storage.getAlarm();
    });
    expect(alarm).toBe(NOON + 12 * HOUR);

    await republish(line.machine.id);
    await line.settle();
    expect(await waiting()).toEqual(theirs);
    const kept = await line.inObject((storage) => [
      storage.sql.exec("SELECT count(*) AS n FROM projection WHERE kind IN ('forecast', 'audits')").one(),
      storage.sql.exec("SELECT count(*) AS n FROM parked").one(),
    ]);
    expect(kept).toEqual([{ n: 2 * many }, { n: 0 }]);
    expect(error).not.toHaveBeenCalled();
  });
});

it("an event of an unknown kind is kept in its place, and means nothing", async () => {
  const line = await countingLine();
  const unknown = { kind: "shock", at: NOON - 2 * HOUR };
  await line.later((storage) => {
    const { "open events": open } = stateIn(storage);
    const events = [...(open?.events ?? []), { pos: `${String(unknown.at).padStart(15, "0")}9=x`, event: unknown }];
    changeState(storage, { "open events": { ...open, events, newestPos: events.at(-1)?.pos } as never });
  });
  const kinds = () => line.inObject((storage) => eventsIn(storage).map(({ event }) => event.kind));
  await ingest(line.token, [countAt(line.machine.nodeId, NOON - HOUR, 2)]);
  // More than the state row holds: they move into a segment, which is read for the late count.
  await ingest(
    line.token,
    Array.from({ length: 70 }, (_, i) => countAt(line.machine.nodeId, NOON - 50 * MINUTE + i * 1000)),
  );
  await evictDurableObject(line.stub);
  await ingest(line.token, [countAt(line.machine.nodeId, NOON - 150 * MINUTE)]);
  await line.settle();
  expect(await kinds()).toContain("shock");
  expect(await recordsOf(line.machine.id)).toMatchObject([{}, { totalUnits: 76 }]);
  const unreadable = await line.inObject((storage) => new MachineStorage(storage).unreadable.count);
  expect(unreadable).toBe(0);
});

it("a part of the settings of an unknown kind stays as it is when the set-up changes", async () => {
  const line = await countingLine();
  const part = { kind: "tariff", key: "", since: 0, until: Number.MAX_SAFE_INTEGER, body: "5" };
  await line.later(({ sql }) => void sql.exec("INSERT INTO settings_parts VALUES ('tariff', '', 0, ?, '5')", part.until));
  const { token } = await createUser(line.companyId, "admin");
  const { status } = await call("PATCH", `/v1/machines/${line.machine.id}`, { token, body: { stopAfterSeconds: 60 } });
  expect(status).toBe(200);
  await configureMachine(line.machine.id);
  const stored = await line.inObject(({ sql }) => sql.exec("SELECT * FROM settings_parts WHERE kind = 'tariff'").toArray());
  expect(stored).toEqual([part]);
});

it("an alert by a rule of an unknown kind stays open, and its rule is not evaluated", async () => {
  const line = await countingLine();
  const test = { kind: "temperature", degrees: 80 };
  const alert = {
    ...{ ruleId: "r", number: 1, looksFor: JSON.stringify([test, null]) },
    episode: { since: NOON - HOUR, dueAt: NOON - HOUR, until: null, value: 81 },
  };
  await line.later((storage) => {
    storage.kv.put("alert rules", { rules: [{ id: "r", test, shiftIds: null }], nodeId: 1 });
    changeState(storage, { alerts: { open: [alert], lastNumber: 1, lookAt: null } });
  });
  await ingest(line.token, [countAt(line.machine.nodeId, NOON - 2 * HOUR)]);
  await line.settle();
  expect(await line.inObject((storage) => stateIn(storage).alerts)).toMatchObject({ open: [alert], lastNumber: 1 });
  const conditions = await env.DB_0.prepare("SELECT id FROM alert_conditions WHERE machine_id = ?").bind(line.machine.id).all();
  expect(conditions.results).toEqual([]);
});

it("a breaking step stops the machine and its watchers, by name, and nothing is changed", async () => {
  const error = vi.spyOn(console, "error").mockReturnValue(undefined);
  const line = await countingLine();
  await line.later(({ sql }) => void sql.exec("INSERT INTO migrations VALUES ('9999_later!', '')"));
  const state = () => line.inObject(stateIn);
  const before = await state();
  const sent = { token: line.token, body: { events: [countAt(line.machine.nodeId, NOON)] } };
  expect((await call("POST", "/v1/ingest", sent)).status).toBe(500);
  expect(error.mock.calls.flat().join()).toContain("9999_later!");
  expect(await state()).toEqual(before);

  const hub = env.HUBS.getByName(String(line.companyId));
  await runInDurableObject(hub, (_, { storage }) => {
    storage.sql.exec("CREATE TABLE migrations (id TEXT PRIMARY KEY, sql TEXT NOT NULL) WITHOUT ROWID");
    storage.sql.exec("INSERT INTO migrations VALUES ('0000_later!', '')");
  });
  await evictDurableObject(hub);
  const { token } = await createUser(line.companyId, "readonly");
  expect((await call("GET", "/v1/live", { token })).status).toBeGreaterThanOrEqual(500);
  expect(error.mock.calls.flat().join()).toContain("0000_later!");
  expect(await runInDurableObject(hub, (_, { storage }) => [...storage.kv.list()].map(([key]) => key))).not.toContain("hub");
});
