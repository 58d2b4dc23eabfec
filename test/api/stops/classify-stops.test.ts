import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { recordOf } from "../../../src/core/record-id.ts";
import type { WaitingStops } from "../../../src/db/schema.ts";
import { classifyStopsOf } from "../../../src/jobs/classify-stops.ts";
import { call } from "../../support/call.ts";
import { DAY, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createStopCause, createStopClassification, createStopSlice, createUser } from "../../support/factories.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { auditOf, createStoppedLine, iso, metricsOf, START, stopsOf } from "./stopped-line.ts";

stopClockAtNoon();

/** A stopped line with a programmed cause. */
async function createCausedLine() {
  const line = await createStoppedLine();
  const cause = await createStopCause(line.companyId, { name: "Changeover", ownIsProgrammed: true });
  const classify = (body: object, token = line.token) => call("POST", "/v1/stops/classify", { token, body });
  return { ...line, cause, classify };
}

describe("classifying many stops", () => {
  it("gives all that match a filter their causes, the flags of these, and their shifts the minutes, with one audit entry", async () => {
    const line = await createCausedLine();
    const [first, ...others] = await stopsOf(line);
    await call("PUT", `/v1/stops/${first.id}/classification`, { token: line.token, body: { description: "Known already" } });
    const filter = { machineIds: [line.machineId], isClassified: false };

    const dry = await line.classify({ filter, generalCauseId: line.cause.id, dryRun: true });
    expect(dry.body).toEqual({ isDryRun: true, total: others.length, unchanged: 0, machines: 1 });
    expect(await stopsOf(line)).toMatchObject([{ version: 1 }, ...others.map(() => ({ version: 0, classification: null }))]);

    const { status, body } = await line.classify({ filter, generalCauseId: line.cause.id, description: "New tool" });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      ...{ state: "done", total: others.length, classified: others.length, unchanged: 0, userId: line.userId },
      leftOut: { changed: [], gone: [], unreachable: [] },
      ...{ generalCauseId: line.cause.id, description: "New tool", endedAt: iso(NOON) },
    });
    expect(body, "what was left out").not.toHaveProperty("specificCauseId");
    const [kept, ...classified] = await stopsOf(line);
    expect(kept).toMatchObject({ version: 1, classification: { description: "Known already", generalCause: null } });
    expect(classified).toMatchObject(
      others.map(({ id }: { id: number }) => ({
        ...{ id, version: 1, isProgrammed: true, name: "Changeover" },
        classification: { description: "New tool", generalCause: { id: line.cause.id } },
      })),
    );
    expect((await metricsOf(line)).map(({ shiftIndicators }: { shiftIndicators: object }) => shiftIndicators)).toMatchObject([
      { nonProgrammedDowntime: 30, programmedDowntime: 30 },
      { nonProgrammedDowntime: 0, programmedDowntime: 80 },
    ]);
    const bulk = (await auditOf(line)).filter(({ objectType }) => objectType === "stop-classification");
    expect(bulk).toMatchObject([
      { action: "stop-classification.create", objectId: body.id, after: { filter, stops: others.length } },
    ]);
    expect((await call("GET", `/v1/stop-classifications/${body.id}`, { token: line.token })).body).toEqual(body);
    expect((await call("GET", "/v1/stop-classifications", { token: line.token })).body.data).toEqual([body]);
  });

  it("counts a stop that has the causes already as unchanged", async () => {
    const line = await createCausedLine();
    const ids = (await stopsOf(line)).map(({ id }: { id: number }) => id);
    await line.classify({ ids, generalCauseId: line.cause.id });
    expect((await line.classify({ ids, generalCauseId: line.cause.id, dryRun: true })).body).toMatchObject({ unchanged: 4 });
    expect((await line.classify({ ids, generalCauseId: line.cause.id })).body).toMatchObject({ classified: 0, unchanged: 4 });
    expect((await stopsOf(line)).map(({ version }: { version: number }) => version)).toEqual([1, 1, 1, 1]);
  });

  it("leaves what it does not name as it is, in each stop", async () => {
    const line = await createCausedLine();
    const component = await createStopCause(line.companyId, { level: "component" });
    const [described, other] = await stopsOf(line);
    const own = { description: "Own words", componentId: component.id };
    await call("PUT", `/v1/stops/${described.id}/classification`, { token: line.token, body: own });
    const ids = [described.id, other.id];
    const classifications = async () =>
      (await stopsOf(line)).slice(0, 2).map(({ classification }: { classification: object }) => classification);
    const generalCause = { id: line.cause.id };

    const caused = await line.classify({ ids, generalCauseId: line.cause.id });
    expect(caused.body).toMatchObject({ classified: 2 });
    const withCause = [
      { generalCause, component: { id: component.id }, description: "Own words" },
      { generalCause, component: null, description: null },
    ];
    expect(await classifications()).toMatchObject(withCause);
    const entry = (await auditOf(line)).find(({ objectType }) => objectType === "stop-classification");
    expect(entry?.after).toEqual({ ids, generalCauseId: line.cause.id, stops: 2 });
    expect((await line.classify({ ids, generalCauseId: line.cause.id, dryRun: true })).body).toMatchObject({ unchanged: 2 });

    await call("PATCH", `/v1/stops/${other.id}`, { token: line.token, body: { isProgrammed: false } });
    const before = await stopsOf(line);
    await line.classify({ ids, description: "In words" });
    expect(await classifications()).toMatchObject(withCause.map((one) => ({ ...one, description: "In words" })));
    const flagsOf = (stops: { isProgrammed: boolean; isIncludedInAvailability: boolean }[]) =>
      stops.map(({ isProgrammed, isIncludedInAvailability }) => ({ isProgrammed, isIncludedInAvailability }));
    expect(flagsOf(await stopsOf(line))).toEqual(flagsOf(before));

    const { body: without } = await line.classify({ ids, generalCauseId: line.cause.id, description: null });
    expect(without).toMatchObject({ generalCauseId: line.cause.id, description: null });
    expect(await classifications()).toMatchObject(withCause.map((one) => ({ ...one, description: null })));
  });

  it("keeps causes that fit with the named one, with their flags, and no others", async () => {
    const line = await createCausedLine();
    const other = await createStopCause(line.companyId, { ownIsProgrammed: false });
    const ofParent = { level: "specific" as const, parentId: line.cause.id };
    const specific = await createStopCause(line.companyId, { ...ofParent, ownIsProgrammed: false });
    const [first, second, third] = await stopsOf(line);
    const put = (id: number, body: object) => call("PUT", `/v1/stops/${id}/classification`, { token: line.token, body });
    await put(first.id, { generalCauseId: line.cause.id, specificCauseId: specific.id });
    await put(second.id, { generalCauseId: other.id });
    const ids = [first.id, second.id, third.id];
    const stops = async () =>
      (await stopsOf(line))
        .slice(0, 3)
        .map((stop: { classification: Record<string, { id: number } | null>; isProgrammed: boolean }) => {
          const { generalCause = null, specificCause = null } = stop.classification ?? {};
          return [generalCause?.id ?? null, specificCause?.id ?? null, stop.isProgrammed];
        });

    expect((await line.classify({ ids, generalCauseId: line.cause.id, dryRun: true })).body).toMatchObject({ unchanged: 1 });
    await line.classify({ ids, generalCauseId: line.cause.id });
    expect(await stops()).toEqual([
      [line.cause.id, specific.id, false],
      [line.cause.id, null, true],
      [line.cause.id, null, true],
    ]);
    await line.classify({ ids, generalCauseId: other.id });
    expect(await stops()).toEqual(ids.map(() => [other.id, null, false]));
    await call("DELETE", `/v1/stops/${third.id}/classification`, { token: line.token });
    await line.classify({ ids, specificCauseId: specific.id });
    expect(await stops()).toEqual([
      [line.cause.id, specific.id, false],
      [line.cause.id, specific.id, false],
      [null, specific.id, false],
    ]);
    await line.classify({ ids: [first.id, second.id], specificCauseId: null, description: "Not that" });
    expect((await stops()).slice(0, 2)).toEqual([first, second].map(() => [line.cause.id, null, true]));
  });

  it("again gives those of the past what their cause means now", async () => {
    const line = await createCausedLine();
    const filter = { machineIds: [line.machineId] };
    await line.classify({ filter, generalCauseId: line.cause.id });
    const { token } = await createUser(line.companyId, "admin");
    const path = `/v1/stop-causes/${line.cause.id}`;
    const dated = { isProgrammed: false, effectiveFrom: iso(START), reason: "It was never planned" };
    const refused = await call("PATCH", path, { token, body: dated });
    expectProblem(refused, 409, "/effectiveFrom");
    expect((await call("PATCH", path, { token, body: { isProgrammed: false } })).status).toBe(200);
    expect((await stopsOf(line)).map(({ isProgrammed }: { isProgrammed: boolean }) => isProgrammed)).not.toContain(false);
    const again = await line.classify({ filter: { ...filter, generalCauseIds: [line.cause.id] }, generalCauseId: line.cause.id });
    expect(again.body).toMatchObject({ unchanged: 0 });
    expect((await stopsOf(line)).map(({ isProgrammed }: { isProgrammed: boolean }) => isProgrammed)).not.toContain(true);
    expect((await metricsOf(line)).map(({ shiftIndicators }: { shiftIndicators: object }) => shiftIndicators)).toMatchObject(
      Array.from({ length: 2 }, () => ({ programmedDowntime: 0 })),
    );
  });

  it("with the same Idempotency-Key is done once, and answered with what began", async () => {
    const line = await createCausedLine();
    const filter = { machineIds: [line.machineId] };
    const send = () =>
      call("POST", "/v1/stops/classify", {
        token: line.token,
        body: { filter, generalCauseId: line.cause.id },
        headers: { "idempotency-key": "once" },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toMatchObject({ id: first.body.id, total: 4 });
    expect((await call("GET", "/v1/stop-classifications", { token: line.token })).body.data).toHaveLength(1);
  });

  it("refuses what names no stops or too little, and changes nothing", async () => {
    const line = await createCausedLine();
    const [{ id }] = await stopsOf(line);
    const stranger = await createCausedLine();
    const generalCauseId = line.cause.id;
    expectProblem(await line.classify({ generalCauseId }), 400, "/ids");
    expectProblem(await line.classify({ ids: [id], filter: {}, generalCauseId }), 400, "/ids");
    expectProblem(await line.classify({ ids: [id] }), 400, "/generalCauseId");
    expectProblem(await line.classify({ ids: [id], generalCauseId: stranger.cause.id }), 400, "/generalCauseId");
    expectProblem(await line.classify({ ids: [id, id + 999], generalCauseId }), 404, "/ids/1");
    expectProblem(await stranger.classify({ ids: [id], generalCauseId: stranger.cause.id }), 404, "/ids/0");
    expectProblem(await line.classify({ filter: { machine: [1] }, generalCauseId }), 400, "/filter/machine");
    expect((await stopsOf(line))[0]).toMatchObject({ id, version: 0, classification: null });
  });
});

