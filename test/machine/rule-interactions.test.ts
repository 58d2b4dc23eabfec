import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it, vi } from "vitest";
import { orderRuns } from "../../src/db/schema.ts";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createOperator,
  createShift,
  createSku,
  createStopCause,
  createUser,
  createWorkOrder,
} from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../support/machines.ts";

// Where one rule meets another: shifts that change while they run, stops that are cut, SKUs that change, rows in transit.

stopClockAtNoon();

const TODAY = NOON - 12 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

function counts(nodeId: number, from: number, to: number, stepMs = MINUTE) {
  return Array.from({ length: Math.floor((to - from) / stepMs) + 1 }, (_, i) => countAt(nodeId, from + i * stepMs));
}

async function sendAll(token: string, events: object[]) {
  for (let i = 0; i < events.length; i += 1000) await ingest(token, events.slice(i, i + 1000));
}

/** A machine with an early shift 06:00-14:00 that has run every minute since 06:00, and its company's superuser. */
async function createEarlyLine(options: Parameters<typeof createMachine>[1] = {}) {
  const { companyId } = await createCompany();
  const { shiftId } = await createShift(companyId);
  const machine = await createMachine(companyId, { commissionedAt: TODAY - 3 * DAY, noDataAfterSeconds: null, ...options });
  await createChannels(machine, [
    { channel: 1, type: "total" },
    { channel: 2, type: "good" },
  ]);
  const { token: gateway } = await createGatewayToken(companyId);
  const { token } = await createUser(companyId, "superuser");
  await ingest(gateway, counts(machine.nodeId, TODAY + 6 * HOUR, NOON));
  return { companyId, shiftId, machine, machineId: machine.id, gateway, token };
}

/** A token issued now: tests let days pass. */
async function superuserOf(companyId: number): Promise<string> {
  return (await createUser(companyId, "superuser")).token;
}

type Line = Pick<Awaited<ReturnType<typeof createEarlyLine>>, "companyId" | "machineId">;

async function shiftsOf({ companyId, machineId }: Line) {
  await configureMachine(machineId);
  await flushMachine(machineId);
  const body = { machineIds: [machineId], direction: "asc", from: iso(TODAY) };
  const { metrics } = (await call("POST", "/v1/public/reports/metrics", { token: await superuserOf(companyId), body })).body;
  return metrics.map(({ shift }: { shift: { startTime: string; endTime: string } }) => [shift.startTime, shift.endTime]);
}

describe("a shift that changes while it runs", () => {
  const early = [iso(TODAY + 6 * HOUR), iso(TODAY + 14 * HOUR)];

  it.each([
    ["it starts later", { start: "13:00" }],
    ["it starts earlier", { start: "05:00" }],
    ["it moves behind its end", { start: "15:00", end: "23:00" }],
    ["it loses the day", { days: ["sunday"] }],
  ])("stays as it is today: %s", async (_, change) => {
    const line = await createEarlyLine();
    const patched = await call("PATCH", `/v1/shifts/${line.shiftId}`, { token: line.token, body: change });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect(await shiftsOf(line)).toEqual([early]);
    vi.setSystemTime(TODAY + 23 * HOUR);
    expect(await shiftsOf(line)).toEqual([early]);
  });

  it("stays as it is when the company moves to another time zone, and when it is deleted", async () => {
    const moved = await createEarlyLine();
    const patched = await call("PATCH", `/v1/companies/${moved.companyId}`, {
      token: moved.token,
      body: { timezone: "Pacific/Honolulu" },
    });
    expect(patched.status).toBe(200);
    const deleted = await createEarlyLine();
    expect((await call("DELETE", `/v1/shifts/${deleted.shiftId}`, { token: deleted.token })).status).toBe(204);
    for (const line of [moved, deleted]) expect(await shiftsOf(line)).toEqual([early]);
    vi.setSystemTime(TODAY + 41 * HOUR);
    expect(await shiftsOf(deleted)).toEqual([early]);
    // 06:00 in Honolulu, tomorrow at the earliest.
    expect(await shiftsOf(moved)).toEqual([early, [iso(TODAY + 40 * HOUR), iso(TODAY + 48 * HOUR)]]);
  });
});

