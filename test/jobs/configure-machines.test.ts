import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { configureMachines } from "../../src/jobs/configure-machines.ts";
import { eventually } from "../support/eventually.ts";
import { createChannels, createCompany, createGatewayToken, createMachine, createShift } from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { confirmAllMachines, countAt, flushMachine, ingest } from "../support/machines.ts";

const versions = (machineId: number) =>
  env.DB_0.prepare("select config_version, configured_version from machines where id = ?").bind(machineId).first();
const records = async (machineId: number) =>
  (await env.DB_0.prepare("select shift_id, company_id from shift_records where machine_id = ?").bind(machineId).all()).results;

const unconfigured = "select count(*) as n from machines where configured_version < config_version";
const objects = async () => (await listDurableObjectIds(env.MACHINES)).map(String);
const objectId = (machineId: number) => String(machineObject(env, machineId).id);

/** Runs the job and makes the object flush, whose alarm may have begun by itself. */
async function configureAndSettle(machineId: number) {
  await configureMachines(env);
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
    await expect(configureMachines(env)).rejects.toThrow(`1 of 2 not configured: machine ${failing.machineId}`);
    expect(await objects()).toContain(objectId(machineId));
    await env.DB_0.prepare("delete from machines where id = ?").bind(failing.machineId).run();
  });

  it("configures a hundred machines per run, and the rest in the next", async () => {
    // Machines of earlier tests are notified, but may not have confirmed it yet.
    await eventually(async () => expect(await env.DB_0.prepare(unconfigured).first("n")).toBe(0));
    const { companyId } = await createCompany();
    await env.DB_0.prepare(
      `insert into machines (company_id, name, ref, node_id, signal, commissioned_at, created_at, updated_at)
       select ?, 'Machine', 'M-' || key, 7, 'counts', 0, 0, 0 from json_each(?)`,
    )
      .bind(companyId, JSON.stringify(Array(101).fill(0)))
      .run();
    const before = (await objects()).length;
    await configureMachines(env);
    expect(await objects()).toHaveLength(before + 100);
    await eventually(async () => expect(await env.DB_0.prepare(unconfigured).first("n")).toBe(1));
    await configureMachines(env);
    expect(await objects()).toHaveLength(before + 101);
  });
});
