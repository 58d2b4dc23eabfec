import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { roles } from "../../../../src/db/schema.ts";
import { call } from "../../../support/call.ts";
import { eventually } from "../../../support/eventually.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import {
  createCompany,
  createMachine,
  createOperator,
  createOperatorPlan,
  createShift,
  createUser,
} from "../../../support/factories.ts";
import { machineObject } from "../../../support/machine-object.ts";
import { overtakenBy } from "../../../support/overtaken.ts";

const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
const future = () => ({ since: Date.now() + hour, until: Date.now() + 2 * hour });
const past = () => ({ since: Date.now() - 2 * hour, until: Date.now() - hour });

async function newPlanner(role: (typeof roles)[number] = "user") {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, role);
  const put = (id: string, body: unknown, via?: ReturnType<typeof overtakenBy>) =>
    call("PUT", `/operator-plan/${id}`, { token, body, ...(via && { via }) });
  return { companyId, put };
}

const stored = (id: string) => env.DB_0.prepare("select title, since, until from operator_plans where id = ?").bind(id).first();
const versions = (machineId: number) =>
  env.DB_0.prepare("select config_version, configured_version from machines where id = ?").bind(machineId).first();

describe("an Active plan", () => {
  it("can get a new end, in the contract's shape", async () => {
    const { companyId, put } = await newPlanner("readonly");
    const [machine, another] = [await createMachine(companyId), await createMachine(companyId)];
    const { shiftId } = await createShift(companyId);
    const [{ operatorId }, second] = [await createOperator(companyId), await createOperator(companyId)];
    const assignments = [
      { machineId: machine.id, shiftId, operatorId },
      { machineId: another.id, shiftId, operatorId },
      { machineId: another.id, shiftId, operatorId: second.operatorId },
      { machineId: another.id, shiftId: (await createShift(companyId)).shiftId, operatorId: second.operatorId },
    ];
    const plan = await createOperatorPlan(companyId, { fileId: "file-1", assignments });
    await put(plan.id, {});
    const until = Date.now() + 5 * hour;
    const { status, body } = await put(plan.id, { until: new Date(until).toISOString(), status: "past", more: 1 });
    expect({ status, body }).toStrictEqual({
      status: 200,
      body: {
        id: plan.id,
        fileId: "file-1",
        title: plan.title,
        since: new Date(plan.since).toISOString(),
        until: new Date(until).toISOString(),
        status: "Active",
        operatorCount: 2,
        machineCount: 2,
      },
    });
    expect(await stored(plan.id)).toEqual({ title: plan.title, since: plan.since, until });
  });

  it("keeps everything else: a title or a beginning is a conflict, also together with an end", async () => {
    const { companyId, put } = await newPlanner();
    const plan = await createOperatorPlan(companyId);
    const before = await stored(plan.id);
    const until = inHours(5);
    expectProblem(await put(plan.id, { title: "Other", until }), 409, "/title");
    expectProblem(await put(plan.id, { title: plan.title, since: inHours(-1), until }), 409, "/title", "/since");
    expectProblem(await put(plan.id, { since: inHours(2) }), 409, "/since");
    expect(await stored(plan.id)).toEqual(before);
  });

  it("cannot end before now", async () => {
    const { companyId, put } = await newPlanner();
    const plan = await createOperatorPlan(companyId);
    for (const until of [new Date().toISOString(), inHours(-0.5), inHours(-5), "0000-01-01T00:00:00Z"]) {
      expectProblem(await put(plan.id, { until }), 400, "/until");
    }
    expect(await stored(plan.id)).toMatchObject({ until: plan.until });
  });

  it("notifies the machines whose set-up it changes", async () => {
    const { companyId, put } = await newPlanner();
    const { shiftId } = await createShift(companyId, { start: "00:00", end: "00:00" });
    const { operatorId } = await createOperator(companyId);
    const [planned, other] = [await createMachine(companyId), await createMachine(companyId)];
    const deleted = await createMachine(companyId, { deletedAt: Date.now() });
    const assignments = [planned, deleted].map(({ machineId }) => ({ machineId, shiftId, operatorId }));
    const plan = await createOperatorPlan(companyId, { assignments });

    expectProblem(await put(plan.id, { title: "Other" }), 409);
    expect(await versions(planned.machineId)).toEqual({ config_version: 1, configured_version: 0 });

    expect((await put(plan.id, { until: inHours(5) })).status).toBe(200);
    expect(await versions(planned.machineId)).toMatchObject({ config_version: 2 });
    await eventually(async () => {
      await runDurableObjectAlarm(machineObject(env, planned.machineId));
      expect(await versions(planned.machineId)).toEqual({ config_version: 2, configured_version: 2 });
    });
    expect(await versions(other.machineId)).toEqual({ config_version: 1, configured_version: 0 });
    expect(await versions(deleted.machineId)).toEqual({ config_version: 1, configured_version: 0 });
  });
});

