import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Answer } from "../../support/answer.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createMachine, createShift, createStopCause, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { eventsIn } from "../../support/object-storage.ts";
import { auditOf, counts, createStoppedLine, iso, metricsOf, reportedStopsOf, START, stopsOf } from "./stopped-line.ts";

stopClockAtNoon();

async function createTree(companyId: number) {
  const general = await createStopCause(companyId, { name: "Changeover", ownIsProgrammed: true });
  const specific = await createStopCause(companyId, {
    level: "specific",
    parentId: general.id,
    name: "Tool",
    ownIsProgrammed: true,
    ownIsIncludedInAvailability: false,
  });
  const component = await createStopCause(companyId, { level: "component", name: "Spindle" });
  return { general, specific, component };
}

describe("classifying", () => {
  it("gives a stop its causes and their flags, and its shifts their minutes", async () => {
    const line = await createStoppedLine();
    const { general, specific, component } = await createTree(line.companyId);
    const [, , overnight] = await stopsOf(line);
    const before = await metricsOf(line);
    expect(before[0].shiftIndicators).toMatchObject({ nonProgrammedDowntime: 60, otherStopsTime: 0, annotatedDowntime: 0 });

    const put = (body: object) => call("PUT", `/v1/stops/${overnight.id}/classification`, { token: line.token, body });
    const programmed = await put({ generalCauseId: String(general.id), description: "new tool" });
    expect(programmed.status, JSON.stringify(programmed.body)).toBe(200);
    expect(programmed.body).toMatchObject({
      id: overnight.id,
      version: 1,
      isProgrammed: true,
      isIncludedInAvailability: true,
      name: "Changeover",
      classification: {
        id: overnight.id,
        description: "new tool",
        generalCause: { id: general.id, name: "Changeover" },
        specificCause: null,
        component: null,
        createdAt: iso(NOON),
      },
    });
    const indicators = (await metricsOf(line)).map((item: { shiftIndicators: object }) => item.shiftIndicators);
    expect(indicators).toMatchObject([
      { programmedDowntime: 20, nonProgrammedDowntime: 40, annotatedDowntime: 20 },
      { programmedDowntime: 20, nonProgrammedDowntime: 60, annotatedDowntime: 20 },
    ]);

    vi.setSystemTime(NOON + MINUTE);
    const other = await put({
      generalCauseId: String(general.id),
      specificCauseId: String(specific.id),
      componentId: String(component.id),
    });
    expect(other.body).toMatchObject({
      version: 2,
      isProgrammed: true,
      isIncludedInAvailability: false,
      name: "Tool",
      classification: { component: { name: "Spindle" }, createdAt: iso(NOON), updatedAt: iso(NOON + MINUTE) },
    });
    expect((await metricsOf(line))[0].shiftIndicators).toMatchObject({ programmedDowntime: 0, otherStopsTime: 20 });

    const cleared = await call("DELETE", `/v1/stops/${overnight.id}/classification`, { token: line.token });
    expect(cleared.body).toMatchObject({ version: 3, isProgrammed: false, isIncludedInAvailability: true, classification: null });
    expect((await metricsOf(line))[0]).toEqual(before[0]);
    const rows = await auditOf(line);
    expect(rows.map((row) => row.action)).toEqual(Array(3).fill("stop.classify"));
    expect(rows[0]).toMatchObject({ userId: line.userId, at: NOON, objectType: "stop", objectId: String(overnight.id) });
    expect(rows[0]?.before).toMatchObject({ generalCauseId: null, isProgrammed: false });
    expect(rows[0]?.after).toMatchObject({ generalCauseId: String(general.id), isProgrammed: true });
    expect(rows[0]?.after, "which only counts the changes").not.toHaveProperty("version");
  });

  it("accepts only a description, and removes the flags of a cause with the cause", async () => {
    const line = await createStoppedLine();
    const { general } = await createTree(line.companyId);
    const [stop] = await stopsOf(line);
    const put = (body: object) => call("PUT", `/v1/stops/${stop.id}/classification`, { token: line.token, body });
    await call("PATCH", `/v1/stops/${stop.id}`, { token: line.token, body: { isIncludedInStops: false } });
    expect((await put({ description: "jam" })).body).toMatchObject({
      isProgrammed: false,
      isIncludedInStops: false,
      name: "Stop",
    });
    expect((await put({ generalCauseId: String(general.id) })).body).toMatchObject({ isProgrammed: true });
    expect((await put({ description: "no, a jam" })).body).toMatchObject({ isProgrammed: false, isIncludedInStops: true });
  });

  it("gives the stop the flags that a specific cause inherits from its general one", async () => {
    const line = await createStoppedLine();
    const admin = await createUser(line.companyId, "admin");
    const cause = async (body: object) =>
      (await call("POST", "/v1/stop-causes", { token: admin.token, body: { ...body, companyId: line.companyId } })).body.id;
    const planned = await cause({ level: "general", name: "Planned", isProgrammed: true, isIncludedInAvailability: false });
    const changeover = await cause({ level: "specific", parentId: planned, name: "Changeover" });
    const repair = await cause({ level: "specific", parentId: String(planned), name: "Repair", isProgrammed: false });
    const [stop] = await stopsOf(line);
    const flags = async (specificCauseId: unknown, generalCauseId: unknown = null) => {
      const body = { generalCauseId, specificCauseId };
      const { status, body: classified } = await call("PUT", `/v1/stops/${stop.id}/classification`, { token: line.token, body });
      return [status, classified.isProgrammed, classified.isIncludedInAvailability];
    };
    expect(await flags(String(changeover))).toEqual([200, true, false]);
    expect(await flags(repair, planned)).toEqual([200, false, false]);
    // Another minute of the shift is programmed: the cause's present flags apply.
    const change = { isProgrammed: false, isIncludedInAvailability: null };
    expect((await call("PATCH", `/v1/stop-causes/${planned}`, { token: admin.token, body: change })).status).toBe(200);
    expect(await flags(changeover, String(planned))).toEqual([200, false, true]);
  });

  it("accepts the ids of causes as numbers and as text in every operation", async () => {
    const line = await createStoppedLine();
    const { general, specific, component } = await createTree(line.companyId);
    for (const as of [Number, String]) {
      const causes = { generalCauseId: as(general.id), specificCauseId: as(specific.id), componentId: as(component.id) };
      const times = { startTime: iso(START + as.length * HOUR), endTime: iso(START + as.length * HOUR + MINUTE) };
      const body = { machineId: line.machineId, ...times, ...causes };
      const recorded = await call("POST", "/v1/stops", { token: line.token, body });
      expect(recorded.status, JSON.stringify(recorded.body)).toBe(201);
      expect(recorded.body.classification.specificCause).toEqual({ name: "Tool", id: specific.id });
      const filter = { generalCauseIds: [as(general.id)], specificCauseIds: [as(specific.id)], componentIds: [as(component.id)] };
      const report = { token: line.superuser, body: { machineIds: [line.machineId], ...filter } };
      expect((await call("POST", "/v1/public/reports/stops", report)).body.totalCount).toBe(1);
      const query = `&generalCauseIds=${general.id}&specificCauseIds=${specific.id}&componentIds=${component.id}`;
      expect(await stopsOf(line, query)).toHaveLength(1);
      await call("DELETE", `/v1/stops/${recorded.body.id}`, { token: line.token });
    }
  });

  it("names each fault of the causes", async () => {
    const line = await createStoppedLine();
    const { general, specific, component } = await createTree(line.companyId);
    const other = await createStopCause(line.companyId);
    const strange = await createStopCause((await createCompany()).companyId);
    const deleted = await createStopCause(line.companyId, { deletedAt: 1 });
    const [stop] = await stopsOf(line);
    const put = (body: unknown) => call("PUT", `/v1/stops/${stop.id}/classification`, { token: line.token, body });
    const ids = (generalCauseId: number | null, specificCauseId: number | null = null, componentId: number | null = null) => {
      const idText = (id: number | null) => (id === null ? null : String(id));
      return {
        generalCauseId: idText(generalCauseId),
        specificCauseId: idText(specificCauseId),
        componentId: idText(componentId),
      };
    };
    expectProblem(await put({}), 400, "/generalCauseId");
    expectProblem(await put(ids(null)), 400, "/generalCauseId");
    for (const wrong of [1.5, -1, 2 ** 53, true, "", "1.5", "x", [general.id]]) {
      expectProblem(await put({ generalCauseId: wrong }), 400, "/generalCauseId");
    }
    expectProblem(await put({ description: "" }), 400, "/description");
    expectProblem(await put({ description: "x".repeat(2001) }), 400, "/description");
    expectProblem(await put(ids(strange.id)), 400, "/generalCauseId");
    expectProblem(await put(ids(deleted.id)), 400, "/generalCauseId");
    expectProblem(
      await put(ids(specific.id, general.id, general.id)),
      400,
      "/generalCauseId",
      "/specificCauseId",
      "/componentId",
    );
    expectProblem(await put(ids(other.id, specific.id, component.id)), 400, "/specificCauseId");
    expect((await stopsOf(line))[0]).toEqual(stop);
    expect(await auditOf(line)).toEqual([]);
  });
});

