import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import { createOperator, createShift } from "../support/factories.ts";
import { alarmCalls, storageCost } from "../support/machine-costs.ts";
import { machineObject } from "../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../support/machines.ts";
import { eventsIn } from "../support/object-storage.ts";

// The cost of an object depends on current activity, never on how long its machine has existed.

stopClockAtNoon();

type Line = Awaited<ReturnType<typeof createLine>>;

function every(stepMs: number, from: number, to: number, nodeId: number, type = "count") {
  return Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, i) => ({ ...countAt(nodeId, from + i * stepMs), type }));
}

async function inventory(machineId: number) {
  return await runInDurableObject(machineObject(env, machineId), (_, { storage }) => {
    const count = (table: string) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n;
    // The last checkpoint of each day that is archived stays.
    const checkpoints = count("checkpoints") - count("days");
    return { events: eventsIn(storage).length, checkpoints, stops: count("stops"), spans: count("spans") };
  });
}

/** When the object will wake next; null: never by itself. */
function nextAlarm(machineId: number) {
  return runInDurableObject(machineObject(env, machineId), (_, { storage }) => storage.getAlarm());
}

/** A line with this many days of history, with a stop every hour. */
async function lineWithHistory(days: number) {
  const line = await createLine({ commissionedAt: NOON - days * DAY, stopAfterSeconds: 600, noDataAfterSeconds: null });
  const { machine, token } = line;
  for (let at = NOON - days * DAY; at < NOON; at += DAY) {
    vi.setSystemTime(at + DAY);
    const hours = Array.from({ length: 24 }, (_, i) => at + i * HOUR);
    await ingest(
      token,
      hours.flatMap((hour) => every(5 * MINUTE, hour, hour + 45 * MINUTE, machine.nodeId)),
    );
    await flushMachine(machine.id);
  }
  return line;
}

