import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf, republish } from "../../support/machines.ts";
import { eventsIn } from "../../support/object-storage.ts";

stopClockAtNoon();
let error: MockInstance;
beforeEach(() => {
  error = vi.spyOn(console, "error").mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const MIDNIGHT = NOON - 12 * HOUR;
/** A count of one unit each minute from midnight to 5:00, with a stop at 2:00 that a person named. */
const COUNTS = 270;

/** A machine with a row of each kind. */
async function busyLine() {
  const line = await createLine({ commissionedAt: NOON - DAY, noDataAfterSeconds: null, stopAfterSeconds: 120 });
  const { token } = await createUser(line.companyId, "admin");
  const send = async (method: "GET" | "POST" | "PUT", path: string, body?: object) => {
    const answer = await call(method, path, { token, ...(body && { body }) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  await send("POST", "/v1/skus", { id: "A", name: "A", standards: [{ machineId: line.machine.id, standardCycleSeconds: 60 }] });
  await send("POST", "/v1/skus", { id: "B", name: "B", standards: [{ machineId: line.machine.id, standardCycleSeconds: 30 }] });
  await configureMachine(line.machine.id);
  const minutes = Array.from({ length: 300 }, (_, i) => i).filter((i) => i < 120 || i >= 150);
  const counts = minutes.map((i) => countAt(line.machine.nodeId, MIDNIGHT + i * MINUTE, 1, { id: `count ${i}` }));
  const sku = (skuId: string, at: number) => ({ type: "sku", at: new Date(at).toISOString(), machineId: line.machine.id, skuId });
  // The shift before has a count, too.
  await ingest(line.token, [countAt(line.machine.nodeId, MIDNIGHT - HOUR), sku("A", MIDNIGHT), sku("B", MIDNIGHT + HOUR)]);
  await ingest(line.token, counts);
  await flushMachine(line.machine.id);
  const [stop] = (await send("GET", `/v1/stops?from=${new Date(MIDNIGHT).toISOString()}&to=${new Date(NOON).toISOString()}`))
    .data;
  await send("PUT", `/v1/stops/${stop.id}/classification`, { description: "jam" });
  const stub = machineObject(env, line.machine.id);
  return {
    ...line,
    stub,
    send,
    /** Changes the storage of the object, which then starts again. */
    spoil: async (query: string) => {
      await runInDurableObject(stub, (_, { storage }) => {
        expect(storage.sql.exec(query).rowsWritten).toBeGreaterThan(0);
      });
      await evictDurableObject(stub);
    },
    state: () => send("GET", `/v1/machines/${line.machine.id}/state`),
    explain: (start: number) =>
      send("GET", `/v1/machines/${line.machine.id}/shifts/${encodeURIComponent(new Date(start).toISOString())}/explain`),
  };
}

const unreadableRows = async () => {
  // Health checks every two seconds.
  vi.setSystemTime(Date.now() + 3 * SECOND);
  return (await call("GET", "/health")).body.unreadableRows as number;
};

describe("events that cannot be read", () => {
  it.each([
    ["no JSON", "'x'", 0],
    ["no list", "'{}'", 0],
    ["one of them is none", "json_insert(events, '$[#]', json('{\"pos\": 1}'))", null],
  ])("cost themselves and not the machine: %s", async (_, text, kept) => {
    const line = await busyLine();
    const before = await unreadableRows();
    const { all, segment } = await runInDurableObject(line.stub, (_, { storage }) => {
      const [row] = storage.sql.exec<{ events: string }>("SELECT events FROM segments ORDER BY first DESC LIMIT 1").toArray();
      return { all: eventsIn(storage), segment: JSON.parse(row?.events ?? "[]") as { event: { value?: number } }[] };
    });
    expect(all.length).toBeGreaterThan(COUNTS);
    await line.spoil(`UPDATE segments SET events = ${text} WHERE first = (SELECT max(first) FROM segments)`);
    // A late event folds the events since midnight again. Another one with a stored id is looked up.
    const late = countAt(line.machine.nodeId, MIDNIGHT + 30 * MINUTE + SECOND, 5, { id: "late" });
    expect(await ingest(line.token, [late, countAt(line.machine.nodeId, NOON - HOUR, 1, { id: "count 9" })])).toMatchObject({
      accepted: 1,
      rejected: [{ code: "conflict" }],
    });
    await flushMachine(line.machine.id);
    const lost = kept === null ? 0 : segment.reduce((sum, { event }) => sum + (event.value ?? 0), 0);
    const units = (await recordsOf(line.machine.id)).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
    expect(units).toBe(COUNTS + 1 - lost + 5);
    expect(await line.state()).toMatchObject({ isDegraded: true });
    expect(await line.explain(MIDNIGHT)).toBeTruthy();
    expect(await unreadableRows()).toBe(before + 1);
    const logged = error.mock.calls.map(([text]) => JSON.parse(String(text)));
    expect(logged.filter(({ event }) => event === "row_unreadable")).toMatchObject([
      { machineId: line.machine.id, table: "segments" },
    ]);

    // They are forgotten with the events of their time.
    for (let at = NOON; at <= NOON + 4 * DAY; at += DAY) {
      vi.setSystemTime(at);
      await ingest(line.token, [countAt(line.machine.nodeId, at - MINUTE)]);
      await flushMachine(line.machine.id);
    }
    expect((await line.stub.state())?.isDegraded).toBe(false);
    expect(await unreadableRows()).toBe(before);
  });

  it("are counted once, and are still counted after a restart", async () => {
    const line = await busyLine();
    const before = await unreadableRows();
    await line.spoil("UPDATE segments SET events = 'x' WHERE first = (SELECT max(first) FROM segments)");
    for (let i = 0; i < 2; i++) {
      await ingest(line.token, [countAt(line.machine.nodeId, MIDNIGHT + i * SECOND + SECOND)]);
      await flushMachine(line.machine.id);
      await evictDurableObject(line.stub);
    }
    expect(await line.state()).toMatchObject({ isDegraded: true });
    expect(await unreadableRows()).toBe(before + 1);
  });
});

describe("another row that cannot be read", () => {
  it.each([
    ["the newest checkpoint", "UPDATE checkpoints SET ledger = 'x' WHERE pos = (SELECT max(pos) FROM checkpoints)"],
    ["every checkpoint", "UPDATE checkpoints SET ledger = '{'"],
    ["counts of a shift", "UPDATE tallies SET body = ''"],
    ["counts of parts", "UPDATE part_tallies SET body = '{' || body"],
    ["runs", "UPDATE runs SET body = 'x'"],
    ["the published state of a stop", "UPDATE stops SET told = 'x'"],
    ["what a person said of a stop", "UPDATE stops SET mark = 'x'"],
    ["the general settings", "UPDATE settings_parts SET body = 'x' WHERE kind = 'general'"],
    ["the standard of a SKU", "UPDATE settings_parts SET body = 'x' WHERE kind = 'sku'"],
    ["the projection", "UPDATE projection SET body = 'x' WHERE kind IN ('record', 'part')"],
  ])("does not stop the machine, and is seen: %s", async (_, query) => {
    const line = await busyLine();
    const before = await unreadableRows();
    await line.spoil(query);
    // Some are read by the one, some by the other, and a late event makes some of them anew.
    for (const at of [NOON - 7 * HOUR - 90 * SECOND, NOON - HOUR, MIDNIGHT - HOUR + SECOND]) {
      await ingest(line.token, [countAt(line.machine.nodeId, at)]);
      expect(await line.explain(MIDNIGHT)).toBeTruthy();
      expect(await line.explain(MIDNIGHT - DAY)).toBeTruthy();
    }
    await flushMachine(line.machine.id);
    expect(await line.state()).toMatchObject({ sku: { id: "B" }, isDegraded: true });
    expect((await recordsOf(line.machine.id)).at(-1)?.totalUnits).toBeGreaterThan(0);
    expect(await unreadableRows()).toBeGreaterThan(before);

    await republish(line.machine.id);
    await flushMachine(line.machine.id);
    expect(await line.state()).toMatchObject({ isDegraded: false });
    expect(await unreadableRows()).toBe(before);
  });
});
