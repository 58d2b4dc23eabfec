import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it, vi } from "vitest";
import * as schema from "../../../src/db/schema.ts";
import { auditEntries } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createGatewayToken,
  createOperator,
  createSku,
  createUser,
  createWorkOrder,
} from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { addTarget } from "../../support/work-orders.ts";

stopClockAtNoon();

const iso = (at: number) => new Date(at).toISOString();

async function createFloor() {
  const { companyId, machine } = await createLine({ commissionedAt: NOON - 100 * HOUR });
  const user = await createUser(companyId, "user");
  const [ann, zoe] = [await createOperator(companyId), await createOperator(companyId)];
  const sku = await createSku(companyId);
  const post = (what: string, body: object, headers: Record<string, string> = {}, token = user.token) =>
    call("POST", `/v1/machines/${machine.id}/${what}`, { token, body, headers });
  const state = async () => (await call("GET", `/v1/machines/${machine.id}/state`, { token: user.token })).body;
  return { companyId, machine, user, ann: ann.operatorId, zoe: zoe.operatorId, skuId: sku.skuId, post, state };
}

describe("operators", () => {
  it("are signed in and out as by ingested events; repeats change nothing", async () => {
    const { machine, ann, zoe, post, state } = await createFloor();
    const first = await post("sign-in", { operatorId: ann, at: iso(NOON - HOUR) });
    const nothing = { machineId: machine.id, skuId: null, workOrderId: null };
    const annIsIn = { id: ann, since: iso(NOON - HOUR) };
    expect(first).toMatchObject({ status: 200, body: { ...nothing, isChanged: true, operators: [annIsIn] } });
    expect((await post("sign-in", { operatorId: ann })).body).toEqual({ ...nothing, isChanged: false, operators: [annIsIn] });
    const both = (await post("sign-in", { operatorId: zoe })).body;
    expect(both).toEqual({ ...nothing, isChanged: true, operators: [annIsIn, { id: zoe, since: iso(NOON) }] });
    expect((await state()).operators.map(({ id }: { id: number }) => id).sort()).toEqual([ann, zoe].sort());

    expect((await post("sign-out", { operatorId: ann })).body.operators).toEqual([{ id: zoe, since: iso(NOON) }]);
    const again = await post("sign-out", { operatorId: ann, at: iso(NOON - SECOND) });
    expect(again.body).toMatchObject({ isChanged: false, operators: [{ id: zoe }] });
  });

  it("are not signed in again by the same Idempotency-Key, even if its first answer was lost", async () => {
    const { companyId, machine, ann, post, state } = await createFloor();
    const key = { "idempotency-key": "tablet-1" };
    const first = await post("sign-in", { operatorId: ann }, key);
    expect((await post("sign-in", { operatorId: ann }, key)).headers.get("idempotent-replayed")).toBe("true");
    expectProblem(await post("sign-in", { operatorId: ann + 1 }, key), 409);
    await post("sign-out", { operatorId: ann });
    await env.DB_0.prepare("delete from idempotency_keys where key = 'tablet-1'").run();
    const late = await post("sign-in", { operatorId: ann }, key);
    expect([first.body.isChanged, late.body.isChanged]).toEqual([true, true]);
    expect((await state()).operators).toEqual([]);

    await flushMachine(machine.id);
    const entries = (await auditEntries({ companyId })).filter(({ objectType }) => objectType === "operator");
    expect(entries.map(({ action, objectId }) => [action, Number(objectId)]).sort()).toEqual([
      ["operator.sign-in", ann],
      ["operator.sign-out", ann],
    ]);
    expect(entries.find(({ action }) => action === "operator.sign-in")?.after).toEqual({
      machineId: machine.id,
      operatorId: ann,
      action: "in",
      at: iso(NOON),
    });
  });
});

