import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { companyDb } from "../../src/db/client.ts";
import { insertEvents, markDispatched } from "../../src/events/queries.ts";
import { STATEMENTS } from "../../src/limits/budget.ts";
import { forget, keysOf, readPages } from "../support/archive.ts";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../support/clock.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createLine, createMachine, createUser } from "../support/factories.ts";
import { doJob } from "../support/jobs.ts";
import { killedAt } from "../support/killed-at.ts";
import { createWebhookSubscription } from "../support/webhooks.ts";

// How old events get into the archive, and are read there.

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const today = Math.floor(Date.now() / DAY) * DAY;
/** A day whose events are due today, whatever the company's hour. */
const oldDay = today - 40 * DAY;
const iso = (at: number) => new Date(at).toISOString();

interface Listed {
  id: string;
  timestamp: string;
  data: Record<string, unknown>;
}

async function createPlant() {
  const { companyId } = await createCompany();
  const { id: lineId } = await createLine(companyId);
  const [press, saw] = [await createMachine(companyId, { lineId }), await createMachine(companyId)];
  const { token } = await createUser(companyId, "readonly");
  return { companyId, lineId, press, saw, token };
}
type Plant = Awaited<ReturnType<typeof createPlant>>;

const numbers = new Map<number, number>();

/** Stores an event of a machine, at first as not dispatched. Returns its id. */
async function addEvent({ companyId }: Plant, machineId: number, storedAt: number, at = storedAt): Promise<string> {
  const n = (numbers.get(machineId) ?? 0) + 1;
  numbers.set(machineId, n);
  const id = `machine.no_data:${machineId}:${machineId}-${n}`;
  const data = { machineId, machineName: null, lineId: null, lineName: null, since: iso(at - MINUTE) };
  await insertEvents(companyDb(env), [{ id, companyId, machineId, type: "machine.no_data", at, data }], storedAt);
  return id;
}

const lastSeq = (companyId: number) =>
  env.DB_0.prepare("SELECT max(seq) AS n FROM events WHERE company_id = ?").bind(companyId).first<number>("n");

/** Marks all events of a company as dispatched. */
async function dispatch({ companyId }: Plant) {
  await markDispatched(companyDb(env), companyId, (await lastSeq(companyId)) ?? 0);
}

/** A plant with `perDay` events on each of so many days, the last of which is `oldDay`. `ids`: the oldest first. */
async function createOld(days: number, perDay: number) {
  const plant = await createPlant();
  const ids: string[] = [];
  for (let day = days - 1; day >= 0; day--) {
    for (let i = 0; i < perDay; i++) {
      ids.push(await addEvent(plant, (i % 2 === 0 ? plant.press : plant.saw).id, oldDay - day * DAY + i * MINUTE));
    }
  }
  await dispatch(plant);
  return { ...plant, ids };
}

const ask = (token: string, query: string) => call("GET", `/v1/events?${query}`, { token });

/** Reads the events page by page. Returns them, and how many pages were of the archive. */
async function readAll(token: string, query = "sort=-seq") {
  const { items: events, archived } = await readPages<Listed>("/v1/events", token, query);
  return { events, archived };
}

const idsIn = (events: readonly Listed[]) => events.map(({ id }) => id);
const rowsOf = (companyId: number) =>
  env.DB_0.prepare("SELECT count(*) AS n FROM events WHERE company_id = ? AND created_at < ?")
    .bind(companyId, oldDay + DAY)
    .first("n");
const partsOf = async (companyId: number) =>
  (
    await env.DB_0.prepare("SELECT day, part, rows FROM archived_days WHERE company_id = ? ORDER BY day, part")
      .bind(companyId)
      .all()
  ).results;
const keyOf = (companyId: number, day: number, part = 1) =>
  `events/${companyId}/${iso(day).slice(0, 10).replaceAll("-", "/")}-${part}.ndjson.gz`;

