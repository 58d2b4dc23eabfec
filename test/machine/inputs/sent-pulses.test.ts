import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { asSent } from "../../../src/machine/inputs/stored-event.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";
import { eventsIn } from "../../support/object-storage.ts";

stopClockAtNoon();

const MIDNIGHT = NOON - 12 * HOUR;

async function newLine() {
  const line = await createLine({ commissionedAt: NOON - DAY, noDataAfterSeconds: null });
  const { token } = await createUser(line.companyId, "admin");
  return {
    ...line,
    stub: machineObject(env, line.machine.id),
    /** Sets how many units a pulse is. */
    setFactor: async (countingFactor: number) => {
      const body = {
        isCountEnabled: true,
        configs: [{ nodeId: line.machine.nodeId, channel: 1, type: "total", countingFactor }],
      };
      const { status } = await call("PUT", `/v1/machines/${line.machine.id}/count-sensor`, { token, body });
      expect(status).toBe(200);
    },
    units: async () => {
      await flushMachine(line.machine.id);
      return (await recordsOf(line.machine.id)).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
    },
  };
}

describe("pulses", () => {
  it("are kept as they were sent, with the time of their arrival", async () => {
    const { machine, stub, token } = await newLine();
    const { nodeId } = machine;
    const at = NOON - MINUTE;
    const iso = new Date(at + SECOND).toISOString();
    await ingest(token, [countAt(nodeId, at, 3, { id: "a" }), { type: "count", at: iso, nodeId, channel: 1, reading: 70 }]);
    const stored = await runInDurableObject(stub, (_, { storage }) => eventsIn(storage));
    expect(stored.map(({ event, receivedAt }) => ({ event, receivedAt }))).toEqual([
      { event: { kind: "pulses", at, nodeId, channel: 1, value: 3 }, receivedAt: NOON },
      { event: { kind: "total", at: at + SECOND, nodeId, channel: 1, value: 70 }, receivedAt: NOON },
    ]);
  });

  it("that were folded before the machine knew of a change of their channel are folded again", async () => {
    const { machine, token, setFactor, units, stub } = await newLine();
    await ingest(token, [countAt(machine.nodeId, NOON - HOUR, 3)]);
    // The machine does not hear of the change: its call fails.
    await runInDurableObject(stub, (instance) => {
      Object.assign(instance, { configure: () => Promise.reject(new Error("away")) });
    });
    await setFactor(10);
    vi.setSystemTime(NOON + MINUTE);
    await runInDurableObject(stub, async (instance) => {
      const at = NOON + SECOND;
      await (instance as unknown as { ingest(sent: object[], version: number): Promise<unknown> }).ingest(
        [{ id: null, at, nodeId: machine.nodeId, channel: 1, value: 5 }],
        0,
      );
    });
    await evictDurableObject(stub);
    await machineObject(env, machine.id).configure(Number.MAX_SAFE_INTEGER);
    expect(await units()).toBe(3 + 50);
  });
});

describe("an event of version 0.1.0", () => {
  const at = MIDNIGHT;
  const place = { nodeId: 7, channel: 2 };
  const count = { kind: "count" as const, at, cycles: 4, total: 8, defects: 0, good: null };

  it("is read as it was sent if it was identified by its content", () => {
    const pos = "0022207824000003=count 7 2 4";
    expect(asSent({ pos, event: count })).toEqual({ pos, event: { kind: "pulses", at, ...place, value: 4 } });
    const covering = { pos: `${pos} since 5`, event: { ...count, since: 5 } };
    expect(asSent(covering).event).toEqual({ kind: "pulses", at, since: 5, ...place, value: 4 });
  });

  it("is read as it was sent if it was a reading", () => {
    const event = { kind: "reading" as const, at, value: 70, counter: "7:2", fedSince: 0, perPulse: null };
    expect(asSent({ pos: "0022207824000003#r", event, content: 9 })).toEqual({
      pos: "0022207824000003#r",
      event: { kind: "total", at, ...place, value: 70 },
      content: 9,
    });
  });

  it("stays what it counted if its pulses are not known, or it was held", () => {
    const identified = { pos: "0022207824000003#count 7 2 4", event: count };
    expect(asSent(identified)).toBe(identified);
    const held = { pos: "0022207824000003=count 7 2 4", event: { kind: "sample" as const, at } };
    expect(asSent(held)).toBe(held);
  });
});