describe("an operator who is deleted", () => {
  it("is signed out everywhere, and makes nothing from then on; a sign-out is still accepted, a sign-in is not", async () => {
    const { companyId, machine, ann, zoe, post, state } = await createFloor();
    const admin = await createUser(companyId, "admin");
    const { token } = await createGatewayToken(companyId);
    for (const operatorId of [ann, zoe]) await post("sign-in", { operatorId, at: iso(NOON - HOUR) });
    await ingest(token, [countAt(machine.nodeId, NOON - MINUTE, 4)]);
    await call("DELETE", `/v1/operators/${ann}`, { token: admin.token });
    await eventually(async () => expect((await state()).operators.map(({ id }: { id: number }) => id)).toEqual([zoe]));
    const out = { type: "operator", at: iso(NOON + SECOND), machineId: machine.id, operatorId: ann };
    const { accepted, rejected } = await ingest(token, [
      { ...out, action: "out" },
      { ...out, action: "in" },
      countAt(machine.nodeId, NOON + 2 * SECOND, 40),
    ]);
    expect([accepted, rejected.map(({ code }: { code: string }) => code)]).toEqual([2, ["unknown_operator"]]);
    expect((await post("sign-out", { operatorId: ann })).status).toBe(200);
    vi.setSystemTime(NOON + MINUTE);
    await flushMachine(machine.id);
    const { body } = await call("GET", `/machines/realtime/operators?machineId=${machine.id}`, { token: admin.token });
    const made = body.data.map((row: { operatorId: number; production: number }) => [row.operatorId, row.production]);
    expect(new Map(made)).toEqual(
      new Map([
        [ann, 4],
        [zoe, 44],
      ]),
    );
  });

  it("is credited by no plan any more", async () => {
    const { companyId, machine, ann } = await createFloor();
    const admin = await createUser(companyId, "admin");
    const { token } = await createGatewayToken(companyId);
    const [shift] = (await call("GET", "/v1/shifts", { token: admin.token })).body.data;
    const plan = { id: crypto.randomUUID(), companyId, title: "Day", since: NOON - 48 * HOUR, until: NOON + 48 * HOUR };
    const db = drizzle(env.DB_0);
    await db.insert(schema.operatorPlans).values({ ...plan, createdAt: 0, updatedAt: 0 });
    const assignment = { planId: plan.id, machineId: machine.id, shiftId: shift.id, operatorId: ann };
    await db.insert(schema.operatorPlanAssignments).values(assignment);
    await ingest(token, [countAt(machine.nodeId, NOON - MINUTE, 4)]);
    await call("DELETE", `/v1/operators/${ann}`, { token: admin.token });
    await eventually(async () => {
      const { v } = (await env.DB_0.prepare("select configured_version >= config_version as v from machines where id = ?")
        .bind(machine.id)
        .first<{ v: number }>()) ?? { v: 0 };
      await flushMachine(machine.id);
      expect(v).toBe(1);
    });
    vi.setSystemTime(NOON + MINUTE);
    await ingest(token, [countAt(machine.nodeId, NOON + MINUTE, 40)]);
    const { body } = await call("GET", `/machines/realtime/operators?machineId=${machine.id}`, { token: admin.token });
    expect(body.data.map((row: { production: number }) => row.production)).toEqual([4]);
  });
});

it("an operator is found by the code of a badge", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "user");
  const [ann] = [await createOperator(companyId), await createOperator(companyId)];
  const find = async (code: string) => (await call("GET", `/v1/operators?code=${code}`, { token })).body.data;
  expect(await find(ann.code)).toMatchObject([{ id: ann.operatorId, code: ann.code }]);
  expect(await find("nobody")).toEqual([]);
});