describe("changing", () => {
  it("sets flags and the name, and only those that are sent", async () => {
    const line = await createStoppedLine();
    const [stop] = await stopsOf(line);
    const patch = (body: unknown) => call("PATCH", `/v1/stops/${stop.id}`, { token: line.token, body });
    expect((await patch({ name: "Fire drill", isProgrammed: true })).body).toMatchObject({
      name: "Fire drill",
      isProgrammed: true,
    });
    expect((await patch({ isIncludedInAvailability: false })).body).toMatchObject({
      name: "Fire drill",
      isProgrammed: true,
      version: 2,
    });
    const [reported] = await reportedStopsOf(line);
    expect(reported.stop).toMatchObject({ id: stop.id, name: "Fire drill", isProgrammed: true, isIncludedInAvailability: false });
    expect((await metricsOf(line))[0].shiftIndicators).toMatchObject({ otherStopsTime: 30, nonProgrammedDowntime: 30 });
    expect((await patch({ name: null })).body.name).toBe("Stop");

    expectProblem(await patch({}), 400, "/name");
    expectProblem(await patch({ isProgrammed: "yes", name: "" }), 400, "/isProgrammed", "/name");
  });

  it("and classifying with the present values writes nothing, and is answered and remembered like others", async () => {
    const line = await createStoppedLine();
    const { general } = await createTree(line.companyId);
    const [stop] = await stopsOf(line);
    const path = `/v1/stops/${stop.id}`;
    const causes = { generalCauseId: String(general.id), description: "Belt" };
    const ask = (method: string, at: string, body?: unknown, headers: Record<string, string> = {}) =>
      call(method, at, { token: line.token, body, headers });
    expect((await ask("DELETE", `${path}/classification`)).body).toMatchObject(stop);
    expect(await auditOf(line)).toEqual([]);
    await ask("PUT", `${path}/classification`, causes);
    const named = (await ask("PATCH", path, { name: "Fire drill" })).body;
    expect(named.version).toBe(2);
    const entries = await auditOf(line);
    const key = { "idempotency-key": crypto.randomUUID() };
    for (const headers of [{}, key, key]) {
      expect((await ask("PUT", `${path}/classification`, causes, headers)).body).toEqual(named);
    }
    expect((await ask("PATCH", path, { name: "Fire drill", isProgrammed: true })).body).toEqual(named);
    expect(named).toMatchObject((await stopsOf(line))[0]);
    expect(await auditOf(line)).toEqual(entries);
  });

  it("works on the open stop, which keeps the changes when it ends", async () => {
    const line = await createStoppedLine();
    const running = (await stopsOf(line)).at(-1);
    expect(running).toMatchObject({ isOpen: true, endTime: null, durationInMinutes: 60 });
    const body = { name: "Breakdown", isProgrammed: true };
    const changed = await call("PATCH", `/v1/stops/${running.id}`, { token: line.token, body });
    expect(changed.body).toMatchObject({
      isOpen: true,
      isProgrammed: true,
      slices: [{ startTime: iso(NOON - HOUR), endTime: null }],
    });
    vi.setSystemTime(NOON + HOUR);
    const downtimes = async () => (await metricsOf(line)).map((item: { shiftIndicators: object }) => item.shiftIndicators).at(-1);
    expect(await downtimes()).toMatchObject({ programmedDowntime: 120, nonProgrammedDowntime: 20 });
    await ingest(line.gateway, counts(line.machine.nodeId, NOON + 50 * MINUTE, NOON + HOUR));
    await flushMachine(line.machineId);
    expect((await stopsOf(line)).at(-1)).toMatchObject({ id: running.id, name: "Breakdown", endTime: iso(NOON + 50 * MINUTE) });
    expect(await downtimes()).toMatchObject({ programmedDowntime: 110, nonProgrammedDowntime: 20 });
  });
});