describe("an old event", () => {
  it("is moved to the archive with its day, as the API showed it, and is read there with the same cursor", async () => {
    const plant = await createOld(3, 4);
    const { companyId, press, token, ids } = plant;
    const recent = await addEvent(plant, press.id, today - 10 * DAY);
    await dispatch(plant);
    const before = await readAll(token);
    expect([idsIn(before.events), before.archived]).toEqual([[...ids, recent].toReversed(), 0]);
    await forget(companyId);
    expect(await rowsOf(companyId)).toBe(0);
    expect(await partsOf(companyId)).toEqual([2, 1, 0].map((day) => ({ day: oldDay - day * DAY, part: 1, rows: 4 })));
    const after = await readAll(token);
    expect(after).toEqual({ events: before.events, archived: 1 });
    expect((await readAll(token, "sort=-seq&limit=3")).events).toEqual(before.events);
    expect((await readAll(token, "sort=-seq&limit=1")).events).toEqual(before.events);
    const object = await env.ARCHIVE.get(keyOf(companyId, oldDay));
    const text = await new Response(object?.body.pipeThrough(new DecompressionStream("gzip"))).text();
    const [head, ...lines] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(head).toEqual({ form: 1, rows: 4, from: iso(oldDay), to: iso(oldDay + 3 * MINUTE) });
    expect(lines.toReversed()).toEqual(before.events.slice(1, 5).map((event, i) => ({ seq: 12 - i, ...event })));
    // With the names of that time.
    await env.DB_0.prepare("UPDATE machines SET name = 'renamed' WHERE id = ?").bind(press.id).run();
    const { events } = await readAll(token);
    expect(events.slice(1)).toEqual(before.events.slice(1));
    expect(events[0]?.data.machineName).toBe("renamed");
    // A new one follows on the numbers of the archived ones.
    await addEvent(plant, press.id, Date.now());
    expect(await lastSeq(companyId)).toBe(ids.length + 2);
  });

  it("is deleted with its deliveries, and no other delivery is", async () => {
    const plant = await createOld(1, 3);
    const { companyId, press } = plant;
    await addEvent(plant, press.id, today);
    await dispatch(plant);
    const { id } = await createWebhookSubscription(companyId);
    await env.DB_0.prepare(
      `INSERT INTO webhook_deliveries (company_id, subscription_nr, event_seq, machine_id, status, attempts, updated_at)
       SELECT company_id, nr, value, 0, 1, 1, 0 FROM webhook_subscriptions, json_each('[1,2,3,4]') WHERE webhook_subscriptions.id = ?`,
    )
      .bind(id)
      .run();
    await forget(companyId);
    const left = await env.DB_0.prepare("SELECT event_seq FROM webhook_deliveries WHERE company_id = ?").bind(companyId).all();
    expect(left.results).toEqual([{ event_seq: 4 }]);
  });

  it("is found there by the same filters, also one that was stored a day after it happened", async () => {
    const plant = await createPlant();
    const { companyId, lineId, press, saw, token } = plant;
    for (let day = 8; day >= 0; day--) {
      await addEvent(plant, (day % 2 === 0 ? press : saw).id, oldDay - day * DAY);
      if (day === 3) await addEvent(plant, saw.id, oldDay - 3 * DAY, oldDay - 5 * DAY + HOUR);
    }
    const helpId = crypto.randomUUID();
    const data = { machineId: saw.id, machineName: null, lineId: null, lineName: null, userName: null, since: iso(oldDay) };
    const help = { helpCallId: helpId, message: "", userId: 1 };
    await insertEvents(
      companyDb(env),
      [
        {
          id: `help.called:${helpId}`,
          companyId,
          machineId: saw.id,
          type: "help.called",
          at: oldDay,
          data: { ...data, ...help },
        },
      ],
      oldDay,
    );
    await dispatch(plant);
    const filters = [
      `machineIds=${press.id}`,
      `machineIds=${saw.id},${press.id}`,
      `lineIds=${lineId}`,
      "types=help.called",
      "types=stop.opened",
      `from=${iso(oldDay - 4 * DAY)}`,
      `from=${iso(oldDay - 5 * DAY)}&to=${iso(oldDay - 4 * DAY)}`,
      `from=${iso(oldDay - 5 * DAY + HOUR)}&to=${iso(oldDay - 5 * DAY + HOUR + 1)}`,
      `to=${iso(oldDay - 6 * DAY)}&types=machine.no_data`,
    ];
    const queries = filters.flatMap((filter) => [`sort=-seq&${filter}`, ...(filter.startsWith("from") ? [filter] : [])]);
    const before = [];
    for (const query of queries) before.push((await readAll(token, query)).events);
    await forget(companyId);
    expect(await rowsOf(companyId)).toBe(0);
    for (const [i, query] of queries.entries()) expect((await readAll(token, query)).events, query).toEqual(before[i]);
    // Seven days at most in a request: the rest has a cursor.
    const { body } = await ask(token, "sort=-seq&types=stop.opened");
    expect(body).toMatchObject({ data: [], archived: true, cursor: expect.any(String) });
    const fresh = await ask(token, `sort=-seq&from=${iso(today)}`);
    expect(fresh.body).toEqual({ data: [], cursor: null });
    const file = await call("GET", "/v1/events?format=ndjson&sort=-seq", { token });
    expect([file.status, file.body]).toEqual([200, null]);
    const other = await createPlant();
    expectProblem(await ask(token, `sort=-seq&machineIds=${press.id},${other.press.id}`), 404);
  });

  it("is listed the oldest first from a time or a cursor on, and the list continues in the database", async () => {
    const plant = await createOld(9, 2);
    const { companyId, press, token, ids } = plant;
    const recent = [await addEvent(plant, press.id, today - 10 * DAY), await addEvent(plant, press.id, today - 9 * DAY)];
    await dispatch(plant);
    const first = await ask(token, "limit=3");
    expect(idsIn(first.body.data)).toEqual(ids.slice(0, 3));
    await forget(companyId);
    // Without either the list has what is in the database.
    expect(await readAll(token, "sort=seq")).toMatchObject({ events: recent.map((id) => ({ id })), archived: 0 });
    const all = [...ids, ...recent];
    for (const limit of [1, 3, 50]) {
      const read = await readAll(token, `limit=${limit}&from=${iso(oldDay - 8 * DAY + 1)}`);
      expect([idsIn(read.events), read.archived > 0], String(limit)).toEqual([all.slice(1), true]);
    }
    // The rows that were next have left the database meanwhile.
    const rest = [];
    for (let cursor = first.body.cursor as string | null; cursor !== null; ) {
      const { body }: { body: { data: Listed[]; cursor: string | null } } = await ask(token, `limit=4&cursor=${cursor}`);
      rest.push(...idsIn(body.data));
      cursor = body.cursor;
    }
    expect(rest).toEqual(all.slice(3));
    expect(await readAll(token, `from=${iso(today - 10 * DAY)}`)).toMatchObject({ archived: 0, events: [{}, {}] });
  });

  it("is refused as `after` with the archive that has it, and an unknown one is refused as before", async () => {
    const plant = await createOld(3, 2);
    const { companyId, press, saw, token, ids } = plant;
    const recent = [await addEvent(plant, press.id, today - 10 * DAY), await addEvent(plant, press.id, today - 9 * DAY)];
    await dispatch(plant);
    const id = ids.at(-1) ?? "";
    expect(idsIn((await ask(token, `after=${id}`)).body.data)).toEqual(recent);
    await forget(companyId);
    const refused = await ask(token, `after=${id}`);
    expectProblem(refused, 410, "/query/after");
    expect(refused.body.errors[0].code).toBe("archived");
    expect(refused.body.detail).toContain(
      `The archive has those that became known from ${iso(oldDay - 2 * DAY).slice(0, 10)} to ${iso(oldDay).slice(0, 10)}`,
    );
    // As it says.
    const resumed = await readAll(token, `from=${iso(oldDay + MINUTE)}`);
    expect(idsIn(resumed.events)).toEqual([id, ...recent]);
    expectProblem(await ask(token, "after=work_order.created:1"), 410, "/query/after");
    const other = await createOld(1, 1);
    const unknown = [
      "x",
      `machine.no_data:${press.id}:${press.id}-99`,
      `machine.no_data:${other.press.id}:${other.press.id}-1`,
      "no.type:1",
    ];
    for (const after of unknown) expectProblem(await ask(token, `after=${after}`), 400, "/query/after");
    expectProblem(await ask(token, `after=machine.no_data:${saw.id}:${saw.id}-1`), 410, "/query/after");
    expectProblem(await ask(other.token, "after=work_order.created:1"), 400, "/query/after");
    expect(idsIn((await ask(token, `after=${recent[0]}&sort=-seq`)).body.data)).toEqual(recent.slice(1));
  });

  it("is neither lost nor listed twice wherever the run is killed", async () => {
    const stages = ["put", "head", "get", "record", "delete"];
    for (const stage of stages) {
      for (const isDone of [false, true]) {
        const plant = await createOld(2, 3);
        const { companyId, press, token } = plant;
        const before = await readAll(token);
        const from = `from=${iso(oldDay - 2 * DAY)}`;
        await forget(companyId, killedAt(stage, isDone)).catch(() => undefined);
        expect((await readAll(token)).events, `${stage} ${isDone}`).toEqual(before.events);
        expect((await readAll(token, from)).events, `${stage} ${isDone}`).toEqual(before.events.toReversed());
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * MINUTE });
        await addEvent(plant, press.id, Date.now());
        await dispatch(plant);
        await forget(companyId);
        vi.useRealTimers();
        expect(await rowsOf(companyId), `${stage} ${isDone}`).toBe(0);
        expect((await readAll(token)).events.slice(1), `${stage} ${isDone}`).toEqual(before.events);
        expect((await readAll(token, from)).events.slice(0, -1)).toEqual(before.events.toReversed());
        expect((await partsOf(companyId)).map(({ rows }) => rows)).toEqual([3, 3]);
      }
    }
  });

  it("stays in the database until its day is over its period, at the company's hour, and it is dispatched", async () => {
    const plant = await createPlant();
    const { companyId, press } = plant;
    await addEvent(plant, press.id, oldDay + 22 * HOUR);
    await dispatch(plant);
    await addEvent(plant, press.id, oldDay + 23 * HOUR);
    const dueAt = oldDay + DAY + 30 * DAY + (companyId % 24) * HOUR;
    await doJob("forget", dueAt - 1);
    expect(await rowsOf(companyId)).toBe(2);
    await doJob("forget", dueAt);
    expect(await rowsOf(companyId)).toBe(1);
    await dispatch(plant);
    await doJob("forget", dueAt);
    expect(await rowsOf(companyId)).toBe(0);
    expect(await partsOf(companyId)).toMatchObject([{ part: 1 }, { part: 2 }]);
  });

  it("that was stored before midnight, after one of the next day, is moved with that day, so that all stay in their order", async () => {
    const plant = await createPlant();
    const { companyId, press, token } = plant;
    const ids = [];
    for (const at of [-SECOND, 0, -1, SECOND, DAY - 1, DAY, DAY - 2])
      ids.push(await addEvent(plant, press.id, oldDay - DAY + at));
    await dispatch(plant);
    await forget(companyId);
    expect(await partsOf(companyId)).toEqual([
      { day: oldDay - 2 * DAY, part: 1, rows: 1 },
      { day: oldDay - DAY, part: 1, rows: 4 },
      { day: oldDay, part: 1, rows: 2 },
    ]);
    for (const limit of [1, 2, 50]) {
      expect(idsIn((await readAll(token, `sort=-seq&limit=${limit}`)).events)).toEqual(ids.toReversed());
      expect(idsIn((await readAll(token, `limit=${limit}&from=${iso(oldDay - 9 * DAY)}`)).events)).toEqual(ids);
    }
  });
});