describe("the cost of an object", () => {
  it("is the same after thirty days of history as after five", async () => {
    const costs = [];
    const archivedCosts = [];
    for (const days of [5, 30]) {
      const { machine, token } = await lineWithHistory(days);
      const cost = (work: () => Promise<unknown>) => storageCost(machine.id, work);
      const state = () => machineObject(env, machine.id).state();
      vi.setSystemTime(NOON + MINUTE);
      const restart = async () => {
        await evictDurableObject(machineObject(env, machine.id));
        await state();
      };
      const lateCount = (lateMs: number) => () => ingest(token, [countAt(machine.nodeId, NOON - lateMs + 7 * SECOND)]);
      const { stops, spans, ...kept } = await inventory(machine.id);
      expect(stops).toBeGreaterThanOrEqual(days * 24);
      const untouched = { restart: await cost(restart), alarm: await cost(() => flushMachine(machine.id)) };
      const late = [];
      for (const ms of [0, HOUR, 46 * HOUR, 2 * HOUR]) {
        late.push({ ingest: await cost(lateCount(ms)), alarm: await cost(() => flushMachine(machine.id)) });
      }
      // A count of an archived day rewrites the rows of that day, and has the time from then on recalculated up to where nothing differs: to now, as the SKU is the same.
      const archived = { ingest: await cost(lateCount(4 * DAY)), recalculation: await cost(() => flushMachine(machine.id)) };
      costs.push({ kept, untouched, late });
      archivedCosts.push(archived);
    }
    const [five, thirty] = costs as [(typeof costs)[number], (typeof costs)[number]];
    expect(thirty).toEqual(five);

    // Nine counts an hour: two days and the shift of that time; the first of them is replaced day by day.
    expect(thirty.kept.events).toBeLessThanOrEqual(4 * 24 * 9);
    expect(thirty.kept.events).toBeGreaterThanOrEqual(2 * 24 * 9);
    expect(thirty.untouched.restart.rowsRead).toBeLessThan(400);
    expect(thirty.untouched.restart.rowsWritten).toBe(0);
    // The events since the last checkpoint, at most an hour before it, and a few more rows for each.
    const [now, hourLate, daysLate, late] = thirty.late.map(({ ingest: cost }) => cost);
    expect(now?.rowsRead).toBeLessThan(30);
    expect(hourLate?.rowsRead).toBeLessThan(60);
    expect(late?.rowsRead).toBeLessThan(80);
    expect(daysLate?.rowsRead).toBeLessThan(48 * 9);
    for (const { ingest, recalculation } of archivedCosts) {
      expect(ingest.rowsWritten).toBeLessThan(10);
      expect(recalculation.rowsWritten).toBeLessThan(3000);
      expect(recalculation.rowsRead).toBeLessThan(8000);
    }
  });

  it("is the same for a stop of a month as for one of three days, until it ends", async () => {
    const costs = [];
    for (const days of [3, 30]) {
      vi.setSystemTime(NOON);
      const { companyId, machine, token } = await createLine({ commissionedAt: NOON - days * DAY });
      await env.DB_0.prepare("UPDATE shifts SET deleted_at = 1 WHERE company_id = ?").bind(companyId).run();
      await createShift(companyId, { start: "06:00", end: "14:00" });
      await createShift(companyId, { start: "14:00", end: "22:00" });
      await createShift(companyId, { start: "22:00", end: "06:00" });
      const heartbeats = (from: number, to: number) => every(4 * MINUTE, from, to, machine.nodeId, "heartbeat");
      await ingest(token, [countAt(machine.nodeId, NOON - days * DAY + SECOND)]);
      for (let at = NOON - days * DAY; at < NOON; at += 2 * DAY) {
        vi.setSystemTime(Math.min(NOON, at + 2 * DAY));
        await ingest(token, heartbeats(at, Math.min(NOON, at + 2 * DAY)));
        await flushMachine(machine.id);
      }
      vi.setSystemTime(NOON + 2 * MINUTE);
      await ingest(token, heartbeats(NOON, NOON + MINUTE));
      expect(await stopsOf(machine.id)).toHaveLength(days * 3 + 1);
      const goesOn = await storageCost(machine.id, () => flushMachine(machine.id));
      expect(await alarmCalls(machine.id)).toMatchObject({ sessions: 0 });
      vi.setSystemTime(NOON + 3 * HOUR);
      await ingest(token, heartbeats(NOON + 4 * MINUTE, NOON + 3 * HOUR));
      const intoNextShift = await storageCost(machine.id, () => flushMachine(machine.id));
      const slices = await stopsOf(machine.id);
      expect(slices).toHaveLength(days * 3 + 2);
      expect(slices.map(({ endAt }) => endAt)).toEqual(slices.map(() => null));
      costs.push({ goesOn, intoNextShift });

      await ingest(token, [countAt(machine.nodeId, NOON + 3 * HOUR)]);
      await flushMachine(machine.id);
      const ended = (await stopsOf(machine.id)).filter(({ startAt }) => startAt === NOON - days * DAY + SECOND);
      expect(ended.map(({ endAt }) => endAt)).toEqual(slices.map(() => NOON + 3 * HOUR));
    }
    const [days, month] = costs;
    expect(month?.goesOn).toEqual(days?.goesOn);
    // The end of a segment of events does not depend on the stop.
    expect(month?.intoNextShift.rowsRead).toBeLessThan((days?.intoNextShift.rowsRead ?? 0) + 5);
    expect(month?.intoNextShift.rowsWritten).toBeLessThan((days?.intoNextShift.rowsWritten ?? 0) + 5);
    // The incoming events are recorded, and the alarm is set.
    expect(month?.goesOn).toMatchObject({ rowsWritten: 2 });
    expect(month?.goesOn.rowsRead).toBeLessThan(150);
  });

  it("is the same for a machine that is silent for a month as for a day", async () => {
    const costs = [];
    for (const days of [1, 30]) {
      const { machine, token } = await createLine({ commissionedAt: NOON - days * DAY });
      await ingest(token, [countAt(machine.nodeId, NOON - days * DAY + SECOND)]);
      await flushMachine(machine.id);
      vi.setSystemTime(NOON + 12 * HOUR);
      costs.push(await storageCost(machine.id, () => flushMachine(machine.id)));
      vi.setSystemTime(NOON);
      const records = await recordsOf(machine.id);
      expect(records).toHaveLength(days + 2);
      expect(records.reduce((sum, { noDataMs }) => sum + noDataMs, 0)).toBe(days * DAY + 12 * HOUR - SECOND);
    }
    expect(costs[1]).toEqual(costs[0]);
  });
});

