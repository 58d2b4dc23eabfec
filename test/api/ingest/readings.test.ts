import fc from "fast-check";
import { describe, expect, inject, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createCompany, createGatewayToken, createMachine, createShift, createUser } from "../../support/factories.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../../support/machines.ts";

stopClockAtNoon();

const START = NOON - 4 * HOUR;
const iso = (at: number) => new Date(at).toISOString();
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** A machine with a total on channel 1 and defects on channel 2, in a shift of 24 hours. */
async function lineWith(options: object = {}) {
  const line = await createLine({ commissionedAt: START, standardCycleSeconds: 10, ...options });
  return { ...line, read: readerOf(line.machine.nodeId) };
}

/** Makes readings of channel 1 of a node, or of another channel. */
function readerOf(nodeId: number) {
  return (at: number, reading: number, more: object = {}) => {
    return { type: "count", nodeId, channel: 1, at: iso(at), reading, ...more };
  };
}

async function unitsOf(machineId: number): Promise<number> {
  await flushMachine(machineId);
  return (await recordsOf(machineId)).reduce((units, { totalUnits }) => units + totalUnits, 0);
}

/** Everything that a machine's events led to. */
async function ledgerOf(machineId: number) {
  await flushMachine(machineId);
  const records = (await recordsOf(machineId)).map(({ id: _, machineId: __, companyId: ___, revision: ____, ...record }) => {
    return { ...record, shiftId: 0, createdAt: 0, updatedAt: 0 };
  });
  const stops = (await stopsOf(machineId)).filter(({ deletedAt }) => deletedAt === null);
  return { records, stops: stops.map(({ sliceStart, sliceEnd, isManual }) => ({ sliceStart, sliceEnd, isManual })) };
}

/** A company with two machines on one node, whose sensors can be set. */
async function createTwoMachines() {
  const { companyId } = await createCompany();
  await createShift(companyId, { start: "00:00", end: "00:00" });
  const nodeId = companyId;
  const options = { nodeId, commissionedAt: START, standardCycleSeconds: 10, holdFactor: null };
  const [a, b] = [await createMachine(companyId, options), await createMachine(companyId, options)];
  const { token } = await createGatewayToken(companyId);
  const admin = await createUser(companyId, "admin");
  const setSensors = async (machineId: number, configs: object[], isCountEnabled = true) => {
    const body = { isCountEnabled, configs: configs.map((config) => ({ type: "total", countingFactor: 1, nodeId, ...config })) };
    const path = `/v1/machines/${machineId}/count-sensor`;
    expect(await call("PUT", path, { token: admin.token, body })).toMatchObject({ status: 200 });
  };
  return { a, b, token, setSensors, read: readerOf(nodeId) };
}

