import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { recordOf } from "../../../src/core/record-id.ts";
import type { StopEdit } from "../../../src/objects/machine-protocol.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createOperator, createOperatorPlan, createShift } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../../support/machines.ts";

// The operators that an object caches equal those computed anew: an evicted object has no cache.

stopClockAtNoon();

type Line = Awaited<ReturnType<typeof lineAtWork>>;

/** A shift with a break from 12:02, a count at noon, and two operators: one signed in, the other planned on the shift after it. */
async function lineAtWork() {
  const { companyId, machine, token } = await createLine({ commissionedAt: NOON - HOUR, decommissionedAt: NOON + 3 * HOUR });
  await env.DB_0.prepare("UPDATE shifts SET deleted_at = 1 WHERE company_id = ?").bind(companyId).run();
  const breaks = [{ name: "Meal", start: "12:02", end: "12:04", isIncludedInAvailability: false }];
  await createShift(companyId, { start: "06:00", end: "13:00", breaks });
  const { shiftId } = await createShift(companyId, { start: "13:00", end: "20:00" });
  const [{ operatorId }, planned] = [await createOperator(companyId), await createOperator(companyId)];
  const since = NOON + 90 * MINUTE;
  await createOperatorPlan(companyId, {
    since,
    until: since + 30 * MINUTE,
    assignments: [{ operatorId: planned.operatorId, machineId: machine.id, shiftId }],
  });
  const sign = (action: "in" | "out", at: number) => {
    return { type: "operator", at: new Date(at).toISOString(), machineId: machine.id, operatorId, action };
  };
  await ingest(token, [sign("in", NOON - HOUR), countAt(machine.nodeId, NOON - HOUR), countAt(machine.nodeId, NOON)]);
  return { companyId, machine, token, operatorId, planned, sign, stub: () => machineObject(env, machine.id) };
}

/** The object's answer at an instant, compared with its answer without the cache. */
async function rosterAt(line: Line, now: number) {
  vi.setSystemTime(now);
  const read = await line.stub().operators();
  await evictDurableObject(line.stub());
  expect(read).toEqual(await line.stub().operators());
  return read;
}

/** A line that was queried at an instant, and has not been evicted since. */
async function askedAt(now: number) {
  const line = await lineAtWork();
  vi.setSystemTime(now);
  return { ...line, before: await line.stub().operators() };
}