describe("recording", () => {
  it("replaces any signals and stops by stopped time, and deleting it restores them", async () => {
    const line = await createStoppedLine();
    const before = { stops: await stopsOf(line), metrics: await metricsOf(line) };
    const { general } = await createTree(line.companyId);
    const body = {
      machineId: line.machineId,
      startTime: iso(START + 9 * HOUR),
      endTime: iso(START + 10 * HOUR + 10 * MINUTE),
      name: "Inventory",
      generalCauseId: String(general.id),
      isIncludedInStops: false,
    };
    const recorded = await call("POST", "/v1/stops", { token: line.token, body });
    expect(recorded.status, JSON.stringify(recorded.body)).toBe(201);
    expect(recorded.body).toMatchObject({
      machine: { id: line.machineId, name: line.machine.name },
      startTime: body.startTime,
      endTime: body.endTime,
      durationInMinutes: 70,
      isManual: true,
      isProgrammed: true,
      isIncludedInStops: false,
      isIncludedInAvailability: true,
      isOpen: false,
      name: "Inventory",
      classification: { generalCause: { name: "Changeover" } },
      deletedAt: null,
      slices: [{ shiftId: line.shiftId, shiftStart: iso(START), startTime: body.startTime, endTime: body.endTime }],
    });
    expect((await metricsOf(line))[0].shiftIndicators).toMatchObject({
      programmedDowntime: 70,
      nonProgrammedDowntime: 50,
      annotatedDowntime: 70,
    });
    const [first, rest] = await stopsOf(line);
    expect(first.id).toBe(recorded.body.id);
    // The rest of the stop beneath keeps its id.
    expect(rest).toMatchObject({ id: before.stops[0].id, startTime: body.endTime, endTime: iso(START + 10.5 * HOUR) });

    const deleted = await call("DELETE", `/v1/stops/${recorded.body.id}`, { token: line.token });
    expect(deleted.status).toBe(204);
    expect((await stopsOf(line)).map(timesOf)).toEqual(before.stops.map(timesOf));
    expect(await metricsOf(line)).toEqual(before.metrics);
    expectProblem(await call("GET", `/v1/stops/${recorded.body.id}`, { token: line.token }), 404);
    const actions = (await auditOf(line)).map(({ action, before, after }) => [action, before === null, after === null]);
    expect(actions.sort()).toEqual([
      ["stop.delete", false, true],
      ["stop.record", true, false],
    ]);
  });

  it("leaves the id of a stop that begins with it to the rest of that stop", async () => {
    const line = await createStoppedLine();
    const [signalled] = await stopsOf(line);
    await call("PATCH", `/v1/stops/${signalled.id}`, { token: line.token, body: { name: "Jam" } });
    const record = (startTime: string, endTime: string) =>
      call("POST", "/v1/stops", { token: line.token, body: { machineId: line.machineId, startTime, endTime } });
    const first = await record(signalled.startTime, iso(START + 10.25 * HOUR));
    expect((await stopsOf(line)).slice(0, 2)).toMatchObject([
      { id: first.body.id, isManual: true, name: "Stop" },
      { id: signalled.id, name: "Jam", startTime: iso(START + 10.25 * HOUR) },
    ]);
    const second = await record(iso(START + 10.25 * HOUR), iso(START + 11 * HOUR));
    expect((await stopsOf(line)).slice(0, 2)).toMatchObject([{ id: first.body.id }, { id: second.body.id, isManual: true }]);
    expectProblem(await call("GET", `/v1/stops/${signalled.id}`, { token: line.token }), 404);
  });

  it("creates one stop in two shifts if it crosses their edge", async () => {
    const line = await createStoppedLine();
    const midnight = START + 24 * HOUR;
    const body = { machineId: line.machineId, startTime: iso(midnight - HOUR), endTime: iso(midnight + HOUR) };
    const { body: recorded } = await call("POST", "/v1/stops", { token: line.token, body });
    expect(recorded.slices).toMatchObject([{ endTime: iso(midnight) }, { startTime: iso(midnight) }]);
    // An edit that only concerns the first shift leaves the second part unchanged.
    const [other] = await stopsOf(line);
    await call("PATCH", `/v1/stops/${other.id}`, { token: line.token, body: { isProgrammed: true } });
    expect((await call("GET", `/v1/stops/${recorded.id}`, { token: line.token })).body).toEqual(recorded);
    for (const start of [START, midnight]) {
      const path = `/v1/machines/${line.machineId}/shifts/${encodeURIComponent(iso(start))}/explain`;
      const { segments } = (await call("GET", path, { token: line.token })).body;
      const own = segments.filter(({ stop }: { stop: { id: number } | null }) => stop?.id === recorded.id);
      expect(own).toMatchObject([{ durationInMinutes: 60 }]);
    }
  });

  it("names each fault of the request", async () => {
    const line = await createStoppedLine();
    const stranger = await createMachine((await createCompany()).companyId);
    const gone = await createMachine(line.companyId, { deletedAt: NOON });
    const body = { machineId: line.machineId, startTime: iso(START + HOUR), endTime: iso(START + 2 * HOUR) };
    const post = (more: object) => call("POST", "/v1/stops", { token: line.token, body: { ...body, ...more } });
    expectProblem(await call("POST", "/v1/stops", { token: line.token, body: {} }), 400, "/machineId", "/startTime", "/endTime");
    expectProblem(await post({ endTime: body.startTime }), 400, "/endTime");
    expectProblem(await post({ endTime: iso(NOON + MINUTE) }), 400, "/isProgrammed");
    expectProblem(await post({ startTime: iso(START - MINUTE) }), 400, "/startTime");
    expectProblem(await post({ machineId: stranger.id }), 400, "/machineId");
    expectProblem(await post({ machineId: gone.id }), 400, "/machineId");
    expectProblem(await post({ machineId: 999_999_999 }), 400, "/machineId");
    expectProblem(await post({ generalCauseId: "999999999" }), 400, "/generalCauseId");
    expect((await post({})).status).toBe(201);
    expectProblem(await post({ startTime: iso(START + 1.5 * HOUR), endTime: iso(START + 3 * HOUR) }), 409);
    expect(await auditOf(line)).toHaveLength(1);
  });

  it("is refused outside the machine's shifts", async () => {
    const line = await createStoppedLine();
    await env.DB_0.prepare("UPDATE shifts SET start = '22:00', end = '06:00' WHERE id = ?").bind(line.shiftId).run();
    const late = await createMachine(line.companyId, { commissionedAt: START, noDataAfterSeconds: null });
    const at = (hours: number) => iso(START + hours * HOUR);
    const post = (from: number, to: number) =>
      call("POST", "/v1/stops", { token: line.token, body: { machineId: late.id, startTime: at(from), endTime: at(to) } });
    expectProblem(await post(7, 9), 400, "/startTime");
    expect((await post(21, 23)).body.slices).toMatchObject([{ startTime: at(22), endTime: at(23) }]);
  });

  it("happens once for an Idempotency-Key", async () => {
    const line = await createStoppedLine();
    const body = { machineId: line.machineId, startTime: iso(START + HOUR), endTime: iso(START + 2 * HOUR) };
    const headers = { "idempotency-key": crypto.randomUUID() };
    const post = () => call("POST", "/v1/stops", { token: line.token, body, headers });
    const answers = [await post(), await post()];
    expect(answers[0]?.status).toBe(201);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await auditOf(line)).toHaveLength(1);
    expectProblem(await call("POST", "/v1/stops", { token: line.token, body: { ...body, name: "x" }, headers }), 409);
  });
});

