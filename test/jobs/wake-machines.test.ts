import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { companyDb } from "../../src/db/client.ts";
import { findMachinesOfPart } from "../../src/jobs/queries.ts";
import { callRoll, PARTS, wakeOverdueMachines } from "../../src/jobs/wake-machines.ts";
import { call } from "../support/call.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import { createMachine, createShift } from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../support/machines.ts";
import { changed } from "../support/service.ts";

stopClockAtNoon();
// Other files leave machines whose shift ends while these tests go on: they would be woken and counted, too.
beforeEach(() => env.DB_0.exec("DELETE FROM shift_parts WHERE open_bucket IS NOT NULL"));

const health = async () => {
  // Health checks every two seconds.
  vi.setSystemTime(Date.now() + 3 * SECOND);
  return (await call("GET", "/health")).body;
};

/** A machine in a shift until 13:00, as D1 knows, whose object has lost its alarm. */
async function createSilent() {
  const line = await createLine({ commissionedAt: NOON - HOUR, noDataAfterSeconds: null });
  await createShift(line.companyId, { start: "11:00", end: "13:00" });
  await ingest(line.token, [countAt(line.machine.nodeId, NOON - MINUTE, 5)]);
  await flushMachine(line.machine.id);
  const stub = machineObject(env, line.machine.id);
  const alarmAt = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm());
  await evictDurableObject(stub);
  return { ...line, alarmAt };
}

it("machines that D1 shows in a shift that has ended are woken and counted", async () => {
  const { machine, alarmAt } = await createSilent();
  const isOpen = async () => (await recordsOf(machine.id)).map(({ openBucket }) => openBucket);
  expect(await isOpen()).toEqual([expect.any(String)]);
  const end = NOON + HOUR;
  vi.setSystemTime(end + 14 * MINUTE);
  await wakeOverdueMachines(env, Date.now());
  expect([await alarmAt(), (await health()).silentMachines]).toEqual([null, 0]);
  vi.setSystemTime(end + 16 * MINUTE);
  await wakeOverdueMachines(env, Date.now());
  expect(await alarmAt()).toBeLessThanOrEqual(Date.now());
  expect((await health()).silentMachines).toBe(1);
  await flushMachine(machine.id);
  expect(await isOpen()).toEqual([null]);
  await wakeOverdueMachines(env, Date.now());
  expect((await health()).silentMachines).toBe(0);
});

it("every machine is called once a day, which sets a missing alarm, and those that do not answer are counted", async () => {
  const { machine, companyId, alarmAt } = await createSilent();
  const deleted = await createMachine(companyId, { deletedAt: NOON });
  const parts = await Promise.all([...Array(PARTS).keys()].map((part) => findMachinesOfPart(companyDb(env), part, PARTS)));
  const called = parts.flat().map(({ machineId }) => machineId);
  expect(called.filter((id) => id === machine.id)).toHaveLength(1);
  expect(called).not.toContain(deleted.id);

  const part = machine.id % PARTS;
  const dayStart = NOON - 12 * HOUR;
  const first = Math.floor(dayStart / (10 * MINUTE)) % PARTS;
  const at = dayStart + ((part - first + PARTS) % PARTS) * 10 * MINUTE;
  await callRoll(env, at + 10 * MINUTE);
  expect(await alarmAt()).toBeNull();
  await callRoll(env, at);
  expect(await alarmAt()).toBeGreaterThan(0);

  const getByName = (name: string) =>
    name === "health" ? env.MACHINES.getByName(name) : { configure: () => Promise.reject(new Error("gone")) };
  await callRoll({ ...env, MACHINES: changed(env.MACHINES, { getByName }) }, at);
  expect((await health()).unansweredMachines).toBe(parts[part]?.length);
  await callRoll(env, at);
  expect((await health()).unansweredMachines).toBe(0);
});
