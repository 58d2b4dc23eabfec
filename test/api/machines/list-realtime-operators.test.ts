import { evictDurableObject, listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call } from "../../support/call.ts";
import { eventually } from "../../support/eventually.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createMachine,
  createOperator,
  createOperatorShift,
  createShift,
  createSku,
  createUser,
} from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, ingest } from "../../support/machines.ts";
import { createRunningLine } from "../../support/running-line.ts";

const path = "/machines/realtime/operators";
const minute = 60_000;

const page = z.strictObject({
  totalItems: z.int(),
  data: z.array(
    z.strictObject({
      shift: z.string(),
      availability: z.number(),
      downtime: z.number(),
      uptime: z.number(),
      production: z.number(),
      machineName: z.string(),
      machineId: z.int(),
      sku: z.string().nullable(),
      skuId: z.string().nullable(),
      operatorName: z.string(),
      operatorId: z.int(),
    }),
  ),
});

/** Requests machines, in this order, followed by more parameters. */
async function list(token: string, machineIds: number[], more = "") {
  const answer = await call("GET", `${path}?${machineIds.map((id) => `machineId=${id}`).join("&")}${more}`, { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { ...page.parse(answer.body), headers: answer.headers };
}

/** A company with a running shift of which only the roster is known, and a reader's token. */
async function plant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "readonly");
  const shift = await createShift(companyId);
  const run = { shiftId: shift.shiftId, shiftStart: Date.now() - 60 * minute, shiftEnd: Date.now() + 60 * minute };
  const signIn = async (machineId: number, name: string, options: Parameters<typeof createOperatorShift>[1] = {}) => {
    const { operatorId } = await createOperator(companyId, { name });
    await createOperatorShift({ companyId, machineId, operatorId, ...run }, options);
    return operatorId;
  };
  return { companyId, token, shift, run, signIn };
}