describe("a machine's first shift", () => {
  it("counts from its start, even when it is created after that", async () => {
    const { companyId } = await createCompany();
    const machine = await createMachine(companyId, { commissionedAt: TODAY - DAY, noDataAfterSeconds: null });
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    const { token: gateway } = await createGatewayToken(companyId);
    const { token } = await createUser(companyId, "superuser");
    const operator = await createOperator(companyId);
    const signIn = { type: "operator", machineId: machine.id, operatorId: operator.operatorId, action: "in" };
    await sendAll(gateway, [{ ...signIn, at: iso(TODAY) }, ...counts(machine.nodeId, TODAY + HOUR, NOON)]);
    vi.setSystemTime(NOON + 10 * SECOND);
    const body = { name: "Early", start: "06:00", end: "14:00", days: ["monday", "tuesday", "wednesday", "thursday", "friday"] };
    const created = await call("POST", "/v1/shifts", { token, body });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    await configureMachine(machine.id);
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toMatchObject([
      { startAt: TODAY + 6 * HOUR, endAt: TODAY + 14 * HOUR, availableMs: 6 * HOUR + 10 * SECOND, totalUnits: 361 },
    ]);
    const { shares } = (await machineObject(env, machine.id).operators()) ?? { shares: [] };
    expect(shares).toMatchObject([{ operatorId: operator.operatorId, units: 361, uptimeMs: 6 * HOUR + 10 * SECOND }]);
  });
});

describe("a stop that is cut", () => {
  async function createClassifiedStop() {
    const line = await createLine({ commissionedAt: TODAY, noDataAfterSeconds: null });
    const { token } = await createUser(line.companyId, "superuser");
    const { machine, token: gateway } = line;
    await ingest(gateway, [
      ...counts(machine.nodeId, TODAY, TODAY + 8 * HOUR),
      ...counts(machine.nodeId, TODAY + 10 * HOUR, NOON),
    ]);
    await flushMachine(machine.id);
    const planned = await createStopCause(line.companyId, { name: "Changeover", ownIsProgrammed: true });
    const [stop] = await stopsOf(machine.id);
    const classification = { generalCauseId: String(planned.id), description: "new mould" };
    await call("PUT", `/v1/stops/${stop?.id}/classification`, { token, body: classification });
    await call("PATCH", `/v1/stops/${stop?.id}`, { token, body: { name: "Mould 7", isIncludedInStops: false } });
    const said = {
      name: "Mould 7",
      isProgrammed: true,
      isIncludedInStops: false,
      generalCauseId: planned.id,
      description: "new mould",
    };
    return { ...line, machineId: machine.id, userToken: token, stop, said };
  }

  const programmed = async (machineId: number) => (await recordsOf(machineId)).map((record) => record.programmedMs / MINUTE);
  const times = (slices: { sliceStart: number; sliceEnd: number | null }[]) =>
    slices.map(({ sliceStart, sliceEnd }) => [(sliceStart - TODAY) / MINUTE, ((sliceEnd ?? 0) - TODAY) / MINUTE]);
  const there = async (machineId: number) => (await stopsOf(machineId)).filter((slice) => slice.deletedAt === null);

  it("by a late pulse keeps its cause, flags and name on both parts", async () => {
    const { machineId, machine, token, said } = await createClassifiedStop();
    await flushMachine(machineId);
    expect(await programmed(machineId)).toEqual([120]);
    await ingest(token, [countAt(machine.nodeId, TODAY + 8.5 * HOUR)]);
    await flushMachine(machineId);
    const parts = await there(machineId);
    expect(times(parts)).toEqual([
      [480, 510],
      [510, 600],
    ]);
    expect(parts).toMatchObject([said, said]);
    expect(await programmed(machineId)).toEqual([120]);
    // And once more: a part of a part.
    await ingest(token, [countAt(machine.nodeId, TODAY + 9.5 * HOUR)]);
    await flushMachine(machineId);
    expect(await there(machineId)).toMatchObject([said, said, said]);
    expect(await programmed(machineId)).toEqual([120]);
  });

  it("by a recorded stop keeps them on its remaining parts, not on the recorded stop", async () => {
    const { machineId, userToken, said } = await createClassifiedStop();
    const body = { machineId, startTime: iso(TODAY + 8.5 * HOUR), endTime: iso(TODAY + 9 * HOUR) };
    expect((await call("POST", "/v1/stops", { token: userToken, body })).status).toBe(201);
    await flushMachine(machineId);
    const recorded = { isManual: true, name: null, isProgrammed: false, isIncludedInStops: true, generalCauseId: null };
    const parts = await there(machineId);
    expect(times(parts)).toEqual([
      [480, 510],
      [510, 540],
      [540, 600],
    ]);
    expect(parts).toMatchObject([said, recorded, said]);
    expect(await programmed(machineId)).toEqual([90]);
  });

  it("does not pass its name to a later stop", async () => {
    const { machineId, machine, token, userToken, said } = await createClassifiedStop();
    vi.setSystemTime(NOON + 20 * MINUTE);
    await flushMachine(machineId);
    const open = (await there(machineId)).at(-1);
    await call("PATCH", `/v1/stops/${open?.id}`, { token: userToken, body: { name: "Jam" } });
    vi.setSystemTime(NOON + HOUR);
    await ingest(token, counts(machine.nodeId, NOON + 21 * MINUTE, NOON + 30 * MINUTE));
    await flushMachine(machineId);
    expect(await there(machineId)).toMatchObject([said, { name: "Jam" }, { name: null, sliceStart: NOON + 30 * MINUTE }]);
  });
});