describe("a count with a running total", () => {
  it("counts what was made since the channel's reading before; the first one counts nothing, and a lower one what it shows", async () => {
    const { machine, token, read } = await lineWith();
    const totals = [32_760, 32_766, 5, 9, 9, 0, 4];
    const events = totals.map((total, i) => read(NOON - HOUR + i * MINUTE, total));
    expect(await ingest(token, events)).toMatchObject({ accepted: 7, duplicates: 0, rejected: [], warnings: [] });
    expect(await unitsOf(machine.id)).toBe(6 + 5 + 4 + 0 + 0 + 4);
  });

  it("has either `value` or `reading`, a whole number from 0 on, and else is refused", async () => {
    const { token, machine, read } = await lineWith();
    const { nodeId } = machine;
    const events = [
      read(NOON, 5, { value: 5 }),
      { type: "count", nodeId, channel: 1, at: iso(NOON) },
      read(NOON, -1),
      read(NOON, 1.5),
      read(NOON, 2 ** 53),
    ];
    const { accepted, rejected } = await ingest(token, events);
    expect(accepted).toBe(0);
    expect(rejected.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "invalid_event value: needs either value or reading",
      "invalid_event value: needs either value or reading",
      expect.stringContaining("invalid_event reading: "),
      expect.stringContaining("invalid_event reading: "),
      expect.stringContaining("invalid_event reading: "),
    ]);
    expect(await ingest(token, [read(NOON - MINUTE, 0), read(NOON, 2 ** 53 - 1)])).toMatchObject({ accepted: 2 });
  });

  it("is counted by channel", async () => {
    const { machine, token, read } = await lineWith();
    await ingest(token, [read(NOON - 2 * MINUTE, 100), read(NOON - 2 * MINUTE, 7, { channel: 2 })]);
    await ingest(token, [read(NOON - MINUTE, 110), read(NOON - MINUTE, 9, { channel: 2 })]);
    expect(await unitsOf(machine.id)).toBe(10);
    expect((await recordsOf(machine.id)).map(({ defectUnits }) => defectUnits)).toContain(2);
  });

  it("that comes late takes its part of what the next one counted", async () => {
    const { machine, token, read } = await lineWith();
    await ingest(token, [read(NOON - 10 * MINUTE, 100), read(NOON - MINUTE, 130)]);
    const whole = await ledgerOf(machine.id);
    expect(await ingest(token, [read(NOON - 5 * MINUTE, 120)])).toMatchObject({ accepted: 1 });
    const parted = await ledgerOf(machine.id);
    expect(await unitsOf(machine.id)).toBe(30);
    expect(parted.stops).not.toEqual(whole.stops);
    // A reading before the first one makes that one count.
    await ingest(token, [read(NOON - 20 * MINUTE, 70)]);
    expect(await unitsOf(machine.id)).toBe(60);
  });

  it("is stored once: without an id its time, channel and total are its identity, with one another total is refused", async () => {
    const { machine, token, read } = await lineWith();
    const sent = [read(NOON - 2 * MINUTE, 100), read(NOON - MINUTE, 130)];
    expect(await ingest(token, sent)).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(await ingest(token, sent.toReversed())).toMatchObject({ accepted: 0, duplicates: 2, warnings: [] });
    const named = (total: number) => [read(NOON, total, { id: "one" })];
    expect(await ingest(token, named(135))).toMatchObject({ accepted: 1 });
    expect(await ingest(token, named(135))).toMatchObject({ duplicates: 1 });
    expect(await ingest(token, named(136))).toMatchObject({ rejected: [{ code: "conflict" }] });
    expect(await ingest(token, [countAt(machine.nodeId, NOON, 135, { id: "one" })])).toMatchObject({
      rejected: [{ code: "conflict" }],
    });
    expect(await unitsOf(machine.id)).toBe(35);
  });

  it("shows that data flows, where it counts nothing", async () => {
    const { machine, token, read } = await lineWith({ noDataAfterSeconds: 300 });
    const events = Array.from({ length: 30 }, (_, i) => read(NOON - HOUR + i * 2 * MINUTE, 500));
    await ingest(token, events);
    await flushMachine(machine.id);
    const records = await recordsOf(machine.id);
    // From the commissioning to the first reading.
    expect(records.reduce((sum, { noDataMs }) => sum + noDataMs, 0)).toBe(3 * HOUR);
    expect(records.reduce((sum, { totalUnits }) => sum + totalUnits, 0)).toBe(0);
  });

  it("covers the time since its `since`, as other counts do", async () => {
    const values = await lineWith();
    const readings = await lineWith();
    const { nodeId } = values.machine;
    const since = iso(NOON - 40 * MINUTE);
    await ingest(values.token, [countAt(nodeId, NOON - HOUR, 0), countAt(nodeId, NOON - 10 * MINUTE, 90, { since })]);
    await ingest(readings.token, [readings.read(NOON - HOUR, 10), readings.read(NOON - 10 * MINUTE, 100, { since })]);
    expect(await ledgerOf(readings.machine.id)).toEqual(await ledgerOf(values.machine.id));
  });

  it("that comes in any order gives the ledger of the same readings in order", { timeout: 600_000 }, async () => {
    const step = fc.tuple(
      fc.constantFrom(20 * SECOND, MINUTE, 3 * MINUTE, 9 * MINUTE),
      fc.integer({ min: 0, max: 9 }),
      fc.nat(19),
    );
    const order = fc.array(fc.nat(1000), { minLength: 24, maxLength: 24 });
    const property = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), order, async (steps, order) => {
      const [late, inOrder] = [await lineWith(), await lineWith()];
      let [at, total] = [START, 50];
      const readings = steps.map(([ms, made, reset]) => {
        at += ms;
        total = reset === 0 ? made : total + made;
        return [at, total] as const;
      });
      await ingest(
        inOrder.token,
        readings.map(([at, total]) => inOrder.read(at, total)),
      );
      const shuffled = readings
        .map((one, i) => ({ one, rank: order[i] ?? 0 }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ one: [at, total] }) => late.read(at, total));
      for (let i = 0; i < shuffled.length; i += 4) await ingest(late.token, shuffled.slice(i, i + 4));
      expect(await ledgerOf(late.machine.id)).toEqual(await ledgerOf(inOrder.machine.id));
    });
    await fc.assert(property, { numRuns: inject("histories").runs });
  });
});

