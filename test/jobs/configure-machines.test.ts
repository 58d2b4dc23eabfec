import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Job } from "../../src/events/queues.ts";
import { configureDue } from "../../src/jobs/configure-machines.ts";
import { runJob } from "../../src/jobs/jobs.ts";
import { withBudget } from "../../src/limits/budget.ts";
import { MachineStorage } from "../../src/machine/storage/machine-storage.ts";
import { call } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createShift,
  createUser,
} from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { confirmAllMachines, countAt, flushMachine, ingest } from "../support/machines.ts";
import { changed, serviceWith } from "../support/service.ts";

const versions = (machineId: number) =>
  env.DB_0.prepare("select config_version, configured_version from machines where id = ?").bind(machineId).first();
const records = async (machineId: number) =>
  (await env.DB_0.prepare("select shift_id, company_id from shift_records where machine_id = ?").bind(machineId).all()).results;

const unconfigured = "select count(*) as n from machines where configured_version < config_version";
const objects = async () => (await listDurableObjectIds(env.MACHINES)).map(String);
const objectId = (machineId: number) => String(machineObject(env, machineId).id);

/** Runs the job and makes the object flush, whose alarm may have begun by itself. */
async function configureAndSettle(machineId: number) {
  await configureDue(env);
  await flushMachine(machineId);
  await eventually(async () => {
    const row = await versions(machineId);
    expect(row?.configured_version).toBe(row?.config_version);
  });
}

beforeAll(confirmAllMachines);

describe("the job that configures machines", () => {
  it("gives a machine its shift record without any event", async () => {
    const { companyId } = await createCompany();
    const { shiftId } = await createShift(companyId, { start: "00:00", end: "00:00" });
    const { machineId } = await createMachine(companyId, { commissionedAt: Date.now() - 60_000 });
    expect(await records(machineId)).toEqual([]);
    await configureAndSettle(machineId);
    await eventually(async () => expect(await records(machineId)).toContainEqual({ shift_id: shiftId, company_id: companyId }));
  });

  it("configures a machine again after a later change", async () => {
    const { companyId } = await createCompany();
    const { machineId } = await createMachine(companyId);
    await configureAndSettle(machineId);
    await env.DB_0.prepare("update machines set config_version = 5 where id = ?").bind(machineId).run();
    await configureAndSettle(machineId);
    expect(await versions(machineId)).toEqual({ config_version: 5, configured_version: 5 });
  });

  it("configures a deleted machine too, and its shifts end at the deletion", async () => {
    const { companyId } = await createCompany();
    await createShift(companyId, { start: "00:00", end: "00:00" });
    const deletedAt = Date.now() - 60_000;
    const { token } = await createGatewayToken(companyId);
    const machine = await createMachine(companyId, { commissionedAt: deletedAt - 60_000 });
    const { machineId } = machine;
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    await ingest(token, [countAt(machine.nodeId, deletedAt - 30_000)]);
    await configureAndSettle(machineId);
    await env.DB_0.prepare("update machines set deleted_at = ?, config_version = config_version + 1 where id = ?")
      .bind(deletedAt, machineId)
      .run();
    await configureAndSettle(machineId);
    const reckoned = env.DB_0.prepare("select max(as_of) as end from shift_records where machine_id = ?").bind(machineId);
    await eventually(async () => expect(await reckoned.first("end")).toBe(deletedAt));
  });

  it("continues when a machine fails, and reports which one failed", async () => {
    const broken = await createCompany({ timezone: "Nowhere/Nowhere" });
    await createShift(broken.companyId);
    const failing = await createMachine(broken.companyId);
    const { machineId } = await createMachine((await createCompany()).companyId);
    await expect(configureDue(env)).rejects.toThrow(`1 not configured: machine ${failing.machineId}`);
    expect(await objects()).toContain(objectId(machineId));
    await env.DB_0.prepare("delete from machines where id = ?").bind(failing.machineId).run();
  });

  it("configures a thousand machines per run, and stops when the invocation has done enough", async () => {
    // Machines of earlier tests are notified, but may not have confirmed it yet.
    await eventually(async () => expect(await env.DB_0.prepare(unconfigured).first("n")).toBe(0));
    for (let i = 0; i < 3; i++) await insertMachines((await createCompany()).companyId, 2);
    const before = (await objects()).length;
    // To find them, and to read the set-up of one company.
    await configureDue(withBudget(env, 5).env);
    expect(await objects()).toHaveLength(before + 2);
    await configureDue(env);
    expect(await objects()).toHaveLength(before + 6);
  });
});

/** Inserts machines that were never configured, in service since now, and returns their ids. */
async function insertMachines(companyId: number, count: number): Promise<number[]> {
  const { results } = await env.DB_0.prepare(
    `insert into machines (company_id, name, ref, node_id, signal, commissioned_at, created_at, updated_at)
     select ?, 'Machine', 'M-' || key, 7, 'counts', ?, 0, 0 from json_each(?) returning id`,
  )
    .bind(companyId, Date.now(), JSON.stringify(Array(count).fill(0)))
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}

