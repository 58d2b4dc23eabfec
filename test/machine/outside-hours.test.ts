import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { expect, it, vi } from "vitest";
import { hoursOutsideShifts } from "../../src/db/schema.ts";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../support/clock.ts";
import {
  createApiToken,
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createShift,
  createUser,
} from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { configureMachine, countAt, flushMachine, ingest, recordsOf, republish } from "../support/machines.ts";
import { changeState, stateIn } from "../support/object-storage.ts";

stopClockAtNoon();

const db = drizzle(env.DB_0);

/** The hours in D1, as hours from noon. */
async function hoursOf(machineId: number) {
  const { startAt } = hoursOutsideShifts;
  const rows = await db
    .select()
    .from(hoursOutsideShifts)
    .where(eq(hoursOutsideShifts.machineId, machineId))
    .orderBy(asc(startAt));
  return rows.map(({ startAt, units }) => [(startAt - NOON) / HOUR, units]);
}

/** A company in UTC with a machine (channel 1 total, 2 defects) and, by default, one shift from 06:00 to 11:00. It is noon. */
async function createPlant({ hasShift = true } = {}) {
  const { companyId } = await createCompany();
  if (hasShift) await createShift(companyId, { start: "06:00", end: "11:00" });
  const machine = await createMachine(companyId, { commissionedAt: NOON - 10 * DAY, standardCycleSeconds: 10 });
  await createChannels(machine, [
    { channel: 1, type: "total" },
    { channel: 2, type: "defect" },
  ]);
  const { token: gateway } = await createGatewayToken(companyId);
  const admin = await createUser(companyId, "admin");
  // Lasts longer than a login, whatever the clock.
  const { token } = await createApiToken({ ...admin, companyId, role: "admin" });
  const count = (at: number, value: number, channel = 1) => countAt(machine.nodeId, at, value, { channel });
  const send = async (...events: object[]) => {
    expect((await ingest(gateway, events)).rejected).toEqual([]);
    await flushMachine(machine.id);
    return hoursOf(machine.id);
  };
  return { companyId, machineId: machine.id, stub: machineObject(env, machine.id), token, count, send };
}

it("late counts and rejects change the good units of their own hour, which ends when nothing is left in it", async () => {
  const { count, send, machineId } = await createPlant();
  const first = await send(count(NOON - 8 * HOUR, 5), count(NOON - 50 * MINUTE, 7), count(NOON - 40 * MINUTE, 2, 2));
  expect(first).toEqual([
    [-8, 5],
    [-1, 5],
  ]);
  const revision = () =>
    db
      .select({ revision: hoursOutsideShifts.revision })
      .from(hoursOutsideShifts)
      .where(eq(hoursOutsideShifts.startAt, NOON - HOUR))
      .get();
  const before = await revision();
  expect(await send(count(NOON - 7.5 * HOUR, 3), count(NOON - 3 * HOUR, 11))).toEqual([
    [-8, 8],
    [-1, 5],
  ]);
  expect(await revision()).toEqual(before);
  // What is rejected is subtracted where it was reported.
  expect(await send(count(NOON - 30 * MINUTE, 5, 2))).toEqual([[-8, 8]]);
  expect((await recordsOf(machineId)).reduce((units, { totalUnits }) => units + totalUnits, 0)).toBe(11);
  expect(await send(count(NOON - 20 * MINUTE, 1))).toEqual([
    [-8, 8],
    [-1, 1],
  ]);
});

it("what is held is outside shifts once it is accepted, and is not if it is dropped", async () => {
  const { count, send, token, machineId } = await createPlant();
  await send(count(NOON - 50 * MINUTE, 5));
  expect(await send(count(NOON - 45 * MINUTE, 40_000), count(NOON - 44 * MINUTE, 70_000))).toEqual([[-1, 5]]);
  const [entry] = (await call("GET", "/v1/held-events", { token })).body.data;
  const { data: held } = (await call("GET", `/v1/held-events/${entry.id}/events`, { token })).body;
  const decide = (action: string, ids: number[]) =>
    call("POST", `/v1/held-events/${entry.id}/${action}`, { token, body: { ids } });
  expect((await decide("accept", [held[0].id])).status).toBe(200);
  expect((await decide("drop", [held[1].id])).status).toBe(200);
  await flushMachine(machineId);
  expect(await hoursOf(machineId)).toEqual([[-1, 40_005]]);
});