describe("a future plan", () => {
  it("can get a title, a beginning and an end, separately or together", async () => {
    const { companyId, put } = await newPlanner();
    const plan = await createOperatorPlan(companyId, future());
    const renamed = await put(plan.id, { title: "Spring" });
    expect(renamed).toMatchObject({
      status: 200,
      body: { title: "Spring", status: "future", operatorCount: 0, machineCount: 0 },
    });
    expect(renamed.body.fileId).toBeNull();
    const later = { title: "Summer", since: inHours(10), until: inHours(20) };
    expect(await put(plan.id, later)).toMatchObject({ status: 200, body: { ...later, status: "future" } });
    const earlier = { since: inHours(5) };
    expect(await put(plan.id, earlier)).toMatchObject({ status: 200, body: { ...later, ...earlier } });
    const shorter = "2100-01-01T01:00:00+01:00";
    expect(await put(plan.id, { until: shorter })).toMatchObject({ status: 200, body: { until: "2100-01-01T00:00:00.000Z" } });
  });

  it("may get a beginning before now, and is Active then", async () => {
    const { companyId, put } = await newPlanner();
    const plan = await createOperatorPlan(companyId, future());
    expect(await put(plan.id, { since: inHours(-1) })).toMatchObject({ status: 200, body: { status: "Active" } });
    expectProblem(await put(plan.id, { since: inHours(1) }), 409, "/since");
  });

  it("must end after its beginning", async () => {
    const { companyId, put } = await newPlanner();
    const plan = await createOperatorPlan(companyId, future());
    expectProblem(await put(plan.id, { until: new Date(plan.since).toISOString() }), 400, "/until");
    expectProblem(await put(plan.id, { until: inHours(0.5) }), 400, "/until");
    expectProblem(await put(plan.id, { since: new Date(plan.until).toISOString() }), 400, "/since");
    expectProblem(await put(plan.id, { since: inHours(8), until: inHours(7) }), 400, "/until");
    expect(await stored(plan.id)).toEqual({ title: plan.title, since: plan.since, until: plan.until });
  });
});

describe("a past plan", () => {
  it("cannot be changed", async () => {
    const { companyId, put } = await newPlanner();
    const plan = await createOperatorPlan(companyId, past());
    for (const body of [
      { until: inHours(1) },
      { title: "Other" },
      { since: inHours(-3) },
      { since: inHours(1), until: inHours(2) },
    ]) {
      expectProblem(await put(plan.id, body), 409);
    }
    expect(await stored(plan.id)).toEqual({ title: plan.title, since: plan.since, until: plan.until });
  });
});

describe("a plan that does not exist", () => {
  it("is a 404: unknown, deleted, another company's", async () => {
    const { companyId, put } = await newPlanner("superadmin");
    const deleted = await createOperatorPlan(companyId, { deletedAt: Date.now() });
    const foreign = await createOperatorPlan((await createCompany()).companyId);
    const until = inHours(5);
    for (const id of [crypto.randomUUID(), deleted.id, foreign.id, "1%20or%201"]) {
      expectProblem(await put(id, { until }), 404);
      expectProblem(await put(id, { title: "Other" }), 404);
    }
    expect(await stored(foreign.id)).toMatchObject({ until: foreign.until });
    const superuser = await newPlanner("superuser");
    expect((await superuser.put(foreign.id, { until })).status).toBe(200);
  });
});

describe("bad input", () => {
  it("is named", async () => {
    const { companyId, put } = await newPlanner();
    const plan = await createOperatorPlan(companyId, future());
    const until = inHours(3);
    const faulty: [string, object][] = [
      ["/until", {}],
      ["/until", { status: "past" }],
      ["/until", { until: null }],
      ["/until", { until: 1e15 }],
      ["/until", { until: "tomorrow" }],
      ["/until", { until: "2100-02-30T00:00:00Z" }],
      ["/until", { until: "2100-01-01" }],
      ["/since", { since: "", until }],
      ["/title", { title: "", until }],
      ["/title", { title: "t".repeat(201), until }],
      ["/title", { title: "a\0", until }],
      ["/title", { title: "\udc00", until }],
      ["/title", { title: ["a"], until }],
    ];
    for (const [pointer, body] of faulty) expectProblem(await put(plan.id, body), 400, pointer);
    for (const body of ["", "{", "[]", "3"]) expectProblem(await put(plan.id, body), 400, "");
    expectProblem(await put("a".repeat(101), { until }), 400, "/path/id");
    expectProblem(await put("%00", { until }), 400, "/path/id");
    expect(await stored(plan.id)).toEqual({ title: plan.title, since: plan.since, until: plan.until });
  });
});

describe("requests at the same time", () => {
  it("store one of the requested ends, and count every change", async () => {
    const { companyId, put } = await newPlanner();
    const { machineId } = await createMachine(companyId);
    const assignment = { machineId, ...(await createShift(companyId)), ...(await createOperator(companyId)) };
    const { shiftId, operatorId } = assignment;
    const plan = await createOperatorPlan(companyId, { ...future(), assignments: [{ machineId, shiftId, operatorId }] });
    const ends = [3, 4, 5, 6].map(inHours);
    const answers = await Promise.all(ends.map((until) => put(plan.id, { until })));
    expect(answers.map(({ status, body }) => [status, body.until])).toEqual(ends.map((until) => [200, until]));
    expect(ends).toContain(new Date(Number((await stored(plan.id))?.until)).toISOString());
    expect(await versions(machineId)).toMatchObject({ config_version: 5 });
  });

  it("are decided again after the other one", async () => {
    const { companyId, put } = await newPlanner();
    const plan = await createOperatorPlan(companyId, future());
    const [later, title] = [inHours(7), "Overtaken"];
    const both = await put(
      plan.id,
      { title },
      overtakenBy(() => put(plan.id, { until: later })),
    );
    expect(both).toMatchObject({ status: 200, body: { title, until: later } });
    const begins = () => put(plan.id, { since: inHours(-1) });
    expectProblem(await put(plan.id, { title: "Too late" }, overtakenBy(begins)), 409, "/title");
    expect(await stored(plan.id)).toMatchObject({ title, until: Date.parse(later) });
  });

  it("begin a plan once: later ones find it Active", async () => {
    const { companyId, put } = await newPlanner();
    const plan = await createOperatorPlan(companyId, future());
    const answers = await Promise.all(
      [-1, -2, -3].map((hours) => put(plan.id, { since: inHours(hours), title: `Plan ${hours}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await stored(plan.id)).toMatchObject({ title: winner?.body.title, since: Date.parse(winner?.body.since) });
  });
});
