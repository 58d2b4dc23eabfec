import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createStopCause, createUser } from "../../support/factories.ts";
import { flushMachine, ingest, republish } from "../../support/machines.ts";
import { auditOf, counts, createStoppedLine, iso, metricsOf, START, stopsOf } from "./stopped-line.ts";

stopClockAtNoon();

/** A line whose first stop (10:00 to 10:30 yesterday) was classified and named, before late counts removed it. */
async function lineWithOrphan() {
  const line = await createStoppedLine();
  const cause = await createStopCause(line.companyId, { name: "Changeover", ownIsProgrammed: true });
  const before = await stopsOf(line);
  const ask = (method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE", path: string, body?: object, token = line.token) =>
    call(method, `/v1${path}`, { token, ...(body && { body }) });
  await ask("PUT", `/stops/${before[0].id}/classification`, { generalCauseId: cause.id, description: "mould" });
  await ask("PATCH", `/stops/${before[0].id}`, { name: "Mould 7" });
  await ingest(line.gateway, counts(line.machine.nodeId, START + 10 * HOUR, START + 10.5 * HOUR));
  await flushMachine(line.machineId);
  const orphans = async (query = "") => (await ask("GET", `/orphaned-edits?machineIds=${line.machineId}${query}`)).body.data;
  return { ...line, cause, before, ask, orphans };
}

describe("what was said of a stop that is gone", () => {
  it("is listed with what was said, who said it and of which stop", async () => {
    const line = await lineWithOrphan();
    const of = {
      machine: { id: line.machineId },
      stopId: line.before[0].id,
      startTime: iso(START + 10 * HOUR),
      endTime: iso(START + 10.5 * HOUR),
      reason: "no_stop",
      at: null,
      user: { id: line.userId },
    };
    expect(await line.orphans()).toMatchObject([
      { ...of, action: "change", said: { name: "Mould 7" } },
      {
        ...of,
        action: "classify",
        said: { generalCauseId: line.cause.id, specificCauseId: null, description: "mould", isProgrammed: null },
      },
    ]);
    expect(await line.orphans("&limit=1")).toHaveLength(1);
    expect(await line.orphans(`&to=${iso(START + 10 * HOUR)}`)).toEqual([]);
    expect(await line.orphans(`&from=${iso(START + 10 * HOUR)}`)).toHaveLength(2);
    // D1 gets them again if it lacks them.
    await env.DB_0.prepare("DELETE FROM orphaned_edits WHERE machine_id = ?").bind(line.machineId).run();
    await republish(line.machineId);
    await flushMachine(line.machineId);
    expect(await line.orphans()).toHaveLength(2);
  });

  it("can be put on another stop, which has it then", async () => {
    const line = await lineWithOrphan();
    const [named, classified] = await line.orphans();
    const [, second] = line.before;
    const { body, status, headers } = await line.ask("POST", `/orphaned-edits/${classified.id}/attach`, { stopId: second.id });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(headers.get("etag")).toContain('"1-');
    expect(body).toMatchObject({
      id: second.id,
      version: 1,
      isProgrammed: true,
      classification: { generalCause: { id: line.cause.id }, description: "mould" },
    });
    expect((await metricsOf(line))[0].shiftIndicators).toMatchObject({ programmedDowntime: 10 });
    expect(await line.orphans()).toMatchObject([{ id: named.id }]);
    const entries = (await auditOf(line)).filter(({ objectId }) => objectId === String(second.id));
    expect(entries).toMatchObject([{ action: "stop.change", after: { description: "mould" } }]);
    expectProblem(await line.ask("POST", `/orphaned-edits/${classified.id}/attach`, { stopId: second.id }), 404);
    // It stays with the new stop when that moves.
    await ingest(line.gateway, counts(line.machine.nodeId, START + 20 * HOUR, START + 20 * HOUR + 2 * MINUTE));
    await flushMachine(line.machineId);
    expect((await stopsOf(line))[0]).toMatchObject({ id: second.id, classification: { description: "mould" } });
  });

  it("can be dropped, and is never said of a stop again", async () => {
    const line = await lineWithOrphan();
    for (const { id } of await line.orphans()) expect((await line.ask("DELETE", `/orphaned-edits/${id}`)).status).toBe(204);
    expect(await line.orphans()).toEqual([]);
    const entry = (await auditOf(line)).find(({ action }) => action === "orphaned-edit.drop");
    expect(entry).toMatchObject({ userId: line.userId });
    expect(entry?.before).toMatchObject({ stopId: line.before[0].id, reason: "no_stop" });
    expectProblem(await line.ask("DELETE", `/orphaned-edits/${entry?.objectId}`), 404);
  });

  it("is refused on a stop of another machine, or that is not there, and a split can only be dropped", async () => {
    const line = await lineWithOrphan();
    const other = await createStoppedLine();
    const [, second] = line.before;
    const [{ id }] = await line.orphans();
    const attach = (stopId: unknown, of = id, token = line.token) =>
      line.ask("POST", `/orphaned-edits/${of}/attach`, { stopId }, token);
    expectProblem(await attach((await stopsOf(other))[0].id), 400, "/stopId");
    expectProblem(await attach(second.id + 5000), 400, "/stopId");
    expectProblem(await attach(line.before[0].id), 400, "/stopId");
    expectProblem(await attach("x"), 400, "/stopId");
    expectProblem(await attach(second.id, id + 5000), 404);
    expectProblem(await attach(second.id, id, other.token), 404);
    expectProblem(await line.ask("DELETE", `/orphaned-edits/${id}`, undefined, other.token), 404);
    const readonly = await createUser(line.companyId, "readonly");
    expectProblem(await attach(second.id, id, readonly.token), 403);
    const at = START + 20 * HOUR + 5 * MINUTE;
    await line.ask("POST", `/stops/${second.id}/split`, { at: iso(at) });
    await ingest(line.gateway, counts(line.machine.nodeId, at - MINUTE, at + MINUTE, MINUTE / 2));
    await flushMachine(line.machineId);
    const split = (await line.orphans()).find(({ action }: { action: string }) => action === "split");
    expect(split).toMatchObject({ reason: "splits_nothing", at: iso(at), said: {} });
    expectProblem(await attach((await stopsOf(line))[0].id, split.id), 409);
    expect((await line.ask("DELETE", `/orphaned-edits/${split.id}`)).status).toBe(204);
    expect(await line.orphans()).toHaveLength(2);
  });
});