describe("undoing a bulk classification", () => {
  it("gives its stops back what was said of them before, apart from those that somebody changed afterwards, with one audit entry", async () => {
    const line = await createCausedLine();
    const [first, second, ...others] = await stopsOf(line);
    const put = (id: number, description: string) =>
      call("PUT", `/v1/stops/${id}/classification`, { token: line.token, body: { description } });
    await put(first.id, "Before");
    const before = { numbers: await metricsOf(line), stops: await stopsOf(line) };
    const { body } = await line.classify({ filter: {}, generalCauseId: line.cause.id });
    await put(second.id, "Afterwards");

    const undo = () => call("POST", `/v1/stop-classifications/${body.id}/undo`, { token: line.token });
    const undone = await undo();
    expect(undone.body).toMatchObject({ id: body.id, state: "undone", classified: 4, undone: 3, kept: 1, undoneAt: iso(NOON) });
    const [firstNow, secondNow, ...othersNow] = await stopsOf(line);
    expect(firstNow).toMatchObject({ name: before.stops[0].name, classification: { description: "Before", generalCause: null } });
    expect(secondNow).toMatchObject({ classification: { description: "Afterwards", generalCause: null } });
    expect(othersNow).toMatchObject(others.map(() => ({ isProgrammed: false, classification: null })));
    expect((await undo()).body).toEqual(undone.body);
    const bulk = (await auditOf(line)).filter(({ objectType }) => objectType === "stop-classification");
    expect(bulk.map(({ action }) => action)).toEqual(["stop-classification.create", "stop-classification.undo"]);

    await call("DELETE", `/v1/stops/${second.id}/classification`, { token: line.token });
    expect(await metricsOf(line)).toEqual(before.numbers);
  });

  it("is refused while it is running, and is nobody else's", async () => {
    const line = await createCausedLine();
    const stranger = await createUser((await createLine()).companyId, "admin");
    const running = {
      state: "running" as const,
      total: 1,
      waiting: [[line.machineId, [[1, 0]]]] as WaitingStops[],
      endedAt: null,
    };
    const { id } = await createStopClassification(line.companyId, line.userId, running);
    const undo = (token: string) => call("POST", `/v1/stop-classifications/${id}/undo`, { token });
    expectProblem(await undo(line.token), 409);
    expectProblem(await undo(stranger.token), 404);
  });
});

