import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { machineObject } from "../../src/machine/stub.ts";
import { call } from "../support/call.ts";
import { MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../support/machines.ts";
import { changed, serviceWith } from "../support/service.ts";

// Counts may wait in a machine's object for minutes. Whoever reads numbers has the machines bring D1 up to date first.

stopClockAtNoon();

/** A machine with a count a second ago that D1 has, and another one that it does not have. */
async function lineAtWork() {
  const line = await createLine({ commissionedAt: NOON - MINUTE, stopAfterSeconds: 600 });
  const { machine, token } = line;
  await ingest(token, [countAt(machine.nodeId, NOON - SECOND, 5)]);
  await flushMachine(machine.id);
  vi.setSystemTime(NOON + 20 * SECOND);
  await ingest(token, [countAt(machine.nodeId, NOON + 19 * SECOND, 2)]);
  const reader = await createUser(line.companyId, "user");
  return { ...line, reader: reader.token };
}

/** An answer, and what it took. */
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
    expect(await ask(reader, summary)).toMatchObject({ body: { total: { total: 7 } }, dbTrips: 1, objectCalls: 0 });
    vi.setSystemTime(NOON + 36 * SECOND);
    expect(await ask(reader, summary)).toMatchObject({ body: { total: { total: 8 } }, objectCalls: 1 });
    vi.setSystemTime(NOON + 52 * SECOND);
    expect(await ask(reader, summary)).toMatchObject({ body: { total: { total: 8 } }, objectCalls: 1 });
  });

  it("finds numbers of less than ten seconds ago new enough, whoever else has asked for them", async () => {
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
  ])("of %s asks the machines that it is about", async (_, pathOf, data) => {
    const { machine, reader } = await lineAtWork();
    expect(await ask(reader, pathOf(machine.id))).toMatchObject({ body: { data }, objectCalls: 1 });
  });

  it("as a file asks, too", async () => {
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
    // It is asked again a little later.
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