describe("the cached roster of an object", () => {
  const passing: [what: string, asked: number, read: number][] = [
    ["time alone", NOON + SECOND, NOON + MINUTE],
    ["the last moment before a stop", NOON + SECOND, NOON + 2 * MINUTE],
    ["the moment of a stop", NOON + SECOND, NOON + 2 * MINUTE + 1],
    ["the end of a break", NOON + 2 * MINUTE + 1, NOON + 4 * MINUTE + SECOND],
    ["the moment of no data", NOON + 4 * MINUTE, NOON + 5 * MINUTE + 1],
    ["the end of the shift", NOON + 10 * MINUTE, NOON + HOUR],
    ["the end of service", NOON + 2 * HOUR, NOON + 3 * HOUR],
    ["a clock that was hours ahead", NOON + 2.5 * HOUR, NOON + 20 * MINUTE],
  ];
  for (const [what, asked, read] of passing) {
    it(`is right after ${what}`, async () => {
      const line = await askedAt(asked);
      expect(await rosterAt(line, read)).not.toEqual(line.before);
    });
  }

  it("is right when an operator plan begins and ends while nobody is signed in", async () => {
    const line = await lineAtWork();
    await ingest(line.token, [line.sign("out", NOON)]);
    const { operatorId } = line.planned;
    const start = NOON + 90 * MINUTE;
    vi.setSystemTime(start - 1);
    const count = (at: number) => ingest(line.token, [countAt(line.machine.nodeId, at)]);
    await count(start - 1);
    expect((await line.stub().operators())?.shares).toEqual([]);
    expect((await rosterAt(line, start))?.shares).toMatchObject([{ operatorId, uptimeMs: 0 }]);
    expect((await rosterAt(line, start + MINUTE))?.shares).toMatchObject([{ operatorId, uptimeMs: MINUTE }]);
    vi.setSystemTime(start + 30 * MINUTE - SECOND);
    await count(start + 30 * MINUTE - SECOND);
    const last = (await line.stub().operators())?.shares[0]?.uptimeMs ?? 0;
    expect((await rosterAt(line, start + 31 * MINUTE))?.shares[0]?.uptimeMs).toBe(last + SECOND);
  });

  it("is right when the time of a stored future event comes", async () => {
    const line = await lineAtWork();
    await ingest(line.token, [line.sign("out", NOON + MINUTE)]);
    vi.setSystemTime(NOON + SECOND);
    await line.stub().operators();
    expect((await rosterAt(line, NOON + 90 * SECOND))?.shares).toMatchObject([{ uptimeMs: MINUTE, downtimeMs: 0 }]);
  });

  it("is right after events, alarms, edits and a changed set-up", async () => {
    const line = await askedAt(NOON + 10 * MINUTE);
    const { machine, token, companyId } = line;
    const at = NOON + 10 * MINUTE;
    const alarm = () => flushMachine(machine.id);
    const done: (() => Promise<unknown>)[] = [
      () => ingest(token, [countAt(machine.nodeId, at - SECOND, 7)]),
      () => ingest(token, [countAt(machine.nodeId, NOON - 30 * MINUTE)]),
      alarm,
      () => edit(line, { action: "record", start: at - 40 * MINUTE, end: at - SECOND, name: null, causes: null, flags: {} }),
      async () => {
        const stop = (await stopsOf(machine.id)).find(({ isManual, deletedAt }) => isManual && deletedAt === null);
        const { seq } = recordOf(stop?.id ?? 0);
        await edit(line, { action: "change", seq, version: null, flags: { isIncludedInAvailability: false } });
      },
      async () => {
        await env.DB_0.prepare("UPDATE shifts SET breaks = '[]' WHERE company_id = ?").bind(companyId).run();
        const change = "UPDATE machines SET decommissioned_at = ?, config_version = config_version + 1 WHERE id = ?";
        await env.DB_0.prepare(change).bind(at, machine.id).run();
        await line.stub().configure(1000);
      },
    ];
    for (const work of done) {
      const before = await line.stub().operators();
      await work();
      const after = await rosterAt(line, at);
      // An alarm only writes rows.
      if (work !== alarm) expect(after, String(work)).not.toEqual(before);
    }
  });

  it("is right when the clock goes back before recorded stops and reaches them again", async () => {
    const now = NOON + 3 * HOUR - MINUTE;
    const line = await askedAt(now);
    const start = NOON + HOUR + MINUTE;
    const cut = start + 10 * MINUTE;
    const [seq = 0] = await edit(line, { action: "record", start, end: now - MINUTE, name: null, causes: null, flags: {} });
    const [, second = 0] = await edit(line, { action: "split", seq, version: null, at: cut });
    await edit(line, { action: "change", seq: second, version: null, flags: { isIncludedInAvailability: false } });
    for (const edge of [start, cut]) {
      vi.setSystemTime(edge - SECOND);
      await line.stub().operators();
      await rosterAt(line, edge + MINUTE);
    }
    vi.setSystemTime(cut + 2 * MINUTE);
    await line.stub().operators();
    await rosterAt(line, now + 30 * SECOND);
  });
});

/** Returns the numbers of the stops that result from the edit. */
async function edit(line: Line, edit: StopEdit): Promise<number[]> {
  const by = { userId: 1, apiTokenId: null, requestId: crypto.randomUUID() };
  const outcome = await line.stub().editStops(edit, line.companyId, by);
  if ("refused" in outcome) throw new Error(outcome.message);
  return outcome.stops.map(([slice]) => recordOf(slice?.id ?? 0).seq);
}

describe("a machine without data, at which an operator is signed in", () => {
  it("computes its rows at most every ten seconds, however many read them", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR, noDataAfterSeconds: 60 });
    const { operatorId } = await createOperator(machine.companyId);
    const at = new Date(NOON - HOUR).toISOString();
    const signIn = { type: "operator", at, machineId: machine.id, operatorId, action: "in" };
    await ingest(token, [signIn, countAt(machine.nodeId, NOON - HOUR)]);
    await flushMachine(machine.id);
    const publishedAfter = async (ms: number) => {
      vi.setSystemTime(NOON + MINUTE + ms);
      const instant = await machineObject(env, machine.id).publish();
      return (instant ?? Number.NaN) - NOON - MINUTE;
    };
    expect(await publishedAfter(0)).toBe(0);
    expect([await publishedAfter(SECOND), await publishedAfter(9 * SECOND)]).toEqual([0, 0]);
    expect(await publishedAfter(10 * SECOND)).toBe(10 * SECOND);
    // What happened in the meantime is published as before.
    await ingest(token, [countAt(machine.nodeId, NOON + MINUTE + 10 * SECOND, 4)]);
    await publishedAfter(12 * SECOND);
    expect((await recordsOf(machine.id)).at(-1)?.totalUnits).toBe(5);
  });
});
