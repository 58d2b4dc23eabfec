import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { MINUTE } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createMachine, createOperator, createSku, createUser, createWorkOrder } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";
import { eventsIn } from "../../support/object-storage.ts";
import { changed, serviceWith } from "../../support/service.ts";

const path = "/v1/ingest";

/** Events in the machine's own store. */
async function stored(machineId: number): Promise<number> {
  return await runInDurableObject(machineObject(env, machineId), (_, { storage }) => {
    return eventsIn(storage).length;
  });
}

const channelOf = ({ nodeId }: { nodeId: number }, channel: number) => ({ type: "total", countingFactor: 1, nodeId, channel });
const sensors = (machineRef: string, ...configs: object[]) => ({ machineRef, isCountEnabled: true, configs });

/** Changes count sensors through the API. */
async function changeSensors(companyId: number, change: object) {
  const { token } = await createUser(companyId, "superuser");
  const answer = await call("PATCH", "/backoffice/machines/count-sensors", { token, body: { companyId, ...change } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(204);
}

describe("what is accepted", () => {
  it("names every refused event by its index and keeps the good ones", async () => {
    const { machine, token } = await createLine();
    const other = await createLine();
    const states = await createMachine(machine.companyId, { signal: "states" });
    const { operatorId } = await createOperator(machine.companyId);
    const { skuId } = await createSku(machine.companyId);
    const plain = await createSku(machine.companyId);
    const order = await createWorkOrder(machine, skuId);
    const stranger = await createOperator(other.companyId);
    const now = Date.now();
    const at = new Date(now - MINUTE).toISOString();
    const { nodeId, machineId } = machine;
    const cases: [event: unknown, code: string | null, member?: string][] = [
      [countAt(nodeId, now - MINUTE), null],
      [countAt(nodeId, now + 6 * MINUTE), "in_future", "at"],
      [countAt(nodeId, now + 4 * MINUTE), null],
      [countAt(nodeId, now, -1), "invalid_event", "value"],
      [countAt(nodeId, now, 1.5), "invalid_event", "value"],
      [{ ...countAt(nodeId, now), value: "1" }, "invalid_event", "value"],
      [{ ...countAt(nodeId, now), at: "yesterday" }, "invalid_event", "at"],
      [{ ...countAt(nodeId, now), at: "2026-01-01T00:00:00" }, "invalid_event", "at"],
      [{ ...countAt(nodeId, now), channel: 9 }, "unknown_channel", "channel"],
      [countAt(other.machine.nodeId, now), "unknown_channel", "channel"],
      [{ type: "heartbeat", at, machineId: other.machine.id }, "unknown_machine", "machineId"],
      [{ type: "heartbeat", at, machineId: 999_999_999 }, "unknown_machine", "machineId"],
      [{ type: "heartbeat", at, nodeId: other.machine.nodeId }, "unknown_node", "nodeId"],
      [{ type: "heartbeat", at }, "invalid_event", "nodeId"],
      [{ type: "heartbeat", at, nodeId }, null],
      [{ type: "heartbeat", at, machineId }, null],
      [{ type: "state", at, machineId, state: "running" }, "not_by_states", "state"],
      [{ type: "state", at, machineId: states.machineId, state: "flying" }, "invalid_event", "state"],
      [{ type: "state", at, machineId: states.machineId, state: "running" }, null],
      [{ type: "operator", at, machineId, operatorId, action: "in" }, null],
      [{ type: "operator", at, machineId, operatorId: stranger.operatorId, action: "in" }, "unknown_operator", "operatorId"],
      [{ type: "operator", at, machineId, operatorId, action: "lunch" }, "invalid_event", "action"],
      [{ type: "sku", at, machineId, skuId }, null],
      [{ type: "sku", at, machineId, skuId, workOrderId: order.workOrderId }, null],
      [{ type: "sku", at, machineId, skuId, workOrderId: "nothing" }, "unknown_work_order", "workOrderId"],
      [
        { type: "sku", at, machineId: states.machineId, skuId, workOrderId: order.workOrderId },
        "unknown_work_order",
        "workOrderId",
      ],
      [{ type: "sku", at, machineId, skuId: plain.skuId, workOrderId: order.workOrderId }, "not_in_work_order", "skuId"],
      [{ type: "sku", at, machineId, skuId: "nothing" }, "unknown_sku", "skuId"],
      [{ type: "sku", at, machineId, skuId: `x'; DROP TABLE events; --` }, "unknown_sku", "skuId"],
      [{ ...countAt(nodeId, now), id: "" }, "invalid_event", "id"],
      [{ type: "explosion", at, machineId }, "invalid_event", "type"],
      ["count", "invalid_event"],
      [null, "invalid_event"],
    ];
    const answer = await ingest(
      token,
      cases.map(([event]) => event as object),
    );
    const expected = cases.flatMap(([, code], index) => (code === null ? [] : [{ index, code }]));
    expect(answer.rejected.map(({ index, code }) => ({ index, code }))).toEqual(expected);
    for (const { index, message } of answer.rejected) expect(message).toContain(cases[index]?.[2] ?? "");
    expect(answer.accepted).toBe(cases.length - expected.length);
    expect(await stored(other.machine.id)).toBe(0);
  });

  it("passes a gateway's heartbeat to its machines and no others", async () => {
    const { machine, token } = await createLine();
    const twin = await createMachine(machine.companyId, { nodeId: machine.nodeId });
    const apart = await createMachine(machine.companyId);
    const heartbeat = { type: "heartbeat", nodeId: machine.nodeId, at: new Date().toISOString() };
    expect(await ingest(token, [heartbeat])).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await ingest(token, [heartbeat])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect([await stored(machine.id), await stored(twin.machineId), await stored(apart.machineId)]).toEqual([1, 1, 0]);
  });

  it("counts by channel type and factor, and takes counts of a machine whose counting is off as samples", async () => {
    const { machine, token } = await createLine({ commissionedAt: Date.now() - 10 * MINUTE });
    await env.DB_0.prepare("UPDATE count_channels SET counting_factor = 3 WHERE machine_id = ? AND channel = 1")
      .bind(machine.id)
      .run();
    const now = Date.now();
    await ingest(token, [
      countAt(machine.nodeId, now - 3 * MINUTE, 4),
      countAt(machine.nodeId, now - 2 * MINUTE, 2, { channel: 2 }),
    ]);
    await changeSensors(machine.companyId, {
      updated: [{ machineRef: machine.ref, isCountEnabled: false, configs: [channelOf(machine, 1)] }],
    });
    expect(await ingest(token, [countAt(machine.nodeId, Date.now(), 100)])).toMatchObject({
      accepted: 1,
      warnings: [{ machineId: machine.id, code: "counting_disabled" }],
    });
    await flushMachine(machine.id);
    const records = await recordsOf(machine.id);
    const sum = (key: "cycles" | "totalUnits" | "defectUnits") => records.reduce((total, record) => total + record[key], 0);
    expect([sum("cycles"), sum("totalUnits"), sum("defectUnits")]).toEqual([4, 12, 2]);
  });

  it("stores the events of all other machines when one fails", async () => {
    const { machine: broken, companyId, token } = await createLine();
    // More than are called at once.
    const machines = await Promise.all(Array.from({ length: 40 }, () => createMachine(companyId)));
    const at = new Date().toISOString();
    const events = [broken, ...machines].map(({ id }) => ({ type: "heartbeat", at, machineId: id }));
    const fail = { ingest: () => Promise.reject(new Error("gone")) };
    const getByName = (name: string) => (name === String(broken.id) ? fail : env.MACHINES.getByName(name));
    const via = serviceWith({ MACHINES: changed(env.MACHINES, { getByName }) });
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    expectProblem(await call("POST", path, { token, body: { events }, via }), 500);
    error.mockRestore();
    expect(await Promise.all(machines.map(({ id }) => stored(id)))).toEqual(machines.map(() => 1));
    const again = await call("POST", path, { token, body: { events } });
    expect(again.body).toMatchObject({ accepted: 1, duplicates: 40, rejected: [] });
  });

  it("lets a superuser send for another company, and an admin only for the own one", async () => {
    const { machine, companyId } = await createLine();
    const home = await createCompany();
    const body = { companyId, events: [countAt(machine.nodeId, Date.now())] };
    const superuser = await createUser(home.companyId, "superuser");
    expect((await call("POST", path, { token: superuser.token, body })).body).toMatchObject({ accepted: 1 });
    const admin = await createUser(home.companyId, "admin");
    expectProblem(await call("POST", path, { token: admin.token, body }), 403);
  });
});

describe("a refusal", () => {
  it("says whether the event may be accepted later as it is, by its code", async () => {
    const now = Date.now();
    const { machine, token } = await createLine({ commissionedAt: now - 10 * MINUTE });
    const [id, nodeId] = [machine.id, machine.nodeId];
    const { skuId } = await createSku(machine.companyId);
    const other = await createSku(machine.companyId);
    const order = await createWorkOrder(machine, other.skuId);
    const at = new Date(now - MINUTE).toISOString();
    const cases: [event: object, code: string, isTransient: boolean][] = [
      [countAt(nodeId, now - MINUTE, 1.5), "invalid_event", false],
      [countAt(nodeId, now + 6 * MINUTE), "in_future", true],
      [countAt(nodeId, now - 11 * MINUTE), "before_commissioning", false],
      [countAt(nodeId, now - MINUTE, 1, { channel: 9 }), "unknown_channel", true],
      [{ type: "heartbeat", at, nodeId: 999_999 }, "unknown_node", true],
      [{ type: "heartbeat", at, machineId: 999_999_999 }, "unknown_machine", true],
      [{ type: "operator", at, machineId: id, operatorId: 999_999, action: "in" }, "unknown_operator", true],
      [{ type: "sku", at, machineId: id, skuId: "none" }, "unknown_sku", true],
      [{ type: "sku", at, machineId: id, skuId, workOrderId: "none" }, "unknown_work_order", true],
      [{ type: "sku", at, machineId: id, skuId, workOrderId: order.workOrderId }, "not_in_work_order", true],
      [{ type: "state", at, machineId: id, state: "running" }, "not_by_states", false],
      [countAt(nodeId, now - 2 * MINUTE, 2, { id: "same" }), "conflict", false],
    ];
    const first = countAt(nodeId, now - 2 * MINUTE, 1, { id: "same" });
    const { rejected } = await ingest(token, [first, ...cases.map(([event]) => event)]);
    const expected = cases.map(([, code, isTransient], i) => ({ index: i + 1, code, message: expect.any(String), isTransient }));
    expect(rejected).toEqual(expected);
  });

  it("that is transient ends when the set-up has what the event names", async () => {
    const { companyId, machine, token } = await createLine();
    const next = await createMachine(companyId);
    const count = countAt(machine.nodeId, Date.now() - MINUTE, 5, { channel: 9, id: "kept-1" });
    expect((await ingest(token, [count])).rejected).toMatchObject([{ code: "unknown_channel", isTransient: true }]);
    await changeSensors(companyId, { added: [sensors(next.ref, channelOf(machine, 9))] });
    expect(await ingest(token, [count])).toMatchObject({ rejected: [] });
    expect(await stored(next.machineId)).toBe(1);
  });

  it("comes with the service's time, so that a gateway can tell whether its clock is right", async () => {
    const { token } = await createLine();
    const before = Date.now();
    const { now } = await ingest(token, []);
    expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now());
  });
});

describe("the machine of a count", () => {
  const tripsOf = async (token: string, events: object[]) => {
    const answer = await call("POST", path, { token, body: { events } });
    expect(answer.body.rejected).toEqual([]);
    return Number(/(\d+) trips?"/.exec(answer.headers.get("server-timing") ?? "")?.[1] ?? 0);
  };

  it("is looked up in one round trip, and cached for the gateway's next counts", async () => {
    const { machine, token } = await createLine();
    await call("GET", "/v1/machines", { token });
    const count = () => countAt(machine.nodeId, Date.now());
    expect(await tripsOf(token, [count()])).toBe(1);
    const repeated = countAt(machine.nodeId, Date.now() - 1);
    expect(await tripsOf(token, [repeated, repeated])).toBe(0);
    const heartbeat = { type: "heartbeat", at: new Date().toISOString(), machineId: machine.id };
    expect(await tripsOf(token, [count(), heartbeat])).toBe(1);
    expect(await stored(machine.id)).toBe(4);
  });

  it("is another one as soon as its channel was moved", async () => {
    const { companyId, machine, token } = await createLine();
    const next = await createMachine(companyId);
    const apart = await createMachine(companyId);
    const [channel, other] = [channelOf(machine, 1), channelOf(machine, 5)];
    await changeSensors(companyId, { added: [sensors(next.ref), sensors(apart.ref, other)] });
    const events = () => [countAt(machine.nodeId, Date.now()), countAt(machine.nodeId, Date.now(), 1, { channel: 5 })];
    expect(await ingest(token, events())).toMatchObject({ accepted: 2 });
    await changeSensors(companyId, { updated: [sensors(machine.ref), sensors(next.ref, channel)] });
    const sent = events();
    expect(await ingest(token, sent)).toMatchObject({ accepted: 2, duplicates: 0, rejected: [] });
    expect(await ingest(token, sent)).toMatchObject({ accepted: 0, duplicates: 2, rejected: [] });
    expect([await stored(machine.id), await stored(next.machineId), await stored(apart.machineId)]).toEqual([1, 1, 2]);
  });

  it("is found if it was in use before it had channels", async () => {
    const { machine, token } = await createLine();
    const next = await createMachine(machine.companyId);
    const heartbeat = { type: "heartbeat", at: new Date(Date.now() - MINUTE).toISOString(), machineId: next.machineId };
    expect(await ingest(token, [heartbeat])).toMatchObject({ accepted: 1 });
    await changeSensors(machine.companyId, { added: [sensors(next.ref, channelOf(machine, 5))] });
    expect(await ingest(token, [countAt(machine.nodeId, Date.now(), 1, { channel: 5 })])).toMatchObject({ accepted: 1 });
    expect([await stored(machine.id), await stored(next.machineId)]).toEqual([0, 2]);
  });

  it("is found for a new channel, and not found for a deleted one", async () => {
    const { companyId, machine, token } = await createLine();
    const next = await createMachine(companyId);
    const events = () => [1, 2, 5].map((channel) => countAt(machine.nodeId, Date.now(), 1, { channel }));
    const codes = async () => (await ingest(token, events())).rejected.map(({ index, code }) => `${index} ${code}`);
    expect(await codes()).toEqual(["2 unknown_channel"]);
    await changeSensors(companyId, { added: [sensors(next.ref, channelOf(machine, 5))] });
    expect(await codes()).toEqual([]);
    await changeSensors(companyId, { updated: [sensors(machine.ref, channelOf(machine, 1))] });
    expect(await codes()).toEqual(["1 unknown_channel"]);
    await changeSensors(companyId, { deleted: [{ machineRef: machine.ref }] });
    expect(await codes()).toEqual(["0 unknown_channel", "1 unknown_channel"]);
  });

  it("gets nothing from another company's gateway that has a node with the same number", async () => {
    const { machine, token } = await createLine();
    const other = await createLine({ nodeId: machine.nodeId });
    await ingest(token, [countAt(machine.nodeId, Date.now())]);
    await ingest(other.token, [countAt(machine.nodeId, Date.now())]);
    await ingest(other.token, [countAt(machine.nodeId, Date.now() - MINUTE)]);
    expect([await stored(machine.id), await stored(other.machine.id)]).toEqual([1, 2]);
  });
});

describe("what is refused as a whole", () => {
  it("is a body other than a list of at most 1,000 events, of which nothing is stored", async () => {
    const { machine, token } = await createLine();
    const now = Date.now();
    const many = Array.from({ length: 1001 }, (_, i) => countAt(machine.nodeId, now - i));
    expectProblem(await call("POST", path, { token, body: { events: many } }), 400, "/events");
    expectProblem(await call("POST", path, { token, body: { events: {} } }), 400, "/events");
    expectProblem(await call("POST", path, { token, body: {} }), 400, "/events");
    expectProblem(await call("POST", path, { token, body: { events: [], companyId: "1" } }), 400, "/companyId");
    expectProblem(await call("POST", path, { token, body: "[" }), 400, "");
    const padded = JSON.stringify({ events: many.slice(0, 5), padding: "x".repeat(1024 * 1024) });
    expectProblem(await call("POST", path, { token, body: padded }), 413);
    expectProblem(await call("POST", path, { token, body: "a=1", headers: { "content-type": "text/plain" } }), 415);
    expect(await stored(machine.id)).toBe(0);
  });
});
