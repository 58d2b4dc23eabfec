import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq, getTableColumns } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it, vi } from "vitest";
import { recordOf } from "../../src/core/record-id.ts";
import { operatorShifts, shiftParts, workOrders } from "../../src/db/schema.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import { createOperator, createSku, createWorkOrder } from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf, republish, stopsOf } from "../support/machines.ts";
import { eventsIn, takeBackFewerRows } from "../support/object-storage.ts";

const db = drizzle(env.DB_0);

stopClockAtNoon();

const partsOf = (machineId: number) =>
  db
    .select({ ...getTableColumns(shiftParts), workOrderId: workOrders.id })
    .from(shiftParts)
    .leftJoin(workOrders, eq(workOrders.number, shiftParts.workOrderNumber))
    .where(eq(shiftParts.machineId, machineId))
    .orderBy(asc(shiftParts.startAt))
    .all();
const sharesOf = (machineId: number) =>
  db.select().from(operatorShifts).where(eq(operatorShifts.machineId, machineId)).orderBy(asc(operatorShifts.shiftStart)).all();

const withoutRevision = <T extends { revision: number; recordedAt: unknown; recordedAfterMs: unknown }>(part: T) => {
  const { revision: _, recordedAt: __, recordedAfterMs: ___, ...row } = part;
  return row;
};

/** A line in service since ten, with a count each minute to noon and a standard of half a minute. */
async function busyLine(more: Parameters<typeof createLine>[0] = {}) {
  const line = await createLine({ commissionedAt: NOON - 2 * HOUR, standardCycleSeconds: 30, noDataAfterSeconds: null, ...more });
  const { machine, token } = line;
  const sku = (skuId: string, at: number) => {
    return { type: "sku", at: new Date(at).toISOString(), machineId: machine.id, skuId };
  };
  const counts = (from: number, to: number, value = 1) =>
    Array.from({ length: (to - from) / MINUTE }, (_, i) => countAt(machine.nodeId, from + i * MINUTE, value));
  const send = async (...events: object[]) => {
    const { rejected } = await ingest(token, events);
    expect(rejected).toEqual([]);
    await flushMachine(machine.id);
  };
  return { ...line, sku, counts, send };
}

/** Start in minutes after ten, SKU, units, and the available and unavailable minutes. */
function readable(parts: Awaited<ReturnType<typeof partsOf>>) {
  return parts.map(({ startAt, skuId, totalUnits, availableMs, nonProgrammedMs }) => [
    (startAt - (NOON - 2 * HOUR)) / MINUTE,
    skuId,
    totalUnits,
    availableMs / MINUTE,
    nonProgrammedMs / MINUTE,
  ]);
}

