import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { stepBounds } from "../../../src/machine/ledger/recalculation.ts";
import { HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { createOperator } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";
import { stateIn } from "../../support/object-storage.ts";

stopClockAtNoon();
const usual = { ...stepBounds };
afterEach(() => void Object.assign(stepBounds, usual));

const START = NOON - 40 * HOUR;
const tables = ["spans", "presences", "tallies", "part_tallies", "runs", "sku_changes", "outside_hours", "checkpoints"];

/** A machine with a count every two minutes for 40 hours, with stops, SKUs and operators. */
async function busyLine() {
  const line = await createLine({ commissionedAt: START, noDataAfterSeconds: null, stopAfterSeconds: 300 });
  const { operatorId } = await createOperator(line.companyId);
  const { id: machineId, nodeId } = line.machine;
  const iso = (at: number) => new Date(at).toISOString();
  const minutes = Array.from({ length: 20 * 60 }, (_, i) => 2 * i).filter((minute) => minute % 300 > 40);
  const counts = minutes.map((minute) => countAt(nodeId, START + minute * MINUTE, 1, { id: `c${minute}` }));
  const others = Array.from({ length: 8 }, (_, i) => START + i * 5 * HOUR).flatMap((at, i) => [
    { type: "sku", at: iso(at), machineId, skuId: i % 2 ? "A" : "B" },
    { type: "operator", at: iso(at + HOUR), machineId, operatorId, action: i % 2 ? "out" : "in" },
  ]);
  await ingest(line.token, [...others, ...counts.slice(0, 900)]);
  await ingest(line.token, counts.slice(900));
  await flushMachine(machineId);
  const stub = machineObject(env, machineId);
  return {
    ...line,
    stub,
    /** All rows of the ledger. */
    rows: () =>
      runInDurableObject(stub, (_, { storage }) =>
        tables.map((table) => storage.sql.exec(`SELECT * FROM ${table} ORDER BY 1, 2`).toArray()),
      ),
    /** The numbers of its shifts in D1. */
    published: async () =>
      (await recordsOf(machineId)).map(
        ({ id: _, machineId: __, companyId: ___, shiftId: ____, revision: _____, updatedAt: ______, ...row }) => row,
      ),
    change: (query: string) =>
      runInDurableObject(stub, (_, { storage }) => {
        expect(storage.sql.exec(query).rowsWritten).toBeGreaterThan(0);
      }),
    /** Does alarms until the recalculation has ended. Returns their number. */
    finish: async () => {
      let alarms = 0;
      while (
        await runInDurableObject(stub, async (object, { storage }) => {
          await object.alarm();
          return Boolean(stateIn(storage).recalculation);
        })
      )
        alarms += 1;
      await flushMachine(machineId);
      return alarms;
    },
  };
}

describe("a recalculation", () => {
  it("makes all rows anew from the events, in many small steps", async () => {
    const line = await busyLine();
    const [rows, published] = [await line.rows(), await line.published()];
    await line.change(`UPDATE spans SET kind = 'noData' WHERE start BETWEEN ${START + 3 * HOUR} AND ${START + 30 * HOUR}`);
    await line.change("DELETE FROM tallies");
    await line.change("DELETE FROM part_tallies");
    await line.change("DELETE FROM presences");
    await line.change("DELETE FROM checkpoints");
    Object.assign(stepBounds, { events: 30, rows: 10, moved: 10, days: 1, stepsPerAlarm: 2 });
    expect(await line.stub.recalculate(START, NOON, null)).toBe(true);
    expect(await line.finish()).toBeGreaterThan(20);
    const again = await line.rows();
    for (const [i, table] of tables.slice(0, -1).entries()) expect(again[i], table).toEqual(rows[i]);
    expect(await line.published()).toEqual(published);
  });

  it("ends where it is in the state of a checkpoint, after what is to be recalculated", async () => {
    const line = await busyLine();
    const rows = await line.rows();
    await line.change(`UPDATE spans SET kind = 'noData' WHERE start BETWEEN ${START + 3 * HOUR} AND ${START + 5 * HOUR}`);
    // It does not get to this.
    await line.change(`UPDATE part_tallies SET body = json_set(body, '$.x', 1) WHERE start > ${NOON - 5 * HOUR}`);
    const changed = await line.rows();
    await line.stub.recalculate(START + 3 * HOUR, START + 8 * HOUR, null);
    await line.finish();
    const again = await line.rows();
    expect(again[0]).toEqual(rows[0]);
    expect(again[3]).toEqual(changed[3]);
  });

  it("goes on after the object was evicted, and shows either all of the old rows or all of the new ones meanwhile", async () => {
    const line = await busyLine();
    const [rows, published] = [await line.rows(), await line.published()];
    await line.change("UPDATE tallies SET body = json_set(body, '$.x', 1)");
    Object.assign(stepBounds, { events: 50, rows: 10, moved: 10, days: 1, stepsPerAlarm: 1 });
    await line.stub.recalculate(START, NOON, null);
    const seen = new Set<string>();
    for (let i = 0; ; i++) {
      if (i % 7 === 6) await evictDurableObject(line.stub);
      const { isOver, spans } = await runInDurableObject(machineObject(env, line.machine.id), async (object, { storage }) => {
        await object.alarm();
        const shown = await object.explain(NOON - 12 * HOUR);
        return { isOver: !stateIn(storage).recalculation, spans: JSON.stringify([shown?.segments, shown?.made]) };
      });
      seen.add(spans);
      if (isOver) break;
    }
    expect(seen.size).toBe(1);
    await flushMachine(line.machine.id);
    expect((await line.rows()).slice(0, -1)).toEqual(rows.slice(0, -1));
    expect(await line.published()).toEqual(published);
  });

  it("takes in what arrives meanwhile, late or not", async () => {
    const [line, other] = [await busyLine(), await busyLine()];
    Object.assign(stepBounds, { events: 50, rows: 10, moved: 10, days: 1, stepsPerAlarm: 1 });
    await line.stub.recalculate(START, NOON, null);
    for (let i = 0; i < 40; i++) {
      vi.setSystemTime(NOON + i * MINUTE);
      // Before the place that it has got to, and behind it.
      const times = [NOON + i * MINUTE, START + ((i * 7) % 40) * HOUR + 41 * MINUTE];
      for (const { token, machine } of [line, other]) {
        await ingest(
          token,
          times.map((at, n) => countAt(machine.nodeId, at, 1, { id: `late ${i} ${n}` })),
        );
      }
      await runInDurableObject(line.stub, (object) => object.alarm());
    }
    await line.finish();
    await flushMachine(other.machine.id);
    expect(await line.published()).toEqual(await other.published());
  });
});
