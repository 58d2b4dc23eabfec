import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { events } from "../../../src/db/schema.ts";
import { catalogue } from "../../../src/events/catalogue.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { readEvents } from "../../support/events.ts";
import { eventually } from "../../support/eventually.ts";
import { createOperator, createStopCause, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { takeBackFewerRows } from "../../support/object-storage.ts";

// From the API to D1: which events a machine publishes, in which order, and which it keeps to itself.

stopClockAtNoon();

/** The machine's events in D1, in order; checks that their data match the catalogue. */
async function eventsOf(machineId: number) {
  const rows = await readEvents(eq(events.machineId, machineId));
  for (const { type, data } of rows) catalogue[type].data.parse(data);
  return rows;
}

async function typesOf(machineId: number) {
  return (await eventsOf(machineId)).map(({ type }) => type);
}

const iso = (at: number) => new Date(at).toISOString();

/** A line commissioned an hour ago, in a shift that lasts all day, that may be silent without limit: stops begin after two minutes. */
async function lineAtWork(options: Parameters<typeof createLine>[0] = {}) {
  const line = await createLine({ commissionedAt: NOON - HOUR, noDataAfterSeconds: null, ...options });
  const { machine, token } = line;
  const count = async (...times: number[]) => {
    await ingest(
      token,
      times.map((at) => countAt(machine.nodeId, at)),
    );
  };
  const at = async (now: number) => {
    vi.setSystemTime(now);
    await flushMachine(machine.id);
  };
  await count(...Array.from({ length: 61 }, (_, i) => NOON - HOUR + i * MINUTE));
  await at(NOON);
  return { ...line, count, at };
}

describe("stops", () => {
  it("publish one event when they begin and one when they end", async () => {
    const { machine, shiftId, count, at } = await lineAtWork();
    expect(await eventsOf(machine.id)).toEqual([]);
    await at(NOON + 2 * MINUTE);
    expect(await typesOf(machine.id)).toEqual([]);
    await at(NOON + 2 * MINUTE + 1);
    const [opened] = await eventsOf(machine.id);
    expect(opened).toMatchObject({
      type: "stop.opened",
      machineId: machine.id,
      at: NOON,
      data: { machineId: machine.id, machineName: machine.name, lineName: null, shiftId, since: iso(NOON), until: null },
    });
    await at(NOON + 3 * MINUTE);
    vi.setSystemTime(NOON + 6 * MINUTE);
    await count(NOON + 6 * MINUTE);
    await at(NOON + 6 * MINUTE + 10 * SECOND);
    const [, closed, ...others] = await eventsOf(machine.id);
    expect(others).toEqual([]);
    expect(closed).toMatchObject({
      type: "stop.closed",
      at: NOON + 6 * MINUTE,
      data: { since: iso(NOON), until: iso(NOON + 6 * MINUTE) },
    });
    expect(closed?.data.stopId).toBe(opened?.data.stopId);
    expect(closed?.id).not.toBe(opened?.id);
  });

  it("that have already ended when detected are opened and closed at once", async () => {
    const { machine, count, at } = await lineAtWork();
    vi.setSystemTime(NOON + 30 * MINUTE);
    await count(NOON + 10 * MINUTE, NOON + 11 * MINUTE, NOON + 30 * MINUTE);
    await at(NOON + 30 * MINUTE);
    const published = (await eventsOf(machine.id)).map(({ type, data }) => [type, data.since, data.until]);
    const [first, second] = [
      [iso(NOON), iso(NOON + 10 * MINUTE)],
      [iso(NOON + 11 * MINUTE), iso(NOON + 30 * MINUTE)],
    ];
    expect(published).toEqual([
      ["stop.opened", ...(first ?? [])],
      ["stop.closed", ...(first ?? [])],
      ["stop.opened", ...(second ?? [])],
      ["stop.closed", ...(second ?? [])],
    ]);
  });

  it("publish stop.changed when late counts move their end from the last two days into history", async () => {
    const { machine, count, at } = await lineAtWork({ commissionedAt: NOON - 60 * HOUR });
    const known = (await eventsOf(machine.id)).length;
    await count(NOON - 45 * HOUR);
    await at(NOON + MINUTE);
    const [first] = (await eventsOf(machine.id)).slice(known);
    expect(first).toMatchObject({ type: "stop.changed", data: { until: iso(NOON - 45 * HOUR) } });
    const before = (await eventsOf(machine.id)).length;
    await count(NOON - 50 * HOUR);
    await at(NOON + 2 * MINUTE);
    expect((await eventsOf(machine.id)).slice(before)).toMatchObject([
      { type: "stop.changed", data: { stopId: first?.data.stopId, until: iso(NOON - 50 * HOUR) } },
      { type: "stop.opened" },
      { type: "stop.closed", data: { until: iso(NOON - 45 * HOUR) } },
      { type: "shift.revised" },
    ]);
  });

  it("publish stop.changed when late counts move, divide or remove them", async () => {
    const { machine, count, at } = await lineAtWork();
    await at(NOON + 20 * MINUTE);
    await count(NOON + 20 * MINUTE);
    await at(NOON + 20 * MINUTE);
    const [opened] = await eventsOf(machine.id);
    // The machine had run until 12:05, and for a moment at 12:10.
    await count(...[1, 2, 3, 4, 5, 10].map((minute) => NOON + minute * MINUTE));
    await at(NOON + 20 * MINUTE);
    const rest = (await eventsOf(machine.id)).slice(2);
    expect(rest.map(({ type }) => type)).toEqual(["stop.changed", "stop.opened", "stop.closed"]);
    const kept = rest.find(({ data }) => data.stopId === opened?.data.stopId);
    expect(kept).toMatchObject({ type: "stop.changed", at: NOON + 20 * MINUTE, data: { isRemoved: false } });
    expect(kept?.data.changes).toMatchObject({ since: { from: iso(NOON) } });
    // And all the time in between was running time.
    await count(...Array.from({ length: 20 }, (_, i) => NOON + i * MINUTE + 1));
    await at(NOON + 20 * MINUTE);
    const removed = (await eventsOf(machine.id)).slice(5);
    expect(removed.map(({ type, data }) => [type, data.isRemoved])).toEqual([
      ["stop.changed", true],
      ["stop.changed", true],
    ]);
  });

  it("publish their changes when a person classifies them", async () => {
    const { machine, companyId, at } = await lineAtWork();
    const { causeId } = await createStopCause(companyId, { ownIsProgrammed: true });
    const { token } = await createUser(companyId, "user");
    await at(NOON + 5 * MINUTE);
    const [opened] = await eventsOf(machine.id);
    const path = `/v1/stops/${opened?.data.stopId}`;
    const body = { generalCauseId: String(causeId), specificCauseId: null, componentId: null, description: "Belt" };
    expect((await call("PUT", `${path}/classification`, { token, body })).status).toBe(200);
    const [, classified, ...none] = await eventsOf(machine.id);
    expect(none).toEqual([]);
    expect(classified).toMatchObject({
      type: "stop.classified",
      data: { generalCauseId: causeId, isProgrammed: true, until: null },
    });
    expect(classified?.data.generalCauseName).toBeTruthy();
    expect(classified?.data.changes).toEqual({
      generalCauseId: { from: null, to: causeId },
      description: { from: null, to: "Belt" },
      isProgrammed: { from: false, to: true },
    });
    // A classification that changes nothing publishes no new event.
    await call("PUT", `${path}/classification`, { token, body });
    await at(NOON + 6 * MINUTE);
    expect(await typesOf(machine.id)).toEqual(["stop.opened", "stop.classified"]);
  });

  it("publish events when a person records, splits or deletes them, however old they are", async () => {
    const { machine, companyId, at } = await lineAtWork({ commissionedAt: NOON - 10 * DAY });
    const { token } = await createUser(companyId, "user");
    const noted = await typesOf(machine.id);
    const start = NOON - 9 * DAY;
    const body = { machineId: machine.id, startTime: iso(start), endTime: iso(start + HOUR), name: "Drill", isProgrammed: true };
    const recorded = await call("POST", "/v1/stops", { token, body });
    expect(recorded.status).toBe(201);
    const published = async () => (await eventsOf(machine.id)).slice(noted.length);
    const own = async () => (await published()).filter(({ data }) => data.stopId === recorded.body.id).map(({ type }) => type);
    expect(await own()).toEqual(["stop.opened", "stop.closed"]);
    const split = await call("POST", `/v1/stops/${recorded.body.id}/split`, { token, body: { at: iso(start + MINUTE) } });
    expect(split.status).toBe(200);
    expect(await own()).toEqual(["stop.opened", "stop.closed", "stop.changed"]);
    expect((await call("DELETE", `/v1/stops/${recorded.body.id}`, { token })).status).toBe(204);
    const last = (await published()).findLast(({ data }) => data.stopId === recorded.body.id);
    expect(last).toMatchObject({ type: "stop.changed", data: { isRemoved: true } });
    expect((await published()).map(({ type }) => type)).toContain("shift.revised");
    await at(NOON + MINUTE);
    const then = (await published()).findLast(({ data }) => data.stopId === recorded.body.id);
    expect(then).toEqual(last);
  });
});

describe("history", () => {
  it("from before the machine started is not published", async () => {
    const { machine, count, at } = await lineAtWork({ commissionedAt: NOON - 30 * DAY });
    // The stop since the commissioning, and shifts that ended days ago, were over when the machine started.
    const types = await typesOf(machine.id);
    expect(types.filter((type) => type === "shift.closed").length).toBeLessThanOrEqual(2);
    expect(types.filter((type) => type.startsWith("stop.")).length).toBeLessThanOrEqual(4);
    await count(NOON + MINUTE);
    await at(NOON + MINUTE);
    expect(await typesOf(machine.id)).toEqual(types);
  });

  it("is not published when an object migrates to the version that publishes events", async () => {
    const { machine, count, at } = await lineAtWork();
    await at(NOON + 5 * MINUTE);
    await runInDurableObject(machineObject(env, machine.id), async (_, { storage }) => {
      takeBackFewerRows(storage);
      storage.sql.exec("DROP TABLE told_presences");
      storage.sql.exec("ALTER TABLE stops DROP COLUMN told");
      storage.sql.exec("DELETE FROM migrations WHERE id = '0010_told'");
      storage.kv.delete("told signal");
    });
    await env.DB_0.prepare("DELETE FROM events WHERE machine_id = ?").bind(machine.id).run();
    await evictDurableObject(machineObject(env, machine.id));
    await at(NOON + 6 * MINUTE);
    expect(await typesOf(machine.id)).toEqual([]);
    // An open stop is closed like any other.
    vi.setSystemTime(NOON + 7 * MINUTE);
    await count(NOON + 7 * MINUTE);
    await at(NOON + 7 * MINUTE);
    expect(await typesOf(machine.id)).toEqual(["stop.closed"]);
  });
});

describe("shifts", () => {
  it("publish an event when they end and when their numbers change afterwards", async () => {
    const { machine, count, at, shiftId } = await lineAtWork();
    const midnight = NOON + 12 * HOUR;
    vi.setSystemTime(midnight - MINUTE);
    await count(midnight - 3 * MINUTE, midnight - 2 * MINUTE, midnight - MINUTE);
    await at(midnight - MINUTE);
    const before = (await eventsOf(machine.id)).length;
    await at(midnight);
    const [closed, ...none] = (await eventsOf(machine.id)).slice(before);
    expect(none).toEqual([]);
    expect(closed).toMatchObject({ type: "shift.closed", at: midnight, data: { shiftId, total: 64, until: iso(midnight) } });
    await at(midnight + MINUTE);
    await count(midnight - 90 * SECOND);
    await at(midnight + MINUTE);
    const [revised, ...more] = (await eventsOf(machine.id)).slice(before + 1);
    expect(more).toEqual([]);
    expect(revised).toMatchObject({ type: "shift.revised", data: { recordId: closed?.data.recordId, total: 65 } });
    expect(revised?.data.changes).toMatchObject({ total: { from: 64, to: 65 } });
  });

  it("publish an event when their numbers change days after their end", async () => {
    const { machine, count, at } = await lineAtWork();
    const midnight = NOON + 12 * HOUR;
    await at(midnight);
    await at(NOON + 4 * DAY);
    const closed = (await eventsOf(machine.id)).find(({ type, data }) => type === "shift.closed" && data.until === iso(midnight));
    const before = (await eventsOf(machine.id)).length;
    await count(NOON + MINUTE);
    await at(NOON + 4 * DAY + MINUTE);
    const revised = (await eventsOf(machine.id)).slice(before).filter(({ type }) => type === "shift.revised");
    expect(revised.map(({ data }) => data.recordId)).toEqual([closed?.data.recordId]);
    expect(revised[0]?.data.changes).toMatchObject({ total: { from: 61, to: 62 } });
  });

  it("close when the machine is decommissioned, while the record keeps the planned end of the shift", async () => {
    const { companyId, machine, at } = await lineAtWork();
    const { token } = await createUser(companyId, "admin");
    const before = (await eventsOf(machine.id)).length;
    const answer = await call("PATCH", `/v1/machines/${machine.id}`, { token, body: { decommissionedAt: iso(NOON + MINUTE) } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    // The machine takes over its set-up after the answer.
    const closed = await eventually(async () => {
      await at(NOON + 2 * MINUTE);
      const found = (await eventsOf(machine.id)).slice(before).find(({ type }) => type === "shift.closed");
      expect(found).toBeDefined();
      return found;
    });
    expect(closed).toMatchObject({ at: NOON + MINUTE, data: { until: iso(NOON + MINUTE) } });
    const record = env.DB_0.prepare("SELECT end_at FROM shift_records WHERE id = ?").bind(closed?.data.recordId);
    expect(await record.first("end_at")).toBe(NOON + 12 * HOUR);
  });
});

describe("no data", () => {
  it("publishes an event when it begins and when data returns, even late", async () => {
    const { machine, count, at } = await lineAtWork({ noDataAfterSeconds: 300, stopAfterSeconds: 3600 });
    await at(NOON + 5 * MINUTE + 1);
    await at(NOON + 8 * MINUTE);
    vi.setSystemTime(NOON + 10 * MINUTE);
    await count(NOON + 9 * MINUTE, NOON + 10 * MINUTE);
    await at(NOON + 10 * MINUTE);
    const published = (await eventsOf(machine.id)).map(({ type, at: when, data }) => [type, when, data.since, data.until]);
    expect(published).toEqual([
      ["machine.no_data", NOON, iso(NOON), undefined],
      ["machine.signal_back", NOON + 9 * MINUTE, iso(NOON), iso(NOON + 9 * MINUTE)],
    ]);
    await at(NOON + 20 * MINUTE);
    await count(NOON + 12 * MINUTE, NOON + 16 * MINUTE, NOON + 20 * MINUTE);
    await at(NOON + 20 * MINUTE);
    const [, , , back] = await eventsOf(machine.id);
    expect(back).toMatchObject({
      type: "machine.signal_back",
      data: { since: iso(NOON + 10 * MINUTE), until: iso(NOON + 12 * MINUTE) },
    });
  });
});

describe("operators", () => {
  it("publish events for sign-in, sign-out, automatic sign-out and removed presences", async () => {
    const { machine, companyId, token, at } = await lineAtWork({ stopAfterSeconds: 86_400 });
    const { operatorId } = await createOperator(companyId);
    const sign = (action: "in" | "out", when: number) =>
      ingest(token, [{ type: "operator", at: iso(when), machineId: machine.id, operatorId, action }]);
    const published = async () =>
      (await eventsOf(machine.id))
        .filter(({ type }) => type.startsWith("operator."))
        .map(({ type, at: when, data }) => [type, when, data.until ?? null, data.isRemoved ?? null]);
    await sign("in", NOON - MINUTE);
    await at(NOON);
    const expected: unknown[] = [["operator.signed_in", NOON - MINUTE, null, null]];
    expect(await published()).toEqual(expected);
    await at(NOON + MINUTE);
    await sign("out", NOON + 30 * SECOND);
    await sign("in", NOON + 40 * SECOND);
    await at(NOON + MINUTE);
    expected.push(["operator.signed_out", NOON + 30 * SECOND, iso(NOON + 30 * SECOND), false]);
    expected.push(["operator.signed_in", NOON + 40 * SECOND, null, null]);
    expect(await published()).toEqual(expected);
    // Late: another sign-out, before the known one, which then has no effect.
    await sign("out", NOON + 10 * SECOND);
    await at(NOON + MINUTE);
    expected.push(["operator.signed_out", NOON + 10 * SECOND, iso(NOON + 10 * SECOND), false]);
    expect(await published()).toEqual(expected);
    const midnight = NOON + 12 * HOUR;
    await at(midnight);
    expected.push(["operator.signed_out", midnight, iso(midnight), false]);
    expect(await published()).toEqual(expected);
    await at(midnight + MINUTE);
    await sign("out", NOON + 40 * SECOND);
    await at(midnight + MINUTE);
    expected.push(["operator.signed_out", midnight + MINUTE, iso(midnight), true]);
    expect(await published()).toEqual(expected);
  });
});

describe("the events in D1", () => {
  it("are complete, unique and in order, even if flushes fail", async () => {
    const { machine, count, at } = await lineAtWork();
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const lost = (mode: "before" | "after") =>
      runInDurableObject(machineObject(env, machine.id), async (object) => {
        const inner = object as unknown as { env: Env };
        const real = inner.env;
        inner.env = { ...real, DB_0: failing(real.DB_0, mode) };
        await object.alarm();
        inner.env = real;
      });
    for (let round = 0; round < 6; round++) {
      const start = NOON + round * 20 * MINUTE;
      vi.setSystemTime(start + 10 * MINUTE);
      await lost(round % 2 === 0 ? "before" : "after");
      await count(start + 10 * MINUTE);
      await lost(round % 3 === 0 ? "after" : "before");
    }
    await at(NOON + 2 * HOUR);
    const rows = await eventsOf(machine.id);
    const numbers = rows.map(({ id }) => Number(id.slice(id.lastIndexOf("-") + 1)));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1));
    expect(rows.filter(({ type }) => type === "stop.opened").length).toBe(7);
    expect(rows.filter(({ type }) => type === "stop.closed").length).toBe(6);
    const waiting = await runInDurableObject(machineObject(env, machine.id), (_, { storage }) =>
      storage.sql.exec("SELECT * FROM projection WHERE kind = 'event'").toArray(),
    );
    expect(waiting).toEqual([]);
  });
});

/** A database whose batches fail, before or after they are executed. */
function failing(DB_0: D1Database, mode: "before" | "after"): D1Database {
  const bound = <T extends object>(target: T, name: string | symbol) => {
    const member = Reflect.get(target, name) as unknown;
    return typeof member === "function" ? member.bind(target) : member;
  };
  const session = (real: D1DatabaseSession) =>
    new Proxy(real, {
      get: (target, name) => {
        if (name !== "batch") return bound(target, name);
        return async (statements: D1PreparedStatement[]) => {
          if (mode === "after") await target.batch(statements);
          throw new Error("D1_ERROR: Network connection lost.");
        };
      },
    });
  return new Proxy(DB_0, {
    get: (target, name) => (name === "withSession" ? (at: string) => session(target.withSession(at)) : bound(target, name)),
  });
}
