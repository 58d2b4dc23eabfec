import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import { createCompany, createOperator, createSku, createUser, createWorkOrder } from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../support/machines.ts";
import { changed, serviceWith } from "../support/service.ts";

// Counts may wait in a machine's object for minutes. A read of numbers first makes the machines send theirs to D1.

stopClockAtNoon();

type Line = Awaited<ReturnType<typeof createLine>>;

const iso = (at: number) => new Date(at).toISOString();

/** A machine with a count of a second ago in D1, and another count that is not in D1 yet. */
async function lineAtWork() {
  const line = await createLine({ commissionedAt: NOON - MINUTE, stopAfterSeconds: 600, noDataAfterSeconds: null });
  const { machine, token } = line;
  await ingest(token, [countAt(machine.nodeId, NOON - SECOND, 5)]);
  await flushMachine(machine.id);
  vi.setSystemTime(NOON + 20 * SECOND);
  await ingest(token, [countAt(machine.nodeId, NOON + 19 * SECOND, 2)]);
  const reader = await createUser(line.companyId, "user");
  return { ...line, reader: reader.token };
}

/** An answer, and its cost. */
async function ask(token: string, path: string, changes: Partial<Env> = {}) {
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  const { status, body } = await call("GET", path, { token, via: serviceWith(changes) });
  const { dbTrips, objectCalls } = JSON.parse(log.mock.lastCall?.[0] ?? "{}");
  log.mockRestore();
  expect(status, JSON.stringify(body)).toBe(200);
  return { body, dbTrips, objectCalls };
}

const summary = "/v1/summary?groupBy=machine";

describe("a report", () => {
  it("shows its first reader what D1 did not have", async () => {
    const { machine, reader } = await lineAtWork();
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 5 }]);
    expect((await ask(reader, summary)).body).toMatchObject({ total: { total: 7 } });
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 7 }]);
  });

  it("asks once in 15 seconds, and costs nothing more in between", async () => {
    const { machine, token, reader } = await lineAtWork();
    expect(await ask(reader, summary)).toMatchObject({ objectCalls: 1 });
    await ingest(token, [countAt(machine.nodeId, NOON + 20 * SECOND)]);
    vi.setSystemTime(NOON + 34 * SECOND);
    expect(await ask(reader, summary)).toMatchObject({ body: { total: { total: 7 } }, objectCalls: 0 });
    // Other data is cached for longer, and was reloaded by the previous request.
    expect(await ask(reader, summary)).toMatchObject({ dbTrips: 1, objectCalls: 0 });
    vi.setSystemTime(NOON + 36 * SECOND);
    expect(await ask(reader, summary)).toMatchObject({ body: { total: { total: 8 } }, objectCalls: 1 });
    vi.setSystemTime(NOON + 52 * SECOND);
    expect(await ask(reader, summary)).toMatchObject({ body: { total: { total: 8 } }, objectCalls: 1 });
  });

  it("accepts numbers that are at most ten seconds old, whoever asked for them", async () => {
    const { machine, token } = await lineAtWork();
    const stub = machineObject(env, machine.id);
    expect(await stub.publish()).toBe(NOON + 20 * SECOND);
    vi.setSystemTime(NOON + 29 * SECOND);
    await ingest(token, [countAt(machine.nodeId, NOON + 29 * SECOND)]);
    expect(await stub.publish()).toBe(NOON + 20 * SECOND);
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 7 }]);
    vi.setSystemTime(NOON + 31 * SECOND);
    await evictDurableObject(stub);
    expect(await stub.publish()).toBe(NOON + 31 * SECOND);
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 8 }]);
    vi.setSystemTime(NOON + 60 * SECOND);
    expect(await stub.publish(), "nothing is new").toBe(NOON + 60 * SECOND);
  });

  it.each([
    ["production", (id: number) => `/v1/production?interval=hour&machineIds=${id}`, [{ total: 5 }, { total: 2 }]],
    ["shift records", (id: number) => `/v1/shift-records?machineIds=${id}`, [{ productionMetrics: { total: 7 } }]],
  ])("of %s asks its machines first", async (_, pathOf, data) => {
    const { machine, reader } = await lineAtWork();
    expect(await ask(reader, pathOf(machine.id))).toMatchObject({ body: { data }, objectCalls: 1 });
  });

  it("as a file asks its machines first, too", async () => {
    const { reader } = await lineAtWork();
    const { body } = await ask(reader, `${summary}&format=ndjson`);
    expect(JSON.parse(body)).toMatchObject({ total: 7 });
  });

  it("does not wait for a machine that fails, and shows what D1 has", async () => {
    const { reader } = await lineAtWork();
    const MACHINES = changed(env.MACHINES, {
      getByName: () => ({ publish: () => Promise.reject(new Error("Network connection lost.")) }),
    });
    expect(await ask(reader, summary, { MACHINES })).toMatchObject({ body: { total: { total: 5 } }, objectCalls: 1 });
    // It is queried again a little later.
    vi.setSystemTime(NOON + 26 * SECOND);
    expect((await ask(reader, summary)).body).toMatchObject({ total: { total: 7 } });
  });

  it("asks no machine of another company, even if it is named", async () => {
    const { machine } = await lineAtWork();
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "user");
    const log = vi.spyOn(console, "log").mockReturnValue(undefined);
    const { status } = await call("GET", `${summary}&machineIds=${machine.id}`, { token });
    expect(JSON.parse(log.mock.lastCall?.[0] ?? "{}")).toMatchObject({ objectCalls: 0 });
    log.mockRestore();
    expect(status).toBe(404);
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 5 }]);
  });
});