describe("the count sensor of a running total", () => {
  it("says where the counter wraps; faster than 20 times the standard it was reset", async () => {
    const { a, token, setSensors, read } = await createTwoMachines();
    await setSensors(a.id, [{ channel: 1, wrapsAt: 32_768 }]);
    const at = NOON - HOUR;
    await ingest(token, [read(at, 32_760), read(at + MINUTE, 32_766), read(at + 2 * MINUTE, 5)]);
    expect(await unitsOf(a.id)).toBe(6 + 7);
    // 6 cycles fit into the minute: 120 are plausible.
    await ingest(token, [read(at + 3 * MINUTE, 32_660), read(at + 4 * MINUTE, 12)]);
    expect(await unitsOf(a.id)).toBe(13 + 32_655 + 120);
    await ingest(token, [read(at + 5 * MINUTE, 32_660), read(at + 6 * MINUTE, 13)]);
    expect(await unitsOf(a.id)).toBe(13 + 32_655 + 120 + 32_648 + 13);
  });

  it("decides by the rate of a channel's own pulses where they are not cycles", async () => {
    const { a, token, setSensors, read } = await createTwoMachines();
    // Four pulses of a quarter of a unit per cycle.
    await setSensors(a.id, [
      { channel: 1, countingFactor: 0.25, wrapsAt: 1000 },
      { channel: 2, type: "cycle", countingFactor: 1 },
    ]);
    const at = NOON - HOUR;
    await ingest(token, [read(at, 520), read(at + MINUTE, 0)]);
    expect(await unitsOf(a.id)).toBe(120);
    await ingest(token, [read(at + 2 * MINUTE, 519), read(at + 3 * MINUTE, 0)]);
    expect(await unitsOf(a.id)).toBe(120 + 519 / 4);
  });

  it("has the factor that is in force at the reading", async () => {
    const { a, token, setSensors, read } = await createTwoMachines();
    await setSensors(a.id, [{ channel: 1, countingFactor: 2 }]);
    await ingest(token, [read(NOON - MINUTE, 100), read(NOON, 110)]);
    pass(MINUTE);
    await setSensors(a.id, [{ channel: 1, countingFactor: 5 }]);
    pass(MINUTE);
    await ingest(token, [read(NOON + 2 * MINUTE, 111)]);
    expect(await unitsOf(a.id)).toBe(20 + 5);
    // A late one is counted with the factor of its time.
    await ingest(token, [read(NOON - SECOND, 105)]);
    expect(await unitsOf(a.id)).toBe(20 + 5);
  });

  it("that counts nothing makes readings samples, but what was shown meanwhile is known when it counts again", async () => {
    const { a, token, setSensors, read } = await createTwoMachines();
    await setSensors(a.id, [{ channel: 1 }]);
    await ingest(token, [read(NOON - MINUTE, 100), read(NOON, 110)]);
    pass(MINUTE);
    await setSensors(a.id, [{ channel: 1 }], false);
    pass(MINUTE);
    const disabled = await ingest(token, [read(NOON + 2 * MINUTE, 150)]);
    expect(disabled).toMatchObject({ accepted: 1, warnings: [{ machineId: a.id, code: "counting_disabled" }] });
    expect(await ingest(token, [read(NOON + 2 * MINUTE + 1, 150)])).toMatchObject({ accepted: 1, warnings: [] });
    pass(MINUTE);
    await setSensors(a.id, [{ channel: 1 }]);
    pass(MINUTE);
    await ingest(token, [read(NOON + 4 * MINUTE, 153)]);
    expect(await unitsOf(a.id)).toBe(10 + 3);
  });

  it("that moves to another machine begins anew there, and again when it comes back", async () => {
    const { a, b, token, setSensors, read } = await createTwoMachines();
    await setSensors(a.id, [{ channel: 1 }]);
    await ingest(token, [read(NOON - MINUTE, 100), read(NOON, 110)]);
    pass(MINUTE);
    await setSensors(a.id, []);
    await setSensors(b.id, [{ channel: 1 }]);
    pass(2 * MINUTE);
    await ingest(token, [read(NOON + 2 * MINUTE, 200), read(NOON + 3 * MINUTE, 207)]);
    pass(MINUTE);
    await setSensors(b.id, []);
    await setSensors(a.id, [{ channel: 1 }]);
    pass(2 * MINUTE);
    await ingest(token, [read(NOON + 5 * MINUTE, 300), read(NOON + 6 * MINUTE, 302)]);
    expect([await unitsOf(a.id), await unitsOf(b.id)]).toEqual([10 + 2, 7]);
    // A late one of the first time changes nothing of the later times.
    await ingest(token, [read(NOON - SECOND, 104)]);
    expect(await unitsOf(a.id)).toBe(12);
  });
});

describe("the warnings about running totals", () => {
  it("are about those that count something", async () => {
    const { companyId } = await createCompany();
    await createShift(companyId, { start: "06:00", end: "14:00" });
    const machine = await createMachine(companyId, { commissionedAt: START - 24 * HOUR });
    const { token } = await createGatewayToken(companyId);
    const admin = await createUser(companyId, "admin");
    const { nodeId } = machine;
    const body = { isCountEnabled: true, configs: [{ type: "total", countingFactor: 1, channel: 1, nodeId }] };
    await call("PUT", `/v1/machines/${machine.id}/count-sensor`, { token: admin.token, body });
    const read = readerOf(nodeId);
    const night = NOON - 10 * HOUR;
    expect((await ingest(token, [read(night, 10), read(night + MINUTE, 10)])).warnings).toEqual([]);
    const { warnings } = await ingest(token, [read(night + 2 * MINUTE, 11)]);
    expect(warnings.map(({ code }) => code).sort()).toEqual(["no_standard_cycle", "outside_shifts"]);
  });
});
