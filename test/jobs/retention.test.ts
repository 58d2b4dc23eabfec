import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { companyKinds } from "../../src/core/retention.ts";
import { companyDb } from "../../src/db/client.ts";
import { runJob } from "../../src/jobs/jobs.ts";
import { claimCompany } from "../../src/jobs/retention/queries.ts";
import { STATEMENTS, withBudget } from "../../src/limits/budget.ts";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../support/clock.ts";
import { databaseWith, killedAfter } from "../support/databases.ts";
import { createCompany } from "../support/factories.ts";
import { doJob } from "../support/jobs.ts";

// How old rows are deleted company by company. Which rows are old: forget-old.test.ts.

stopClockAtNoon();
beforeEach(async () => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
  for (const table of ["retention", "retention_runs"]) await env.DB_0.exec(`DELETE FROM ${table}`);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Stores messages of a company that were due a day ago, with `apartMs` between them. */
async function addMessages(companyId: number, count: number, { oldest = NOON - 31 * DAY, apartMs = 1 } = {}) {
  await env.DB_0.prepare(
    `INSERT INTO messages (id, company_id, persona_id, address, channel, kind, params, status, attempts, created_at, updated_at)
     SELECT 'm' || ?1 || '-' || ?2 || '-' || key, ?1, NULL, 'a@example.test', 'email', 'test', '{}', 'sent', 1, ?2 + key * ?3, 0
     FROM json_each(?4)`,
  )
    .bind(companyId, oldest, apartMs, JSON.stringify(Array(count).fill(0)))
    .run();
}

const messagesOf = (companyId: number) =>
  env.DB_0.prepare("SELECT count(*) AS n FROM messages WHERE company_id = ?").bind(companyId).first<number>("n");

describe("the deletion of old rows", () => {
  it("of a company with much due takes several invocations, each with a bounded number of statements, and does not hold up another one", async () => {
    const [large, small] = [(await createCompany()).companyId, (await createCompany()).companyId];
    await addMessages(large, 9_000);
    await addMessages(small, 1);
    // What a run reads at its beginning reaches the limit, so that each deletes one step.
    const limit = companyKinds.length + 2;
    const done = await doJob("forget", NOON, {}, limit);
    const runs = done.map(({ job, statements }) => ({ companyId: job.companyIds?.[0] ?? 0, statements }));
    // Other tests have companies in the same database.
    const ofOwn = runs.filter(({ companyId }) => companyId === large || companyId === small);
    const own = ofOwn.map(({ companyId }) => companyId);
    // The rest of the large one comes after the small one.
    expect(own.indexOf(small)).toBeLessThan(own.lastIndexOf(large));
    expect(own.filter((companyId) => companyId === large).length).toBeGreaterThan(2);
    // Beyond the limit: the step that reaches it, which has up to four statements, and what is read and saved of each kind.
    const most = limit + 3 + 2 * companyKinds.length + 1;
    for (const { companyId, statements } of ofOwn) expect(statements, `of ${companyId}`).toBeLessThanOrEqual(most);
    expect([await messagesOf(large), await messagesOf(small)]).toEqual([0, 0]);
    // 260: a part of the archive (test/jobs/archive-events.test.ts).
    expect(STATEMENTS + 260 + 2 * companyKinds.length + 1).toBeLessThan(1000);
  });

  it("is begun for the companies alone that have something due, which costs two rows for each of the others", async () => {
    const own = new Set<number>();
    for (let i = 0; i < 20; i++) own.add((await createCompany()).companyId);
    await doJob("forget", NOON);
    const companies = Number(await env.DB_0.prepare("SELECT count(*) AS n FROM companies").first("n"));
    // Companies of other tests may have rows that become due at any time.
    const sent: number[] = [];
    type Message = { body: { companyIds: number[] } };
    const sendBatch = async (messages: Message[]) =>
      sent.push(...messages.flatMap(({ body }) => body.companyIds).filter((companyId) => own.has(companyId)));
    const JOBS = { sendBatch } as never;
    let rowsRead = 0;
    const DB_0 = countingRows((rows) => {
      rowsRead += rows;
    });
    const find = async (now: number) => {
      sent.length = 0;
      rowsRead = 0;
      await runJob({ ...env, JOBS, DB_0 }, { job: "forget", at: now });
    };
    await find(NOON + HOUR);
    expect(sent).toEqual([]);
    expect(rowsRead).toBeLessThanOrEqual(2 * companies + 20);
    // Each company is looked at again when what it had at the last look has become old.
    await find(NOON + 30 * DAY);
    expect(new Set(sent)).toEqual(own);
  });

  it("begins for a company whose rows became old, and not while a run is at work on it", async () => {
    const { companyId } = await createCompany();
    await addMessages(companyId, 1, { oldest: NOON - 29 * DAY });
    await doJob("forget", NOON);
    expect(await messagesOf(companyId)).toBe(1);
    const ofCompany = async (now: number) =>
      (await doJob("forget", now)).filter(({ job }) => job.companyIds?.[0] === companyId).length;
    expect(await ofCompany(NOON + DAY - 1)).toBe(0);
    expect(await claimCompany(companyDb(env), companyId, NOON + 2 * MINUTE, NOON)).toBe(true);
    expect(await ofCompany(NOON + DAY)).toBe(0);
    await doJobOf(companyId, NOON + DAY);
    expect(await messagesOf(companyId)).toBe(1);
    vi.setSystemTime(NOON + 2 * MINUTE);
    expect(await ofCompany(NOON + DAY)).toBe(1);
    expect(await messagesOf(companyId)).toBe(0);
  });

  it("that was killed anywhere is done again to the same end", async () => {
    for (let statement = 1; statement <= 12; statement++) {
      const { companyId } = await createCompany();
      await addMessages(companyId, 2_500);
      await addMessages(companyId, 3, { oldest: NOON });
      await doJobOf(companyId, NOON, killedAfter(statement)).catch(() => undefined);
      vi.setSystemTime(NOON + 10 * MINUTE);
      await doJob("forget", NOON + 10 * MINUTE);
      expect(await messagesOf(companyId), `killed after ${statement}`).toBe(3);
      const known = await env.DB_0.prepare("SELECT oldest_at FROM retention WHERE company_id = ? AND kind = 'messages'")
        .bind(companyId)
        .first("oldest_at");
      expect(known).toBe(NOON);
      vi.setSystemTime(NOON);
    }
  });
});

/** Does the job of a company alone. */
async function doJobOf(companyId: number, now: number, bindings: Partial<Env> = {}) {
  const { env: own } = withBudget({ ...env, ...bindings });
  await runJob(own, { job: "forget", at: now, companyIds: [companyId] });
}

function countingRows(count: (rows: number) => void): D1Database {
  return databaseWith(async (work) => {
    const result = await work();
    for (const { meta } of [result].flat() as D1Result[]) count(meta.rows_read);
    return result;
  });
}

it("the health says by how many hours the oldest rows of each kind are too old", async () => {
  const { companyId } = await createCompany();
  await addMessages(companyId, 1, { oldest: NOON - 29 * DAY });
  for (const job of ["forget", "forgetShared"] as const) await doJob(job, NOON);
  const behind = async () => (await call("GET", "/health")).body.retentionHoursBehind;
  expect(await behind()).toMatchObject({ messages: 0, audit: 0, stops: 0, notifications: 0 });
  vi.setSystemTime(NOON + DAY + 5.5 * HOUR);
  expect(await behind()).toMatchObject({ messages: 5, audit: 0, stops: 0 });
  await doJob("forget", NOON + DAY + 5.5 * HOUR);
  vi.setSystemTime(NOON + DAY + 5.6 * HOUR);
  expect(await behind()).toMatchObject({ messages: 0 });
});