describe("the speed of a closed shift", () => {
  it("is that of the SKU in work at its end, even if SKU events come late", async () => {
    const line = await createEarlyLine({ standardCycleSeconds: 60 });
    const { companyId, machineId, gateway } = line;
    for (const [id, standardCycleSeconds] of Object.entries({ A: 10, B: 20 })) {
      const body = { id, name: id, standards: [{ machineId: null, standardCycleSeconds }] };
      expect((await call("POST", "/v1/skus", { token: line.token, body })).status).toBe(201);
    }
    await configureMachine(machineId);
    const take = (at: number, skuId: string) => ({ type: "sku", machineId, at: iso(at), skuId });
    const speeds = async () => {
      await flushMachine(machineId);
      const body = { machineIds: [machineId], direction: "asc", from: iso(TODAY + DAY) };
      const { metrics } = (await call("POST", "/v1/public/reports/metrics", { token: await superuserOf(companyId), body })).body;
      return metrics.map((item: { productionMetrics: { cycleSpeed: number } }) => item.productionMetrics.cycleSpeed);
    };
    // From here on nothing is produced.
    await ingest(gateway, [take(TODAY + 11 * HOUR, "A")]);
    vi.setSystemTime(TODAY + DAY + 15 * HOUR);
    await ingest(gateway, [take(TODAY + DAY + 14.5 * HOUR, "B")]);
    expect(await speeds()).toEqual([360]);
    // B was in work before the end after all.
    await ingest(gateway, [take(TODAY + DAY + 13 * HOUR, "B")]);
    expect(await speeds()).toEqual([180]);
    vi.setSystemTime(TODAY + 2 * DAY + 15 * HOUR);
    await ingest(gateway, [take(TODAY + 2 * DAY + 10 * HOUR, "A")]);
    expect(await speeds()).toEqual([180, 360]);
  });
});