describe("many stops", () => {
  it("of a machine, 300 of them, are classified by one request", async () => {
    const line = await createLine({ commissionedAt: START, noDataAfterSeconds: null, stopAfterSeconds: 60 });
    const { token } = await createUser(line.companyId, "user");
    const cause = await createStopCause(line.companyId);
    const events = Array.from({ length: 301 }, (_, i) => countAt(line.machine.nodeId, START + i * 7 * MINUTE));
    await ingest(line.token, events);
    await flushMachine(line.machine.id);
    const filter = { from: iso(START), to: iso(START + 300 * 7 * MINUTE) };
    const body = { filter, generalCauseId: cause.id };
    const answer = await call("POST", "/v1/stops/classify", { token, body });
    expect(answer.body).toMatchObject({ state: "done", total: 300, classified: 300 });
    const listed = await call("GET", `/v1/stops?limit=1&total=true&generalCauseIds=${cause.id}`, { token });
    expect(listed.body.total).toBe(300);
  });

  it("are refused if they are more than 10,000, with the number that is allowed", async () => {
    const { companyId, machine, shiftId } = await createLine();
    const { token } = await createUser(companyId, "user");
    const cause = await createStopCause(companyId);
    const of = { companyId, machineId: machine.id, shiftId, shiftStart: START, shiftEnd: START + DAY };
    const { id } = await createStopSlice({ ...of, sliceStart: START, sliceEnd: START + 1000 });
    const { results } = await env.DB_0.prepare(
      "SELECT name FROM pragma_table_xinfo('stops') WHERE hidden = 0 AND name <> 'id'",
    ).all<{ name: string }>();
    const names = results.map(({ name }) => name).join(", ");
    await env.DB_0.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO stops (id, ${names}) SELECT ${id} + i, ${names} FROM n, stops WHERE id = ${id}`,
    ).run();
    const answer = await call("POST", "/v1/stops/classify", {
      token,
      body: { filter: {}, generalCauseId: cause.id, dryRun: true },
    });
    expectProblem(answer, 400, "/filter");
    expect(answer.body.detail).toContain("10000");
  });
});

describe("a bulk classification whose request was killed", () => {
  it("is finished by the job with the same results, also if the job is killed before it stores them", async () => {
    const line = await createCausedLine();
    const stops = await stopsOf(line);
    const [changed] = stops;
    const waiting = [[line.machineId, stops.map(({ id }: { id: number }) => [recordOf(id).seq, 0])]] as WaitingStops[];
    await call("PUT", `/v1/stops/${changed.id}/classification`, { token: line.token, body: { description: "Mine" } });
    const causes = { generalCauseId: line.cause.id, specificCauseId: null, componentId: null, description: null };
    const begun = { state: "running" as const, total: 4, waiting, what: { causes, flags: {} }, nextAt: NOON, endedAt: null };
    const { id } = await createStopClassification(line.companyId, line.userId, begun);
    const read = async () => (await call("GET", `/v1/stop-classifications/${id}`, { token: line.token })).body;
    expect(await read()).toMatchObject({ state: "running", classified: 0, endedAt: null });

    await classifyStopsOf(env, line.companyId);
    const done = await read();
    expect(done).toMatchObject({ state: "done", classified: 3, unchanged: 0, leftOut: { changed: [changed.id], gone: [] } });
    const versions = async () => (await stopsOf(line)).map(({ version }: { version: number }) => version);
    expect(await versions()).toEqual([1, 1, 1, 1]);

    await env.DB_0.prepare(
      "UPDATE stop_classifications SET state = 'running', waiting = ?, left_out = '{}', classified = 0, next_at = ?, ended_at = NULL WHERE id = ?",
    )
      .bind(JSON.stringify(waiting), NOON, id)
      .run();
    await classifyStopsOf(env, line.companyId);
    expect(await read()).toEqual(done);
    expect(await versions()).toEqual([1, 1, 1, 1]);
  });

  it("is taken back by the job with the same results, also if the job is killed before it stores them", async () => {
    const line = await createCausedLine();
    const before = await metricsOf(line);
    const { body } = await line.classify({ filter: {}, generalCauseId: line.cause.id });
    const read = async () => (await call("GET", `/v1/stop-classifications/${body.id}`, { token: line.token })).body;
    const begin = () =>
      env.DB_0.prepare(
        "UPDATE stop_classifications SET state = 'undoing', waiting = ?, undone = 0, kept = 0, undone_by = ?, undone_at = ?, next_at = ? WHERE id = ?",
      )
        .bind(JSON.stringify([[line.machineId, []]]), line.userId, NOON, NOON, body.id)
        .run();
    await begin();
    expect(await read()).toMatchObject({ state: "undoing", classified: 4, undone: 0 });
    await classifyStopsOf(env, line.companyId);
    const undone = await read();
    expect(undone).toMatchObject({ state: "undone", undone: 4, kept: 0 });
    expect(await metricsOf(line)).toEqual(before);

    await begin();
    await classifyStopsOf(env, line.companyId);
    expect(await read()).toEqual(undone);
    expect(await metricsOf(line)).toEqual(before);
  });
});