describe("the parts of a shift", () => {
  it("begin with each local hour and each SKU, with the counts and the running time", async () => {
    const { companyId, machine, sku, counts, send } = await busyLine();
    const [a, b] = [await createSku(companyId), await createSku(companyId)];
    await send(
      sku(a.skuId, NOON - 90 * MINUTE),
      sku(b.skuId, NOON - 30 * MINUTE),
      ...counts(NOON - 2 * HOUR, NOON - 10 * MINUTE, 2),
    );
    const parts = await partsOf(machine.id);
    expect(readable(parts)).toEqual([
      [0, null, 60, 30, 0],
      [30, a.skuId, 60, 30, 0],
      [60, a.skuId, 60, 30, 0],
      [90, b.skuId, 40, 19, 11],
      [120, b.skuId, 0, 0, 0],
    ]);
    expect(parts[1]).toMatchObject({
      hourStart: NOON - 2 * HOUR,
      idealMs: 60 * 30 * SECOND,
      unitStandardMs: 30 * SECOND,
      endAt: NOON - HOUR,
    });
    expect(parts[1]?.fiveMinutes).toEqual([...Array(6).fill([0, 0, 0]), ...Array(6).fill([10, 0, 5 * MINUTE])]);
    expect(parts.at(-1)).toMatchObject({ asOf: NOON, openBucket: "nonProgrammed", endAt: NOON + HOUR });
  });

  it("change only in their newest row with each flush, and in none while only time passes", async () => {
    const { machine, counts, send } = await busyLine();
    await send(...counts(NOON - 2 * HOUR, NOON));
    const before = await partsOf(machine.id);
    vi.setSystemTime(NOON + 30 * SECOND);
    await send(countAt(machine.nodeId, NOON + 30 * SECOND));
    const after = await partsOf(machine.id);
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
    expect(after.at(-1)).toMatchObject({ totalUnits: 1, asOf: NOON + 30 * SECOND });
    vi.setSystemTime(NOON + 90 * SECOND);
    await machineObject(env, machine.id).explain(NOON);
    await flushMachine(machine.id);
    expect(await partsOf(machine.id)).toEqual(after);
    // Long after, all hours in which it has been stopped are written.
    vi.setSystemTime(NOON + 3 * HOUR);
    await flushMachine(machine.id);
    const hours = (await partsOf(machine.id)).slice(-4);
    expect(hours.map(({ hourStart }) => (hourStart - NOON) / HOUR)).toEqual([0, 1, 2, 3]);
    expect(hours.map(({ openBucket }) => openBucket)).toEqual([null, null, null, "nonProgrammed"]);
  });

  it("follow SKU changes that arrive late", async () => {
    const { companyId, machine, sku, counts, send } = await busyLine();
    const [a, b] = [await createSku(companyId), await createSku(companyId)];
    await send(sku(a.skuId, NOON - 2 * HOUR), ...counts(NOON - 2 * HOUR, NOON));
    await send(sku(b.skuId, NOON - 20 * MINUTE));
    expect(readable(await partsOf(machine.id)).map(([start, skuId, units]) => [start, skuId, units])).toEqual([
      [0, a.skuId, 60],
      [60, a.skuId, 40],
      [100, b.skuId, 20],
      [120, b.skuId, 0],
    ]);
    // Later still it turns out that the first SKU continued.
    await send(sku(a.skuId, NOON - 10 * MINUTE), sku(a.skuId, NOON - 5 * MINUTE));
    expect(readable(await partsOf(machine.id)).map(([start, skuId, units]) => [start, skuId, units])).toEqual([
      [0, a.skuId, 60],
      [60, a.skuId, 40],
      [100, b.skuId, 10],
      [110, a.skuId, 5],
      [115, a.skuId, 5],
      [120, a.skuId, 0],
    ]);
  });

  it("are merged when a late event removes their division", async () => {
    const { companyId, machine, sku, counts, send } = await busyLine();
    const { skuId } = await createSku(companyId);
    const { workOrderId } = await createWorkOrder(machine, skuId);
    await send({ ...sku(skuId, NOON - 50 * MINUTE), workOrderId }, ...counts(NOON - HOUR, NOON));
    await machineObject(env, machine.id).cutRun(workOrderId, NOON - 20 * MINUTE);
    const starts = async () =>
      (await partsOf(machine.id)).map(({ startAt, workOrderId }) => [(startAt - NOON) / MINUTE, workOrderId]);
    expect(await starts()).toEqual([
      [-120, null],
      [-60, null],
      [-50, workOrderId],
      [-20, workOrderId],
      [0, workOrderId],
    ]);
    // Something else was in work at the cut, so it cut nothing.
    await send(sku(skuId, NOON - 30 * MINUTE));
    expect(await starts()).toEqual([
      [-120, null],
      [-60, null],
      [-50, workOrderId],
      [-30, null],
      [0, null],
    ]);
  });

  it("count a good unit that comes a moment before its total, even across the end of a part", async () => {
    const { machine, token } = await createLine({ commissionedAt: NOON - 2 * HOUR });
    await env.DB_0.prepare("UPDATE count_channels SET type = 'good' WHERE machine_id = ? AND channel = 2").bind(machine.id).run();
    await ingest(token, [
      countAt(machine.nodeId, NOON - HOUR - SECOND, 3, { channel: 2 }),
      countAt(machine.nodeId, NOON - HOUR, 3),
      countAt(machine.nodeId, NOON - MINUTE, 5),
      countAt(machine.nodeId, NOON - 30 * SECOND, 4, { channel: 2 }),
    ]);
    await flushMachine(machine.id);
    const parts = await partsOf(machine.id);
    expect(parts.map(({ totalUnits, defectUnits }) => [totalUnits, defectUnits])).toEqual([
      [0, 0],
      [8, 1],
      [0, 0],
    ]);
    // Of the second hour, the first 5 minutes and the last.
    expect([0, 11].map((i) => parts[1]?.fiveMinutes[i]?.slice(0, 2))).toEqual([
      [3, 0],
      [5, 1],
    ]);
  });

  it("move their minutes when a stop is edited months later, and keep their counts", async () => {
    const { machine, companyId, counts, send } = await busyLine();
    await send(...counts(NOON - 2 * HOUR, NOON - HOUR));
    for (let day = 1; day <= 4; day++) {
      vi.setSystemTime(NOON + day * DAY);
      await send(countAt(machine.nodeId, NOON + day * DAY));
    }
    vi.setSystemTime(NOON + 90 * DAY);
    await flushMachine(machine.id);
    const events = await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => eventsIn(storage));
    expect(events[0]?.at).toBeGreaterThan(NOON);
    const [stop] = await stopsOf(machine.id);
    const before = readable((await partsOf(machine.id)).slice(0, 2));
    const edit = { action: "change" as const, seq: recordOf(stop?.id ?? 0).seq, version: null, flags: { isProgrammed: true } };
    await machineObject(env, machine.id).editStops(edit, companyId, { userId: 1, apiTokenId: null, requestId: "r" });
    const [first, second] = await partsOf(machine.id);
    expect(readable(first && second ? [first, second] : [])).toEqual(before.map((row) => [...row.slice(0, 4), 0]));
    expect(second).toMatchObject({ totalUnits: 0, programmedMs: HOUR });
    expect(first).toMatchObject({ totalUnits: 60, programmedMs: MINUTE });
  });

  it("are republished with everything else", async () => {
    const { machine, counts, send } = await busyLine();
    await send(...counts(NOON - 2 * HOUR, NOON));
    const before = (await partsOf(machine.id)).map(withoutRevision);
    await env.DB_0.prepare("DELETE FROM shift_records WHERE machine_id = ?").bind(machine.id).run();
    expect(await partsOf(machine.id)).toEqual([]);
    await republish(machine.id);
    await flushMachine(machine.id);
    expect((await partsOf(machine.id)).map(withoutRevision)).toEqual(before);
  });
});

