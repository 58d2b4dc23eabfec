import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";
import { stateIn } from "../../support/object-storage.ts";

stopClockAtNoon();

const START = NOON - 9 * DAY;

async function newLine() {
  const line = await createLine({ commissionedAt: START, noDataAfterSeconds: null, stopAfterSeconds: 600 });
  const { id: machineId, nodeId } = line.machine;
  const stub = machineObject(env, machineId);
  return {
    ...line,
    stub,
    machineId,
    /** Sends counts of a time, one each ten minutes, as they come. */
    live: async (from: number, to: number) => {
      for (let at = from; at < to; at += DAY) {
        vi.setSystemTime(Math.min(at + DAY, to));
        const end = Math.min(at + DAY, to);
        await ingest(line.token, series(nodeId, at, end));
        await flushMachine(machineId);
      }
    },
    send: (events: object[]) => ingest(line.token, events),
    archivedTo: () => runInDurableObject(stub, (_, { storage }) => stateIn(storage)["forgotten to"] ?? 0),
    /** The numbers of the closed shifts. */
    numbers: async () => {
      await flushMachine(machineId);
      return (await recordsOf(machineId))
        .filter(({ openBucket }) => openBucket === null)
        .map(({ startAt, totalUnits, cycles, availableMs, nonProgrammedMs, noDataMs, idealMs }) => {
          return { startAt, totalUnits, cycles, availableMs, nonProgrammedMs, noDataMs, idealMs };
        });
    },
  };
}

function series(nodeId: number, from: number, to: number, stepMs = 10 * MINUTE) {
  return Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, i) => countAt(nodeId, from + i * stepMs, 1));
}

describe("events of archived days", () => {
  it("count once a recalculation has ended: a gateway that was offline for a weekend loses nothing", async () => {
    const [late, right] = [await newLine(), await newLine()];
    vi.setSystemTime(START);
    await late.live(START, START + 2 * DAY);
    // Two days are missing, and a live event came first.
    await late.live(START + 4 * DAY, NOON);
    expect(await late.archivedTo()).toBeGreaterThan(START + 4 * DAY);
    await right.live(START, NOON);
    const before = await late.numbers();
    const missing = series(late.machine.nodeId, START + 2 * DAY, START + 4 * DAY);
    for (let i = 0; i < missing.length; i += 100) {
      expect(await late.send(missing.slice(i, i + 100))).toMatchObject({ rejected: [], duplicates: 0 });
    }
    expect((await late.send(missing)).duplicates).toBe(missing.length);
    expect(await late.numbers()).not.toEqual(before);
    expect(await late.numbers()).toEqual(await right.numbers());
    // Only the time that they touch was recalculated.
    await evictDurableObject(late.stub);
    expect((await late.send(missing.slice(0, 5))).duplicates).toBe(5);
  });

  it("are a duplicate or a conflict by their id within their day", async () => {
    const { live, send, machine, numbers } = await newLine();
    await live(START, START + DAY);
    const at = START + 2 * DAY + HOUR;
    vi.setSystemTime(at + MINUTE);
    expect((await send([countAt(machine.nodeId, at, 3, { id: "a" })])).accepted).toBe(1);
    await live(START + 3 * DAY, NOON);
    const [same, other, nextDay] = [
      countAt(machine.nodeId, at, 3, { id: "a" }),
      countAt(machine.nodeId, at + SECOND, 4, { id: "a" }),
      countAt(machine.nodeId, at + DAY, 5, { id: "a" }),
    ];
    expect(await send([same, other, nextDay])).toMatchObject({
      accepted: 1,
      duplicates: 1,
      rejected: [{ index: 1, code: "conflict" }],
    });
    const units = (await numbers()).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
    expect(units).toBe(144 + 3 + 5 + series(0, START + 3 * DAY, NOON - 12 * HOUR).length);
  });

  it("may be of many days in one request", async () => {
    const { live, send, machine, numbers } = await newLine();
    await live(START, START + HOUR);
    await live(START + 8 * DAY, NOON);
    const before = (await numbers()).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
    const events = Array.from({ length: 200 }, (_, i) =>
      countAt(machine.nodeId, START + 2 * HOUR + i * 55 * MINUTE, 1, { id: `of ${i}` }),
    );
    expect(await send(events)).toMatchObject({ accepted: 200 });
    expect((await numbers()).reduce((sum, { totalUnits }) => sum + totalUnits, 0)).toBe(before + 200);
  });

  it("that the machine cannot have made are held, and count when they are accepted", async () => {
    const { companyId, live, send, machine, numbers } = await newLine();
    await live(START, NOON);
    const before = (await numbers()).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
    const glitch = countAt(machine.nodeId, START + DAY + 3 * MINUTE, 9_000_000, { id: "glitch" });
    expect(await send([glitch])).toMatchObject({
      accepted: 1,
      warnings: expect.arrayContaining([expect.objectContaining({ code: "held" })]),
    });
    const { token } = await createUser(companyId, "admin");
    await flushMachine(machine.id);
    const { data } = (await call("GET", "/v1/held-events", { token })).body;
    expect(data).toHaveLength(1);
    expect((await call("POST", `/v1/held-events/${data[0].id}/accept`, { token, body: {} })).status).toBe(200);
    expect((await numbers()).reduce((sum, { totalUnits }) => sum + totalUnits, 0)).toBe(before + 9_000_000);
  });

  it("are refused on a day that cannot be read, and accepted on the others", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const { live, send, machine, stub } = await newLine();
    await live(START, NOON);
    const day = Math.floor((START + DAY) / DAY);
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec("UPDATE days SET body = zeroblob(10) WHERE k = ?", day * 1000);
    });
    await evictDurableObject(stub);
    const [bad, good] = [START + DAY + MINUTE, START + 3 * DAY + MINUTE].map((at) => countAt(machine.nodeId, at, 1));
    expect(await send([bad, good] as object[])).toMatchObject({ accepted: 1, rejected: [{ index: 0, code: "too_late" }] });
    vi.restoreAllMocks();
  });
});
