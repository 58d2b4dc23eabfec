import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { stepBounds } from "../../../../src/machine/ledger/recalculation.ts";
import { call } from "../../../support/call.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../../support/clock.ts";
import { createCompany, createMachine, createUser } from "../../../support/factories.ts";
import { doJob } from "../../../support/jobs.ts";
import { machineObject } from "../../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../../support/machines.ts";
import { changeState, stateIn } from "../../../support/object-storage.ts";

stopClockAtNoon();
const usual = { ...stepBounds };
afterEach(() => void Object.assign(stepBounds, usual));

const START = NOON - 80 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

/** A company with a machine that made something each four minutes for 80 hours. */
async function plant() {
  const line = await createLine({ commissionedAt: START, noDataAfterSeconds: null, stopAfterSeconds: 600 });
  const { id: machineId, nodeId } = line.machine;
  const counts = Array.from({ length: 80 * 15 }, (_, i) => countAt(nodeId, START + i * 4 * MINUTE, 1, { id: `c${i}` }));
  await ingest(line.token, counts.slice(0, 900));
  await ingest(line.token, counts.slice(900));
  await flushMachine(machineId);
  const { token } = await createUser(line.companyId, "admin");
  const stub = machineObject(env, machineId);
  return {
    ...line,
    machineId,
    token,
    stub,
    ask: (body: object) =>
      call("POST", "/v1/recalculations", { token, body: { reason: "Doubts", machineIds: [machineId], ...body } }),
    get: async (id: number) => (await call("GET", `/v1/recalculations/${id}`, { token })).body,
    list: async (query = "") => (await call("GET", `/v1/recalculations${query}`, { token })).body.data,
    ring: () => runInDurableObject(stub, (object) => object.alarm()),
    /** Waits until the object knows of a recalculation. */
    isKnown: () => runInDurableObject(stub, (_, { storage }) => Boolean(stateIn(storage)["asked recalculations"])),
  };
}

describe("a recalculation that is asked for", () => {
  it("shows how far its machine has come, and how many records of closed shifts it has changed", async () => {
    const { ask, get, list, machineId, stub, ring, token } = await plant();
    // The numbers of one closed shift are wrong.
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec(
        "UPDATE tallies SET body = json_set(body, '$.total', 1000000) WHERE start = (SELECT min(start) FROM tallies WHERE start > ?)",
        START,
      );
    });
    Object.assign(stepBounds, { events: 60, rows: 10, moved: 20, days: 1, stepsPerAlarm: 2, stepsOfSmall: 4 });
    const answer = await ask({ from: iso(START), to: iso(NOON) });
    expect(answer.status).toBe(201);
    const { id } = answer.body;
    expect(answer.headers.get("location")).toBe(`/v1/recalculations/${id}`);
    expect(answer.body).toMatchObject({
      reason: "Doubts",
      from: iso(START),
      to: iso(NOON),
      endedAt: null,
      machineIds: [machineId],
      endedCount: 0,
    });
    const states = new Set<string>();
    for (let i = 0; i < 200; i++) {
      await ring();
      const { machines, endedAt } = await get(id);
      states.add(machines[0].state);
      if (endedAt !== null) break;
      vi.setSystemTime(Date.now() + 11 * SECOND);
    }
    expect([...states].slice(-2)).toEqual(["computing", "done"]);
    expect(states).toContain("replaying");
    expect(await get(id)).toMatchObject({
      endedCount: 1,
      failedCount: 0,
      machines: [{ machine: { id: machineId }, state: "done" }],
    });
    expect(await list("?isOpen=true")).toEqual([]);
    expect((await list()).map((one: { id: number }) => one.id)).toEqual([id]);
    const entries = (await call("GET", `/v1/audit?objectType=recalculation`, { token })).body.data;
    expect(entries).toMatchObject([{ action: "recalculation.create", objectId: String(id), after: { reason: "Doubts" } }]);
  });

  it("goes on after a kill in any of its steps, and ends once", async () => {
    const { ask, get, ring, stub } = await plant();
    Object.assign(stepBounds, { events: 100, rows: 20, moved: 40, days: 1, stepsPerAlarm: 1, stepsOfSmall: 2 });
    const { id } = (await ask({ from: iso(START) })).body;
    for (let i = 0; i < 300; i++) {
      await ring();
      await evictDurableObject(stub);
      if ((await get(id)).endedAt !== null) break;
      vi.setSystemTime(Date.now() + 6 * SECOND);
    }
    const { endedAt, machines } = await get(id);
    expect(endedAt).not.toBeNull();
    expect(machines).toMatchObject([{ state: "done", changedRecords: 0 }]);
    await ring();
    expect((await get(id)).endedAt).toBe(endedAt);
  });

  it("is asked for again by the cron where the machine did not hear of it", async () => {
    const { companyId, machineId, get, ring, isKnown } = await plant();
    const id = 1_000_000 + companyId;
    await env.DB_0.prepare(
      "insert into recalculations (id, company_id, reason, from_at, to_at, created_at, created_by) values (?, ?, 'Doubts', ?, ?, ?, 1)",
    )
      .bind(id, companyId, START, NOON, NOON - MINUTE)
      .run();
    await env.DB_0.prepare(
      "insert into recalculation_machines (recalculation_id, machine_id, state, updated_at) values (?, ?, 'requested', ?)",
    )
      .bind(id, machineId, NOON - MINUTE)
      .run();
    expect(await isKnown()).toBe(false);
    await doJob("sweep", NOON);
    expect(await isKnown()).toBe(true);
    await ring();
    await flushMachine(machineId);
    expect(await get(id)).toMatchObject({ endedCount: 1, machines: [{ state: "done" }] });
    await doJob("sweep", NOON + MINUTE);
    expect(await isKnown()).toBe(false);
  });

  it("is refused before the commissioning, in the future, of too much, and of other companies' machines", async () => {
    const { ask, machine } = await plant();
    const { companyId } = await createCompany();
    const other = await createMachine(companyId);
    const faultsOf = async (body: object) => {
      const { status, body: problem } = await ask(body);
      return [status, ...problem.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)];
    };
    expect(await faultsOf({ from: iso(START - HOUR) })).toEqual([400, "/from before_commissioning"]);
    expect(await faultsOf({ from: iso(START), to: iso(NOON + HOUR) })).toEqual([400, "/to in_future"]);
    expect(await faultsOf({ from: iso(NOON), to: iso(START) })).toEqual([400, "/to not_in_order"]);
    expect(await faultsOf({ from: iso(NOON - 30_000 * 24 * HOUR) })).toEqual([400, "/from range_too_long"]);
    expect(await faultsOf({ from: iso(START), machineIds: [machine.id, other.id] })).toEqual([400, "/machineIds/1 not_found"]);
    expect(await faultsOf({ from: iso(START), machineIds: [] })).toEqual([400, "/machineIds too_small"]);
  });

  it("is refused before the time whose events the machine kept, which the refusal names", async () => {
    const { ask, stub } = await plant();
    await evictDurableObject(stub);
    await runInDurableObject(stub, (_, { storage }) => changeState(storage, { "complete from": START + 10 * HOUR }));
    await evictDurableObject(stub);
    const { status, body } = await ask({ from: iso(START) });
    expect([status, body.errors[0].pointer]).toEqual([409, "/from"]);
    expect(body.errors[0].message).toContain(iso(START + 10 * HOUR));
    expect((await ask({ from: iso(START + 10 * HOUR) })).status).toBe(201);
  });
});