const unconfiguredOf = async (companyId: number) =>
  await env.DB_0.prepare(`${unconfigured} and company_id = ?`).bind(companyId).first<number>("n");

/** Gives a company a shift through the API, which concerns all its machines. Returns what the queue of jobs has got, unless it refuses that. */
async function addShift(companyId: number, isRefused = false): Promise<Job[]> {
  const jobs: Job[] = [];
  const sendBatch = async (messages: { body: Job }[]) => {
    if (isRefused) throw new Error("the queue is away");
    jobs.push(...messages.map(({ body }) => body));
  };
  const via = serviceWith({ JOBS: { sendBatch } as unknown as Env["JOBS"] });
  const { token } = await createUser(companyId, "admin");
  const body = { name: "Early", start: "06:00", end: "14:00", days: ["monday"], breaks: [] };
  const answer = await call("POST", "/v1/shifts", { token, body, via });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  if (!isRefused) await eventually(() => expect(jobs).not.toEqual([]));
  return jobs;
}

describe("a change of set-up for all machines of a company", () => {
  it("is at 1,000 of them by ten messages of eleven statements", { timeout: 120_000 }, async () => {
    const { companyId } = await createCompany();
    const machineIds = await insertMachines(companyId, 1000);
    const jobs = await addShift(companyId);
    expect(jobs).toHaveLength(10);
    expect(jobs.flatMap((job) => job.machineIds)).toEqual(machineIds);
    const read = new Map<string, number>();
    for (const job of jobs) {
      expect(job).toMatchObject({ job: "configure", companyIds: [companyId] });
      const { env: own, budget } = withBudget({ ...env, DB_0: counting(read) } as Env);
      await runJob(own, job);
      expect(budget.statements).toBe(11);
    }
    // The company's part, and that of its machines: once per message, and never by an object.
    for (const table of ["shifts", "sku_standards", "alert_rules", "count_channels"]) expect(read.get(table)).toBe(10);
    await eventually(async () => expect(await unconfiguredOf(companyId)).toBe(0));
    const settings = await runInDurableObject(machineObject(env, machineIds[999] ?? 0), (_, { storage }) =>
      new MachineStorage(storage).settings.history(0),
    );
    expect(settings?.[0].shifts).toMatchObject([{ start: "06:00" }]);
    // Messages that come again find nothing to do.
    const MACHINES = { getByName: () => expect.unreachable() };
    for (const job of jobs) await runJob({ ...env, MACHINES } as unknown as Env, job);
  });

  it("is at its machines with the next run of the cron when the queue does not take it", async () => {
    await eventually(async () => expect(await env.DB_0.prepare(unconfigured).first("n")).toBe(0));
    const { companyId } = await createCompany();
    await insertMachines(companyId, 30);
    expect(await addShift(companyId, true)).toEqual([]);
    await configureDue(env);
    await eventually(async () => expect(await unconfiguredOf(companyId)).toBe(0));
  });

  it("is left to the cron when its messages have waited for more than a minute", async () => {
    const { companyId } = await createCompany();
    await insertMachines(companyId, 11);
    const [job] = await addShift(companyId);
    if (!job) throw new Error("there is no message");
    const MACHINES = { getByName: () => expect.unreachable() };
    await runJob({ ...env, MACHINES } as unknown as Env, { ...job, at: Date.now() - 61_000 });
    await runJob(env, { ...job, at: Date.now() - 50_000 });
    await eventually(async () => expect(await unconfiguredOf(companyId)).toBe(0));
  });

  it("is at a machine that failed with the next run of the cron, and at the others at once", async () => {
    const { companyId } = await createCompany();
    const machineIds = await insertMachines(companyId, 30);
    const [failing = 0] = machineIds;
    const jobs = await addShift(companyId);
    const getByName = (name: string) => {
      if (name === String(failing)) throw new Error("the object is away");
      return env.MACHINES.getByName(name);
    };
    const broken = { ...env, MACHINES: changed(env.MACHINES, { getByName }) };
    for (const job of jobs)
      await expect(runJob(broken, job)).rejects.toThrow(`1 not configured: machine ${failing}: Error: the object is away`);
    await eventually(async () => expect(await unconfiguredOf(companyId)).toBe(1));
    await configureDue(env);
    await eventually(async () => expect(await unconfiguredOf(companyId)).toBe(0));
  });
});

/** The database, which counts the statements that read from each table. */
function counting(read: Map<string, number>) {
  const withSession = (start: string) =>
    changed(env.DB_0.withSession(start), {
      prepare: (query: string) => {
        const [, table = ""] = /\bfrom "(\w+)"/.exec(query) ?? [];
        read.set(table, (read.get(table) ?? 0) + 1);
        return env.DB_0.withSession(start).prepare(query);
      },
    });
  return changed(env.DB_0, { withSession });
}
