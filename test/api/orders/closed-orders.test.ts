import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { createSku, createUser, createWorkOrder } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";

/** A line that has made an order for an hour, a unit a minute, up to a minute ago. */
async function createRunningOrder() {
  const now = Date.now();
  const { machine, token: gateway, companyId } = await createLine({ commissionedAt: now - 10 * DAY });
  const { skuId } = await createSku(companyId);
  const { workOrderId } = await createWorkOrder(machine, skuId);
  const { token } = await createUser(companyId, "admin");
  const skuEvent = (at: number, order: string | null = workOrderId) => {
    return { type: "sku", at: new Date(at).toISOString(), machineId: machine.id, skuId, workOrderId: order };
  };
  const send = (...events: object[]) => ingest(gateway, events);
  const counts = Array.from({ length: 60 }, (_, i) => countAt(machine.nodeId, now - HOUR + i * MINUTE));
  await send(skuEvent(now - HOUR), ...counts);
  await flushMachine(machine.id);
  const setStatus = async (status: string) => {
    const { status: answered } = await call("PUT", "/work-order-target", {
      token,
      body: { workOrder: { id: workOrderId, status } },
    });
    expect(answered).toBe(204);
  };
  const order = async () => (await call("GET", `/v1/work-orders/${workOrderId}`, { token })).body;
  const produced = async () => {
    await flushMachine(machine.id);
    return (await order()).produced;
  };
  const atMachine = async () => (await call("GET", `/v1/machines/${machine.id}/state`, { token })).body.workOrderId;
  return { now, machine, workOrderId, token, skuEvent, send, setStatus, order, produced, atMachine };
}

it.each(["Completed", "Cancelled"])(
  "an order that becomes %s takes no more production, but what was made before",
  async (status) => {
    const { now, machine, send, setStatus, produced, atMachine } = await createRunningOrder();
    expect(await atMachine()).not.toBeNull();
    await setStatus("InProgress");
    await setStatus(status);
    const closedAt = Date.now();
    await eventually(async () => expect(await atMachine()).toBeNull());
    // Both arrive later; one of them was counted before.
    await send(countAt(machine.nodeId, closedAt + 1, 7), countAt(machine.nodeId, now - 30 * MINUTE + 1, 2));
    expect(await produced()).toBe(62);
    const records = await recordsOf(machine.id);
    expect(records.reduce((sum, { totalUnits }) => sum + totalUnits, 0)).toBe(69);
  },
);

it("a report of progress that completes an order ends its runs", async () => {
  const { machine, workOrderId, token, send, produced, atMachine } = await createRunningOrder();
  const body = { correct: 3, status: "Completed" };
  expect((await call("PATCH", `/work/${workOrderId}/progress`, { token, body })).status).toBe(204);
  const closedAt = Date.now();
  await eventually(async () => expect(await atMachine()).toBeNull());
  await send(countAt(machine.nodeId, closedAt + 1, 7));
  expect(await produced()).toBe(63);
});

it("a reopened order goes on at machines that were given nothing else", async () => {
  const { machine, workOrderId, send, setStatus, produced, atMachine } = await createRunningOrder();
  await setStatus("InProgress");
  await setStatus("Completed");
  await eventually(async () => expect(await atMachine()).toBeNull());
  await send(countAt(machine.nodeId, Date.now(), 7));
  await scheduler.wait(5);
  await setStatus("InProgress");
  await eventually(async () => expect(await atMachine()).toBe(workOrderId));
  await send(countAt(machine.nodeId, Date.now() + 1, 5));
  await scheduler.wait(5);
  expect(await produced()).toBe(65);
});

it("a reopened order does not replace what a machine was given since", async () => {
  const { skuEvent, send, setStatus, atMachine, machine, produced } = await createRunningOrder();
  await setStatus("InProgress");
  await setStatus("Completed");
  await eventually(async () => expect(await atMachine()).toBeNull());
  await send(skuEvent(Date.now(), null));
  await setStatus("InProgress");
  await configureMachine(machine.id);
  await send(countAt(machine.nodeId, Date.now() + 1, 5));
  expect(await atMachine()).toBeNull();
  expect(await produced()).toBe(60);
});

it("a run that begins ahead of the clock does not outlive its order", async () => {
  const { now, skuEvent, send, setStatus, atMachine, machine, produced } = await createRunningOrder();
  // Longer than the next calls take on a busy machine.
  const beginsAt = Date.now() + 4000;
  await send(skuEvent(now - MINUTE, null), skuEvent(beginsAt));
  expect(await atMachine()).toBeNull();
  await setStatus("InProgress");
  await setStatus("Completed");
  await configureMachine(machine.id);
  await scheduler.wait(beginsAt + 100 - Date.now());
  await send(countAt(machine.nodeId, Date.now(), 9));
  expect(await atMachine()).toBeNull();
  expect(await produced()).toBe(59);
});

it("a run that was sent before its sender could know that the order is closed is for no order", async () => {
  const { skuEvent, setStatus, send, machine, workOrderId, atMachine } = await createRunningOrder();
  await send(skuEvent(Date.now(), null));
  await setStatus("InProgress");
  await setStatus("Completed");
  await configureMachine(machine.id);
  const { skuId } = skuEvent(0);
  const event = { kind: "sku" as const, at: Date.now(), skuId, workOrderId };
  // The version of the set-up shows that its sender read D1 earlier.
  await machineObject(env, machine.id).ingest([{ id: null, content: `${skuId} ${workOrderId}`, event }], 1);
  expect(await atMachine()).toBeNull();
});