describe("a run", () => {
  it("sets what is made and for which order, until the next one", async () => {
    const { companyId, machine, skuId, post, state } = await createFloor();
    const { workOrderId } = await createWorkOrder({ id: machine.id, companyId }, skuId);
    const started = await post("run", { skuId, workOrderId, at: iso(NOON - MINUTE) });
    expect(started).toMatchObject({ status: 200, body: { isChanged: true, skuId, workOrderId, operators: [] } });
    const again = await post("run", { skuId, workOrderId, at: iso(NOON - SECOND) });
    expect(again.body).toMatchObject({ isChanged: false, skuId, workOrderId });
    expect(await state()).toMatchObject({ sku: { id: skuId }, workOrderId });
    const next = await createSku(companyId);
    expect((await post("run", { skuId: next.skuId })).body).toMatchObject({
      isChanged: true,
      skuId: next.skuId,
      workOrderId: null,
    });
  });

  it.each(["Completed", "Cancelled"] as const)(
    "is refused for an order that is %s; an ingested one is stored, warned of, and counts for no order",
    async (status) => {
      const { companyId, machine, skuId, post, state } = await createFloor();
      const { token } = await createGatewayToken(companyId);
      const { workOrderId } = await createWorkOrder({ id: machine.id, companyId }, skuId, { status });
      expectProblem(await post("run", { skuId, workOrderId }), 409);
      expect(await state()).toMatchObject({ sku: null, workOrderId: null });
      const event = { type: "sku", at: iso(NOON - MINUTE), machineId: machine.id, skuId, workOrderId };
      const warned = { machineId: machine.id, code: "work_order_closed" };
      for (const [accepted, duplicates] of [
        [1, 0],
        [0, 1],
      ]) {
        const answer = await ingest(token, [event]);
        expect(answer).toMatchObject({ accepted, duplicates, rejected: [] });
        expect(answer.warnings).toContainEqual(expect.objectContaining(warned));
      }
      expect(await state()).toMatchObject({ sku: { id: skuId }, workOrderId: null });
      await env.DB_0.prepare("update work_orders set status = 'InProgress' where id = ?").bind(workOrderId).run();
      expect((await ingest(token, [event])).duplicates).toBe(1);
      expect((await post("run", { skuId, workOrderId })).status).toBe(200);
    },
  );

  it("is refused if a member names an SKU or an order that the machine cannot make", async () => {
    const { companyId, machine, skuId, post, state } = await createFloor();
    const other = await createFloor();
    const { workOrderId } = await createWorkOrder({ id: machine.id, companyId }, skuId);
    const { skuId: untargeted } = await createSku(companyId);
    const theirs = await createWorkOrder({ id: other.machine.id, companyId: other.companyId }, other.skuId);
    expectProblem(await post("run", { skuId: other.skuId }), 400, "/skuId");
    expectProblem(await post("run", { skuId, workOrderId: theirs.workOrderId }), 400, "/workOrderId");
    expectProblem(await post("run", { skuId, workOrderId: "none" }), 400, "/workOrderId");
    expectProblem(await post("run", { skuId: untargeted, workOrderId }), 400, "/skuId");
    await addTarget(workOrderId, untargeted);
    expect((await post("run", { skuId: untargeted, workOrderId })).status).toBe(200);
    expectProblem(await post("run", {}), 400, "/skuId");
    expect((await state()).sku.id).toBe(untargeted);
  });
});

describe("a report from the shop floor", () => {
  it("is refused for another company's machine or operator, and not stored", async () => {
    const [own, other] = [await createFloor(), await createFloor()];
    expectProblem(await own.post("sign-in", { operatorId: other.ann }), 400, "/operatorId");
    expectProblem(await own.post("sign-in", { operatorId: own.ann }, {}, other.user.token), 404);
    expectProblem(await call("POST", "/v1/machines/999999999/run", { token: own.user.token, body: { skuId: own.skuId } }), 404);
    expect(await machineObject(env, own.machine.id).state()).toMatchObject({ signedIn: [], skuId: null });
    const superuser = await createUser((await createCompany()).companyId, "superuser");
    expect((await own.post("sign-in", { operatorId: own.ann }, {}, superuser.token)).status).toBe(200);
  });

  it("is refused if it is in the future, more than 48 h old, or from before the commissioning", async () => {
    const { ann, post, state } = await createFloor();
    const at = async (instant: number) => {
      const answer = await post("sign-in", { operatorId: ann, at: iso(instant) });
      return answer.status === 200
        ? 200
        : answer.body.errors.map((one: { pointer: string; code: string }) => one.pointer + one.code);
    };
    expect(await at(NOON + 5 * MINUTE + 1)).toEqual(["/atin_future"]);
    expect(await at(NOON - 48 * HOUR - 1)).toEqual(["/attoo_late"]);
    expect((await state()).operators).toEqual([]);
    expect(await at(NOON - 48 * HOUR)).toBe(200);
    // That shift has ended, and with it the sign-in. An instant slightly in the future means now.
    expect((await state()).operators).toEqual([]);
    expect(await at(NOON + 5 * MINUTE)).toBe(200);
    expect((await state()).operators).toMatchObject([{ id: ann, since: iso(NOON) }]);
    const young = await createLine({ commissionedAt: NOON - HOUR });
    const { token } = await createUser(young.companyId, "user");
    const { operatorId } = await createOperator(young.companyId);
    const early = { operatorId, at: iso(NOON - 2 * HOUR) };
    expectProblem(await call("POST", `/v1/machines/${young.machine.id}/sign-in`, { token, body: early }), 400, "/at");
  });
});
