import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import { createOperator, createShift, createSku, createWorkOrder } from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../support/machines.ts";
import { eventsIn, settingsIn, versionsIn } from "../support/object-storage.ts";
import { changed } from "../support/service.ts";

stopClockAtNoon();

/** Counts every `stepMs` over [from, to). */
function counts(nodeId: number, from: number, to: number, stepMs = 10 * SECOND) {
  return Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, i) => countAt(nodeId, from + i * stepMs));
}

const ledger = [
  "availableMs",
  "noDataMs",
  "programmedMs",
  "nonProgrammedMs",
  "otherMs",
  "totalUnits",
  "defectUnits",
  "cycles",
] as const;

async function ledgerOf(machineId: number) {
  const records = await recordsOf(machineId);
  return records.map((record) => Object.fromEntries([["startAt", record.startAt], ...ledger.map((key) => [key, record[key]])]));
}

async function stopTimes(machineId: number) {
  const slices = await stopsOf(machineId);
  return slices.filter((slice) => slice.deletedAt === null).map(({ sliceStart, sliceEnd }) => [sliceStart, sliceEnd]);
}

describe("the events in a machine's object", () => {
  it("without ids that are equal in one request count once, which a warning says", async () => {
    const { machine, token } = await createLine({ standardCycleSeconds: 1 });
    const twice = [countAt(machine.nodeId, NOON - MINUTE), countAt(machine.nodeId, NOON - MINUTE)];
    const sent = await ingest(token, twice);
    expect(sent).toMatchObject({ accepted: 1, duplicates: 1, warnings: [{ machineId: machine.id, code: "equal_events" }] });
    expect((await ingest(token, twice.slice(1))).warnings).toEqual([]);
    const named = twice.map((event, i) => ({ ...event, id: `one ${i}` }));
    expect(await ingest(token, named)).toMatchObject({ accepted: 2, warnings: [] });
  });

  it("survive an eviction in mid-shift", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - 6 * HOUR });
    const stub = machineObject(env, machine.id);
    const operator = await createOperator(machine.companyId);
    const at = new Date(NOON - 5 * HOUR).toISOString();
    await ingest(token, [{ type: "operator", at, machineId: machine.id, operatorId: operator.operatorId, action: "in" }]);
    for (let hour = 5; hour > 0; hour--) {
      await ingest(token, counts(machine.nodeId, NOON - hour * HOUR, NOON - (hour - 1) * HOUR));
      await evictDurableObject(stub);
    }
    await flushMachine(machine.id);
    const [record] = await recordsOf(machine.id);
    expect(record).toMatchObject({ totalUnits: 1800, availableMs: 5 * HOUR - 10 * SECOND + 10 * SECOND, noDataMs: HOUR });
    const current = await stub.operators();
    expect(current?.shares).toMatchObject([{ operatorId: operator.operatorId, units: 1800, uptimeMs: 5 * HOUR }]);
  });

  it("are counted once when the same batch is sent several times concurrently", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - 3 * HOUR });
    const events = counts(machine.nodeId, NOON - HOUR, NOON);
    const answers = await Promise.all([ingest(token, events), ingest(token, events), ingest(token, events)]);
    expect(answers.reduce((sum, answer) => sum + answer.accepted, 0)).toBe(360);
    expect(answers.reduce((sum, answer) => sum + answer.duplicates, 0)).toBe(720);
    await flushMachine(machine.id);
    expect(await ledgerOf(machine.id)).toMatchObject([{ totalUnits: 360 }]);
  });

  it("in the future are counted when their time comes, even together with newer events", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    const ahead = [4, 1, 3].map((minutes) => countAt(machine.nodeId, NOON + minutes * MINUTE));
    await ingest(token, [countAt(machine.nodeId, NOON - MINUTE), ...ahead]);
    await flushMachine(machine.id);
    expect(await ledgerOf(machine.id)).toMatchObject([{ totalUnits: 1 }]);
    vi.setSystemTime(NOON + 5 * MINUTE);
    await ingest(token, [countAt(machine.nodeId, NOON + 4.5 * MINUTE)]);
    await flushMachine(machine.id);
    expect(await ledgerOf(machine.id)).toMatchObject([{ totalUnits: 5, noDataMs: 59 * MINUTE }]);
  });

  it("are identified by their id: another event with it is refused as a conflict, in the same request and later", async () => {
    const { machine, token } = await createLine();
    const first = countAt(machine.nodeId, NOON - MINUTE, 5, { id: "a" });
    const others = [
      { ...first, value: 9 },
      { ...first, channel: 2 },
      { ...first, at: new Date(NOON - 2 * MINUTE).toISOString() },
    ];
    const conflicts = (from: number) => others.map((_, i) => expect.objectContaining({ index: from + i, code: "conflict" }));
    const sent = await ingest(token, [first, ...others, first]);
    expect(sent).toMatchObject({ accepted: 1, duplicates: 1, rejected: conflicts(1) });
    expect(await ingest(token, others)).toMatchObject({ accepted: 0, duplicates: 0, rejected: conflicts(0) });
    // The object has moved the events into a segment.
    await ingest(
      token,
      counts(machine.nodeId, NOON - 20 * MINUTE, NOON - 5 * MINUTE).map((event) => ({ ...event, value: 0 })),
    );
    await evictDurableObject(machineObject(env, machine.id));
    expect(await ingest(token, [first, ...others])).toMatchObject({ accepted: 0, duplicates: 1, rejected: conflicts(1) });
    expect(await ingest(token, [countAt(machine.nodeId, NOON - MINUTE, 5, { id: "b" })])).toMatchObject({ accepted: 1 });
    await flushMachine(machine.id);
    expect((await recordsOf(machine.id)).at(-1)).toMatchObject({ totalUnits: 10 });
  });

  it("give the same ledger late, shuffled and repeated as in order and once", async () => {
    const from = NOON - 20 * HOUR;
    const inOrder = await createLine({ commissionedAt: from });
    const disordered = await createLine({ commissionedAt: from });
    const script = (nodeId: number) => [
      ...counts(nodeId, from + HOUR, from + 4 * HOUR, MINUTE),
      ...counts(nodeId, from + 5 * HOUR, from + 13 * HOUR, MINUTE),
      ...counts(nodeId, from + 13.2 * HOUR, NOON, MINUTE),
      ...Array.from({ length: 60 }, (_, i) => ({
        type: "heartbeat",
        nodeId,
        at: new Date(from + i * 20 * MINUTE + 7 * SECOND).toISOString(),
      })),
    ];
    const ordered = script(inOrder.machine.nodeId).sort((a, b) => a.at.localeCompare(b.at));
    for (let i = 0; i < ordered.length; i += 1000) await ingest(inOrder.token, ordered.slice(i, i + 1000));
    await flushMachine(inOrder.machine.id);

    const shuffled = shuffle(script(disordered.machine.nodeId), 7);
    for (let i = 0; i < shuffled.length; i += 150) {
      await ingest(disordered.token, shuffled.slice(Math.max(0, i - 30), i + 150));
      if (i % 450 === 0) await flushMachine(disordered.machine.id);
      if (i % 300 === 0) await evictDurableObject(machineObject(env, disordered.machine.id));
    }
    await flushMachine(disordered.machine.id);
    expect(await ledgerOf(disordered.machine.id)).toEqual(await ledgerOf(inOrder.machine.id));
    expect(await stopTimes(disordered.machine.id)).toEqual(await stopTimes(inOrder.machine.id));
  });

  it("are accepted at any age, and refused before the commissioning and after the decommissioning", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - 4 * DAY, decommissionedAt: NOON - MINUTE });
    const old = countAt(machine.nodeId, NOON - 3 * DAY);
    await ingest(token, [old]);
    await ingest(token, [countAt(machine.nodeId, NOON - HOUR)]);
    const answer = await ingest(token, [
      countAt(machine.nodeId, NOON - HOUR - 2 * DAY - 1),
      countAt(machine.nodeId, NOON - HOUR - 2 * DAY),
      countAt(machine.nodeId, NOON - 5 * DAY),
      countAt(machine.nodeId, NOON - MINUTE),
      old,
    ]);
    expect(answer.rejected.map(({ index, code }) => [index, code])).toEqual([
      [2, "before_commissioning"],
      [3, "after_decommissioning"],
    ]);
    expect(answer).toMatchObject({ accepted: 2, duplicates: 1 });
    await flushMachine(machine.id);
    const records = await recordsOf(machine.id);
    expect(records.at(-1)).toMatchObject({ openBucket: null, asOf: NOON - MINUTE });
  });
});

