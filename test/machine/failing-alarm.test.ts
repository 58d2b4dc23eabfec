import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import { createUser } from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { countAt, createLine, ingest, recordsOf } from "../support/machines.ts";

stopClockAtNoon();
afterEach(() => {
  vi.restoreAllMocks();
});

/** A machine that has counted, and whose object has something to do. */
async function runningLine() {
  const line = await createLine({ commissionedAt: NOON - DAY, noDataAfterSeconds: null });
  await ingest(line.token, [countAt(line.machine.nodeId, NOON - HOUR, 3)]);
  const { token: reader } = await createUser(line.companyId, "readonly");
  const get = async (path: string) => {
    const { status, body } = await call("GET", path, { token: reader });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const stub = machineObject(env, line.machine.id);
  return {
    ...line,
    stub,
    exec: (query: string) => runInDurableObject(stub, (_, { storage }) => void storage.sql.exec(query)),
    /** Fires the alarm when it is due, as the platform does, and returns the pause until the next one, in seconds. */
    ring: () =>
      runInDurableObject(stub, async (object, { storage }) => {
        vi.setSystemTime(Math.max(Date.now(), (await storage.getAlarm()) ?? 0));
        await storage.deleteAlarm();
        await object.alarm();
        return Math.round((((await storage.getAlarm()) ?? Number.NaN) - Date.now()) / SECOND);
      }),
    alarmAt: () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm()),
    state: () => get(`/v1/machines/${line.machine.id}/state`),
    row: async () => (await get("/v1/state")).data[0],
  };
}

const degradedMachines = async () => {
  // Health checks every two seconds.
  vi.setSystemTime(Date.now() + 3 * SECOND);
  return (await call("GET", "/health")).body.degradedMachines;
};
const pauses = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1800, 1800];
const silence = () => vi.spyOn(console, "error").mockReturnValue(undefined);

