import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../support/clock.ts";
import { machineObject } from "../support/machine-object.ts";
import { createLine, flushMachine, ingest, recordsOf } from "../support/machines.ts";
import { eventsIn } from "../support/object-storage.ts";

stopClockAtNoon();

const MIDNIGHT = NOON - 12 * HOUR;

/** Readings of a counter every minute. */
function readings(nodeId: number, from: number, values: readonly number[], channel = 1) {
  return values.map((reading, i) => {
    return { type: "count", nodeId, channel, at: new Date(from + i * MINUTE).toISOString(), reading };
  });
}

const upFrom = (first: number, length: number) => Array.from({ length }, (_, i) => first + i);

describe("the readings in a machine's object", () => {
  it("go on after events before them are forgotten", async () => {
    const { machine, token } = await createLine({ commissionedAt: MIDNIGHT - 6 * DAY });
    const { nodeId } = machine;
    await ingest(token, readings(nodeId, MIDNIGHT - 6 * DAY, [500], 2));
    // The counter is at 10 more each evening; on the third day before, it is only read after midnight, at 40 more.
    for (const day of [6, 5, 4, 3, 1]) {
      await ingest(token, readings(nodeId, MIDNIGHT - day * DAY + 20 * HOUR, upFrom(1000 - day * 10, 10)));
      if (day === 3) await ingest(token, readings(nodeId, MIDNIGHT - 2 * DAY + 2 * MINUTE, upFrom(1019, 9)));
      await flushMachine(machine.id);
    }
    await ingest(token, readings(nodeId, NOON - MINUTE, [1028, 1029]));
    await flushMachine(machine.id);
    await flushMachine(machine.id);
    const shiftStart = MIDNIGHT - 2 * DAY;
    const ofShift = async () => (await recordsOf(machine.id)).find(({ startAt }) => startAt === shiftStart);
    const before = await ofShift();
    // 970 to 979 in the evening before. When the next 40 were made is not known, and the last of the nine readings ends the running time.
    expect(before).toMatchObject({ totalUnits: 48, recentUnits: 7, recentMs: 8 * MINUTE });
    await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
      expect(eventsIn(storage)[0]?.at).toBeGreaterThan(MIDNIGHT - 3 * DAY);
    });
    // The shift is computed anew from what is kept.
    const heartbeat = (at: number) => ({ type: "heartbeat", at: new Date(at).toISOString(), machineId: machine.id });
    await ingest(token, [heartbeat(NOON - 2 * DAY + MINUTE), heartbeat(NOON - 2 * DAY + 4 * MINUTE)]);
    await flushMachine(machine.id);
    expect((await ofShift())?.revision).toBeGreaterThan(before?.revision ?? 0);
    expect(await ofShift()).toMatchObject({ totalUnits: 48, recentUnits: 7, recentMs: 8 * MINUTE });
    // A late reading in between takes its part, and a channel that was not read for days goes on from its last reading.
    await ingest(token, [
      ...readings(nodeId, NOON - 2 * DAY + 2 * MINUTE, [1027]),
      ...readings(nodeId, NOON - 2 * DAY + 3 * MINUTE, [1040]),
      ...readings(nodeId, NOON, [503], 2),
    ]);
    await flushMachine(machine.id);
    const records = await recordsOf(machine.id);
    expect(records.find(({ startAt }) => startAt === shiftStart)).toMatchObject({ totalUnits: 48 + 13 });
    expect(records.at(-1)).toMatchObject({ defectUnits: 3 });
  });

  it("of the first day make the speed of a shift that is computed again when that day is archived", async () => {
    const midnight = MIDNIGHT - 2 * DAY;
    const { machine, token, companyId } = await createLine({ commissionedAt: midnight - 5 * HOUR });
    await env.DB_0.prepare("UPDATE companies SET timezone = 'America/New_York' WHERE id = ?").bind(companyId).run();
    const values = upFrom(0, 30).map((n) => n * 5);
    await ingest(token, readings(machine.nodeId, midnight - 4 * HOUR, values));
    await flushMachine(machine.id);
    await ingest(token, readings(machine.nodeId, midnight + 10 * HOUR, [145, 150]));
    await ingest(token, readings(machine.nodeId, NOON, [200]));
    await flushMachine(machine.id);
    await flushMachine(machine.id);
    await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
      expect(eventsIn(storage)[0]?.at).toBeGreaterThan(midnight);
    });
    // It ends four hours after that day.
    const ofShift = async () => (await recordsOf(machine.id)).find(({ startAt }) => startAt === midnight - 20 * HOUR);
    const before = await ofShift();
    expect(before).toMatchObject({ totalUnits: 145, recentUnits: 50 });
    const heartbeat = (at: number) => ({ type: "heartbeat", at: new Date(at).toISOString(), machineId: machine.id });
    await ingest(token, [heartbeat(midnight + HOUR), heartbeat(midnight + HOUR + 2 * MINUTE)]);
    await flushMachine(machine.id);
    expect((await ofShift())?.revision).toBeGreaterThan(before?.revision ?? 0);
    expect(await ofShift()).toMatchObject({ totalUnits: 145, recentUnits: 50 });
  });

  it("make the speed of the last ten minutes, of which a late one takes its part", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    const { nodeId } = machine;
    await ingest(token, readings(nodeId, NOON - 30 * MINUTE, upFrom(0, 31)));
    await flushMachine(machine.id);
    const recent = async () => (await recordsOf(machine.id)).at(-1)?.recentUnits;
    expect(await recent()).toBe(10);
    await ingest(token, readings(nodeId, NOON - 10.5 * MINUTE, [20]));
    await flushMachine(machine.id);
    expect(await recent()).toBe(9);
    await ingest(token, readings(nodeId, NOON - 10.25 * MINUTE, [5]));
    await flushMachine(machine.id);
    expect(await recent()).toBe(9 + 15);
  });

  it("go on after the object was evicted", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    for (const [i, value] of [10, 14, 20, 3].entries()) {
      await ingest(token, readings(machine.nodeId, NOON - 10 * MINUTE + i * MINUTE, [value]));
      await evictDurableObject(machineObject(env, machine.id));
    }
    await flushMachine(machine.id);
    expect((await recordsOf(machine.id)).at(-1)).toMatchObject({ totalUnits: 4 + 6 + 3 });
  });
});