describe("stops", () => {
  it("keep their id while late events move and split them, and are marked as deleted when they vanish", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - 3 * HOUR, noDataAfterSeconds: null });
    await ingest(token, [countAt(machine.nodeId, NOON - 3 * HOUR + SECOND), countAt(machine.nodeId, NOON - HOUR)]);
    await flushMachine(machine.id);
    const [before] = await stopsOf(machine.id);
    expect(before).toMatchObject({ startAt: NOON - 3 * HOUR + SECOND, endAt: NOON - HOUR });

    await ingest(token, [countAt(machine.nodeId, NOON - 2 * HOUR)]);
    await flushMachine(machine.id);
    const split = (await stopsOf(machine.id)).filter((stop) => stop.endAt !== null);
    expect(split.map(({ startAt, endAt }) => [startAt, endAt])).toEqual([
      [NOON - 3 * HOUR + SECOND, NOON - 2 * HOUR],
      [NOON - 2 * HOUR, NOON - HOUR],
    ]);
    expect(split[0]?.id).toBe(before?.id);

    await ingest(token, counts(machine.nodeId, NOON - 2 * HOUR, NOON - HOUR, MINUTE));
    await flushMachine(machine.id);
    const gone = (await stopsOf(machine.id)).find((stop) => stop.id === split[1]?.id);
    expect(gone?.deletedAt).toBe(NOON);
  });

  it("that cross shifts are one stop with a slice in each shift", async () => {
    const { companyId, machine, token } = await createLine({ commissionedAt: NOON - DAY, noDataAfterSeconds: null });
    await env.DB_0.prepare("UPDATE shifts SET deleted_at = 1 WHERE company_id = ?").bind(companyId).run();
    await createShift(companyId, { start: "06:00", end: "10:00" });
    await createShift(companyId, { start: "10:00", end: "14:00" });
    await ingest(token, [countAt(machine.nodeId, NOON - 4 * HOUR), countAt(machine.nodeId, NOON - HOUR)]);
    vi.setSystemTime(NOON - HOUR + MINUTE);
    await flushMachine(machine.id);
    const slices = (await stopsOf(machine.id)).filter((slice) => slice.startAt === NOON - 4 * HOUR);
    expect(slices).toHaveLength(2);
    expect(new Set(slices.map((slice) => slice.id)).size).toBe(1);
    expect(slices.map(({ sliceStart, sliceEnd }) => [sliceStart, sliceEnd])).toEqual([
      [NOON - 4 * HOUR, NOON - 2 * HOUR],
      [NOON - 2 * HOUR, NOON - HOUR],
    ]);
  });
});

