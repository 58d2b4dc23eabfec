import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Job } from "../../src/events/queues.ts";
import { MachineStorage } from "../../src/machine/storage/machine-storage.ts";
import { configureAfterwards, configureMachines } from "../../src/objects/notify-machines.ts";
import { type PassedSetUp, readChangedSetUps } from "../../src/objects/set-up.ts";
import { createAlertRule } from "../support/alerts.ts";
import {
  createCompany,
  createMachine,
  createOperatorPlan,
  createShift,
  createSku,
  createWorkOrder,
} from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { configureMachine, flushMachine, ingest } from "../support/machines.ts";
import { createRunningLine } from "../support/running-line.ts";

/** A queue of jobs that keeps its messages. */
function queue() {
  const sent: Job[] = [];
  const sendBatch = async (messages: { body: Job }[]) => void sent.push(...messages.map(({ body }) => body));
  return { sent, JOBS: { sendBatch } as unknown as Env["JOBS"] };
}

/** Raises the version of a machine's set-up, as a write does. */
async function raise(machineId: number, also = "") {
  await env.DB_0.prepare(`update machines set config_version = config_version + 1 ${also} where id = ?`).bind(machineId).run();
}

const versionsOf = (companyId: number, machineIds: readonly number[]) => [
  machineIds.map((machineId) => ({ companyId, machineId })),
];

/** The set-up that an object has taken over. */
async function takenOver(machineId: number) {
  return await runInDurableObject(machineObject(env, machineId), (_, state) => {
    const storage = new MachineStorage(state.storage);
    const settings = storage.settings.history(0)?.at(-1);
    return { version: storage.identity()?.configVersion, stopAfterMs: settings?.stopAfterMs };
  });
}

/** Counts from now on how often a machine's object reads its set-up, or a part of it, from D1. */
async function countReads(machineId: number): Promise<() => number> {
  let reads = 0;
  await runInDurableObject(machineObject(env, machineId), (object) => {
    const withSession = (start: string) => {
      // A flush does not ask for the primary.
      if (start === "first-primary") reads++;
      return env.DB_0.withSession(start);
    };
    Object.assign(object, { env: { ...env, DB_0: { withSession } } });
  });
  return () => reads;
}

async function passedSetUp(companyId: number, machineId: number) {
  const [read] = await readChangedSetUps(env, companyId, [machineId]);
  if (!read) throw new Error("the machine's set-up is not new");
  return { version: read.configVersion, setUp: read.setUp() };
}

describe("a change of the set-up of machines", () => {
  it("calls a few machines at once, and sends messages of a hundred machines for more", async () => {
    const { sent, JOBS } = queue();
    const { companyId } = await createCompany();
    const { machineId } = await createMachine(companyId);
    const few = createExecutionContext();
    const caller = { env: { ...env, JOBS }, afterwards: (work: Promise<unknown>) => few.waitUntil(work) };
    configureAfterwards(caller, versionsOf(companyId, [machineId]));
    await waitOnExecutionContext(few);
    expect((await takenOver(machineId)).version).toBe(1);
    expect(sent).toEqual([]);

    const many = Array.from({ length: 250 }, (_, i) => i + 1);
    configureAfterwards(caller, versionsOf(companyId, many));
    await waitOnExecutionContext(few);
    const ofMessage = (machineIds: number[]) => ({
      ...{ queue: "JOBS", job: "configure", at: expect.any(Number), companyIds: [companyId], machineIds },
    });
    expect(sent).toEqual([ofMessage(many.slice(0, 100)), ofMessage(many.slice(100, 200)), ofMessage(many.slice(200))]);
  });

  it("waits for the next round if another one came just before, together with those that follow", async () => {
    const { sent, JOBS } = queue();
    const { companyId } = await createCompany();
    const ctx = createExecutionContext();
    const caller = { env: { ...env, JOBS }, afterwards: (work: Promise<unknown>) => ctx.waitUntil(work) };
    for (let i = 0; i < 8; i++) {
      configureAfterwards(caller, versionsOf(companyId, [...Array(20).keys()]));
      configureAfterwards(
        caller,
        versionsOf(
          companyId,
          [...Array(20).keys()].map((id) => id + 5),
        ),
      );
    }
    await waitOnExecutionContext(ctx);
    expect(sent.map(({ machineIds }) => machineIds)).toEqual([
      [...Array(20).keys()],
      [...Array(25).keys()].map((i) => (i + 5) % 25),
    ]);
  });

  it("is no change when no version was raised", async () => {
    const { JOBS } = queue();
    const afterwards = () => expect.unreachable();
    configureAfterwards({ env: { ...env, JOBS }, afterwards }, [[], { meta: {} }]);
  });
});