describe("good units in addition to a total", () => {
  it("that arrive after a SKU change are credited to the previous SKU, in the shift and in the order", async () => {
    const { companyId, machine, machineId, gateway } = await createEarlyLine();
    const [a, b] = [await createSku(companyId), await createSku(companyId)];
    const [first, second] = [await createWorkOrder(machine, a.skuId), await createWorkOrder(machine, b.skuId)];
    const day = TODAY + DAY + 6 * HOUR;
    vi.setSystemTime(TODAY + DAY + 12 * HOUR);
    const pulses = (minute: number, channel: number, value: number) =>
      countAt(machine.nodeId, day + minute * MINUTE, value, { channel });
    const work = (minute: number, { skuId }: { skuId: string }, { workOrderId }: { workOrderId: string }) => {
      return { type: "sku", machineId, at: iso(day + minute * MINUTE), skuId, workOrderId };
    };
    await ingest(gateway, [
      work(0, a, first),
      ...[pulses(1, 1, 100), pulses(2, 2, 98)],
      work(3, b, second),
      ...[pulses(4, 2, 2), pulses(5, 1, 50), pulses(6, 2, 49)],
    ]);
    await flushMachine(machineId);
    const record = (await recordsOf(machineId)).at(-1);
    expect(record).toMatchObject({ totalUnits: 150, defectUnits: 1 });
    // 151 good of 150: B has none missing, and A at most one, until B's last good unit arrives.
    await ingest(gateway, [pulses(7, 2, 1)]);
    await flushMachine(machineId);
    expect((await recordsOf(machineId)).at(-1)).toMatchObject({ totalUnits: 150, defectUnits: 0 });
    const runs = await drizzle(env.DB_0)
      .select()
      .from(orderRuns)
      .where(eq(orderRuns.machineId, machineId))
      .orderBy(asc(orderRuns.startAt));
    expect(runs).toMatchObject([
      { workOrderId: first.workOrderId, correct: 100, defects: 0 },
      { workOrderId: second.workOrderId, correct: 50, defects: 0 },
    ]);
    const token = await superuserOf(companyId);
    const explained = await call("GET", `/v1/machines/${machineId}/shifts/${iso(day)}/explain`, { token });
    expect(explained.body.skus).toMatchObject([
      { skuId: a.skuId, defects: 0 },
      { skuId: b.skuId, defects: 0 },
    ]);
  });
});

describe("operators at the end of a shift", () => {
  it("are signed out, unless the company keeps them signed in", async () => {
    const signedIn = async (signOutAtShiftEnd: boolean) => {
      const line = await createEarlyLine();
      await env.DB_0.prepare("UPDATE companies SET sign_out_at_shift_end = ? WHERE id = ?")
        .bind(Number(signOutAtShiftEnd), line.companyId)
        .run();
      await env.DB_0.prepare("UPDATE machines SET config_version = 2 WHERE id = ?").bind(line.machineId).run();
      await configureMachine(line.machineId);
      const { operatorId } = await createOperator(line.companyId);
      await ingest(line.gateway, [{ type: "operator", machineId: line.machineId, at: iso(NOON), operatorId, action: "in" }]);
      // Three days later: nobody has signed out.
      vi.setSystemTime(NOON + 3 * DAY);
      const token = await superuserOf(line.companyId);
      const operatorsNow = async () =>
        (await call("GET", `/v1/machines/${line.machineId}/state`, { token })).body.operators.length;
      const inSilence = await operatorsNow();
      await ingest(line.gateway, counts(line.machine.nodeId, TODAY + 3 * DAY + 6 * HOUR, NOON + 3 * DAY));
      const { shares } = (await machineObject(env, line.machineId).operators()) ?? { shares: [] };
      const withCounts = await operatorsNow();
      vi.setSystemTime(NOON);
      return [shares.map(({ units }) => units), inSilence, withCounts];
    };
    expect(await signedIn(true)).toEqual([[], 0, 0]);
    expect(await signedIn(false)).toEqual([[361], 1, 1]);
  });
});

describe("a bulk import", () => {
  it("never publishes a shift record without its stops", async () => {
    const { machine, token } = await createLine({
      commissionedAt: TODAY - 8 * DAY,
      stopAfterSeconds: 60,
      noDataAfterSeconds: null,
    });
    // 8 days with a stop every five minutes.
    const events: object[] = [];
    for (let at = TODAY - 8 * DAY; at < TODAY; at += 5 * MINUTE) {
      events.push(...counts(machine.nodeId, at, at + 2 * MINUTE, 30 * SECOND));
    }
    await sendAll(token, events);
    const seen = async () => {
      const [records, slices] = [await recordsOf(machine.id), await stopsOf(machine.id)];
      return records.map(({ startAt }) => [startAt, slices.filter((slice) => slice.shiftStart === startAt).length]);
    };
    const steps: number[][][] = [];
    await runInDurableObject(machineObject(env, machine.id), async (object) => {
      for (let i = 0; i < 5; i++) {
        vi.setSystemTime(NOON + i * 11 * SECOND);
        await object.alarm();
        steps.push(await seen());
      }
    });
    const final = new Map(steps.at(-1) as [number, number][]);
    expect(final.size).toBe(9);
    expect(steps[0]?.length).toBeLessThan(9);
    for (const step of steps) for (const [start, count] of step) expect(count).toBe(final.get(start as number));
  });
});