describe("alarms", () => {
  it("close and open shifts and turn silence into stops and no data, without any event", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    await ingest(token, counts(machine.nodeId, NOON - HOUR, NOON));
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toMatchObject([{ openBucket: "available", availableMs: HOUR }]);

    const stub = machineObject(env, machine.id);
    const nextAlarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    // The last count came 10 s before noon: a stop after 120 s, no data after 300 s.
    expect(await nextAlarm()).toBe(NOON + 110 * SECOND + 1);
    vi.setSystemTime(NOON + 110 * SECOND + 1);
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toMatchObject([{ openBucket: "nonProgrammed", nonProgrammedMs: 120 * SECOND + 1 }]);
    expect(await stopTimes(machine.id)).toEqual([[NOON - 10 * SECOND, null]]);

    vi.setSystemTime(NOON + 290 * SECOND + 1);
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toMatchObject([{ openBucket: "noData", nonProgrammedMs: 0, noDataMs: 300 * SECOND + 1 }]);
    expect(await stopTimes(machine.id)).toEqual([]);

    // Nothing more can happen before midnight.
    expect(await nextAlarm()).toBe(NOON + 12 * HOUR);
    vi.setSystemTime(NOON + 12 * HOUR);
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toMatchObject([
      { openBucket: null, availableMs: HOUR - 10 * SECOND, noDataMs: 12 * HOUR + 10 * SECOND },
      { openBucket: "noData", startAt: NOON + 12 * HOUR, noDataMs: 0 },
    ]);
  });

  it("send an event in the future to D1 as soon as its time comes", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    await ingest(token, [countAt(machine.nodeId, NOON - 30 * MINUTE), countAt(machine.nodeId, NOON + MINUTE)]);
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toMatchObject([{ openBucket: "noData" }]);
    await runInDurableObject(machineObject(env, machine.id), async (object, { storage }) => {
      const ringsAt = await storage.getAlarm();
      expect(ringsAt).toBe(NOON + MINUTE);
      vi.setSystemTime(NOON + MINUTE);
      await object.alarm();
    });
    expect(await recordsOf(machine.id)).toMatchObject([{ openBucket: "available", totalUnits: 2 }]);
  });

  it("change nothing when they run twice, and catch up when they run days late", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    await ingest(token, counts(machine.nodeId, NOON - HOUR, NOON));
    await flushMachine(machine.id);
    const once = await recordsOf(machine.id);
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toEqual(once);

    vi.setSystemTime(NOON + 3 * DAY);
    await flushMachine(machine.id);
    const records = await recordsOf(machine.id);
    expect(records.map((record) => record.noDataMs)).toEqual([12 * HOUR + 10 * SECOND, DAY, DAY, 12 * HOUR]);
    expect(records[0]?.id).toBe(once[0]?.id);
  });

  it("do not write to D1 when nothing is new, and retry after a failure", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    await ingest(token, counts(machine.nodeId, NOON - HOUR, NOON));
    vi.setSystemTime(NOON + 150 * SECOND);
    await flushMachine(machine.id);
    const revision = (await recordsOf(machine.id))[0]?.revision;
    vi.setSystemTime(NOON + 200 * SECOND);
    await ingest(token, [{ type: "heartbeat", nodeId: machine.nodeId, at: new Date(NOON + 180 * SECOND).toISOString() }]);
    await flushMachine(machine.id);
    expect((await recordsOf(machine.id))[0]?.revision).toBe(revision);

    await ingest(token, [countAt(machine.nodeId, NOON + 195 * SECOND, 40)]);
    await env.DB_0.exec("ALTER TABLE shift_records RENAME TO shift_records_away");
    try {
      await runInDurableObject(machineObject(env, machine.id), (object) => object.alarm());
    } finally {
      await env.DB_0.exec("ALTER TABLE shift_records_away RENAME TO shift_records");
    }
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toMatchObject([{ totalUnits: 400 }]);
  });

  it("reach a reader also when the clock was set back to before the last flush", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - 6 * HOUR });
    await ingest(token, [countAt(machine.nodeId, NOON - HOUR, 1)]);
    await flushMachine(machine.id);
    vi.setSystemTime(NOON + 10 * MINUTE);
    const stub = machineObject(env, machine.id);
    const by = { userId: 1, apiTokenId: null, requestId: crypto.randomUUID() };
    const filter = { nodeId: null, channel: null, kinds: null, minValue: null, importId: null, ids: null };
    const sent = { ...filter, from: NOON - 2 * HOUR, to: NOON, reason: "A test" };
    // It sends its audit entry alone.
    expect(await stub.withdrawEvents(sent, by, null, 0)).toMatchObject({ withdrawal: { events: 1 } });
    vi.setSystemTime(NOON + 5 * MINUTE);
    await ingest(token, [countAt(machine.nodeId, NOON + 4 * MINUTE, 3)]);
    await stub.publish(0);
    expect(await ledgerOf(machine.id)).toMatchObject([{ totalUnits: 3 }]);
  });

  it("do not undo newer data in D1 when an abandoned write arrives late", async () => {
    const { companyId, machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    const stub = machineObject(env, machine.id);
    const [{ operatorId: first }, { operatorId }] = [await createOperator(companyId), await createOperator(companyId)];
    const signIn = (id: number) => {
      return { type: "operator", at: new Date(NOON - HOUR).toISOString(), machineId: machine.id, operatorId: id, action: "in" };
    };
    await ingest(token, [signIn(first), ...counts(machine.nodeId, NOON - HOUR, NOON)]);
    const givenUp = await runInDurableObject(stub, async (object) => {
      const inner = object as unknown as { env: Env };
      const { env: real } = inner;
      const batches: (() => Promise<unknown>)[] = [];
      const withSession = (...start: [string?]) => {
        const session = real.DB_0.withSession(...start);
        const batch = (statements: D1PreparedStatement[]) => {
          batches.push(() => session.batch(statements));
          return Promise.reject(new Error("D1_ERROR: Network connection lost."));
        };
        return changed(session, { batch });
      };
      inner.env = { ...real, DB_0: changed(real.DB_0, { withSession }) };
      await object.alarm();
      inner.env = real;
      return batches;
    });
    expect(givenUp).toHaveLength(1);
    await ingest(token, [countAt(machine.nodeId, NOON - SECOND, 40), signIn(operatorId)]);
    await flushMachine(machine.id);
    const published = async () => ({
      records: await recordsOf(machine.id),
      roster: (await env.DB_0.prepare("SELECT * FROM operator_shifts WHERE machine_id = ?").bind(machine.id).all()).results,
    });
    const newest = await published();
    expect(newest).toMatchObject({
      records: [{ totalUnits: 400 }],
      roster: [{ operator_id: first }, { operator_id: operatorId }],
    });
    await runInDurableObject(stub, async () => {
      for (const write of givenUp) await write();
    });
    expect(await published()).toEqual(newest);
  });

  it("process years of shifts in steps", async () => {
    const { machine } = await createLine({ commissionedAt: NOON - 300 * DAY, noDataAfterSeconds: null });
    const stub = machineObject(env, machine.id);
    await stub.configure(1);
    await runInDurableObject(stub, (object) => object.alarm());
    const first = await recordsOf(machine.id);
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThanOrEqual(100);
    await flushMachine(machine.id);
    expect(await recordsOf(machine.id)).toHaveLength(301);
    // One stop, with a slice in each shift, still open.
    const slices = await stopsOf(machine.id);
    expect(new Set(slices.map((slice) => slice.id)).size).toBe(1);
    expect(slices).toHaveLength(301);
    expect(slices.every((slice) => slice.endAt === null)).toBe(true);
  });
});