describe("an idle machine", () => {
  it("wakes only when silence changes its status and at the edges of shifts and breaks", async () => {
    const { companyId, machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    await env.DB_0.prepare("UPDATE shifts SET deleted_at = 1 WHERE company_id = ?").bind(companyId).run();
    const breaks = [{ name: "Meal", start: "18:00", end: "18:30", isIncludedInAvailability: false }];
    await createShift(companyId, { start: "06:00", end: "22:00", breaks });
    await ingest(token, every(10 * SECOND, NOON - MINUTE, NOON, machine.nodeId));
    await flushMachine(machine.id);
    const rung: number[] = [];
    let flushes = 0;
    for (let at = await nextAlarm(machine.id); at !== null && at < NOON + DAY; at = await nextAlarm(machine.id)) {
      expect(rung.length).toBeLessThan(50);
      rung.push(at - NOON);
      vi.setSystemTime(at);
      const { sessions, batches, singles } = await alarmCalls(machine.id);
      expect([sessions, singles]).toEqual([batches, 0]);
      flushes += batches;
    }
    const lastCount = -10 * SECOND;
    const silences = [lastCount + 120 * SECOND + 1, lastCount + 300 * SECOND + 1];
    expect(rung).toEqual([...silences, 6 * HOUR, 6.5 * HOUR, 10 * HOUR, 18 * HOUR]);
    // A break in which nothing is known of the machine changes nothing.
    expect(flushes).toBe(4);
  });

  it("has no alarm once it is decommissioned", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR, decommissionedAt: NOON + HOUR });
    await ingest(token, [countAt(machine.nodeId, NOON - MINUTE)]);
    for (let at = await nextAlarm(machine.id), rung = 0; at !== null; at = await nextAlarm(machine.id)) {
      expect(rung++).toBeLessThan(10);
      vi.setSystemTime(Math.max(Date.now(), at));
      await alarmCalls(machine.id);
    }
    expect(await recordsOf(machine.id)).toMatchObject([{ openBucket: null, asOf: NOON + HOUR }]);
  });
});

describe("a count in order", () => {
  it("writes one row, and an alarm with nothing to send writes only the next alarm", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR, stopAfterSeconds: 60, noDataAfterSeconds: null });
    // The first hour begins its own segment, a shift record and a part of it.
    for (let at = NOON; at < NOON + 3 * MINUTE; at += 10 * SECOND) {
      vi.setSystemTime(at);
      await ingest(token, [countAt(machine.nodeId, at)]);
    }
    await flushMachine(machine.id);
    const cost = (work: () => Promise<unknown>) => storageCost(machine.id, work);
    const at = NOON + 3 * MINUTE;
    vi.setSystemTime(at);
    // The first one after a flush sets the alarm for the next one.
    await ingest(token, [countAt(machine.nodeId, at - 1)]);
    const count = (id?: string) => () => ingest(token, [{ ...countAt(machine.nodeId, at), ...(id && { id }) }]);
    expect(await cost(count())).toMatchObject({ rowsWritten: 1 });
    expect(await cost(count())).toMatchObject({ rowsWritten: 0 });
    const batch = [countAt(machine.nodeId, at + 1), { ...countAt(machine.nodeId, at + 2), id: "two" }];
    vi.setSystemTime(at + 2);
    expect(await cost(() => ingest(token, batch))).toMatchObject({ rowsWritten: 1 });
    await flushMachine(machine.id);
    await evictDurableObject(machineObject(env, machine.id));
    vi.setSystemTime(at + 3);
    const woken = await cost(() => ingest(token, [{ ...countAt(machine.nodeId, at + 3), id: "three" }]));
    // It also sets the alarm, because the flush before cleared it by hand.
    expect(woken.rowsWritten).toBeLessThanOrEqual(2);
    expect(woken.rowsRead).toBeLessThan(40);
    expect(await cost(() => ingest(token, [{ ...countAt(machine.nodeId, at + 1), id: "three" }]))).toMatchObject({
      rowsWritten: 0,
    });
    // Its record and the part of the hour, the expected and the sent state of D1, and the next alarm.
    vi.setSystemTime(at + 30 * SECOND);
    await ingest(token, [countAt(machine.nodeId, at + 30 * SECOND)]);
    // An alarm while only counts wait sets the next one.
    expect((await cost(() => alarmCalls(machine.id))).rowsWritten).toBeLessThanOrEqual(1);
    const flushed = await cost(async () => machineObject(env, machine.id).publish(0));
    expect(flushed.rowsWritten).toBeLessThanOrEqual(5);
    // It has been stopped for a while.
    vi.setSystemTime(at + 10 * MINUTE);
    await flushMachine(machine.id);
    vi.setSystemTime(at + 12 * MINUTE);
    expect(await cost(() => alarmCalls(machine.id))).toMatchObject({ rowsWritten: 1 });
  });
});

