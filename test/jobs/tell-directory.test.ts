import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { ROWS_PER_RUN } from "../../src/jobs/tell-directory.ts";
import { call } from "../support/call.ts";
import { createApiToken, createCompany, createGatewayToken, createUser } from "../support/factories.ts";
import { doJob } from "../support/jobs.ts";

const rows = async (query: string, ...given: unknown[]) =>
  (
    await env.DIRECTORY.prepare(query)
      .bind(...given)
      .all<Record<string, unknown>>()
  ).results;
const known = (email: string) => rows("SELECT user_id, company_id FROM logins WHERE email = ?", email);
const homeOf = (token: string) =>
  rows("SELECT company_id FROM token_homes WHERE token_hash = ?", createHash("sha256").update(token).digest("hex"));
const everything = async () => [
  await rows("SELECT * FROM logins ORDER BY email"),
  await rows("SELECT * FROM homes ORDER BY company_id"),
  await rows("SELECT * FROM token_homes ORDER BY token_hash"),
];

/** Runs the job until it has nothing new to tell. Returns the most statements of a run. */
async function tell(): Promise<number> {
  let most = 0;
  const at = Date.now();
  for (let before = "", runs = 0; runs < 20; runs++) {
    const [done] = await doJob("directory", at);
    most = Math.max(most, done?.statements ?? 0);
    const now = JSON.stringify([
      await rows("SELECT * FROM followed ORDER BY kind"),
      (await everything()).map((all) => all.length),
    ]);
    if (now === before) return most;
    before = now;
  }
  throw new Error("It has told something new in each of 20 runs.");
}

beforeEach(async () => {
  for (const table of ["homes", "logins", "token_homes", "followed"]) await env.DIRECTORY.exec(`DELETE FROM ${table}`);
});

it("tells the directory the companies, addresses and tokens that there are", async () => {
  const { companyId } = await createCompany();
  const user = await createUser(companyId, "admin");
  const gateway = await createGatewayToken(companyId);
  const program = await createApiToken({ ...user, companyId, role: "admin" });
  expect(await tell()).toBeLessThanOrEqual(13);
  expect(await rows("SELECT * FROM homes WHERE company_id = ?", companyId)).toEqual([
    { company_id: companyId, database: 0, jurisdiction: null, state: "here" },
  ]);
  expect(await known(user.email)).toEqual([{ user_id: user.userId, company_id: companyId }]);
  expect([await homeOf(gateway.token), await homeOf(program.token)]).toEqual([
    [{ company_id: companyId }],
    [{ company_id: companyId }],
  ]);
});

it("tells the directory the jurisdiction of a company", async () => {
  const { companyId } = await createCompany();
  await env.DB_0.prepare("UPDATE companies SET jurisdiction = 'eu' WHERE id = ?").bind(companyId).run();
  await tell();
  expect(await rows("SELECT jurisdiction FROM homes WHERE company_id = ?", companyId)).toEqual([{ jurisdiction: "eu" }]);
});

it("follows changes of addresses, and deletions, so that an address can be another user's", async () => {
  const { companyId } = await createCompany();
  const admin = await createUser(companyId, "admin", { password: "correct horse battery" });
  const one = await createUser(companyId, "user");
  await tell();
  const path = `/v1/users/${one.userId}`;
  const moved = `${crypto.randomUUID()}@example.test`;
  expect((await call("PATCH", path, { token: admin.token, body: { email: moved } })).status).toBe(200);
  await tell();
  expect([await known(one.email), await known(moved)]).toEqual([[], [{ user_id: one.userId, company_id: companyId }]]);
  expect((await call("DELETE", path, { token: admin.token })).status).toBe(204);
  const body = { name: "Ann", email: moved, password: "a long walk to the lighthouse", role: "user" };
  const { body: other } = await call("POST", "/v1/users", { token: admin.token, body });
  await tell();
  expect(await known(moved)).toEqual([{ user_id: other.id, company_id: companyId }]);
});

it("is not led astray by a change that lies in the future", async () => {
  const { companyId } = await createCompany();
  const early = await createUser(companyId, "user");
  await env.DB_0.prepare("UPDATE users SET updated_at = ? WHERE id = ?")
    .bind(Date.now() + 3_600_000, early.userId)
    .run();
  await tell();
  const later = await createUser(companyId, "user");
  await tell();
  expect([await known(early.email), await known(later.email)]).toEqual([
    [{ user_id: early.userId, company_id: companyId }],
    [{ user_id: later.userId, company_id: companyId }],
  ]);
});

it("takes many users in steps, also of one instant, and stores nothing twice", async () => {
  const { companyId } = await createCompany();
  const at = Date.now() - 3_600_000;
  await env.DB_0.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${2 * ROWS_PER_RUN + 7})
     INSERT INTO users (company_id, name, email, password_hash, role, created_at, updated_at)
     SELECT ?1, 'Many', 'many' || i || '-' || ?1 || '@example.test', '', 'user', ?2, ?2 FROM n`,
  )
    .bind(companyId, at)
    .run();
  await tell();
  expect(await rows("SELECT count(*) AS n FROM logins WHERE company_id = ?", companyId)).toEqual([{ n: 2 * ROWS_PER_RUN + 7 }]);
  const before = await everything();
  await env.DIRECTORY.exec("DELETE FROM followed");
  await tell();
  expect(await everything()).toEqual(before);
});