describe("realtime operators", () => {
  it("shows the last flush of a machine whose object has nothing newer, in one database trip", async () => {
    const { companyId, token, shift, signIn } = await plant();
    const machine = await createMachine(companyId);
    const sku = await createSku(companyId);
    const numbers = { uptimeMs: 40 * minute, downtimeMs: 20 * minute, units: 123, skuId: sku.skuId };
    const ana = await signIn(machine.machineId, "Ana", numbers);
    const ben = await signIn(machine.machineId, "Ben");
    await list(token, [machine.machineId]);
    const { totalItems, data, headers } = await list(token, [machine.machineId]);
    const shared = { shift: shift.name, machineName: machine.name, machineId: machine.machineId };
    expect({ totalItems, data }).toEqual({
      totalItems: 2,
      data: [
        {
          ...shared,
          availability: 66.67,
          downtime: 20,
          uptime: 40,
          production: 123,
          sku: sku.name,
          skuId: sku.skuId,
          operatorName: "Ana",
          operatorId: ana,
        },
        {
          ...shared,
          availability: 0,
          downtime: 0,
          uptime: 0,
          production: 0,
          sku: null,
          skuId: null,
          operatorName: "Ben",
          operatorId: ben,
        },
      ],
    });
    expect(headers.get("server-timing")).toContain('desc="1 trip"');
  });

  it("sorts machines by name, their operators by name, and pages the operators", async () => {
    const { companyId, token, signIn } = await plant();
    const { machineId: press } = await createMachine(companyId, { name: "Press" });
    const { machineId: lathe } = await createMachine(companyId, { name: "Lathe" });
    const { machineId: secondPress } = await createMachine(companyId, { name: "Press" });
    for (const name of ["Cid", "Ana"]) await signIn(press, name);
    for (const name of ["Eva", "Ben"]) await signIn(lathe, name);
    await signIn(secondPress, "Dan");
    const machineIds = [secondPress, press, lathe];
    const names = async (more = "") => {
      const { totalItems, data } = await list(token, machineIds, more);
      expect(totalItems).toBe(5);
      return data.map((row) => `${row.machineName} ${row.operatorName}`);
    };
    const ascending = ["Lathe Ben", "Lathe Eva", "Press Ana", "Press Cid", "Press Dan"];
    const descending = ["Press Ana", "Press Cid", "Press Dan", "Lathe Ben", "Lathe Eva"];
    expect(await names()).toEqual(ascending);
    expect(await names("&direction=asc")).toEqual(ascending);
    expect(await names("&direction=desc")).toEqual(descending);
    expect(await names("&limit=2")).toEqual(ascending.slice(0, 2));
    expect(await names("&limit=2&offset=1")).toEqual(ascending.slice(1, 3));
    expect(await names("&direction=desc&limit=1000&offset=4")).toEqual(descending.slice(4));
    expect(await names("&offset=5")).toEqual([]);
  });

  it("asks the machines on the page and no others", async () => {
    const { companyId, token, signIn } = await plant();
    const { machineId: first } = await createMachine(companyId, { name: "A" });
    const { machineId: second } = await createMachine(companyId, { name: "B" });
    for (const machineId of [first, second]) await signIn(machineId, "Ana");
    await list(token, [first, second], "&limit=1");
    const awake = (await listDurableObjectIds(env.MACHINES)).map(String);
    expect(awake).toContain(String(env.MACHINES.idFromName(String(first))));
    expect(awake).not.toContain(String(env.MACHINES.idFromName(String(second))));
  });

  it("accepts lists with commas and brackets, and has each machine once", async () => {
    const { companyId, token, signIn } = await plant();
    const { machineId: a } = await createMachine(companyId);
    const { machineId: b } = await createMachine(companyId);
    for (const machineId of [a, b]) await signIn(machineId, "Ana");
    for (const query of [`machineId=${a},${b}`, `machineId[]=${a}&machineId[]=${b}`, `machineId=${a}&machineId=${b},${a}`]) {
      expect((await call("GET", `${path}?${query}`, { token })).body.totalItems, query).toBe(2);
    }
    expect((await list(token, [b])).data.map((row) => row.machineId)).toEqual([b]);
  });

  it("shows only the running shift", async () => {
    const { companyId, token, run, signIn } = await plant();
    const { machineId } = await createMachine(companyId);
    await signIn(machineId, "Yesterday", { shiftStart: run.shiftStart - 120 * minute, shiftEnd: run.shiftStart });
    await signIn(machineId, "Ended", { shiftEnd: Date.now() });
    await signIn(machineId, "Next", { shiftStart: run.shiftEnd, shiftEnd: run.shiftEnd + 60 * minute });
    await signIn(machineId, "Now");
    expect(await list(token, [machineId])).toMatchObject({ totalItems: 1, data: [{ operatorName: "Now" }] });
  });

  it("shows only machines of the caller's company; for superusers all; unknown ones have no rows", async () => {
    const mine = await plant();
    const other = await plant();
    const machines = [await createMachine(mine.companyId), await createMachine(other.companyId)];
    const machineIds = machines.map(({ machineId }) => machineId);
    await mine.signIn(machineIds[0] ?? 0, "Mine");
    await other.signIn(machineIds[1] ?? 0, "Other");
    const named = async (token: string) => {
      const { totalItems, data } = await list(token, [...machineIds, 999_999_999]);
      expect(totalItems).toBe(data.length);
      return data.map((row) => row.operatorName).sort();
    };
    expect(await named(mine.token)).toEqual(["Mine"]);
    expect(await named((await createUser(mine.companyId, "superadmin")).token)).toEqual(["Mine"]);
    expect(await named((await createUser(mine.companyId, "superuser")).token)).toEqual(["Mine", "Other"]);
    expect(await list(mine.token, [999_999_999])).toMatchObject({ totalItems: 0, data: [] });
  });

  it("names each fault of the request", async () => {
    const { token } = await plant();
    const get = (query: string) => call("GET", `${path}?${query}`, { token });
    expectProblem(await get(""), 400, "/query/machineId");
    expectProblem(await get("machineId="), 400, "/query/machineId/0");
    expectProblem(await get("machineId=1&machineId=two&machineId=-3"), 400, "/query/machineId/1", "/query/machineId/2");
    expectProblem(await get(`machineId=${Array.from({ length: 1001 }, (_, i) => i).join()}`), 400, "/query/machineId");
    expectProblem(await get("machineId=1&limit=0&offset=-1"), 400, "/query/limit", "/query/offset");
    expectProblem(await get("machineId=1&limit=1.5&offset=many"), 400, "/query/limit", "/query/offset");
    expectProblem(await get("machineId=1&limit=1001&direction=up"), 400, "/query/limit", "/query/direction");
    expect((await get("machineId=1&limit=5.0")).status).toBe(200);
  });
});