describe("set-up", () => {
  it("applies a change of the machine from now on and leaves the past unchanged", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - HOUR, standardCycleSeconds: 10 });
    await ingest(token, counts(machine.nodeId, NOON - HOUR, NOON));
    await flushMachine(machine.id);
    await env.DB_0.prepare("UPDATE machines SET standard_cycle_seconds = 5, config_version = 2 WHERE id = ?")
      .bind(machine.id)
      .run();
    vi.setSystemTime(NOON + HOUR);
    await machineObject(env, machine.id).configure(2);
    vi.setSystemTime(NOON + 2 * HOUR);
    await ingest(token, counts(machine.nodeId, NOON + HOUR, NOON + 2 * HOUR));
    await ingest(token, [countAt(machine.nodeId, NOON - 5 * SECOND)]);
    await flushMachine(machine.id);
    const [record] = await recordsOf(machine.id);
    expect(record?.idealMs).toBe(361 * 10 * SECOND + 360 * 5 * SECOND);
  });

  it("that the caller saw applies to stop edits, even before the object was notified of it", async () => {
    const { companyId, machine, token } = await createLine({ commissionedAt: NOON - 2 * DAY });
    await ingest(token, [countAt(machine.nodeId, NOON - 5 * HOUR)]);
    vi.setSystemTime(NOON + 3 * HOUR);
    await env.DB_0.prepare("UPDATE shifts SET days = '[]' WHERE company_id = ?").bind(companyId).run();
    await env.DB_0.prepare("UPDATE machines SET config_version = 2 WHERE id = ?").bind(machine.id).run();
    vi.setSystemTime(NOON + 4 * DAY);
    const edit = { start: NOON + 2 * DAY, end: NOON + 2 * DAY + HOUR, name: null, causes: null, flags: {} };
    const record = (configVersion: number) => {
      const by = { userId: 1, apiTokenId: null, requestId: crypto.randomUUID() };
      return machineObject(env, machine.id).editStops({ action: "record", ...edit }, companyId, by, null, configVersion);
    };
    expect(await record(1)).toMatchObject({ stops: [[{ startAt: edit.start, endAt: edit.end }]] });
    expect(await record(2)).toMatchObject({ refused: "conflict" });
    const configured = await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => settingsIn(storage));
    expect(configured).toHaveLength(2);
  });

  it("applies from commissioning on while the machine has not started", async () => {
    const { companyId, machine, token } = await createLine({ commissionedAt: NOON - 3 * DAY, standardCycleSeconds: 60 });
    await machineObject(env, machine.id).configure(1);
    await flushMachine(machine.id);
    const { skuId } = await createSku(companyId, { standards: [{ standardCycleSeconds: 20 }] });
    await env.DB_0.prepare("UPDATE machines SET stop_after_seconds = 1800, config_version = 2 WHERE id = ?")
      .bind(machine.id)
      .run();
    const sku = { type: "sku", at: new Date(NOON - 2 * DAY).toISOString(), machineId: machine.id, skuId };
    await ingest(token, [sku, ...counts(machine.nodeId, NOON - 2 * DAY, NOON - DAY, 20 * MINUTE)]);
    await ingest(
      token,
      counts(machine.nodeId, NOON - 2 * DAY, NOON - DAY, 4 * MINUTE).map((event) => ({ ...event, value: 0 })),
    );
    await flushMachine(machine.id);
    const records = await recordsOf(machine.id);
    expect(records.reduce((sum, record) => sum + record.idealMs, 0)).toBe(72 * 20 * SECOND);
    expect(records.reduce((sum, record) => sum + record.availableMs, 0)).toBeGreaterThan(23 * HOUR);
  });

  it("credits operators and SKUs as of each count", async () => {
    const { companyId, machine, token } = await createLine({ commissionedAt: NOON - HOUR });
    const ana = await createOperator(companyId);
    const ben = await createOperator(companyId);
    const bolt = await createSku(companyId);
    const at = (ms: number) => new Date(NOON + ms).toISOString();
    const sign = (operatorId: number, action: "in" | "out", ms: number) => ({
      type: "operator",
      at: at(ms),
      machineId: machine.id,
      operatorId,
      action,
    });
    await ingest(token, counts(machine.nodeId, NOON - HOUR, NOON));
    await ingest(token, [
      { type: "sku", at: at(-40 * MINUTE), machineId: machine.id, skuId: bolt.skuId },
      sign(ana.operatorId, "in", -50 * MINUTE),
      sign(ben.operatorId, "in", -30 * MINUTE),
      sign(ana.operatorId, "out", -10 * MINUTE),
    ]);
    const current = await machineObject(env, machine.id).operators();
    expect(current?.shares.toSorted((a, b) => a.operatorId - b.operatorId)).toMatchObject([
      { operatorId: ana.operatorId, units: 240, uptimeMs: 40 * MINUTE, downtimeMs: 0, skuId: bolt.skuId },
      { operatorId: ben.operatorId, units: 180, uptimeMs: 30 * MINUTE, downtimeMs: 0, skuId: bolt.skuId },
    ]);
  });
});

