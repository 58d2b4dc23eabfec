import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createSku, createUser, createWorkOrder } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { changeState } from "../../support/object-storage.ts";
import { storedOrder } from "../../support/work-orders.ts";

/** A line that has counted a unit a minute for an order from `from`, a full minute some hours ago, until an hour ago. */
async function createRunningOrder(hoursAgo = 4) {
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  const from = now - hoursAgo * HOUR;
  const { machine, token: gateway, companyId } = await createLine({ commissionedAt: from - 10 * DAY });
  const { skuId } = await createSku(companyId);
  const { workOrderId } = await createWorkOrder(machine, skuId);
  const { token } = await createUser(companyId, "user");
  const switchTo = (order: string | null, at: number) => {
    return { type: "sku", at: new Date(at).toISOString(), machineId: machine.id, skuId, workOrderId: order };
  };
  const counts = (since: number, until: number, value = 1) =>
    Array.from({ length: (until - since) / MINUTE }, (_, i) => countAt(machine.nodeId, since + i * MINUTE, value));
  const accept = async (...events: object[]) => {
    let accepted = 0;
    for (let i = 0; i < events.length; i += 1000) accepted += (await ingest(gateway, events.slice(i, i + 1000))).accepted;
    return accepted;
  };
  await accept(switchTo(workOrderId, from), ...counts(from, now - HOUR));
  const total = async () => {
    const { progress } = (await call("GET", `/v1/work-orders/${workOrderId}`, { token })).body;
    return [progress[0].correct, progress[0].defects];
  };
  const report = (body: object, at: number) =>
    call("PATCH", `/work/${workOrderId}/progress`, { token, body: { ...body, occurredAt: new Date(at).toISOString() } });
  const send = async (...events: object[]) => {
    const accepted = await accept(...events);
    await flushMachine(machine.id);
    return accepted;
  };
  return { now, from, machine, workOrderId, switchTo, counts, total, report, send };
}

it("a stated total applies at its instant: earlier counts no longer matter, later ones are added", async () => {
  const { from, total, report, send, counts, machine, switchTo, workOrderId } = await createRunningOrder();
  const at = from + HOUR;
  expect((await report({ correct: 100, mode: "absolute" }, at)).status).toBe(204);
  // The line made 60 before and 120 after; the answer is sent when the order shows it.
  expect(await total()).toEqual([220, 0]);
  // Earlier counts arrive late, and one later count.
  await send(...counts(from + 10, at + 10, 5), countAt(machine.nodeId, at + HOUR + 10, 7));
  expect(await total()).toEqual([227, 0]);
  // A late change of the order takes the hour before away from it, another one the last half hour.
  await send(switchTo(null, from), switchTo(workOrderId, at - MINUTE), switchTo(null, from + 2.5 * HOUR));
  expect(await total()).toEqual([197, 0]);
  // A total for a later instant, and one for an earlier instant, which comes too late.
  expect((await report({ correct: 10, mode: "absolute" }, at + HOUR)).status).toBe(204);
  expect((await report({ correct: 900, mode: "absolute" }, at + HOUR / 2)).status).toBe(204);
  expect(await total()).toEqual([47, 0]);
});

it("a total never falls below 0, whatever events come late", async () => {
  const { now, from, total, report, send, switchTo, machine, workOrderId } = await createRunningOrder();
  await flushMachine(machine.id);
  expect((await report({ correct: -170 }, now)).status).toBe(204);
  expect(await total()).toEqual([10, 0]);
  expectProblem(await report({ correct: -11 }, now), 409);
  // The order was not in work for the first hour.
  await send(switchTo(null, from), switchTo(workOrderId, from + HOUR));
  expect(await total()).toEqual([0, 0]);
  expectProblem(await report({ correct: -1 }, now), 409);
  // The addition makes up for what was subtracted too much.
  expect((await report({ correct: 60 }, now)).status).toBe(204);
  expect(await total()).toEqual([10, 0]);
});

