import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Role } from "../../src/db/schema.ts";
import { call } from "../support/call.ts";
import { stopClock } from "../support/clock.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { kinds } from "./kinds.ts";

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const trips = (count: number) => `desc="${count} trip${count === 1 ? "" : "s"}"`;

async function newPlant(role: Role = "admin") {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, role);
  const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    call(method, path, { token, body, ...(headers && { headers }) });
  return { companyId, userId, token, ask };
}

describe.each(Object.entries(kinds))("%s", (_name, kind) => {
  const { path, body, required, shown = (sent) => sent, change, faulty, isRestorable = true, restored: differently = {} } = kind;
  const pathOf = (id: unknown) => `${path}/${encodeURIComponent(String(id))}`;

  it("are created, read, changed and deleted", async () => {
    stopClock();
    const { companyId, ask } = await newPlant();
    // The caller and the permissions of the roles are cached.
    await ask("GET", "/v1/setup/check");
    const sent = await body(companyId);
    const made = await ask("POST", path, sent);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.headers.get("server-timing")).toContain(trips(2));
    expect(made.headers.get("location")).toBe(`${path}/${encodeURIComponent(made.body.id)}`);
    expect(made.body).toMatchObject({ ...shown(sent), createdAt: timestamp, updatedAt: timestamp, deletedAt: null });
    expect(made.body).not.toHaveProperty("password");
    const { id, token: _shownOnce, secret: _shownOnceToo, ...rest } = made.body;

    const got = await ask("GET", pathOf(id));
    expect(got).toMatchObject({ status: 200, body: { id, ...rest } });
    expect(got.headers.get("server-timing")).toContain(trips(1));
    const listed = await ask("GET", path);
    expect(listed.body).toMatchObject({ cursor: null });
    expect(listed.body.data.filter((item: { id: unknown }) => item.id === id)).toEqual([got.body]);
    expect(listed.headers.get("server-timing")).toContain(trips(1));

    vi.useRealTimers();
    const changed = await ask("PATCH", pathOf(id), change);
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    // The time of the next report follows from its kind and the day of the week.
    const { updatedAt, nextRunAt: _follows, ...kept } = got.body;
    expect(changed.body).toMatchObject({ ...kept, ...change });
    expect(Date.parse(changed.body.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
    expect((await ask("GET", pathOf(id))).body).toEqual(changed.body);

    expect(await ask("DELETE", pathOf(id))).toMatchObject({ status: 204, body: null });
    for (const method of ["GET", "PATCH", "DELETE"])
      expectProblem(await ask(method, pathOf(id), method === "PATCH" ? {} : undefined), 404);
    expect((await ask("GET", path)).body.data.map((item: { id: unknown }) => item.id)).not.toContain(id);
    const all = (await ask("GET", `${path}?includeDeleted=true`)).body.data;
    expect(all.find((item: { id: unknown }) => item.id === id)).toMatchObject({ deletedAt: timestamp });
  });

  it.runIf(isRestorable)("come back as they were when they are restored after a deletion", async () => {
    const { companyId, ask } = await newPlant();
    const other = await newPlant();
    const made = await ask("POST", path, await body(companyId));
    const restore = `${pathOf(made.body.id)}/restore`;
    const { body: before } = await ask("GET", pathOf(made.body.id));
    expect(await ask("POST", restore)).toMatchObject({ status: 200, body: before });
    await ask("DELETE", pathOf(made.body.id));
    expectProblem(await other.ask("POST", restore), 404);
    const restored = await ask("POST", restore);
    expect(restored.status, JSON.stringify(restored.body)).toBe(200);
    expect(Date.parse(restored.body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(restored.body).toEqual({ ...before, ...differently, updatedAt: restored.body.updatedAt });
    expect((await ask("GET", pathOf(made.body.id))).body).toEqual(restored.body);
    expect((await ask("PATCH", pathOf(made.body.id), change)).status).toBe(200);
    expectProblem(await ask("POST", `${pathOf(path === "/v1/skus" ? "none" : 2 ** 40)}/restore`), 404);
  });

  it("refuse members that nobody may set", async () => {
    const { companyId, ask } = await newPlant();
    const [time, number, text] = ["2000-01-01T00:00:00.000Z", 987_654, "forged"];
    const forged = {
      ...{ createdAt: time, updatedAt: time, deletedAt: time, archivedAt: time, revokedAt: number, createdBy: number },
      ...{ tokenVersion: number, configVersion: number, sensorsVersion: number, passwordHash: text, tokenHash: text },
    };
    const pointers = Object.keys(forged).map((member) => `/${member}`);
    expectProblem(await ask("POST", path, { ...(await body(companyId)), ...forged }), 400, ...pointers);
    const made = await ask("POST", path, await body(companyId));
    expectProblem(await ask("PATCH", pathOf(made.body.id), { ...change, ...forged }), 400, ...pointers);
    const table = path.slice(4).replace("-", "_");
    const { results } = await env.DB_0.prepare(`select * from ${table} where company_id = ?`).bind(companyId).all();
    expect(results.length).toBeGreaterThan(0);
    expect(JSON.stringify(results)).not.toMatch(/946684800|2000-01-01|987654|forged/);
  });

  it("of another company are visible only to superusers", async () => {
    const [own, other, superuser] = [await newPlant(), await newPlant("superadmin"), await newPlant("superuser")];
    const { id } = (await own.ask("POST", path, await body(own.companyId))).body;
    const before = (await own.ask("GET", pathOf(id))).body;
    for (const query of ["", `?companyId=${own.companyId}`]) {
      expectProblem(await other.ask("GET", pathOf(id) + query), 404);
      expectProblem(await other.ask("PATCH", pathOf(id) + query, change), 404);
      expectProblem(await other.ask("DELETE", pathOf(id) + query), 404);
    }
    expectProblem(await other.ask("GET", `${path}?companyId=${own.companyId}`), 404, "/companyId");
    expectProblem(await other.ask("POST", path, { ...(await body(own.companyId)), companyId: own.companyId }), 404, "/companyId");
    const idsOf = (answer: { body: { data: { id: unknown }[] } }) => answer.body.data.map((item) => item.id);
    expect(idsOf(await other.ask("GET", path))).not.toContain(id);
    expect((await own.ask("GET", pathOf(id))).body).toEqual(before);

    const query = `?companyId=${own.companyId}`;
    expect(idsOf(await superuser.ask("GET", path))).not.toContain(id);
    expect(idsOf(await superuser.ask("GET", path + query))).toContain(id);
    expect((await superuser.ask("GET", pathOf(id) + query)).body).toEqual(before);
    const made = await superuser.ask("POST", path, { ...(await body(own.companyId)), companyId: own.companyId });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect((await superuser.ask("GET", made.headers.get("location") ?? "")).body.id).toBe(made.body.id);
    expect(idsOf(await own.ask("GET", path))).toContain(made.body.id);
    expect((await superuser.ask("PATCH", pathOf(id) + query, change)).body).toMatchObject(change);
    expect((await superuser.ask("DELETE", pathOf(id) + query)).status).toBe(204);
    expectProblem(await superuser.ask("POST", path, { ...(await body(own.companyId)), companyId: 2 ** 40 }), 404, "/companyId");
  });

  it("are listed page by page", async () => {
    const { companyId, ask } = await newPlant();
    for (let i = 0; i < 3; i++) expect((await ask("POST", path, await body(companyId))).status).toBe(201);
    const whole = (await ask("GET", path)).body.data;
    const pages = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const answer = await ask("GET", `${path}?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      pages.push(...answer.body.data);
      cursor = answer.body.cursor;
      expect(answer.body.data.length).toBeLessThanOrEqual(2);
    }
    expect(pages).toEqual(whole);
    expect(new Set(pages.map(({ id }) => id)).size).toBe(whole.length);
    expect((await ask("GET", `${path}?limit=${whole.length}`)).body.cursor).toBeNull();
    for (const limit of [0, 501, 1.5, "x"]) expectProblem(await ask("GET", `${path}?limit=${limit}`), 400, "/query/limit");
    expectProblem(await ask("GET", `${path}?cursor=!`), 400, "/query/cursor");
    expectProblem(await ask("GET", `${path}?includeDeleted=1&companyId=a`), 400, "/query/includeDeleted", "/query/companyId");
  });

  it("are refused with each fault named, and nothing changes", async () => {
    const { companyId, ask } = await newPlant();
    expectProblem(await ask("POST", path, {}), 400, ...required.map((member) => `/${member}`));
    for (const raw of ["", "{", "[]", "null"]) expectProblem(await ask("POST", path, raw), 400, "");
    const sent = await body(companyId);
    for (const [pointer, fault] of Object.entries(faulty))
      expectProblem(await ask("POST", path, { ...sent, ...fault }), 400, pointer);
    const { id } = (await ask("POST", path, sent)).body;
    const before = await ask("GET", pathOf(id));
    for (const [pointer, fault] of Object.entries(faulty)) expectProblem(await ask("PATCH", pathOf(id), fault), 400, pointer);
    expect((await ask("GET", pathOf(id))).body).toEqual(before.body);
    expect((await ask("GET", path)).body.data.filter((item: { id: unknown }) => item.id === id)).toEqual([before.body]);
  });

  it("are created once by a request that is repeated with its Idempotency-Key", async () => {
    const { companyId, ask } = await newPlant();
    const key = { "idempotency-key": crypto.randomUUID() };
    const sent = await body(companyId);
    const first = await ask("POST", path, sent, key);
    expect(first.status).toBe(201);
    const again = await ask("POST", path, sent, key);
    const shownOnce = ["token", "secret"].filter((member) => member in first.body).map((member) => [member, null]);
    expect(again).toMatchObject({ status: 201, body: { ...first.body, ...Object.fromEntries(shownOnce) } });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(Object.keys(again.body).sort()).toEqual(Object.keys(first.body).sort());
    expectProblem(await ask("POST", path, { ...(await body(companyId)), name: "Other" }, key), 409);
    const { data } = (await ask("GET", path)).body;
    expect(data.filter((item: { createdAt: string }) => item.createdAt === first.body.createdAt)).toHaveLength(1);
  });

  it("keep all changes of different members that are made at the same time", async () => {
    const { companyId, ask } = await newPlant();
    const { id } = (await ask("POST", path, await body(companyId))).body;
    const [first = ["", ""], ...others] = Object.entries(change);
    const parts = [Object.fromEntries([first]), Object.fromEntries(others)];
    const answers = await Promise.all(parts.map((part) => ask("PATCH", pathOf(id), part)));
    for (const { status, body: answered } of answers) expect(status, JSON.stringify(answered)).toBe(200);
    expect((await ask("GET", pathOf(id))).body).toMatchObject(change);
  });
});

it("a stored answer has no secret", async () => {
  const { ask, userId } = await newPlant();
  for (const path of ["/v1/gateway-tokens", "/v1/api-tokens", "/v1/users"]) {
    const account = { email: `${crypto.randomUUID()}@example.test`, password: "a secret to be kept", role: "user" };
    const sent = { name: "A", ...(path === "/v1/users" && account), ...(path === "/v1/api-tokens" && { role: "user" }) };
    expect((await ask("POST", path, sent, { "idempotency-key": crypto.randomUUID() })).status).toBe(201);
  }
  const kept = await env.DB_0.prepare("select body from idempotency_keys where user_id = ?").bind(userId).all<{ body: string }>();
  expect(kept.results).toHaveLength(3);
  for (const { body } of kept.results) expect(body).not.toMatch(/andon_(gw|api)_|a secret|scrypt/);
});
