import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { configureDue } from "../../src/jobs/configure-machines.ts";
import { configureMachines } from "../../src/objects/notify-machines.ts";
import { createCompany } from "../support/factories.ts";
import { confirmAllMachines, flushMachine, recordsOf, republish, stopsOf } from "../support/machines.ts";
import { createRunningLine } from "../support/running-line.ts";

beforeAll(confirmAllMachines);

const published = async (machineId: number) => {
  const withoutRevision = <Row extends { revision: number }>({ revision, ...row }: Row) => row;
  return { records: (await recordsOf(machineId)).map(withoutRevision), stops: (await stopsOf(machineId)).map(withoutRevision) };
};

it("republishing restores rows that D1 lost or that differ", async () => {
  const { machine } = await createRunningLine();
  const before = await published(machine.id);
  expect(before.records[0]?.totalUnits).toBeGreaterThan(0);
  expect(before.stops.length).toBeGreaterThan(1);
  const ofMachine = `where machine_id = ${machine.id}`;
  await env.DB_0.batch([
    env.DB_0.prepare(`delete from stops ${ofMachine} and slice_end is not null`),
    // As if the object had been restored to a state before what it sent.
    env.DB_0.prepare(`update stops set revision = revision + 1000, is_programmed = 1 ${ofMachine}`),
    env.DB_0.prepare(`update shift_records set revision = revision + 1000, total_units = 0 ${ofMachine}`),
    env.DB_0.prepare(`update machines set config_version = 1, configured_version = 1 where id = ${machine.id}`),
  ]);
  await configureDue(env);
  await flushMachine(machine.id);
  expect(await published(machine.id)).not.toEqual(before);
  await republish(machine.id);
  await flushMachine(machine.id);
  expect(await published(machine.id)).toEqual(before);
});

it("a machine of another company does not receive the data of the object with its id", async () => {
  const { machine } = await createRunningLine();
  const other = await createCompany();
  await env.DB_0.prepare("update machines set company_id = ?, config_version = config_version + 1 where id = ?")
    .bind(other.companyId, machine.id)
    .run();
  const failures = await configureMachines(env, other.companyId, [machine.id]);
  expect(failures).toEqual([expect.stringContaining("was another company's")]);
});