describe("splitting and merging", () => {
  it("make two stops of one, which keep its changes, and one of two", async () => {
    const line = await createStoppedLine();
    const { general } = await createTree(line.companyId);
    const [stop] = await stopsOf(line);
    const before = await metricsOf(line);
    await call("PUT", `/v1/stops/${stop.id}/classification`, { token: line.token, body: { generalCauseId: String(general.id) } });
    const at = iso(START + 10 * HOUR + 10 * MINUTE);
    const { body: parts } = await call("POST", `/v1/stops/${stop.id}/split`, { token: line.token, body: { at } });
    expect(parts.data).toMatchObject([
      { id: stop.id, startTime: stop.startTime, endTime: at, version: 2, isProgrammed: true },
      {
        startTime: at,
        endTime: stop.endTime,
        version: 1,
        isProgrammed: true,
        classification: { generalCause: { name: "Changeover" } },
      },
    ]);
    const [, second] = parts.data;
    expect(second.id).not.toBe(stop.id);
    await call("DELETE", `/v1/stops/${stop.id}/classification`, { token: line.token });
    expect((await metricsOf(line))[0].shiftIndicators).toMatchObject({ programmedDowntime: 20, nonProgrammedDowntime: 40 });

    // A late event does not undo it.
    await ingest(line.gateway, [countAt(line.machine.nodeId, START + 10 * HOUR + 20 * MINUTE)]);
    await flushMachine(line.machineId);
    const three = await stopsOf(line);
    expect(three.slice(0, 3).map(timesOf)).toEqual([
      [stop.startTime, at],
      [at, iso(START + 10 * HOUR + 20 * MINUTE)],
      [iso(START + 10 * HOUR + 20 * MINUTE), stop.endTime],
    ]);
    expect(three.slice(0, 2).map(({ id }: { id: number }) => id)).toEqual([stop.id, second.id]);

    const ids = three.slice(0, 3).map(({ id }: { id: number }) => id);
    // Someone has changed the second one since the caller read it.
    const versions = three.slice(0, 3).map(({ version }: { version: number }) => version);
    const mergeSeen = (seen: number[]) =>
      call("POST", "/v1/stops/merge", { token: line.token, body: { ids: ids.toReversed(), versions: seen.toReversed() } });
    expectProblem(await mergeSeen(versions.with(1, versions[1] + 1)), 409);
    expect((await stopsOf(line)).length).toBe(6);
    const merged = await mergeSeen(versions);
    expect(merged.body).toMatchObject({ id: stop.id, startTime: stop.startTime, endTime: stop.endTime });
    expect((await stopsOf(line)).length).toBe(4);
    await call("DELETE", `/v1/stops/${stop.id}/classification`, { token: line.token });
    expect((await metricsOf(line))[0].shiftIndicators).toEqual(before[0].shiftIndicators);
    const audited = await auditOf(line);
    const split = audited.find(({ action }) => action === "stop.split");
    expect(split?.before).toMatchObject({ id: stop.id });
    expect(split?.after).toMatchObject([{ endTime: at }, { startTime: at }]);
    expect(audited.find(({ action }) => action === "stop.merge")?.before).toHaveLength(3);
  });

  describe("of a break, in two shifts", () => {
    /** A machine that stopped from 9:00 to 15:00: before lunch, for lunch, and after it into the afternoon, with lunch joined to what follows and split. */
    async function splitLunch() {
      const line = await createLine({ commissionedAt: START, noDataAfterSeconds: null });
      await env.DB_0.prepare("UPDATE shifts SET deleted_at = 1 WHERE id = ?").bind(line.shiftId).run();
      await createShift(line.companyId, {
        breaks: [{ name: "Lunch", start: "10:00", end: "10:30", isIncludedInAvailability: false }],
      });
      await createShift(line.companyId, { start: "14:00", end: "22:00" });
      const { token } = await createUser(line.companyId, "superuser");
      const own = { machineId: line.machine.id, token, superuser: token };
      const ask = async (path: string, body: object) => {
        const answer = await call("POST", `/v1/stops${path}`, { token, body });
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
        return answer.body;
      };
      const idAt = async (hour: number) =>
        (await stopsOf(own)).find(({ startTime }: { startTime: string }) => startTime === iso(START + hour * HOUR)).id;
      await ingest(line.token, [
        ...counts(line.machine.nodeId, START + 6 * HOUR, START + 9 * HOUR),
        ...counts(line.machine.nodeId, START + 15 * HOUR, START + 23 * HOUR),
      ]);
      await flushMachine(line.machine.id);
      const lunch = await ask("/merge", { ids: [await idAt(10), await idAt(10.5)] });
      await ask(`/${lunch.id}/split`, { at: iso(START + 10.25 * HOUR) });
      const slicesOf = async (id: number) =>
        (await reportedStopsOf(own))
          .filter(({ stop }: { stop: { id: number } }) => stop.id === id)
          .map(({ stop }: { stop: { isProgrammed: boolean } }) => stop.isProgrammed);
      const rest = await idAt(10.25);
      expect(await slicesOf(rest)).toEqual([true, true]);
      return { machineId: own.machineId, ask, idAt, slicesOf, rest };
    }

    it("make the rest an ordinary stop in both if its beginning is merged with the previous stop", async () => {
      const { ask, idAt, slicesOf, rest } = await splitLunch();
      await ask("/merge", { ids: [await idAt(9), await idAt(10)] });
      expect(await slicesOf(rest)).toEqual([false, false]);
    });

    it("make it the break again in both if its beginning is recorded as another stop", async () => {
      const { machineId, ask, idAt, slicesOf, rest } = await splitLunch();
      await ask("/merge", { ids: [await idAt(9), await idAt(10)] });
      await ask("", { machineId, startTime: iso(START + 9.5 * HOUR), endTime: iso(START + 10.25 * HOUR) });
      expect(await slicesOf(rest)).toEqual([true, true]);
    });
  });

  it("split the open stop", async () => {
    const line = await createStoppedLine();
    const running = (await stopsOf(line)).at(-1);
    const at = iso(NOON - 30 * MINUTE);
    const { body } = await call("POST", `/v1/stops/${running.id}/split`, { token: line.token, body: { at } });
    expect(body.data).toMatchObject([
      { endTime: at, isOpen: false },
      { startTime: at, endTime: null, isOpen: true },
    ]);
    vi.setSystemTime(NOON + 2 * HOUR);
    expect((await stopsOf(line)).at(-1)).toMatchObject({ id: body.data[1].id, durationInMinutes: 150 });
  });

  it("refuse stops that cannot be split or merged", async () => {
    const line = await createStoppedLine();
    const stranger = await createStoppedLine();
    const [first, second] = await stopsOf(line);
    const [theirs] = await stopsOf(stranger);
    const split = (body: object) => call("POST", `/v1/stops/${first.id}/split`, { token: line.token, body });
    expectProblem(await split({}), 400, "/at");
    expectProblem(await split({ at: first.startTime }), 400, "/at");
    expectProblem(await split({ at: first.endTime }), 400, "/at");
    const merge = (ids: unknown[], token = line.token) => call("POST", "/v1/stops/merge", { token, body: { ids } });
    expectProblem(await merge([first.id]), 400, "/ids");
    expectProblem(await merge([first.id, first.id]), 400, "/ids/1");
    expectProblem(await merge([first.id, theirs.id]), 400, "/ids/1");
    expectProblem(await merge([first.id, second.id]), 409);
    expectProblem(await merge([first.id, first.id + 5000]), 404);
    const body = { ids: [first.id, second.id], versions: [0] };
    expectProblem(await call("POST", "/v1/stops/merge", { token: line.token, body }), 400, "/versions");
    expect(await stopsOf(line)).toHaveLength(4);
    expect(await auditOf(line)).toEqual([]);
  });
});