describe("an alarm that fails", () => {
  it("is logged, counted and tried again for ever, and the machine works again as soon as it can", async () => {
    const error = silence();
    const line = await runningLine();
    expect(await line.state()).toMatchObject({ status: "N", isDegraded: false });
    await line.exec("ALTER TABLE spans RENAME TO spans_away");
    const seen: number[] = [];
    for (const _ of pauses) seen.push(await line.ring());
    expect(seen).toEqual(pauses);
    const lines = error.mock.calls.map(([text]) => JSON.parse(String(text)));
    expect(lines.map(({ failures }) => failures)).toEqual(pauses.map((_, i) => i + 1));
    expect(lines[0]).toMatchObject({ event: "alarm_failed", object: "machine", machineId: line.machine.id });
    expect(lines[0].error).toContain("no such table: spans");

    await line.exec("ALTER TABLE spans_away RENAME TO spans");
    expect(await line.ring()).toBeGreaterThan(0);
    expect(await recordsOf(line.machine.id)).toMatchObject([{}, { totalUnits: 3 }]);
    // The next failure is the first one again.
    await line.exec("ALTER TABLE spans RENAME TO spans_away");
    await runInDurableObject(line.stub, (object) => object.alarm());
    vi.setSystemTime(NOON + DAY);
    expect(await line.ring()).toBe(5);
  });

  it("is counted in /health and marked in the machine's state, until it succeeds", async () => {
    silence();
    const [line, healthy] = [await runningLine(), await runningLine()];
    const before = await degradedMachines();
    await line.exec("ALTER TABLE spans RENAME TO spans_away");
    await line.ring();
    await line.ring();
    expect(await degradedMachines()).toBe(before + 1);
    // Here the state cannot be computed either.
    const unknown = { status: "D", since: null, operators: [], isDegraded: true };
    expect(await line.state()).toMatchObject({ machineId: line.machine.id, ...unknown, lastEventAt: null });
    expect(await line.row()).toMatchObject({ ...unknown, isReachable: true, total: null });
    expect(await healthy.state()).toMatchObject({ status: "N", isDegraded: false });

    await line.exec("ALTER TABLE spans_away RENAME TO spans");
    // It can be computed again, and the alarm did not succeed yet.
    expect(await line.state()).toMatchObject({ status: "N", isDegraded: true });
    expect(await line.row()).toMatchObject({ status: "N", isDegraded: true, total: 3 });
    await line.ring();
    expect(await line.state()).toMatchObject({ status: "N", isDegraded: false });
    expect(await line.row()).toMatchObject({ isDegraded: false });
    expect(await degradedMachines()).toBe(before);
  });

  it("stores events meanwhile, which do not make it ring sooner", async () => {
    silence();
    const line = await runningLine();
    // Only settling reads these.
    await line.exec("ALTER TABLE records RENAME TO records_away");
    for (let i = 0; i < 8; i++) await line.ring();
    const at = await line.alarmAt();
    expect((await ingest(line.token, [countAt(line.machine.nodeId, Date.now(), 4)])).accepted).toBe(1);
    expect(await line.alarmAt()).toBe(at);
    expect(await line.state()).toMatchObject({ isDegraded: true });
    await line.exec("ALTER TABLE records_away RENAME TO records");
    await line.ring();
    expect((await recordsOf(line.machine.id)).at(-1)).toMatchObject({ totalUnits: 7 });
    // From now on it rings when it has something to do.
    await ingest(line.token, [{ type: "heartbeat", nodeId: line.machine.nodeId, at: new Date().toISOString() }]);
    expect((await line.alarmAt()) ?? 0).toBeLessThan((at ?? 0) + 30 * MINUTE);
  });

  it("goes on counting after a restart of the object", async () => {
    silence();
    const line = await runningLine();
    await line.exec("ALTER TABLE spans RENAME TO spans_away");
    expect([await line.ring(), await line.ring()]).toEqual([5, 10]);
    await evictDurableObject(line.stub);
    expect(await line.state()).toMatchObject({ isDegraded: true });
    expect(await line.ring()).toBe(20);
  });

  it("still counts as failed until /health knows that it succeeded", async () => {
    silence();
    const line = await runningLine();
    const before = await degradedMachines();
    await line.exec("ALTER TABLE spans RENAME TO spans_away");
    await line.ring();
    await line.exec("ALTER TABLE spans_away RENAME TO spans");
    const away = vi.spyOn(Object.getPrototypeOf(await objectOf("health")), "noteDegraded").mockRejectedValue(new Error("away"));
    expect(await line.ring()).toBe(10);
    expect(await line.state()).toMatchObject({ isDegraded: true });
    away.mockRestore();
    await line.ring();
    expect([await degradedMachines(), (await line.state()).isDegraded]).toEqual([before, false]);
  });
});

/** The instance of an object. */
const objectOf = (name: string) => runInDurableObject(env.MACHINES.getByName(name), (object) => object);

describe("a storage that does not open", () => {
  it("is tried again by the alarm and by every call, and says so", async () => {
    silence();
    const line = await runningLine();
    const before = await degradedMachines();
    await line.exec("INSERT INTO migrations VALUES ('9999_later!', '')");
    await evictDurableObject(line.stub);
    expect(await line.state()).toMatchObject({ status: "D", isDegraded: true });
    expect([await line.ring(), await line.ring()]).toEqual([10, 20]);
    expect(await degradedMachines()).toBe(before + 1);
    const refused = await call("POST", "/v1/ingest", {
      token: line.token,
      body: { events: [countAt(line.machine.nodeId, NOON - MINUTE)] },
    });
    expect(refused.status).toBe(500);

    await line.exec("DELETE FROM migrations WHERE id = '9999_later!'");
    await line.ring();
    expect(await degradedMachines()).toBe(before);
    expect(await line.state()).toMatchObject({ status: "N", isDegraded: false });
    expect(await recordsOf(line.machine.id)).toMatchObject([{}, { totalUnits: 3 }]);
  });
});