/** Fires the machine's alarm as often as it is due until then, as the platform does. */
async function passTo(machineId: number, now: number) {
  for (let rung = 0; rung < 50; rung++) {
    const isOver = await runInDurableObject(machineObject(env, machineId), async (object, { storage }) => {
      const at = await storage.getAlarm();
      if (at === null || at > now) return true;
      vi.setSystemTime(Math.max(Date.now(), at));
      await storage.deleteAlarm();
      await object.alarm();
      return false;
    });
    if (isOver) break;
  }
  vi.setSystemTime(now);
}

describe("without any reader", () => {
  it("counts are in D1 after five minutes, not before, even if the object was evicted", async () => {
    const { machine } = await lineAtWork();
    await passTo(machine.id, NOON + 4 * MINUTE);
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 5 }]);
    await evictDurableObject(machineObject(env, machine.id));
    await passTo(machine.id, NOON + 5 * MINUTE);
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 7 }]);
  });

  it("a stop is in D1 as soon as it is detected, with the counts before it, and its end within ten seconds", async () => {
    const { machine, token } = await lineAtWork();
    await passTo(machine.id, NOON + 10 * MINUTE + 19 * SECOND);
    expect(await stopsOf(machine.id)).toEqual([]);
    await passTo(machine.id, NOON + 10 * MINUTE + 20 * SECOND);
    expect(await stopsOf(machine.id)).toMatchObject([{ startAt: NOON + 19 * SECOND, endAt: null }]);
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 7 }]);
    vi.setSystemTime(NOON + 11 * MINUTE);
    await ingest(token, [countAt(machine.nodeId, NOON + 11 * MINUTE)]);
    await passTo(machine.id, NOON + 11 * MINUTE + 10 * SECOND);
    expect(await stopsOf(machine.id)).toMatchObject([{ endAt: NOON + 11 * MINUTE }]);
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 8 }]);
  });

  it.each([
    [
      "somebody signs in",
      async ({ companyId, machine }: Line) => {
        const { operatorId } = await createOperator(companyId);
        return { type: "operator", at: iso(NOON + 20 * SECOND), machineId: machine.id, operatorId, action: "in" };
      },
      "select count(*) from operator_shifts where machine_id = ?",
    ],
    [
      "another SKU is begun",
      async ({ companyId, machine }: Line) => {
        const { skuId } = await createSku(companyId);
        return { type: "sku", at: iso(NOON + 20 * SECOND), machineId: machine.id, skuId };
      },
      "select count(*) from shift_parts where machine_id = ? and sku_id is not null",
    ],
    [
      "a count comes late, from before what D1 has",
      async ({ machine }: Line) => countAt(machine.nodeId, NOON - 10 * SECOND),
      "select total_units = 8 from shift_records where machine_id = ?",
    ],
  ])("D1 knows within ten seconds that %s", async (_, eventOf, isKnown) => {
    const line = await lineAtWork();
    const known = () => env.DB_0.prepare(isKnown).bind(line.machine.id).raw();
    expect(await known()).toEqual([[0]]);
    await ingest(line.token, [await eventOf(line)]);
    await passTo(line.machine.id, NOON + 31 * SECOND);
    expect(await known()).toEqual([[1]]);
  });

  it("D1 knows within ten seconds that an order is begun, and that the first unit of it is made", async () => {
    const { companyId, machine, token } = await lineAtWork();
    const { skuId } = await createSku(companyId);
    const { workOrderId } = await createWorkOrder({ id: machine.id, companyId }, skuId, { status: "Planned" });
    await ingest(token, [{ type: "sku", at: iso(NOON + 20 * SECOND), machineId: machine.id, skuId, workOrderId }]);
    await passTo(machine.id, NOON + 40 * SECOND);
    await ingest(token, [countAt(machine.nodeId, NOON + 40 * SECOND)]);
    await passTo(machine.id, NOON + 50 * SECOND);
    const order = await env.DB_0.prepare("select status from work_orders where id = ?").bind(workOrderId).first();
    expect(order).toEqual({ status: "InProgress" });
    await ingest(token, [countAt(machine.nodeId, NOON + 50 * SECOND)]);
    await passTo(machine.id, NOON + 70 * SECOND);
    const run = await env.DB_0.prepare("select correct from order_runs where machine_id = ?").bind(machine.id).first();
    expect(run, "the second one waits").toEqual({ correct: 1 });
  });

  it("an alert for a stop has its time to the second", async () => {
    const { machine, token, companyId } = await lineAtWork();
    const { token: admin } = await createUser(companyId, "admin");
    const when = { kind: "stop", minutes: 12 };
    const rule = await call("POST", "/v1/alert-rules", { token: admin, body: { name: "Long stop", when } });
    expect(rule.status, JSON.stringify(rule.body)).toBe(201);
    await configureMachine(machine.id);
    await ingest(token, [countAt(machine.nodeId, NOON + 20 * SECOND)]);
    await passTo(machine.id, NOON + 12 * MINUTE + 30 * SECOND);
    const { results } = await env.DB_0.prepare("select since from alert_conditions where machine_id = ?").bind(machine.id).all();
    expect(results).toEqual([{ since: NOON + 20 * SECOND }]);
  });
});