describe("a flush", () => {
  it("is one batch to D1, and none when there is nothing to send", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - 2 * DAY, noDataAfterSeconds: null });
    await ingest(token, [countAt(machine.nodeId, NOON - DAY), ...every(HOUR, NOON - 6 * HOUR, NOON, machine.nodeId)]);
    expect(await alarmCalls(machine.id)).toMatchObject({ sessions: 1, batches: 1, singles: 0 });
    expect((await recordsOf(machine.id)).length).toBeGreaterThan(1);
    expect((await stopsOf(machine.id)).length).toBeGreaterThan(1);
    const none = { sessions: 0, batches: 0, singles: 0, rowsRead: 0, rowsWritten: 0 };
    expect(await alarmCalls(machine.id)).toEqual(none);
    // An open stop just continues.
    vi.setSystemTime(NOON + 10 * MINUTE);
    await flushMachine(machine.id);
    vi.setSystemTime(NOON + 12 * MINUTE);
    expect(await alarmCalls(machine.id)).toEqual(none);
    await ingest(token, [{ ...countAt(machine.nodeId, NOON + 11 * MINUTE), value: 5 }]);
    expect(await alarmCalls(machine.id)).toMatchObject({ sessions: 1, batches: 1, singles: 0 });
  });

  /** The times of writes to D1, in seconds after noon, while something is sent every two seconds for a while. */
  async function flushesOf(minutes: number, sent: (line: Line, now: number) => object[] | Promise<object[]>) {
    const line = await createLine({ commissionedAt: NOON - HOUR });
    const flushes: number[] = [];
    for (let second = 1; second <= minutes * 60; second += 2) {
      const now = NOON + second * SECOND;
      vi.setSystemTime(now);
      await ingest(line.token, await sent(line, now));
      const at = await nextAlarm(line.machine.id);
      if (at === null || at > now) continue;
      if ((await alarmCalls(line.machine.id)).batches > 0) flushes.push(second);
    }
    return flushes;
  }

  it("runs at most every ten seconds while somebody signs in or out every two seconds", async () => {
    let operatorId = 0;
    let action = "out";
    const flushes = await flushesOf(1, async ({ companyId, machine }, now) => {
      operatorId ||= (await createOperator(companyId)).operatorId;
      action = action === "in" ? "out" : "in";
      const at = new Date(now).toISOString();
      return [countAt(machine.nodeId, now), { type: "operator", at, machineId: machine.id, operatorId, action }];
    });
    expect(flushes.length).toBeGreaterThanOrEqual(5);
    expect(flushes.length).toBeLessThanOrEqual(7);
  });

  it("runs every five minutes while there are only counts", async () => {
    // The first counts end the silence since the commissioning, which is published at once.
    expect(await flushesOf(11, ({ machine }, now) => [countAt(machine.nodeId, now)])).toEqual([1, 301, 601]);
  });
});
