import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it, vi } from "vitest";
import { type EventType, events } from "../../../../src/db/schema.ts";
import { catalogue } from "../../../../src/events/catalogue.ts";
import type { NewEvent } from "../../../../src/events/event.ts";
import { insertEvents } from "../../../../src/events/queries.ts";
import { call } from "../../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../../support/clock.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createMachine, createSku, createUser, createWorkOrder } from "../../../support/factories.ts";
import { doJob } from "../../../support/jobs.ts";
import { countAt, createLine, flushMachine, ingest } from "../../../support/machines.ts";
import { createOrderPlant } from "../../../support/work-orders.ts";

stopClockAtNoon();
const db = drizzle(env.DB_0);

interface Listed {
  id: string;
  type: EventType;
  timestamp: string;
  data: Record<string, unknown>;
  url: string | null;
}

const noData = (companyId: number, machineId: number, n: number): NewEvent => ({
  ...{ id: `machine.no_data:${machineId}:${n}`, companyId, machineId, type: "machine.no_data", at: NOON + n * MINUTE },
  data: { machineId, machineName: null, lineId: null, lineName: null, since: new Date(NOON + n * MINUTE).toISOString() },
});

async function plant() {
  const { companyId } = await createCompany();
  const [press, saw] = [await createMachine(companyId), await createMachine(companyId)];
  const { token } = await createUser(companyId, "readonly");
  const ask = (query = "") => call("GET", `/v1/events${query}`, { token });
  const idsOf = async (query = "") => ((await ask(query)).body.data as Listed[]).map(({ id }) => id);
  return { companyId, press, saw, token, ask, idsOf };
}

describe("the list of events", () => {
  it("has each event with its names in the order of dispatch, page by page or after a known event", async () => {
    const { companyId, press, saw, ask, idsOf } = await plant();
    const rows = [4, 2, 3, 1].map((n) => noData(companyId, n % 2 === 0 ? press.id : saw.id, n));
    await insertEvents(db as never, rows.slice(0, 2), NOON);
    // Events that already exist stay where they are.
    await insertEvents(db as never, rows, NOON);
    const ids = rows.map(({ id }) => id);
    expect(await idsOf()).toEqual(ids);
    expect(await idsOf("?sort=-seq")).toEqual(ids.toReversed());
    const [first] = (await ask()).body.data as Listed[];
    expect(first).toEqual({
      ...{ id: ids[0], type: "machine.no_data", timestamp: new Date(NOON + 4 * MINUTE).toISOString(), url: null },
      data: { ...rows[0]?.data, machineName: press.name },
    });
    const page = (await ask("?limit=3")).body;
    expect(page.data.map(({ id }: Listed) => id)).toEqual(ids.slice(0, 3));
    expect(await idsOf(`?limit=3&cursor=${page.cursor}`)).toEqual(ids.slice(3));
    expect(await idsOf(`?after=${ids[2]}`)).toEqual(ids.slice(3));
    expect(await idsOf(`?after=${ids[3]}`)).toEqual([]);
    expect(await idsOf(`?machineIds=${press.id}`)).toEqual(ids.slice(0, 2));
    expect(await idsOf("?types=stop.opened")).toEqual([]);
    const [from, to] = [NOON + 2 * MINUTE, NOON + 4 * MINUTE].map((at) => new Date(at).toISOString());
    expect(await idsOf(`?from=${from}&to=${to}`)).toEqual([ids[1], ids[2]]);
  });

  it("refuses unknown filters and ids, and shows no events of other companies", async () => {
    const { ask, idsOf } = await plant();
    const other = await plant();
    await insertEvents(db as never, [noData(other.companyId, other.press.id, 1)], NOON);
    expect(await idsOf()).toEqual([]);
    expectProblem(await ask(`?after=machine.no_data:${other.press.id}:1`), 400, "/query/after");
    expectProblem(await ask("?types=stop.exploded"), 400);
    expectProblem(await ask(`?machineIds=${other.press.id}`), 404);
    await insertEvents(
      db as never,
      [1, 2].map((n) => noData(other.companyId, other.saw.id, n)),
      NOON,
    );
    const { cursor } = (await other.ask("?limit=1")).body;
    expectProblem(await other.ask(`?sort=-seq&cursor=${cursor}`), 400, "/query/cursor");
  });
});

/** The events sent to a company, each checked against the catalogue. */
async function eventsFor(token: string): Promise<Listed[]> {
  const { data } = (await call("GET", "/v1/events?limit=500", { token })).body as { data: Listed[] };
  for (const one of data) catalogue[one.type].data.parse(one.data);
  return data;
}