describe("work orders", () => {
  it("count the units of their runs once, even if events come late or twice", async () => {
    const { companyId, machine, token } = await createLine({ commissionedAt: NOON - 2 * HOUR });
    // Outside shifts nothing is reported, but production for an order is counted.
    await env.DB_0.prepare("UPDATE shifts SET deleted_at = 1 WHERE company_id = ?").bind(companyId).run();
    const { skuId } = await createSku(companyId);
    const first = await createWorkOrder(machine, skuId);
    const second = await createWorkOrder(machine, skuId, { status: "Paused" });
    const third = await createWorkOrder(machine, skuId);
    const switchTo = (workOrderId: string | null, ms: number) => {
      return { type: "sku", at: new Date(NOON + ms).toISOString(), machineId: machine.id, skuId, workOrderId };
    };
    const events = [
      ...counts(machine.nodeId, NOON - HOUR, NOON, MINUTE),
      countAt(machine.nodeId, NOON - MINUTE, 3, { channel: 2 }),
    ];
    await ingest(token, [switchTo(first.workOrderId, -HOUR), ...events]);
    await flushMachine(machine.id);
    await ingest(token, [switchTo(second.workOrderId, -20 * MINUTE), ...events, switchTo(third.workOrderId, 0)]);
    await evictDurableObject(machineObject(env, machine.id));
    await ingest(token, [switchTo(null, -10 * MINUTE)]);
    await flushMachine(machine.id);
    await flushMachine(machine.id);

    const progress = await env.DB_0.prepare(
      `SELECT o.id, o.status, sum(r.correct) AS correct, sum(r.defects) AS defects FROM work_orders o
       LEFT JOIN order_runs r ON r.work_order_id = o.id WHERE o.company_id = ? GROUP BY o.id`,
    )
      .bind(companyId)
      .all<{ id: string; status: string; correct: number; defects: number }>();
    const of = ({ workOrderId }: { workOrderId: string }) => progress.results.find(({ id }) => id === workOrderId);
    expect(of(first)).toMatchObject({ correct: 40, defects: 0, status: "InProgress" });
    expect(of(second)).toMatchObject({ correct: 10, defects: 0, status: "Paused" });
    expect(of(third)).toMatchObject({ correct: 0, defects: 0, status: "Backlog" });
  });
});