describe("a set-up that is passed to a machine's object", () => {
  it("is taken over without a question to D1", async () => {
    const { machine, companyId } = await createRunningLine();
    await raise(machine.id, ", stop_after_seconds = 77");
    const reads = await countReads(machine.id);
    expect(await configureMachines(env, companyId, [machine.id])).toEqual([]);
    expect(await takenOver(machine.id)).toEqual({ version: 2, stopAfterMs: 77_000 });
    expect(reads()).toBe(0);
  });

  it("is left aside if the object has a newer one", async () => {
    const { machine, companyId } = await createRunningLine();
    await raise(machine.id, ", stop_after_seconds = 70");
    const older = await passedSetUp(companyId, machine.id);
    await raise(machine.id, ", stop_after_seconds = 80");
    const newer = await passedSetUp(companyId, machine.id);
    const object = machineObject(env, machine.id);
    expect(await object.configure(newer.version, newer.setUp)).toBe(true);
    expect(await object.configure(older.version, older.setUp)).toBe(true);
    expect(await takenOver(machine.id)).toEqual({ version: 3, stopAfterMs: 80_000 });
  });

  it("is what the object would read by itself", async () => {
    const { machine, companyId, shift, operator } = await createRunningLine();
    const other = await createMachine(companyId, { nodeId: machine.nodeId });
    for (const { id } of [machine, other])
      await createSku(companyId, { standards: [{ machineId: id, standardCycleSeconds: 3 }] });
    await createSku(companyId, { id: "__proto__", standards: [{ standardCycleSeconds: 5 }] });
    const both = await createSku(companyId, {
      standards: [{ standardCycleSeconds: 6 }, { machineId: machine.id, standardCycleSeconds: 7 }],
    });
    await createShift(companyId, { machineIds: [machine.id] });
    await createShift(companyId, { machineIds: [other.id] });
    for (const { id } of [machine, other]) {
      const assignments = [{ operatorId: operator.operatorId, machineId: id, shiftId: shift.shiftId }];
      await createOperatorPlan(companyId, { until: Date.now() + 86_400_000, assignments });
    }
    await createAlertRule(companyId, { machineIds: [machine.id] });
    await createAlertRule(companyId, { machineIds: [other.id] });
    const stored = ({ kv }: DurableObjectStorage) => ({ channels: kv.get("channels"), rules: kv.get("alert rules") });
    const takenOver = () =>
      runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
        const query = "SELECT kind, key, body FROM settings_parts WHERE until > ? ORDER BY kind, key";
        return { parts: storage.sql.exec(query, Date.now()).toArray(), ...stored(storage) };
      });

    await raise(machine.id);
    const { version, setUp } = await passedSetUp(companyId, machine.id);
    await machineObject(env, machine.id).configure(version, setUp);
    const passed = await takenOver();
    const standards = passed.parts.filter(({ kind }) => kind === "sku").map(({ key, body }) => [key, body]);
    expect(standards).toContainEqual(["__proto__", "5000"]);
    expect(standards).toContainEqual([both.skuId, "7000"]);
    expect(standards).toHaveLength(3);
    expect(passed.parts.filter(({ kind }) => kind === "plan")).toHaveLength(1);
    await raise(machine.id);
    const reads = await countReads(machine.id);
    await configureMachine(machine.id);
    expect(reads()).toBe(1);
    expect(await takenOver()).toEqual(passed);
  });

  it("ends what the machine makes for an order that was closed, and signs out an operator who was deleted", async () => {
    const { machine, companyId, sku, operator, gatewayToken } = await createRunningLine();
    const { workOrderId } = await createWorkOrder(machine, sku.skuId);
    const at = new Date().toISOString();
    await ingest(gatewayToken, [{ type: "sku", at, machineId: machine.id, skuId: sku.skuId, workOrderId }]);
    await flushMachine(machine.id);
    const object = machineObject(env, machine.id);
    expect(await object.state()).toMatchObject({ workOrderId, signedIn: [{ operatorId: operator.operatorId }] });
    await env.DB_0.batch([
      env.DB_0.prepare("update work_orders set status = 'Completed', closed_at = ? where id = ?").bind(Date.now(), workOrderId),
      env.DB_0.prepare("update operators set deleted_at = ? where id = ?").bind(Date.now(), operator.operatorId),
    ]);
    await raise(machine.id);
    const reads = await countReads(machine.id);
    expect(await configureMachines(env, companyId, [machine.id])).toEqual([]);
    expect(await object.state()).toMatchObject({ workOrderId: null, signedIn: [] });
    expect(reads()).toBe(0);
  });

  it("is completed from D1 if it does not know what the machine makes, or who is signed in", async () => {
    const { machine, companyId, sku, gatewayToken } = await createRunningLine();
    const { workOrderId } = await createWorkOrder(machine, sku.skuId);
    const at = new Date().toISOString();
    await ingest(gatewayToken, [{ type: "sku", at, machineId: machine.id, skuId: sku.skuId, workOrderId }]);
    const reads = await countReads(machine.id);
    const configureWith = async (lacking: Partial<PassedSetUp>) => {
      await raise(machine.id);
      const { version, setUp } = await passedSetUp(companyId, machine.id);
      if (!setUp) throw new Error("there is nothing to pass");
      await machineObject(env, machine.id).configure(version, { ...setUp, ...lacking });
      expect((await takenOver(machine.id)).version).toBe(version);
      return reads();
    };
    expect(await configureWith({ orders: [] })).toBe(1);
    expect(await configureWith({ deletedOperators: null })).toBe(2);
    expect(await configureWith({ plans: { start: Date.now() + 60_000, end: Date.now() + 120_000 } })).toBe(3);
  });
});