it("a total that was stated during the work does not change if the line's counts are sent again in another order", async () => {
  const { now, from, total, report, send, counts } = await createRunningOrder();
  await report({ correct: 50, defects: 3, mode: "absolute" }, from + HOUR);
  await report({ correct: 50, defects: 3, mode: "absolute" }, from + HOUR);
  expect(await total()).toEqual([170, 3]);
  await send(...counts(from, now - HOUR).reverse(), ...counts(from + 5, from + 2 * HOUR + 5));
  expect(await total()).toEqual([230, 3]);
});

it("a total for a time of archived days is answered once that time is recalculated, and is that of the counts after it", async () => {
  const { now, from, total, report, send, machine, workOrderId } = await createRunningOrder(100);
  await send(countAt(machine.nodeId, now - 1));
  const before = [await total(), await storedOrder(workOrderId)];
  const stated = () => report({ correct: 1, mode: "absolute" }, from + 5 * HOUR);
  expectProblem(await stated(), 503);
  expect([await total(), await storedOrder(workOrderId)]).toEqual(before);
  await flushMachine(machine.id);
  expect((await stated()).status).toBe(204);
  expect(await total()).toEqual([94 * 60 + 2, 0]);
  // Before the line began the order there is no production to separate.
  expect((await report({ correct: 1, mode: "absolute" }, from - HOUR)).status).toBe(204);
  expect(await total()).toEqual([94 * 60 + 2, 0]);
  expect((await report({ correct: 1, mode: "absolute" }, now - 47 * HOUR)).status).toBe(204);
  expect(await total()).toEqual([46 * 60 + 2, 0]);
});

it("a total is refused for a time of which a version before kept no events, if the machine was working on the order", async () => {
  const { now, from, total, report, send, machine, workOrderId } = await createRunningOrder(100);
  await send(countAt(machine.nodeId, now - 1));
  await runInDurableObject(machineObject(env, machine.id), (_, { storage }) =>
    changeState(storage, { "complete from": now - 60 * HOUR } as never),
  );
  await evictDurableObject(machineObject(env, machine.id));
  const before = [await total(), await storedOrder(workOrderId)];
  const answer = await report({ correct: 1, mode: "absolute" }, from + 5 * HOUR);
  expectProblem(answer, 409, "/occurredAt");
  expect(answer.body.errors[0].code).toBe("settled");
  expect([await total(), await storedOrder(workOrderId)]).toEqual(before);
});

it("a total is refused while a machine of the order does not answer", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const { from, total, report, machine, workOrderId } = await createRunningOrder();
  await flushMachine(machine.id);
  const rename = (table: string, to: string) =>
    runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
      storage.sql.exec(`ALTER TABLE ${table} RENAME TO ${to}`);
    });
  const before = await storedOrder(workOrderId);
  await rename("runs", "runs_away");
  try {
    expectProblem(await report({ correct: 1, mode: "absolute" }, from + HOUR), 503);
  } finally {
    await rename("runs_away", "runs");
    vi.restoreAllMocks();
  }
  expect([await total(), await storedOrder(workOrderId)]).toEqual([[180, 0], before]);
  expect((await report({ correct: 1, mode: "absolute" }, from + HOUR)).status).toBe(204);
  expect(await total()).toEqual([121, 0]);
});

it("a total does not count as an event of the machine, and does not change which late events it accepts", async () => {
  const { now, report, send, machine, total } = await createRunningOrder(60);
  const newest = now - HOUR - MINUTE;
  await report({ correct: 5, mode: "absolute" }, now);
  expect(await total()).toEqual([5, 0]);
  expect((await machineObject(env, machine.id).state())?.heardAt).toBe(newest);
  // 48 h behind the newest event, not behind the report.
  expect(await send(countAt(machine.nodeId, newest - 48 * HOUR, 2))).toBe(1);
  expect(await total()).toEqual([5, 0]);
});