it.each([
  [
    "11:30",
    [
      [-2, 3],
      [-1, 4],
    ],
  ],
  ["11:00", [[-2, 3]]],
  ["10:00", []],
])("a first shift that began at %s takes the counts since then", async (start, left) => {
  const { count, send, token, machineId } = await createPlant({ hasShift: false });
  expect(await send(count(NOON - 110 * MINUTE, 3), count(NOON - 50 * MINUTE, 4), count(NOON - 20 * MINUTE, 6))).toEqual([
    [-2, 3],
    [-1, 10],
  ]);
  const body = { name: "Day", start, end: "19:00", days: ["wednesday"], breaks: [], machineIds: null };
  expect((await call("POST", "/v1/shifts", { token, body })).body).toMatchObject(body);
  await configureMachine(machineId);
  await flushMachine(machineId);
  expect(await hoursOf(machineId)).toEqual(left);
  const sum = (await recordsOf(machineId)).reduce((units, { totalUnits }) => units + totalUnits, 0);
  expect(sum).toBe(13 - left.reduce((units, [, ofHour = 0]) => units + ofHour, 0));
});

it("the hours stay when the machine archives their events, and a late count still finds its own", async () => {
  const { count, send, stub, machineId } = await createPlant();
  const expected: number[][] = [];
  for (let hour = -8; hour < 5 * 24; hour++) {
    vi.setSystemTime(NOON + hour * HOUR + 30 * MINUTE);
    const isOutside = (hour + 8 * 24) % 24 > 22 || (hour + 8 * 24) % 24 < 18;
    if (isOutside) expected.push([hour, 2]);
    await send(count(NOON + hour * HOUR + 10 * MINUTE, 1), count(NOON + hour * HOUR + 20 * MINUTE, 1));
  }
  const archivedTo = await runInDurableObject(stub, (_, { storage }) => stateIn(storage)["forgotten to"] ?? 0);
  expect(archivedTo).toBeGreaterThan(NOON + 2 * DAY);
  expect(await hoursOf(machineId)).toEqual(expected);
  const late = 5 * 24 - 47;
  const changed = expected.map(([hour, units = 0]) => [hour, hour === late ? units + 9 : units]);
  expect(changed).not.toEqual(expected);
  expect(await send(count(NOON + late * HOUR + 15 * MINUTE, 9))).toEqual(changed);
});

it("a machine of the version before adds up what it counts from then on", async () => {
  const { count, send, stub, machineId } = await createPlant();
  await send(count(NOON - 50 * MINUTE, 4));
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("DROP TABLE outside_hours");
    storage.sql.exec("DELETE FROM projection WHERE kind = 'outside'");
    storage.sql.exec("DELETE FROM migrations WHERE id = '0016_outside_hours'");
    const { head, "newest rows": { outside: newestHour, ...newest } = {} } = stateIn(storage);
    expect(newestHour?.until).toBe(NOON);
    const ledger = { ...head?.ledger, outsideHour: undefined };
    changeState(storage, { head: { pos: head?.pos ?? "", ledger }, "newest rows": newest });
    storage.sql.exec("UPDATE checkpoints SET ledger = json_remove(ledger, '$.outsideHour')");
  });
  await db.delete(hoursOutsideShifts).where(eq(hoursOutsideShifts.machineId, machineId));
  await evictDurableObject(stub);
  expect(await send(count(NOON - 20 * MINUTE, 6), count(NOON, 1))).toEqual([
    [-1, 6],
    [0, 1],
  ]);
});

it("all hours that the machine still knows are sent again if D1 was restored to an earlier state", async () => {
  const { count, send, machineId } = await createPlant();
  const hours = await send(count(NOON - 8 * HOUR, 5), count(NOON - 50 * MINUTE, 7));
  await db.delete(hoursOutsideShifts).where(eq(hoursOutsideShifts.machineId, machineId));
  await republish(machineId);
  await flushMachine(machineId);
  expect(await hoursOf(machineId)).toEqual(hours);
});
