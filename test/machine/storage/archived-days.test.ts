import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { startOf } from "../../../src/machine/inputs/ledger-position.ts";
import { MachineStorage } from "../../../src/machine/storage/machine-storage.ts";
import { forgottenTo } from "../../../src/machine/storage/retention.ts";
import { advanceLedger, type MachineLedger, startLedger } from "../../../src/oee/machine.ts";
import { ShiftCalendar } from "../../../src/oee/shifts.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createOperator, createSku } from "../../support/factories.ts";
import { storageCost } from "../../support/machine-costs.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { eventsIn } from "../../support/object-storage.ts";

stopClockAtNoon();

const iso = (at: number) => new Date(at).toISOString();

/** A line that has worked for some days, each with counts, running totals, silence, SKUs and an operator, also around midnight. */
async function lineOf(days: number) {
  const line = await createLine({ commissionedAt: NOON - days * DAY, stopAfterSeconds: 600, noDataAfterSeconds: null });
  const { machine, token } = line;
  const operator = await createOperator(line.companyId);
  const skus = [await createSku(line.companyId), await createSku(line.companyId)];
  let total = 0;
  let sent = 0;
  for (let day = NOON - days * DAY; day < NOON; day += DAY) {
    vi.setSystemTime(day + DAY);
    const events: object[] = [];
    for (let at = day; at < day + DAY; at += 5 * MINUTE) {
      const hour = Math.floor((at - day) / HOUR);
      if (hour % 5 === 3) continue;
      events.push(countAt(machine.nodeId, at + 7, 1 + (hour % 3), { id: `gw1-${sent + events.length}` }));
      total = (total + 3) % 100_000;
      const reading = { type: "count", at: iso(at + 9 * SECOND), nodeId: machine.nodeId, channel: 1, reading: total };
      if (hour % 4 === 0) events.push(reading);
    }
    for (const [i, hour] of [1, 11.9, 13].entries()) {
      const at = iso(day + hour * HOUR);
      events.push({ type: "sku", at, machineId: machine.id, skuId: skus[i % 2]?.skuId });
      events.push({ type: "operator", at, machineId: machine.id, operatorId: operator.id, action: hour === 13 ? "out" : "in" });
    }
    for (let i = 0; i < events.length; i += 200) await ingest(token, events.slice(i, i + 200));
    sent += events.length;
    await flushMachine(machine.id);
  }
  return { ...line, sent };
}

it("each day that is archived can be replayed from its own ledger, and becomes what it was", { timeout: 120_000 }, async () => {
  const { machine, sent } = await lineOf(60);
  const stub = machineObject(env, machine.id);
  await evictDurableObject(stub);
  const { replayed, different, events, positions, inJournal, archivedTo } = await runInDurableObject(stub, (_, durable) => {
    const storage = new MachineStorage(durable.storage);
    const history = storage.settings.history(0);
    if (!history) throw new Error("no settings");
    const calendar = new ShiftCalendar(history);
    const parts = storage.days.parts(0, 1_000_000);
    const different: number[] = [];
    for (const { day } of parts) {
      const before = storage.ledger.checkpointBefore(startOf(day * DAY));
      const ledger = structuredClone(before?.ledger ?? startLedger(history)) as MachineLedger;
      const nothing = () => {};
      const sink = { span: nothing, presence: nothing, tally: nothing, run: nothing, part: nothing, outsideHour: nothing };
      for (const { event } of storage.events.in({ start: day * DAY, end: (day + 1) * DAY })) {
        advanceLedger(ledger, event, history, calendar, sink);
      }
      const after = storage.ledger.checkpointBefore(startOf((day + 1) * DAY));
      if (JSON.stringify(ledger) !== JSON.stringify(after?.ledger)) different.push(day);
    }
    const all = [...storage.events.sent({ start: 0, end: NOON * 2 })];
    return {
      replayed: new Set(parts.map(({ day }) => day)).size,
      different,
      events: all.length,
      positions: new Set(all.map(({ pos }) => pos)).size,
      inJournal: eventsIn(durable.storage).length,
      archivedTo: forgottenTo(storage),
    };
  });
  expect(replayed).toBeGreaterThanOrEqual(56);
  expect(different).toEqual([]);
  expect([events, positions]).toEqual([sent, sent]);
  expect(archivedTo % DAY).toBe(0);
  expect(archivedTo).toBeGreaterThanOrEqual(NOON - 5 * DAY);
  expect(inJournal).toBeLessThan(sent / 10);
});

it("a day costs a few rows more when it is archived than when its events were deleted", async () => {
  const { machine, token } = await lineOf(6);
  vi.setSystemTime(NOON + 15 * HOUR + MINUTE);
  await ingest(token, [countAt(machine.nodeId, NOON + 15 * HOUR)]);
  const days = () =>
    runInDurableObject(machineObject(env, machine.id), (_, { storage }) =>
      new MachineStorage(storage).days.parts(0, 1_000_000).map(({ day }) => day),
    );
  const before = await days();
  const { rowsWritten } = await storageCost(machine.id, () => flushMachine(machine.id));
  expect((await days()).length).toBe(before.length + 1);
  expect(rowsWritten).toBeLessThan(80);
});
