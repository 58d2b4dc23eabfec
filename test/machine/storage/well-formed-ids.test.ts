import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import type { IncomingEvent } from "../../../src/objects/machine-protocol.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createSku, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";
import { eventsIn, forgetStepsFrom, stateIn } from "../../support/object-storage.ts";

stopClockAtNoon();
afterEach(() => {
  vi.restoreAllMocks();
});

const iso = (at: number) => new Date(at).toISOString();

/** A machine whose object has events with halves of surrogate pairs in their ids, as versions before November 2026 stored them. */
async function oldMachine() {
  const line = await createLine({ commissionedAt: NOON - DAY, noDataAfterSeconds: null });
  await createSku(line.companyId, { id: "A" });
  const stub = machineObject(env, line.machine.id);
  await ingest(line.token, [countAt(line.machine.nodeId, NOON - 6 * HOUR, 1, { id: "whole" })]);
  const idAt = (i: number) => ["\ud83d", "b\udc00\ud800", "\u{1f600}\ud800x", `${i} \udfff`][i % 4] + String(i);
  const counts = Array.from({ length: 400 }, (_, i): IncomingEvent => {
    const at = NOON - 6 * HOUR + (i + 1) * 30 * SECOND;
    return { id: idAt(i), content: "1", event: { kind: "count", at, cycles: 1, total: 1, defects: 0, good: null } };
  });
  const sku: IncomingEvent = {
    id: "sku \ud800",
    content: "A",
    event: { kind: "sku", at: NOON - 5 * HOUR, skuId: "A", workOrderId: null },
  };
  // Two events of one instant, which differ in their halves alone.
  const twins = ["\ud800", "\ud801"].map((id): IncomingEvent => {
    const event = { kind: "count" as const, at: NOON - 4 * HOUR - SECOND, cycles: 1, total: 1, defects: 0, good: null };
    return { id, content: "1", event };
  });
  await runInDurableObject(stub, async (object) => {
    for (const part of [counts.slice(0, 150), [sku, ...twins, ...counts.slice(150, 300)], counts.slice(300)]) {
      expect((await object.ingest(part, 0))?.results.every((result) => result === "accepted")).toBe(true);
    }
  });
  await flushMachine(line.machine.id);
  await runInDurableObject(stub, (_, { storage }) => {
    forgetStepsFrom(storage, "0014");
  });
  return { ...line, stub };
}

it("the ids of events with halves of surrogate pairs are repaired when the object starts, and everything reads", async () => {
  const error = vi.spyOn(console, "error").mockReturnValue(undefined);
  const line = await oldMachine();
  const units = async () => (await recordsOf(line.machine.id)).at(-1)?.totalUnits;
  const before = await runInDurableObject(line.stub, (_, { storage }) => eventsIn(storage));
  expect(await units()).toBe(403);
  await evictDurableObject(line.stub);
  await configureMachine(line.machine.id);

  const after = await runInDurableObject(line.stub, (_, { storage }) => {
    const { sql } = storage;
    const tables = { segments: "first", checkpoints: "pos", spans: "by", tallies: "by", part_tallies: "by", sku_changes: "by" };
    for (const [table, column] of Object.entries(tables)) {
      const broken = `SELECT 1 FROM ${table} WHERE hex(${column}) GLOB '*EDA*' OR hex(${column}) GLOB '*EDB*'`;
      expect(sql.exec(broken).toArray(), table).toEqual([]);
    }
    const { head, "open events": open } = stateIn(storage);
    expect(JSON.stringify([head?.pos, open])).not.toContain("\\ud");
    return eventsIn(storage);
  });
  expect(after.map(({ event }) => event)).toEqual(before.map(({ event }) => event));
  expect(after.every(({ pos }) => pos.isWellFormed())).toBe(true);
  expect(new Set(after.map(({ pos }) => pos)).size).toBe(before.length);

  // Late events fold all of them again.
  const { nodeId } = line.machine;
  const late = [countAt(nodeId, NOON - 6 * HOUR + SECOND, 10, { id: "late" }), countAt(nodeId, NOON - MINUTE, 100)];
  const again = countAt(nodeId, NOON - 6 * HOUR, 1, { id: "whole" });
  expect(await ingest(line.token, [...late, again])).toMatchObject({ accepted: 2, duplicates: 1, rejected: [] });
  await evictDurableObject(line.stub);
  await flushMachine(line.machine.id);
  expect(await units()).toBe(513);
  const { token } = await createUser(line.companyId, "admin");
  const start = encodeURIComponent(iso(NOON - 12 * HOUR));
  const explained = await call("GET", `/v1/machines/${line.machine.id}/shifts/${start}/explain`, { token });
  expect([explained.status, explained.body.isDegraded]).toEqual([200, undefined]);
  const state = await call("GET", `/v1/machines/${line.machine.id}/state`, { token });
  expect(state.body).toMatchObject({ isDegraded: false, sku: { id: "A" } });
  expect(error).not.toHaveBeenCalled();
});