describe("a day of events in the archive", () => {
  it("that is missing or damaged is refused by its name, and the others are read", async () => {
    const { companyId, token, ids } = await createOld(3, 2);
    await forget(companyId);
    const key = keyOf(companyId, oldDay - DAY);
    const bytes = await (await env.ARCHIVE.get(key))?.arrayBuffer();
    const damage: (() => Promise<unknown>)[] = [
      () => env.ARCHIVE.delete(key),
      () => env.ARCHIVE.put(key, "no gzip"),
      () => env.ARCHIVE.put(key, bytes?.slice(0, -20) ?? ""),
    ];
    const orders = [
      ["sort=-seq", ids.toReversed()],
      [`from=${iso(oldDay - 9 * DAY)}`, ids],
    ] as const;
    for (const spoil of damage) {
      await spoil();
      for (const [query, all] of orders) {
        const first = await ask(token, query);
        expect(idsIn(first.body.data), query).toEqual(all.slice(0, 2));
        const refused = await ask(token, `${query}&cursor=${first.body.cursor}`);
        expectProblem(refused, 410, "");
        expect(refused.body.errors[0].code).toBe("archive_damaged");
        const day = iso(oldDay - DAY).slice(0, 10);
        expect(refused.body.detail).toContain(`The archive of ${day} cannot be read: ${key}`);
        const [, cursor] = /cursor=([\w-]+)/.exec(refused.body.detail) ?? [];
        expect(idsIn((await ask(token, `${query}&cursor=${cursor}`)).body.data), query).toEqual(all.slice(4));
      }
    }
    await env.ARCHIVE.put(key, bytes ?? "");
    for (const [query, all] of orders) expect(idsIn((await readAll(token, query)).events)).toEqual(all);
  });

  it("is known by its age, and deleted when it is older than ARCHIVE_KEPT_DAYS, or with its company", async () => {
    const { companyId } = await createOld(3, 1);
    const other = await createOld(1, 1);
    // A company that was looked at by a version without this archive.
    await forget(companyId, { EVENTS_KEPT_DAYS: "300" });
    await env.DB_0.prepare("DELETE FROM retention WHERE company_id = ? AND kind = 'archivedEvents'").bind(companyId).run();
    for (const id of [companyId, other.companyId]) await forget(id);
    const known = "SELECT oldest_at FROM retention WHERE company_id = ? AND kind = 'archivedEvents'";
    expect(await env.DB_0.prepare(known).bind(companyId).first("oldest_at")).toBe(oldDay - 2 * DAY);
    const kept = { ARCHIVE_KEPT_DAYS: "40", AUDIT_KEPT_DAYS: "30" };
    await forget(companyId, kept);
    const parts = await partsOf(companyId);
    expect(parts.length).toBeLessThan(3);
    expect(await keysOf("events", companyId)).toHaveLength(parts.length);
    await forget(companyId, { ...kept, ARCHIVE_KEPT_DAYS: "38" });
    expect([await keysOf("events", companyId), await partsOf(companyId)]).toEqual([[], []]);
    await env.ARCHIVE.put(keyOf(other.companyId, 0), "of a run that was killed");
    await env.DB_0.prepare("UPDATE companies SET deleted_at = 1 WHERE id = ?").bind(other.companyId).run();
    await doJob("forget", Date.now());
    expect([await keysOf("events", other.companyId), await partsOf(other.companyId)]).toEqual([[], []]);
  });

  it("has several parts if there are many, each moved with a bounded number of statements", async () => {
    const plant = await createPlant();
    const { companyId, press, saw, token } = plant;
    const count = 26_000;
    await env.DB_0.prepare(
      `INSERT INTO events (company_id, seq, machine_id, n, type, at, created_at, form, data)
       SELECT ?1, 1 + key, iif(key % 2 = 0, ?2, ?3), key, 7, ?4 + key, ?4 + key, 1, '[60000]' FROM json_each(?5)`,
    )
      .bind(companyId, press.id, saw.id, oldDay, JSON.stringify(Array(count).fill(0)))
      .run();
    await dispatch(plant);
    const done = await doJob("forget", Date.now());
    const own = done.filter(({ job }) => job.companyIds?.includes(companyId));
    for (const { statements } of own) expect(statements).toBeLessThanOrEqual(STATEMENTS + 260);
    expect(own.reduce((sum, { statements }) => sum + statements, 0)).toBeLessThanOrEqual(320);
    expect(await partsOf(companyId)).toMatchObject([{ rows: 25_000 }, { rows: count - 25_000 }]);
    const page = await ask(token, `sort=-seq&limit=500&to=${iso(oldDay + 24_900)}`);
    expect([page.body.data.length, page.body.data[0].timestamp]).toEqual([500, iso(oldDay + 24_899)]);
  });
});
