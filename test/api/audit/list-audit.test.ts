import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { auditEntries, createAuditEntry } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { listSuite, newestFirst } from "../../support/lists.ts";

type Options = Parameters<typeof createAuditEntry>[1];
const createEntry = (companyId: number, userId: number, options: Options = {}) =>
  createAuditEntry({ companyId, userId }, options);

listSuite({
  path: "/v1/audit",
  roles: ["superuser", "superadmin", "admin"],
  createFive: (companyId, userId) => newestFirst((at) => createEntry(companyId, userId, { at })),
});

it("says who did what to which object, and what it was before and after", async () => {
  const { companyId } = await createCompany();
  const admin = await createUser(companyId, "admin");
  const other = await createUser(companyId, "user");
  const whole = { before: { id: 7, name: null }, after: [{ id: 7 }, { id: 8 }] };
  const first = await createEntry(companyId, admin.userId, { at: 1000, ...whole });
  const second = await createEntry(companyId, other.userId, { at: 2000, objectId: "8" });
  const third = await createEntry(companyId, other.userId, { at: 3000, action: "machine.run", objectId: "7" });
  const ask = async (query: string) => (await call("GET", `/v1/audit?${query}`, { token: admin.token })).body.data;
  const idsOf = async (query: string) => (await ask(query)).map(({ id }: { id: string }) => id);
  expect((await ask("")).at(-1)).toEqual({
    id: first.id,
    time: new Date(1000).toISOString(),
    companyId,
    userId: admin.userId,
    userName: expect.stringMatching(/^User /),
    apiTokenId: null,
    requestId: null,
    action: "stop.split",
    objectType: "stop",
    objectId: "7",
    ...whole,
  });
  expect((await ask(""))[0]).toMatchObject({ before: null, after: null });
  expect(await idsOf(`userId=${other.userId}`)).toEqual([third.id, second.id]);
  expect(await idsOf("objectType=stop&objectId=7")).toEqual([first.id]);
  expect(await idsOf("action=machine.run&objectType=machine")).toEqual([third.id]);
  for (const nothing of [
    "action=stop.merge",
    "action=unheard.of",
    "objectType=unheard-of",
    "action=stop.split&objectType=machine",
  ]) {
    expect(await idsOf(nothing)).toEqual([]);
  }
  const [from, to] = [2000, 3000].map((at) => new Date(at).toISOString());
  expect(await idsOf(`from=${from}&to=${to}`)).toEqual([second.id]);
});

it("keeps the name of a user of another company, who may be in another database", async () => {
  const [{ companyId }, elsewhere] = [await createCompany(), await createCompany()];
  const guest = await createUser(elsewhere.companyId, "superuser");
  const admin = await createUser(companyId, "admin");
  const operator = () => ({ name: "Ann", code: crypto.randomUUID() });
  expect((await call("POST", "/v1/operators", { token: guest.token, body: { ...operator(), companyId } })).status).toBe(201);
  expect((await call("POST", "/v1/operators", { token: admin.token, body: operator() })).status).toBe(201);
  const stored = await auditEntries({ companyId, action: "operator.create" });
  expect(stored).toMatchObject([
    { userId: guest.userId, userName: expect.stringMatching(/^User /) },
    { userId: admin.userId, userName: null },
  ]);
  await env.DB_0.prepare("DELETE FROM users WHERE id = ?").bind(guest.userId).run();
  const listed = (await call("GET", "/v1/audit?action=operator.create", { token: admin.token })).body.data;
  expect(listed.map(({ userName }: { userName: string }) => userName)).toEqual([
    expect.stringMatching(/^User /),
    stored[0]?.userName,
  ]);
});

it("is append-only: no entry is changed, or deleted before it is 30 days old", async () => {
  const { companyId } = await createCompany();
  const { userId } = await createUser(companyId, "admin");
  const dayMs = 86_400_000;
  const young = await createEntry(companyId, userId, { at: Date.now() - 29 * dayMs });
  const old = await createEntry(companyId, userId, { at: Date.now() - 31 * dayMs });
  const run = (sql: string) => env.DB_0.prepare(sql).bind(companyId).run();
  await expect(run("UPDATE audit SET user_id = 7 WHERE company_id = ?")).rejects.toThrow("append only");
  await expect(run("DELETE FROM audit WHERE company_id = ?")).rejects.toThrow("append only");
  await run(`DELETE FROM audit WHERE at = ${old.at} AND company_id = ?`);
  expect(await auditEntries({ companyId })).toEqual([young]);
});
