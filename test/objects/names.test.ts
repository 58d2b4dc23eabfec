import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { configOf } from "../../src/core/config.ts";
import type { Jurisdiction } from "../../src/db/values.ts";
import { hubOf } from "../../src/objects/hubs.ts";
import { callMachine, callMachines } from "../../src/objects/machines.ts";
import { healthObject } from "../../src/objects/watchdog.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createMachine, createOperator, createUser } from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { eventsIn } from "../support/object-storage.ts";
import { serviceWith } from "../support/service.ts";

/** A service's bindings whose namespaces have jurisdictions, and the objects that were asked for in them. */
function bindingsIn(jurisdiction: Jurisdiction | "") {
  const asked: string[] = [];
  const objects = (binding: string, place: string) => ({
    jurisdiction: (name: string) => objects(binding, name),
    getByName(name: string) {
      asked.push(`${binding} ${place} ${name}`);
      return { configure: async () => true, snapshot: async () => null, health: async () => ({}) };
    },
  });
  const own = { MACHINES: objects("machine", "anywhere"), HUBS: objects("hub", "anywhere"), DB_0_JURISDICTION: jurisdiction };
  return { asked, bindings: { ...env, ...own } as unknown as Env };
}

/** A company with a machine that has the jurisdiction of another database, as in a copy of a deployment's data. */
async function copied() {
  const { companyId } = await createCompany();
  await env.DB_0.prepare("UPDATE companies SET jurisdiction = 'eu' WHERE id = ?").bind(companyId).run();
  const machine = await createMachine(companyId);
  return { companyId, machine, admin: await createUser(companyId, "superadmin") };
}

it("asks for a company's objects in the jurisdiction of its database, and for the health object anywhere", async () => {
  const { asked, bindings } = bindingsIn("eu");
  await callMachine(bindings, 7, (machine) => machine.configure(0));
  await callMachines(bindings, [8], 1000, (machine) => machine.configure(0));
  await hubOf(bindings, 3).snapshot({ machineIds: null, lineIds: null });
  await healthObject(bindings).health();
  expect(asked).toEqual(["machine eu 7", "machine eu 8", "hub eu 3", "machine anywhere health"]);
});

it("asks for the objects that there always were without a jurisdiction", async () => {
  const { asked, bindings } = bindingsIn("");
  await callMachine(bindings, 7, (machine) => machine.configure(0));
  await hubOf(bindings, 3).snapshot({ machineIds: null, lineIds: null });
  expect(asked).toEqual(["machine anywhere 7", "hub anywhere 3"]);
});

it("refuses a jurisdiction that Cloudflare does not have, as all that is wrong in the settings", () => {
  expect(() => configOf({ ...env, DB_0_JURISDICTION: "EU" })).toThrow("DB_0_JURISDICTION");
});

it("says which jurisdiction the runtime does not have", async () => {
  const { companyId } = await createCompany();
  const machine = await createMachine(companyId);
  const { token } = await createUser(companyId, "admin");
  const via = serviceWith({ DB_0_JURISDICTION: "eu" });
  for (const path of [`/v1/machines/${machine.id}/state`, "/v1/state", "/v1/live"]) {
    const answer = await call("GET", path, { token, via });
    expectProblem(answer, 503);
    expect(answer.body.detail).toMatch(/^The runtime does not have the jurisdiction eu \(.*not implemented.*\)/);
  }
});

it("a company with a jurisdiction is refused by name on a service whose database has none, whoever asks", async () => {
  const { companyId, machine, admin } = await copied();
  const { operatorId } = await createOperator(companyId);
  const superuser = await createUser((await createCompany()).companyId, "superuser");
  const event = { type: "operator", operatorId, action: "in", at: new Date().toISOString(), machineId: machine.id };
  const requests: [string, string, unknown?][] = [
    ["GET", `/v1/machines/${machine.id}/state`],
    ["GET", `/v1/state?companyId=${companyId}`],
    ["GET", `/v1/live?companyId=${companyId}`],
    ["PATCH", `/v1/machines/${machine.id}`, { commissionedAt: "2026-01-01T00:00:00Z" }],
    ["POST", `/v1/machines/${machine.id}/sign-in`, { operatorId }],
    ["POST", "/v1/ingest", { companyId, events: [event] }],
  ];
  for (const { token } of [admin, superuser]) {
    for (const [method, path, body] of requests) {
      const answer = await call(method, path, { token, body });
      expectProblem(answer, 503);
      expect(answer.body.detail, path).toContain(
        `Company ${companyId} has the jurisdiction eu, and the database none (DB_0_JURISDICTION)`,
      );
    }
  }
  // The object still does not know which machine it is: no event, no alarm.
  await runInDurableObject(machineObject(env, machine.id), async (_, { storage }) => {
    expect([eventsIn(storage), await storage.getAlarm()]).toEqual([[], null]);
  });
});

it("the hub of a company that is out of reach says so, even if there is no machine to watch", async () => {
  const { companyId, machine, admin } = await copied();
  await env.DB_0.prepare("UPDATE machines SET deleted_at = 1 WHERE id = ?").bind(machine.id).run();
  const answer = await call("GET", "/v1/live", { token: admin.token });
  expectProblem(answer, 503);
  expect(answer.body.detail).toContain(`Company ${companyId} has the jurisdiction eu`);
});

it("a list over several companies leaves out the numbers of one that is out of reach", async () => {
  const { machine } = await copied();
  const other = await createMachine((await createCompany()).companyId);
  const answers = await callMachines(env, [machine.id, other.id], 5000, (one) => one.overview());
  expect([...answers.keys()]).toEqual([other.id]);
});
