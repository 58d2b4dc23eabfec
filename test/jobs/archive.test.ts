import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forget, keysOf, readPages } from "../support/archive.ts";
import { createAuditEntry } from "../support/audit.ts";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE } from "../support/clock.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { doJob } from "../support/jobs.ts";
import { killedAt } from "../support/killed-at.ts";

// How old entries of the audit get into the archive, and are read there.

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const today = Math.floor(Date.now() / DAY) * DAY;
/** A day whose entries are due today, whatever the company's hour. */
const oldDay = today - 100 * DAY;

/** A company with `perDay` entries on each of so many days, the last of which is `oldDay`. */
async function createAudited(days: number, perDay: number) {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "admin");
  const entries = [];
  for (let day = 0; day < days; day++) {
    for (let i = 0; i < perDay; i++) {
      const at = oldDay - day * DAY + i * MINUTE;
      entries.push(await createAuditEntry({ companyId, userId }, { at, objectId: `${day}-${i}`, after: { day, i } }));
    }
  }
  const newest = entries.toSorted((a, b) => b.at - a.at).map(({ objectId }) => objectId);
  return { companyId, userId, token, newest };
}

/** Reads the audit page by page. Returns the entries, and how many pages were of the archive. */
async function readAll(token: string, query = "limit=50") {
  const { items: entries, archived } = await readPages<Record<string, unknown>>("/v1/audit", token, query);
  return { entries, archived };
}

const idsIn = (entries: readonly Record<string, unknown>[]) => entries.map(({ objectId }) => objectId);
const rowsOf = (companyId: number) =>
  env.DB_0.prepare("SELECT count(*) AS n FROM audit WHERE company_id = ? AND at < ?")
    .bind(companyId, oldDay + DAY)
    .first("n");
const partsOf = async (companyId: number) =>
  (
    await env.DB_0.prepare("SELECT day, part, rows FROM archived_days WHERE company_id = ? ORDER BY day DESC, part")
      .bind(companyId)
      .all()
  ).results;

describe("an old entry of the audit", () => {
  it("is moved to the archive with its day, as the API shows it, and is read there with the same cursor", async () => {
    const { companyId, token, newest } = await createAudited(3, 4);
    const recent = await createAuditEntry({ companyId, userId: 1 }, { at: today - 10 * DAY, objectId: "recent" });
    const before = await readAll(token);
    expect([idsIn(before.entries), before.archived]).toEqual([["recent", ...newest], 0]);
    await forget(companyId);
    expect(await rowsOf(companyId)).toBe(0);
    expect(await partsOf(companyId)).toEqual([0, 1, 2].map((day) => ({ day: oldDay - day * DAY, part: 1, rows: 4 })));
    const date = new Date(oldDay).toISOString().slice(0, 10).replaceAll("-", "/");
    expect(await keysOf("audit", companyId)).toContain(`audit/${companyId}/${date}-1.ndjson.gz`);
    const after = await readAll(token);
    expect(after.entries).toEqual(before.entries);
    expect(after.archived).toBe(1);
    expect((await readAll(token, "limit=3")).entries).toEqual(before.entries);
    const object = await env.ARCHIVE.get(`audit/${companyId}/${date}-1.ndjson.gz`);
    const text = await new Response(object?.body.pipeThrough(new DecompressionStream("gzip"))).text();
    const [head, ...lines] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(head).toEqual({
      ...{ form: 1, rows: 4, from: new Date(oldDay).toISOString(), to: new Date(oldDay + 3 * MINUTE).toISOString() },
    });
    expect(lines.toReversed()).toEqual(before.entries.slice(1, 5));
    expect(recent.objectId).toBe("recent");
  });

  it("is found there by the same filters", async () => {
    const { companyId, token, userId } = await createAudited(9, 2);
    await createAuditEntry(
      { companyId, userId: userId + 1 },
      { at: oldDay - 3 * DAY + 1, objectId: "other", action: "line.create" },
    );
    const queries = [
      `userId=${userId}`,
      "action=line.create",
      "objectType=line&objectId=other",
      "objectType=stop&objectId=8-1",
      `from=${new Date(oldDay - 4 * DAY).toISOString()}&to=${new Date(oldDay - 2 * DAY).toISOString()}`,
      "apiTokenId=1",
      // Within the newest day of the archive.
      `from=${new Date(oldDay + 1).toISOString()}`,
    ];
    const before = [];
    for (const query of queries) before.push((await readAll(token, query)).entries);
    await forget(companyId);
    expect(await rowsOf(companyId)).toBe(0);
    for (const [i, query] of queries.entries()) expect((await readAll(token, query)).entries, query).toEqual(before[i]);
    // Seven days at most in a request: the rest has a cursor.
    const { body } = await call("GET", "/v1/audit?objectId=8-1&objectType=stop", { token });
    expect(body).toMatchObject({ data: [], archived: true, cursor: expect.any(String) });
    const fresh = await call("GET", `/v1/audit?from=${new Date(today).toISOString()}`, { token });
    expect(fresh.body.cursor).toBeNull();
    const file = await call("GET", "/v1/audit?format=ndjson", { token });
    expect(file.status).toBe(200);
  });

  it("that arrives for an archived day is listed at once, and makes a further part", async () => {
    const { companyId, token, newest } = await createAudited(2, 2);
    await forget(companyId);
    await createAuditEntry({ companyId, userId: 1 }, { at: oldDay - DAY + 30_000, objectId: "late" });
    const all = [...newest.slice(0, 3), "late", newest[3]];
    expect(idsIn((await readAll(token)).entries)).toEqual(all);
    expect(idsIn((await readAll(token, "limit=1")).entries)).toEqual(all);
    await forget(companyId);
    expect(await rowsOf(companyId)).toBe(0);
    expect(await partsOf(companyId)).toMatchObject([
      { part: 1, rows: 2 },
      { part: 1, rows: 2 },
      { part: 2, rows: 1 },
    ]);
    expect(idsIn((await readAll(token)).entries)).toEqual(all);
  });

  it("is neither lost nor listed twice wherever the run is killed", async () => {
    const stages = ["put", "head", "get", "record", "delete"];
    for (const stage of stages) {
      for (const isDone of [false, true]) {
        const { companyId, token } = await createAudited(2, 3);
        const before = await readAll(token);
        await forget(companyId, killedAt(stage, isDone)).catch(() => undefined);
        expect((await readAll(token)).entries, `${stage} ${isDone}`).toEqual(before.entries);
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * MINUTE });
        // A row that arrives meanwhile is not taken for one that is archived.
        await createAuditEntry({ companyId, userId: 1 }, { at: oldDay - DAY + 1, objectId: "late" });
        const complete = await readAll(token);
        expect(complete.entries).toHaveLength(before.entries.length + 1);
        await forget(companyId);
        vi.useRealTimers();
        expect(await rowsOf(companyId), `${stage} ${isDone}`).toBe(0);
        expect((await readAll(token)).entries, `${stage} ${isDone}`).toEqual(complete.entries);
      }
    }
  });

  it("stays in the database until its day is over its period, at the company's hour", async () => {
    const { companyId } = await createCompany();
    const at = oldDay + 23 * HOUR;
    await createAuditEntry({ companyId, userId: 1 }, { at });
    const dueAt = oldDay + DAY + 90 * DAY + (companyId % 24) * HOUR;
    const run = (now: number) => doJob("forget", now);
    await run(dueAt - 1);
    expect(await rowsOf(companyId)).toBe(1);
    await run(dueAt);
    expect(await rowsOf(companyId)).toBe(0);
  });
});