describe("two people at once", () => {
  it("cannot both change a stop: the second change is refused", async () => {
    const line = await createStoppedLine();
    const [stop] = await stopsOf(line);
    const read = await call("GET", `/v1/stops/${stop.id}`, { token: line.token });
    const etag = read.headers.get("etag") ?? "";
    const patch = (name: string, ifMatch: string) =>
      call("PATCH", `/v1/stops/${stop.id}`, { token: line.token, body: { name }, headers: { "if-match": ifMatch } });
    const both = await Promise.all([patch("One", etag), patch("Two", etag)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = both.find(({ status }) => status === 200);
    expect((await stopsOf(line))[0].name).toBe(winner?.body.name);

    const stale = { "if-match": '"0"' };
    const ask = (method: string, path: string, body?: object) => call(method, path, { token: line.token, body, headers: stale });
    const path = `/v1/stops/${stop.id}`;
    expectProblem(await ask("PUT", `${path}/classification`, { description: "x" }), 409);
    expectProblem(await ask("DELETE", `${path}/classification`), 409);
    expectProblem(await ask("POST", `${path}/split`, { at: iso(START + 10 * HOUR + MINUTE) }), 409);
    // A stop that could be deleted otherwise.
    const times = { startTime: iso(START + 12 * HOUR), endTime: iso(START + 13 * HOUR) };
    const drill = await call("POST", "/v1/stops", { token: line.token, body: { machineId: line.machineId, ...times } });
    expectProblem(await ask("DELETE", `/v1/stops/${drill.body.id}`), 409);
    expectProblem(await patch("Three", "1"), 400, "/header/if-match");
    expect((await patch("Three", winner?.headers.get("etag") ?? "")).status).toBe(200);
    expect((await patch("Four", '"2"')).status).toBe(200);
    expect((await patch("Five", "*")).status).toBe(200);
    expect((await stopsOf(line))[0]).toMatchObject({ name: "Five", version: 4 });
  });
});

describe("limits", () => {
  it("hide another company's stops, and detected stops cannot be deleted", async () => {
    const line = await createStoppedLine();
    const [stop] = await stopsOf(line);
    const { token } = await createUser((await createCompany()).companyId, "superadmin");
    const path = `/v1/stops/${stop.id}`;
    const refusals = [
      await call("PATCH", path, { token, body: { name: "x" } }),
      await call("PUT", `${path}/classification`, { token, body: { description: "x" } }),
      await call("DELETE", `${path}/classification`, { token }),
      await call("POST", `${path}/split`, { token, body: { at: iso(NOON) } }),
      await call("DELETE", path, { token }),
      await call("POST", "/v1/stops/merge", { token, body: { ids: [stop.id, stop.id + 1] } }),
    ];
    for (const refusal of refusals) expectProblem(refusal, 404);
    expectProblem(await call("PATCH", `/v1/stops/${stop.id + 5000}`, { token: line.token, body: { name: "x" } }), 404);
    expectProblem(await call("PATCH", "/v1/stops/x", { token: line.token, body: { name: "x" } }), 400, "/path/id");
    expectProblem(await call("DELETE", path, { token: line.token }), 409);
    expect((await call("PATCH", path, { token: line.superuser, body: { name: "x" } })).status).toBe(200);
    expect(await auditOf(line)).toHaveLength(1);
  });
});

describe("an old stop", () => {
  it("can be edited long after its events are deleted, and its shift keeps its counts", async () => {
    const line = await createStoppedLine();
    for (let day = 1; day <= 6; day++) {
      vi.setSystemTime(NOON + day * DAY);
      await ingest(line.gateway, counts(line.machine.nodeId, NOON + (day - 1) * DAY + MINUTE, NOON + day * DAY, 2 * MINUTE));
      await flushMachine(line.machineId);
    }
    const oldest = await runInDurableObject(machineObject(env, line.machineId), (_, { storage }) => {
      return eventsIn(storage)[0]?.at;
    });
    expect(oldest).toBeGreaterThan(START + 2 * DAY);

    const { token } = await createUser(line.companyId, "user");
    const superuser = (await createUser(line.companyId, "superuser")).token;
    const today = { ...line, token, superuser };
    const [before] = await metricsOf(today);
    const [first, second] = await stopsOf(today);
    const at = iso(START + 10 * HOUR + 10 * MINUTE);
    await call("POST", `/v1/stops/${first.id}/split`, { token, body: { at } });
    await call("PATCH", `/v1/stops/${second.id}`, { token, body: { isIncludedInAvailability: false } });
    const body = { machineId: line.machineId, startTime: iso(START + HOUR), endTime: iso(START + 2 * HOUR), isProgrammed: true };
    const recorded = await call("POST", "/v1/stops", { token, body });
    expect(recorded.status, JSON.stringify(recorded.body)).toBe(201);
    const [after] = await metricsOf(today);
    expect(after.shiftIndicators).toMatchObject({
      indicatorId: before.shiftIndicators.indicatorId,
      programmedDowntime: 60,
      nonProgrammedDowntime: 50,
      otherStopsTime: 10,
      availableTime: before.shiftIndicators.availableTime - 60,
    });
    const counted = ["total", "cycleCount", "defects", "correct", "actualSpeed", "cycleSpeed"];
    for (const member of counted) expect(after.productionMetrics[member], member).toBe(before.productionMetrics[member]);
    await call("POST", "/v1/stops/merge", {
      token,
      body: { ids: (await stopsOf(today)).slice(1, 3).map(({ id }: { id: number }) => id) },
    });
    await call("DELETE", `/v1/stops/${recorded.body.id}`, { token });
    await call("DELETE", `/v1/stops/${second.id}/classification`, { token });
    expect((await metricsOf(today))[0]).toEqual(before);
  });
});

describe("an edit that D1 does not take", () => {
  it("is done and answered, and reaches D1 later", async () => {
    const line = await createStoppedLine();
    const [stop] = await stopsOf(line);
    await env.DB_0.exec("ALTER TABLE shift_records RENAME TO shift_records_away");
    let answer: Answer;
    try {
      answer = await call("PATCH", `/v1/stops/${stop.id}`, { token: line.token, body: { name: "Jam", isProgrammed: true } });
    } finally {
      await env.DB_0.exec("ALTER TABLE shift_records_away RENAME TO shift_records");
    }
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: stop.id, name: "Jam", isProgrammed: true, version: 1 });
    expect((await stopsOf(line))[0].name).toBe("Stop");
    await flushMachine(line.machineId);
    expect((await stopsOf(line))[0]).toMatchObject({ name: "Jam", version: 1 });
    expect(await auditOf(line)).toHaveLength(1);
  });
});

function timesOf({ startTime, endTime }: { startTime: string; endTime: string | null }) {
  return [startTime, endTime];
}