describe("work orders", () => {
  it("cause one event when they are created, started and completed", async () => {
    const { first, bolt, token } = await createOrderPlant("admin");
    const order = (status: string) => ({
      machines: [{ machineId: first.id }],
      targets: [{ skuId: bolt, targetQuantity: 10 }],
      workOrder: { code: `WO ${status}`, name: "Bolts", status },
    });
    for (const status of ["Backlog", "InProgress"]) {
      expect((await call("POST", "/work-orders/production-full", { token, body: order(status) })).status).toBe(200);
    }
    const [created] = await eventsFor(token);
    expect(created?.data).toMatchObject({ code: "WO Backlog", status: "Backlog", dueAt: null, machineIds: [first.id] });
    const id = created?.data.workOrderId;
    const set = async (status: string) => {
      const answer = await call("PUT", "/work-order-target", { token, body: { workOrder: { id, status } } });
      expect(answer.status).toBe(204);
    };
    await call("PATCH", `/work/${id}/progress`, { token, body: { correct: 3 } });
    for (const status of ["Paused", "InProgress", "Completed", "Completed", "InProgress", "Completed"]) await set(status);
    const listed = (await eventsFor(token)).map(({ type, data }) => [type, data.code, data.status]);
    expect(listed).toEqual([
      ["work_order.created", "WO Backlog", "Backlog"],
      ["work_order.created", "WO InProgress", "InProgress"],
      ["work_order.started", "WO InProgress", "InProgress"],
      ["work_order.started", "WO Backlog", "InProgress"],
      ["work_order.completed", "WO Backlog", "Completed"],
      ["work_order.completed", "WO Backlog", "Completed"],
    ]);
  });

  it("cause an event when a machine makes their first units", async () => {
    const { companyId, machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    const reader = await createUser(companyId, "readonly");
    const { skuId } = await createSku(companyId);
    const { workOrderId } = await createWorkOrder(machine, skuId, { status: "Planned" });
    const sku = { type: "sku", at: new Date(NOON - MINUTE).toISOString(), machineId: machine.id, skuId, workOrderId };
    await ingest(token, [sku]);
    await flushMachine(machine.id);
    const started = async () => (await eventsFor(reader.token)).filter(({ type }) => type === "work_order.started");
    expect(await started()).toEqual([]);
    await ingest(token, [countAt(machine.nodeId, NOON - SECOND)]);
    vi.setSystemTime(NOON + MINUTE);
    await flushMachine(machine.id);
    await ingest(token, [countAt(machine.nodeId, NOON + MINUTE)]);
    await flushMachine(machine.id);
    expect(await started()).toMatchObject([{ data: { workOrderId, status: "InProgress" } }]);
  });

  it("cause one event for each due time that they miss, unless it is long ago", async () => {
    const { token, newOrder } = await createOrderPlant();
    const late = await newOrder({ estimatedDeliveryAt: NOON + MINUTE });
    await newOrder({ estimatedDeliveryAt: NOON - 3 * DAY });
    await newOrder({ estimatedDeliveryAt: NOON - MINUTE, status: "Completed" });
    const listed = async () => (await eventsFor(token)).filter(({ type }) => type === "work_order.late").map(({ data }) => data);
    await doJob("orders", NOON);
    expect(await listed()).toEqual([]);
    await doJob("orders", NOON + 2 * MINUTE);
    await doJob("orders", NOON + 3 * MINUTE);
    const dueAt = new Date(NOON + MINUTE).toISOString();
    expect(await listed()).toMatchObject([{ workOrderId: late, dueAt, expectedAt: null }]);
    const estimatedDeliveryTime = new Date(NOON + HOUR).toISOString();
    await call("PUT", "/work-order-target", { token, body: { workOrder: { id: late, estimatedDeliveryTime } } });
    await doJob("orders", NOON + 30 * MINUTE);
    await doJob("orders", NOON + 2 * HOUR);
    expect(await listed()).toMatchObject([{ dueAt }, { workOrderId: late, dueAt: estimatedDeliveryTime }]);
  });
});

it("has calls for help", async () => {
  const { companyId } = await createCompany();
  const machine = await createMachine(companyId);
  const { token, userId } = await createUser(companyId, "user");
  const called = await call("POST", `/v1/machines/${machine.id}/help-calls`, { token, body: { message: "It leaks" } });
  expect(called.status).toBe(201);
  const [listed, ...none] = await eventsFor(token);
  expect(none).toEqual([]);
  expect(listed).toMatchObject({
    type: "help.called",
    data: { helpCallId: called.body.id, machineId: machine.id, machineName: machine.name, message: "It leaks", userId },
  });
  expect(listed?.data.userName).toBe(called.body.calledBy.name);
  expect(await db.select().from(events)).not.toEqual([]);
});