describe("realtime operators of a machine at work", () => {
  it("shows what the machine counted and how long it was stopped", async () => {
    const { companyId, machine, operator, sku, shift, startAt } = await createRunningLine();
    const { token } = await createUser(companyId, "user");
    const { data } = await list(token, [machine.id]);
    const stoodMinutes = (Date.now() - startAt) / minute - 90;
    expect(data).toMatchObject([
      {
        shift: shift.name,
        uptime: 90,
        production: 364,
        sku: sku.name,
        skuId: sku.skuId,
        operatorName: operator.name,
        operatorId: operator.operatorId,
      },
    ]);
    expect(data[0]?.downtime).toBeCloseTo(stoodMinutes, 0);
    expect(data[0]?.availability).toBeCloseTo((100 * 90) / (90 + stoodMinutes), 0);
  });

  it("includes events after the last flush, also another SKU", async () => {
    const { companyId, machine, gatewayToken } = await createRunningLine();
    const { token } = await createUser(companyId, "user");
    const next = await createSku(companyId);
    const now = Date.now();
    await ingest(gatewayToken, [
      { type: "sku", at: new Date(now - 1000).toISOString(), machineId: machine.id, skuId: next.skuId },
      countAt(machine.nodeId, now - 1000, 5),
    ]);
    await list(token, [machine.id]);
    const { data, headers } = await list(token, [machine.id]);
    expect(data).toMatchObject([{ production: 369, sku: next.name, skuId: next.skuId }]);
    expect(headers.get("server-timing")).toContain('desc="2 trips"');
  });

  it("falls back to the last flush when the machine is too slow", async () => {
    const { companyId, machine, gatewayToken } = await createRunningLine();
    const { token } = await createUser(companyId, "user");
    await ingest(gatewayToken, [countAt(machine.nodeId, Date.now(), 5)]);
    let [isBusy, hasAnswer] = [false, false];
    const busy = runInDurableObject(machineObject(env, machine.id), (_, ctx) =>
      ctx.blockConcurrencyWhile(async () => {
        isBusy = true;
        while (!hasAnswer) await scheduler.wait(20);
      }),
    );
    await eventually(() => expect(isBusy).toBe(true));
    const startedAt = Date.now();
    const { data } = await list(token, [machine.id]);
    hasAnswer = true;
    expect(Date.now() - startedAt, "ms").toBeGreaterThan(900);
    expect(data).toMatchObject([{ production: 364 }]);
    await busy;
    expect((await list(token, [machine.id])).data).toMatchObject([{ production: 369 }]);
  });

  it("falls back to the last flush when the machine fails", async () => {
    const { companyId, machine, gatewayToken } = await createRunningLine();
    const { token } = await createUser(companyId, "user");
    await ingest(gatewayToken, [countAt(machine.nodeId, Date.now(), 5)]);
    const object = machineObject(env, machine.id);
    // An object that has taken a breaking step of a later version refuses to start.
    const taken = "INSERT INTO migrations VALUES ('9999_later!', '')";
    await runInDurableObject(object, (_, { storage }) => storage.sql.exec(taken).toArray());
    await evictDurableObject(object);
    expect((await list(token, [machine.id])).data).toMatchObject([{ production: 364 }]);
    // Its alarm would go on failing, and logging that, during other tests.
    await runInDurableObject(object, (_, { storage }) => {
      storage.sql.exec("DELETE FROM migrations WHERE id = '9999_later!'");
    });
  });
});