describe("the operators of shifts", () => {
  it("stay with their final times when the shift is over", async () => {
    const { companyId, machine, counts, send } = await busyLine();
    const { operatorId } = await createOperator(companyId);
    const signIn = { type: "operator", at: new Date(NOON - HOUR).toISOString(), machineId: machine.id, operatorId, action: "in" };
    await send(signIn, ...counts(NOON - 2 * HOUR, NOON));
    expect(await sharesOf(machine.id)).toMatchObject([{ operatorId, units: 60, uptimeMs: HOUR }]);
    const midnight = NOON + 12 * HOUR;
    vi.setSystemTime(midnight + MINUTE);
    await flushMachine(machine.id);
    expect(await sharesOf(machine.id)).toMatchObject([
      { operatorId, companyId, shiftStart: midnight - DAY, units: 60, uptimeMs: 59 * MINUTE, downtimeMs: 12 * HOUR + MINUTE },
    ]);
  });
});

describe("an object from before parts were stored", () => {
  /** Reverts an object to its earlier state. */
  const takeBack = async (machineId: number) => {
    await runInDurableObject(machineObject(env, machineId), (_, { storage }) => {
      const { sql, kv } = storage;
      takeBackFewerRows(storage);
      sql.exec("DROP TABLE part_tallies; DROP TABLE told_presences; ALTER TABLE stops DROP COLUMN told");
      sql.exec("DELETE FROM migrations WHERE id >= '0009_shift_parts'");
      sql.exec("DELETE FROM projection WHERE kind IN ('part', 'roster')");
      const old = (ledger: object) => ({ ...ledger, part: undefined });
      const head = kv.get<{ pos: string; ledger: object }>("head");
      if (head) kv.put("head", { ...head, ledger: JSON.parse(JSON.stringify(old(head.ledger))) });
      for (const { pos, ledger } of sql.exec<{ pos: string; ledger: string }>("SELECT pos, ledger FROM checkpoints").toArray())
        sql.exec("UPDATE checkpoints SET ledger = ? WHERE pos = ?", JSON.stringify(old(JSON.parse(ledger))), pos);
    });
    await env.DB_0.prepare("DELETE FROM shift_parts WHERE machine_id = ?").bind(machineId).run();
    await evictDurableObject(machineObject(env, machineId));
  };

  it("recomputes the parts of all shifts that it has events of", async () => {
    const { companyId, machine, sku, counts, send } = await busyLine();
    const a = await createSku(companyId);
    await send(sku(a.skuId, NOON - 100 * MINUTE), ...counts(NOON - 2 * HOUR, NOON));
    const before = (await partsOf(machine.id)).map(withoutRevision);
    await takeBack(machine.id);
    await flushMachine(machine.id);
    expect((await partsOf(machine.id)).map(withoutRevision)).toEqual(before);
  });

  it("keeps one part with the numbers of the record for each shift whose events are forgotten", async () => {
    const { companyId, machine, counts, send } = await busyLine();
    for (let day = 0; day <= 5; day++) {
      vi.setSystemTime(NOON + day * DAY);
      await send(...counts(NOON + day * DAY - 30 * MINUTE, NOON + day * DAY));
    }
    const before = await partsOf(machine.id);
    await takeBack(machine.id);
    await flushMachine(machine.id);
    const records = await recordsOf(machine.id);
    const sum = (parts: typeof before) => parts.reduce((units, part) => units + part.totalUnits, 0);
    const after = await partsOf(machine.id);
    const byShift = Map.groupBy(after, ({ shiftStart }) => shiftStart);
    const whole = await runInDurableObject(machineObject(env, machine.id), (_, { storage }) =>
      storage.sql
        .exec("SELECT key FROM projection WHERE kind = 'part' AND body->>'fiveMinutes' = '[]' AND body->>'totalUnits' > 0")
        .toArray(),
    );
    expect(whole.length).toBeGreaterThan(1);
    const fine = records.filter(({ startAt }) => (byShift.get(startAt)?.length ?? 0) > 1);
    expect(fine.length).toBeGreaterThan(1);
    for (const { startAt, totalUnits } of fine) {
      expect(sum(byShift.get(startAt) ?? [])).toBe(totalUnits);
      const own = ({ shiftStart }: { shiftStart: number }) => shiftStart === startAt;
      expect(after.filter(own).map(withoutRevision)).toEqual(before.filter(own).map(withoutRevision));
    }
    // A shift with a single part keeps it, and an edit of its stop moves its minutes.
    const [stop] = await stopsOf(machine.id);
    const edit = { action: "change" as const, seq: recordOf(stop?.id ?? 0).seq, version: null, flags: { isProgrammed: true } };
    await machineObject(env, machine.id).editStops(edit, companyId, { userId: 1, apiTokenId: null, requestId: "r" });
    const [record] = await recordsOf(machine.id);
    const parts = (await partsOf(machine.id)).filter(({ shiftStart }) => shiftStart === record?.startAt);
    const { availableMs, programmedMs, totalUnits, idealMs } = record ?? {};
    expect(parts).toMatchObject([{ availableMs, programmedMs, totalUnits, idealMs, fiveMinutes: [] }]);
    await republish(machine.id);
    await flushMachine(machine.id);
    const all = Map.groupBy(await partsOf(machine.id), ({ shiftStart }) => shiftStart);
    for (const one of records) expect(sum(all.get(one.startAt) ?? [])).toBe(one.totalUnits);
  });
});
