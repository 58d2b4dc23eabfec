import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Role, roles } from "../../../../src/db/schema.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { stopClock } from "../../../support/clock.ts";
import { eventually } from "../../../support/eventually.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createApiToken, createCompany, createPersona, createUser } from "../../../support/factories.ts";
import { changed, serviceWith } from "../../../support/service.ts";

const admins: readonly Role[] = ["superuser", "superadmin", "admin"];
const letPass = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
const iso = (at: number) => new Date(at).toISOString();
const path = "/v1/api-tokens";

afterEach(() => {
  vi.useRealTimers();
});

async function newOffice(role: Role = "admin") {
  const { companyId } = await createCompany();
  const creator = await createUser(companyId, role);
  const ask = (method: string, to: string, body?: unknown) => call(method, to, { token: creator.token, body });
  const made = async (body: object) => {
    const answer = await ask("POST", path, { name: "Program", role: "readonly", ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  return { companyId, creator, ask, made };
}

const operators = (token: string, options: CallOptions = {}) => call("GET", "/v1/operators", { token, ...options });
const storedTokens = (companyId: number) =>
  env.DB_0.prepare("SELECT * FROM api_tokens WHERE company_id = ?").bind(companyId).all<Record<string, unknown>>();

/** The stored time of the last use, once it is greater than `before`. */
async function lastUse(companyId: number, before: number): Promise<number> {
  return await eventually(async () => {
    const [row] = (await storedTokens(companyId)).results;
    const lastUsedAt = Number(row?.last_used_at);
    expect(lastUsedAt).toBeGreaterThan(before);
    return lastUsedAt;
  });
}

describe("the end of an API token", () => {
  it("can be put off by the user for whom it acts alone; others can only bring it forward", async () => {
    const { companyId, creator, ask, made } = await newOffice();
    const other = await createUser(companyId, "admin");
    const { id } = await made({ expiresAt: iso(Date.now() + 3_600_000) });
    const byOther = (expiresAt: string | null) => call("PATCH", `${path}/${id}`, { token: other.token, body: { expiresAt } });
    expectProblem(await byOther(iso(Date.now() + 7_200_000)), 409, "/expiresAt");
    expectProblem(await byOther(null), 409, "/expiresAt");
    expect((await byOther(iso(Date.now() + 1_800_000))).status).toBe(200);
    expect((await call("PATCH", `${path}/${id}`, { token: other.token, body: { name: "Renamed" } })).status).toBe(200);
    letPass(3_600_000);
    expectProblem(await byOther(iso(Date.now() + 60_000)), 409, "/expiresAt");
    expect((await ask("PATCH", `${path}/${id}`, { expiresAt: iso(Date.now() + 60_000) })).status).toBe(200);
    expect((await ask("GET", `${path}/${id}`)).body.createdBy).toBe(creator.userId);
  });
});

describe("a token of the company", () => {
  it("is announced to whoever looks what depends on its creator if there are too many to list", async () => {
    const { companyId, creator } = await newOffice();
    const admin = await createUser(companyId, "superadmin");
    const add = (count: number) =>
      env.DB_0.prepare(
        `INSERT INTO api_tokens (company_id, created_by, name, role, is_read_only, token_hash, created_at, updated_at)
         SELECT ?, ?, 'Program', 'user', 0, ? || key, 0, 0 FROM json_each(?)`,
      )
        .bind(companyId, creator.userId, `${companyId}-${count}-`, JSON.stringify(Array(count).fill(0)))
        .run();
    const listed = async () => {
      const { body } = await call("GET", `/v1/users/${creator.userId}/dependents`, { token: admin.token });
      return [body.data.length, body.more];
    };
    await add(100);
    expect(await listed()).toEqual([100, []]);
    await add(1);
    expect(await listed()).toEqual([100, ["api-token"]]);
  });

  it("goes on when its creator is disabled or deleted, and can only read", async () => {
    const { companyId, creator, ask, made } = await newOffice();
    const admin = await createUser(companyId, "superadmin");
    expectProblem(await ask("POST", path, { name: "P", role: "user", isReadOnly: true, isOfCompany: true }), 400, "/isOfCompany");
    expectProblem(await ask("POST", path, { name: "P", role: "readonly", isOfCompany: true }), 400, "/isOfCompany");
    const own = await made({ isReadOnly: true });
    const ofCompany = await made({ isReadOnly: true, isOfCompany: true });
    const works = async (token: string) => (await operators(token)).status;
    expect([await works(own.token), await works(ofCompany.token)]).toEqual([200, 200]);

    const dependents = async () => {
      const { body } = await call("GET", `/v1/users/${creator.userId}/dependents`, { token: admin.token });
      return body.data.map(({ type, id, effect }: { type: string; id: unknown; effect: string }) => `${type} ${id} ${effect}`);
    };
    const contact = { id: "c", value: creator.email.toUpperCase(), isActive: true, reference: "" };
    const persona = await createPersona(companyId, { email: contact, push: [contact] });
    const report = { name: "R", kind: "daily", time: "06:00", addresses: [creator.email] };
    const { body } = await ask("POST", "/v1/report-subscriptions", report);
    const expected = [`api-token ${ofCompany.id} stays`, `api-token ${own.id} ends`];
    expect(await dependents()).toEqual([...expected, `persona ${persona.id} stays`, `report-subscription ${body.id} stays`]);
    const { more } = (await call("GET", `/v1/users/${creator.userId}/dependents`, { token: admin.token })).body;
    expect(more).toEqual([]);
    const foreign = await newOffice();
    const theirs = await call("GET", `/v1/users/${creator.userId}/dependents`, { token: foreign.creator.token });
    expectProblem(theirs, 404);

    const disabled = await call("PATCH", `/v1/users/${creator.userId}`, { token: admin.token, body: { isActive: false } });
    expect(disabled.status).toBe(200);
    letPass(31_000);
    expect([await works(own.token), await works(ofCompany.token)]).toEqual([401, 200]);
    expect((await call("DELETE", `/v1/users/${creator.userId}`, { token: admin.token })).status).toBe(204);
    letPass(31_000);
    expect([await works(own.token), await works(ofCompany.token)]).toEqual([401, 200]);
    // It ends like every other token when it is deleted.
    expect((await call("DELETE", `${path}/${ofCompany.id}`, { token: admin.token })).status).toBe(204);
    letPass(31_000);
    expect(await works(ofCompany.token)).toBe(401);
  });
});

describe("an API token", () => {
  it("is shown once, and stored only as a hash", async () => {
    const { companyId, creator, ask, made } = await newOffice();
    const expiresAt = iso(Date.now() + 3_600_000);
    const { token, ...item } = await made({ name: "ERP", role: "user", isReadOnly: true, expiresAt });
    expect(token).toMatch(/^andon_api_[0-9a-z]+_[\w-]{43}$/);
    expect(Number.parseInt(token.split("_")[2], 36)).toBe(companyId);
    expect(item).toEqual({
      id: expect.any(Number),
      companyId,
      name: "ERP",
      role: "user",
      isReadOnly: true,
      isOfCompany: false,
      machineIds: null,
      expiresAt,
      lastUsedAt: null,
      createdBy: creator.userId,
      createdAt: expect.any(String),
      updatedAt: item.createdAt,
      deletedAt: null,
    });
    const { results } = await storedTokens(companyId);
    expect(results).toMatchObject([{ token_hash: createHash("sha256").update(token).digest("hex") }]);
    expect(JSON.stringify(results)).not.toContain(token);
    expect((await ask("GET", path)).body).toEqual({ data: [item], cursor: null });
    expect((await made({})).isReadOnly).toBe(false);
  });

  it.each(roles)("has at most the role of its creator: %s", async (role) => {
    const { companyId } = await createCompany();
    const ranks = [...roles].reverse();
    const { token } = await createUser(companyId, role);
    for (const wanted of ranks) {
      const answer = await call("POST", path, { token, body: { name: "Program", role: wanted } });
      const isAllowed = admins.includes(role) && ranks.indexOf(wanted) <= ranks.indexOf(role);
      expect(answer.status, `${role} makes ${wanted}`).toBe(isAllowed ? 201 : 403);
    }
  });

  it("acts only in its company, and a superuser's token in all", async () => {
    const [own, other, superuser] = [await newOffice(), await newOffice(), await newOffice("superuser")];
    const at = (companyId: number) => `/v1/operators?companyId=${companyId}`;
    const { token } = await own.made({ role: "admin" });
    expect((await call("GET", at(own.companyId), { token })).status).toBe(200);
    expectProblem(await call("GET", at(other.companyId), { token }), 404, "/companyId");

    const everywhere = await superuser.made({ role: "superuser" });
    expect(everywhere.companyId).toBeNull();
    for (const { companyId } of [own, other]) {
      expect((await call("GET", at(companyId), { token: everywhere.token })).status).toBe(200);
    }
    const one = await superuser.ask("POST", path, { name: "A", role: "superuser", companyId: own.companyId });
    expectProblem(one, 400, "/companyId");
    // A lower role, by a superuser for another company.
    const abroad = await superuser.made({ role: "user", companyId: other.companyId });
    expect(abroad.companyId).toBe(other.companyId);
    expectProblem(await call("GET", at(own.companyId), { token: abroad.token }), 404, "/companyId");
    expect((await other.ask("GET", `${path}/${abroad.id}`)).status).toBe(200);
  });

  it("writes for its creator, with its own idempotency keys", async () => {
    const { creator, made } = await newOffice();
    const [one, other] = [await made({ role: "admin" }), await made({ role: "admin" })];
    const headers = { "idempotency-key": "same" };
    const send = (token: string, name: string) => call("POST", "/v1/operators", { token, body: { name, code: name }, headers });
    const first = await send(one.token, "Ann");
    expect(first.status).toBe(201);
    expect((await send(one.token, "Ann")).headers.get("idempotent-replayed")).toBe("true");
    expectProblem(await send(one.token, "Bob"), 409);
    expect((await send(other.token, "Cat")).status).toBe(201);
    expect((await send(creator.token, "Dan")).status).toBe(201);

    const entries = (query: string) => call("GET", `/v1/audit?objectType=operator${query}`, { token: creator.token });
    expect((await entries(`&apiTokenId=${one.id}`)).body.data).toMatchObject([
      { userId: creator.userId, apiTokenId: one.id, objectId: String(first.body.id) },
    ]);
    expect((await entries("")).body.data.map(({ apiTokenId }: { apiTokenId: number }) => apiTokenId)).toEqual([
      null,
      other.id,
      one.id,
    ]);
  });

  it("cannot write if it is read-only, but can read by POST", async () => {
    const { made } = await newOffice("superuser");
    const { token } = await made({ role: "superuser", isReadOnly: true });
    const refused = await call("POST", "/v1/operators", { token, body: { name: "Ann", code: "1" } });
    expectProblem(refused, 403);
    expect(refused.body.detail).toBe("A read-only API token may not do this: it writes.");
    expectProblem(await call("POST", "/v1/ingest", { token, body: { events: [] } }), 403);
    expectProblem(await call("GET", "/webhook-subscriptions/secret", { token }), 403);
    expect((await call("POST", "/v1/public/reports/metrics", { token, body: { pageSize: 1 } })).status).toBe(200);
    expect((await operators(token)).status).toBe(200);
  });

  it("cannot log anybody in or act as a person", async () => {
    const { made, creator } = await newOffice();
    const { id, token } = await made({ role: "admin" });
    const refused = [
      ["POST", path, { name: "Another", role: "readonly" }],
      ["PATCH", `${path}/${id}`, { expiresAt: null }],
      ["DELETE", `${path}/${id}`],
      ["POST", "/v1/users", { name: "A", email: "a@example.test", password: "a long enough one", role: "admin" }],
      ["PATCH", `/v1/users/${creator.userId}`, { name: "B" }],
      ["PUT", "/v1/password", { currentPassword: "a", newPassword: "b" }],
      ["DELETE", "/v1/tokens"],
      ["GET", "/v1/config"],
      ["GET", "/v1/notifications"],
    ] as const;
    for (const [method, to, body] of refused) {
      const answer = await call(method, to, { token, body });
      expectProblem(answer, 403);
      expect(answer.body.detail).toBe("An API token may not do this: it takes the token of a user who has logged in.");
    }
    expect((await call("GET", path, { token })).status).toBe(200);
  });
});

describe("an API token ends", () => {
  it.each(["deleted", "expired"])("within thirty seconds when it is %s", async (how) => {
    const { ask, made } = await newOffice();
    const { id, token } = await made({ expiresAt: iso(Date.now() + 20_000) });
    expect((await operators(token)).status).toBe(200);
    if (how === "deleted") expect((await ask("DELETE", `${path}/${id}`)).status).toBe(204);
    letPass(how === "deleted" ? 30_000 : 20_000);
    expectProblem(await operators(token), 401);
    expectProblem(await operators(token), 401);
  });

  it("with its creator, and is refused while the creator is not active", async () => {
    const { companyId, ask } = await newOffice("superadmin");
    const creator = await createUser(companyId, "admin");
    const { token } = await createApiToken(creator);
    const setActive = async (isActive: 0 | 1) => {
      await env.DB_0.prepare("UPDATE users SET is_active = ? WHERE id = ?").bind(isActive, creator.userId).run();
      letPass(30_000);
    };
    expect((await operators(token)).status).toBe(200);
    await setActive(0);
    expectProblem(await operators(token), 401);
    await setActive(1);
    expect((await operators(token)).status).toBe(200);
    expect((await ask("DELETE", `/v1/users/${creator.userId}`)).status).toBe(204);
    letPass(30_000);
    expectProblem(await operators(token), 401);
    expect((await storedTokens(companyId)).results).toMatchObject([{ revoked_at: expect.any(Number) }]);
    expect((await ask("GET", path)).body.data).toEqual([]);
  });

  it("with its company", async () => {
    const superuser = await newOffice("superuser");
    const { companyId } = await createCompany();
    const { token } = await superuser.made({ companyId });
    expect((await operators(token)).status).toBe(200);
    expect((await superuser.ask("DELETE", `/v1/companies/${companyId}`)).status).toBe(204);
    letPass(30_000);
    expectProblem(await operators(token), 401);
  });

  it("in other companies when its creator is no longer a superuser, and then has the creator's role in its own", async () => {
    const [home, abroad] = [await createCompany(), await createCompany()];
    const creator = await createUser(home.companyId, "superuser");
    const [atHome, away] = [
      await createApiToken(creator),
      await createApiToken(creator, { ...abroad, name: "A", role: "admin" }),
    ];
    const make = ({ token }: { token: string }) =>
      call("POST", "/v1/operators", { token, body: { name: "Ann", code: crypto.randomUUID() } });
    expect([(await make(atHome)).status, (await make(away)).status]).toEqual([201, 201]);
    await env.DB_0.prepare("UPDATE users SET role = 'user' WHERE id = ?").bind(creator.userId).run();
    letPass(30_000);
    expectProblem(await make(atHome), 403);
    expect((await operators(atHome.token)).status).toBe(200);
    expectProblem(await call("GET", `/v1/operators?companyId=${abroad.companyId}`, { token: atHome.token }), 404);
    expectProblem(await operators(away.token), 401);
  });

  it("only by those who may create tokens of its role", async () => {
    const { companyId, ask } = await newOffice("admin");
    const { apiTokenId } = await createApiToken(await createUser(companyId, "superadmin"));
    expectProblem(await ask("PATCH", `${path}/${apiTokenId}`, { name: "Mine" }), 403);
    expectProblem(await ask("DELETE", `${path}/${apiTokenId}`), 403);
  });
});

describe("the last use of an API token", () => {
  it("is stored after the answer, and again after ten minutes", async () => {
    stopClock();
    const { companyId, ask, made } = await newOffice();
    const { id, token } = await made({});
    const before = Date.now() - 1;
    const answer = await operators(token);
    // The token and the list: storing the last use is not a trip of the request.
    expect(answer.headers.get("server-timing")).toContain('desc="2 trips"');
    const first = await lastUse(companyId, before);
    expect((await ask("GET", `${path}/${id}`)).body.lastUsedAt).toBe(iso(first));
    for (const ms of [9, 31, 301].map((seconds) => seconds * 1000)) {
      letPass(ms);
      await operators(token);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await storedTokens(companyId)).results).toMatchObject([{ last_used_at: first, updated_at: expect.any(Number) }]);
    letPass(300_000);
    await operators(token);
    expect(await lastUse(companyId, first)).toBeGreaterThanOrEqual(first + 600_000);
  });

  it("does not make the request fail if it cannot be stored", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    const { token } = await createApiToken(await createUser((await createCompany()).companyId, "user"));
    const withSession = (start: string) => {
      if (start === "first-primary") throw new Error("the database is away");
      return env.DB_0.withSession(start);
    };
    const via = serviceWith({ DB_0: changed(env.DB_0, { withSession }) });
    expect((await operators(token, { via })).status).toBe(200);
    error.mockRestore();
  });
});