describe("the object's storage", () => {
  it("keeps nothing of a batch that it cannot store completely, and accepts it later", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const { machine, token } = await createLine({ commissionedAt: NOON - 2 * HOUR, noDataAfterSeconds: null });
    const rename = (from: string, to: string) =>
      runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
        storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      });
    await ingest(token, counts(machine.nodeId, NOON - 100 * MINUTE, NOON - 98 * MINUTE, MINUTE));
    // The first of them is folded before storing the span that the second one makes certain fails.
    const batch = [98, 60, 59, 10].map((minutes) => countAt(machine.nodeId, NOON - minutes * MINUTE));
    await rename("spans", "spans_away");
    try {
      await expect(ingest(token, batch)).rejects.toThrow();
    } finally {
      await rename("spans_away", "spans");
      vi.restoreAllMocks();
    }
    expect(await ingest(token, batch)).toMatchObject({ accepted: 4 });
    await flushMachine(machine.id);
    expect(await ledgerOf(machine.id)).toMatchObject([{ totalUnits: 6, cycles: 6, availableMs: 3 * MINUTE }]);
  });

  it("forgets events that nothing can change any more, and continues from there", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - 6 * DAY });
    for (let day = 6; day > 0; day--) {
      await ingest(token, counts(machine.nodeId, NOON - day * DAY, NOON - (day - 1) * DAY, 2 * MINUTE));
      await flushMachine(machine.id);
    }
    const before = await ledgerOf(machine.id);
    const kept = await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
      return { oldest: eventsIn(storage)[0]?.at };
    });
    expect(kept.oldest).toBeGreaterThanOrEqual(NOON - 4 * DAY);
    expect(kept.oldest).toBeLessThanOrEqual(NOON - 2 * DAY);
    await ingest(token, [countAt(machine.nodeId, NOON - 2 * DAY + MINUTE)]);
    await flushMachine(machine.id);
    const after = await ledgerOf(machine.id);
    const changed = after.filter((record, i) => record.totalUnits !== before[i]?.totalUnits);
    expect(changed).toHaveLength(1);
    expect(after.map((record) => record.availableMs)).toEqual(before.map((record) => record.availableMs));
  });

  it("archives old heartbeats of a machine that is stopped for days, and continues from there", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - 9 * DAY });
    const heartbeats = (from: number, to: number) =>
      counts(machine.nodeId, from, to, 4 * MINUTE).map((event) => ({ ...event, type: "heartbeat" }));
    const { skuId } = await createSku(machine.companyId);
    const { workOrderId } = await createWorkOrder(machine, skuId);
    const sku = { type: "sku", machineId: machine.id, skuId };
    await ingest(token, [{ ...sku, at: new Date(NOON - 9 * DAY).toISOString(), workOrderId }]);
    await ingest(token, counts(machine.nodeId, NOON - 9 * DAY, NOON - 8 * DAY, 2 * MINUTE));
    await ingest(token, [{ ...sku, at: new Date(NOON - 7.5 * DAY).toISOString(), workOrderId: null }]);
    for (let day = 8; day > 0; day--) {
      await ingest(token, heartbeats(NOON - day * DAY, NOON - (day - 1) * DAY));
      await flushMachine(machine.id);
    }
    const before = await recordsOf(machine.id);
    const kept = await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
      const at = eventsIn(storage)[0]?.at ?? 0;
      const query = "SELECT count(*) AS n FROM checkpoints WHERE at < ?";
      const daysBefore = storage.sql.exec<{ n: number }>(query, at).one().n;
      return { at, daysBefore, runs: versionsIn(storage, "run") };
    });
    // A late event may be 48 h old and cover another 48 h, of the shift in which they begin, and of the UTC day.
    expect(kept.at).toBeGreaterThanOrEqual(NOON - 6 * DAY);
    expect(kept.at).toBeLessThanOrEqual(NOON - 2 * DAY);
    expect(kept.daysBefore).toBeLessThanOrEqual(5);
    const run = await env.DB_0.prepare("SELECT correct, revision FROM order_runs WHERE work_order_id = ?")
      .bind(workOrderId)
      .first();
    expect(run).toEqual({ correct: 720, revision: expect.any(Number) });
    // It is not sent again with each flush, and still exists for the shifts that are computed anew while the stop lasts.
    expect(kept.runs).toHaveLength(1);
    expect(run?.revision).toBeLessThan(5);

    // A late count ends the stop, and everything before it is unchanged.
    await ingest(token, [countAt(machine.nodeId, NOON - 2 * DAY + MINUTE)]);
    await flushMachine(machine.id);
    const [ended, open] = (await stopsOf(machine.id)).filter(({ shiftStart }) => shiftStart === before.at(-3)?.startAt);
    expect(ended?.endAt).toBe(NOON - 2 * DAY + MINUTE);
    expect(open?.startAt).toBe(NOON - 2 * DAY + MINUTE);
    const after = await recordsOf(machine.id);
    const figures = (records: typeof before) => records.slice(0, -3).map(({ revision, updatedAt, ...figures }) => figures);
    expect(figures(after)).toEqual(figures(before));
    expect(before.find(({ recentUnits }) => recentUnits > 0)).toMatchObject({ recentMs: 10 * MINUTE });
  });
});

function shuffle<T>(list: T[], seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return list
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