describe("a day of the archive", () => {
  it("that is missing or damaged is refused by its name, and the others are read", async () => {
    const { companyId, token, newest } = await createAudited(3, 2);
    await forget(companyId);
    const day = new Date(oldDay - DAY).toISOString().slice(0, 10);
    const key = `audit/${companyId}/${day.replaceAll("-", "/")}-1.ndjson.gz`;
    const bytes = await (await env.ARCHIVE.get(key))?.arrayBuffer();
    const damage: (() => Promise<unknown>)[] = [
      () => env.ARCHIVE.delete(key),
      () => env.ARCHIVE.put(key, "no gzip"),
      () => env.ARCHIVE.put(key, bytes?.slice(0, -20) ?? ""),
    ];
    for (const [i, spoil] of damage.entries()) {
      await spoil();
      const first = await call("GET", "/v1/audit", { token });
      expect(idsIn(first.body.data), String(i)).toEqual(newest.slice(0, 2));
      const refused = await call("GET", `/v1/audit?cursor=${first.body.cursor}`, { token });
      expectProblem(refused, 410, "");
      expect(refused.body.detail).toContain(`The archive of ${day} cannot be read: ${key}`);
      const to = new Date(oldDay - DAY).toISOString();
      expect(refused.body.detail).toContain(`to=${to}`);
      expect(idsIn((await readAll(token, `to=${to}`)).entries)).toEqual(newest.slice(4));
    }
    await env.ARCHIVE.put(key, bytes ?? "");
    expect(idsIn((await readAll(token)).entries)).toEqual(newest);
  });

  it("is deleted when it is older than ARCHIVE_KEPT_DAYS", async () => {
    const { companyId, token, newest } = await createAudited(3, 1);
    await forget(companyId);
    // The hour of the company is in the period.
    await forget(companyId, { ARCHIVE_KEPT_DAYS: "100" });
    expect(idsIn((await readAll(token)).entries)).toEqual(newest.slice(0, (await partsOf(companyId)).length));
    expect((await keysOf("audit", companyId)).length).toBe((await partsOf(companyId)).length);
    expect((await partsOf(companyId)).length).toBeLessThan(3);
    await forget(companyId, { ARCHIVE_KEPT_DAYS: "98", AUDIT_KEPT_DAYS: "40" });
    expect([await keysOf("audit", companyId), await partsOf(companyId)]).toEqual([[], []]);
  });

  it("goes with its company", async () => {
    const { companyId } = await createAudited(2, 1);
    await forget(companyId);
    await env.ARCHIVE.put(`audit/${companyId}/2020/01/01-1.ndjson.gz`, "of a run that was killed");
    const other = await createAudited(1, 1);
    await forget(other.companyId);
    await env.DB_0.prepare("UPDATE companies SET deleted_at = 1 WHERE id = ?").bind(companyId).run();
    await doJob("forget", Date.now());
    expect([await keysOf("audit", companyId), await partsOf(companyId)]).toEqual([[], []]);
    expect(await keysOf("audit", other.companyId)).toHaveLength(1);
  });
});
