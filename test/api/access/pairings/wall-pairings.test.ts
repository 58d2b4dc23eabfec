import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Role } from "../../../../src/db/schema.ts";
import { networkOf } from "../../../../src/http/network.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createApiToken, createCompany, createLine, createUser } from "../../../support/factories.ts";

const path = "/v1/wall-pairings";
const confirmPath = `${path}/confirm`;
const MINUTE = 60_000;
const letPass = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
const randomAddress = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;

afterEach(() => {
  vi.useRealTimers();
});

/** A wall that shows a code. */
async function newWall() {
  const answer = await call("POST", path);
  expect(answer.status).toBe(201);
  const { id, code, secret } = answer.body as { id: string; code: string; secret: string };
  const ask = (held = secret) => call("GET", `${path}/${id}`, { headers: { "x-pairing-secret": held } });
  return { id, code, secret, answer, ask };
}

/** A company with a user who pairs its walls. */
async function newOffice(role: Role = "admin") {
  const { companyId } = await createCompany();
  const admin = await createUser(companyId, role);
  const confirm = (body: object, options: CallOptions = {}) =>
    call("POST", confirmPath, { token: admin.token, body: { name: "Hall 1", ...body }, ...options });
  return { companyId, admin, confirm };
}

describe("a wall that requests a pairing", () => {
  it("gets a code to show and a secret, both valid for ten minutes", async () => {
    const before = Date.now();
    const { id, code, secret, answer, ask } = await newWall();
    expect(answer.body).toEqual({ id, code, secret, expiresAt: expect.any(String) });
    expect(answer.headers.get("location")).toBe(`${path}/${id}`);
    expect(code).toMatch(/^[CDFGHJKMNPQRTVWXY34679]{4}-[CDFGHJKMNPQRTVWXY34679]{4}$/);
    expect(secret).toMatch(/^andon_pair_[\w-]{43}$/);
    expect((Date.parse(answer.body.expiresAt) - before) / MINUTE).toBeCloseTo(10, 1);
    const nothing = { token: null, companyId: null, name: null, lineIds: null, distance: null };
    expect((await ask()).body).toEqual({ id, status: "pending", expiresAt: answer.body.expiresAt, ...nothing });
    expect((await newWall()).code).not.toBe(code);
  });

  it("learns nothing without its secret", async () => {
    const [wall, other] = [await newWall(), await newWall()];
    expectProblem(await wall.ask(other.secret), 404);
    expectProblem(await call("GET", `${path}/${wall.id}`), 400, "/header/x-pairing-secret");
    expectProblem(await wall.ask("andon_pair_short"), 400, "/header/x-pairing-secret");
    const nowhere = { headers: { "x-pairing-secret": wall.secret } };
    expectProblem(await call("GET", `${path}/${crypto.randomUUID()}`, nowhere), 404);
    expectProblem(await call("GET", `${path}/confirm`, nowhere), 400, "/path/id");
  });

  it("must wait after a hundred requests from its network in a quarter of an hour", async () => {
    const headers = { "cf-connecting-ip": randomAddress() };
    const key = `walls|${networkOf(headers["cf-connecting-ip"])}`;
    expect((await call("POST", path, { headers })).status).toBe(201);
    const { meta } = await env.DIRECTORY.prepare("UPDATE login_attempts SET failures = 99 WHERE key = ?").bind(key).run();
    expect(meta.changes).toBe(1);
    expect((await call("POST", path, { headers })).status).toBe(201);
    const refused = await call("POST", path, { headers });
    expectProblem(refused, 429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect((await call("POST", path, { headers: { "cf-connecting-ip": randomAddress() } })).status).toBe(201);
    letPass(15 * MINUTE);
    expect((await call("POST", path, { headers })).status).toBe(201);
  });
});

describe("a wall that an admin confirms", () => {
  it("gets a read-only token, as often as it asks, which is never stored", async () => {
    const { companyId, admin, confirm } = await newOffice();
    const { lineId } = await createLine(companyId);
    const { id, code, secret, ask } = await newWall();
    const answer = await confirm({ code: ` ${code.toLowerCase().replace("-", " ")}`, lineIds: [lineId], distance: 8 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const program = { role: "readonly", isReadOnly: true, expiresAt: null, lastUsedAt: null, createdBy: admin.userId };
    expect(answer.body).toMatchObject({ companyId, name: "Hall 1", ...program, deletedAt: null });
    expect(JSON.stringify(answer.body)).not.toContain("andon_");

    const fetched = (await ask()).body;
    const shown = { companyId, name: "Hall 1", lineIds: [lineId], distance: 8 };
    expect(fetched).toEqual({ id, status: "confirmed", expiresAt: expect.any(String), token: expect.any(String), ...shown });
    const { token } = fetched;
    expect(token).toMatch(/^andon_api_[\w-]{43}$/);
    expect((await ask()).body).toEqual(fetched);

    expect((await call("GET", "/v1/state", { token })).status).toBe(200);
    expectProblem(await call("POST", "/v1/operators", { token, body: { name: "Ann", code: "1" } }), 403);
    expectProblem(await call("GET", `/v1/operators?companyId=${(await createCompany()).companyId}`, { token }), 404);

    const stored = await env.DB_0.prepare("SELECT token_hash FROM api_tokens WHERE id = ?").bind(answer.body.id).all();
    expect(stored.results).toEqual([{ token_hash: createHash("sha256").update(token).digest("hex") }]);
    const tables = ["api_tokens", "audit", "idempotency_keys"];
    const rows = [
      ...(await env.DB_0.batch(tables.map((table) => env.DB_0.prepare(`SELECT * FROM ${table}`)))),
      await env.DIRECTORY.prepare("SELECT * FROM wall_pairings").all(),
    ];
    const all = JSON.stringify(rows.map(({ results }) => results));
    expect(all).not.toContain(token);
    expect(all).not.toContain(secret);
    expect(all).not.toContain(createHash("sha256").update(secret).digest("hex"));
  });

  it("has a token that is listed, audited and revoked like any other API token", async () => {
    const { admin, confirm } = await newOffice();
    const { code, ask } = await newWall();
    const { body: made } = await confirm({ code });
    const as = { token: admin.token };
    expect((await call("GET", "/v1/api-tokens", as)).body.data).toMatchObject([{ id: made.id, name: "Hall 1" }]);
    const { data } = (await call("GET", "/v1/audit?objectType=api-token", as)).body;
    expect(data).toMatchObject([{ action: "api-token.create", objectId: String(made.id), userId: admin.userId, before: null }]);
    const { token } = (await ask()).body;
    expect((await call("DELETE", `/v1/api-tokens/${made.id}`, as)).status).toBe(204);
    expect((await ask()).body).toMatchObject({ status: "expired", token: null, companyId: null });
    letPass(30_000);
    expectProblem(await call("GET", "/v1/state", { token }), 401);
  });

  it("can fetch its token for the next ten minutes, and not after", async () => {
    const { confirm } = await newOffice();
    const { code, ask } = await newWall();
    letPass(10 * MINUTE - 5000);
    expect((await confirm({ code })).status).toBe(200);
    letPass(9 * MINUTE);
    const { status, token } = (await ask()).body;
    expect([status, token]).toEqual(["confirmed", expect.stringMatching(/^andon_api_/)]);
    letPass(MINUTE);
    expect((await ask()).body).toMatchObject({ status: "expired", token: null, name: null });
    expect((await call("GET", "/v1/state", { token })).status).toBe(200);
  });

  it("shows the company that a superuser names, and no other's", async () => {
    const [own, other, superuser] = [await newOffice(), await newOffice(), await newOffice("superuser")];
    const { lineId } = await createLine(other.companyId);
    const { code, ask } = await newWall();
    expectProblem(await own.confirm({ code, companyId: other.companyId }), 404, "/companyId");
    expectProblem(await own.confirm({ code, lineIds: [lineId] }), 400, "/lineIds/0");
    expectProblem(await superuser.confirm({ code, lineIds: [lineId] }), 400, "/lineIds/0");
    expect((await ask()).body.status).toBe("pending");
    expect((await superuser.confirm({ code, companyId: other.companyId, lineIds: [lineId] })).status).toBe(200);
    expect((await ask()).body).toMatchObject({ companyId: other.companyId, lineIds: [lineId], distance: 5 });
  });
});

describe("a code", () => {
  it("works once, within ten minutes, and only for a person", async () => {
    const { admin, confirm } = await newOffice();
    const [wall, late] = [await newWall(), await newWall()];
    const { token } = await createApiToken(admin);
    expectProblem(await confirm({ code: wall.code }, { token }), 403);
    expect((await confirm({ code: wall.code })).status).toBe(200);
    expectProblem(await (await newOffice()).confirm({ code: wall.code }), 400, "/code");
    letPass(10 * MINUTE);
    expect((await late.ask()).body.status).toBe("expired");
    expectProblem(await confirm({ code: late.code }), 400, "/code");
  });

  it("is confirmed once when the answer is lost and the request repeated", async () => {
    const { admin, confirm } = await newOffice();
    const { code } = await newWall();
    const headers = { "idempotency-key": "same" };
    const first = await confirm({ code }, { headers });
    const again = await confirm({ code }, { headers });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await call("GET", "/v1/api-tokens", { token: admin.token })).body.data).toHaveLength(1);
  });

  it("is confirmed by only one of two who enter it at the same time", async () => {
    const [one, other] = [await newOffice(), await newOffice()];
    const { code, ask } = await newWall();
    const statuses = (await Promise.all([one.confirm({ code }), other.confirm({ code })])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400]);
    const winner = statuses[0] === 200 ? one : other;
    expect((await ask()).body.companyId).toBe(winner.companyId);
  });

  it("is confirmed once by two of the same company who enter it at the same time", async () => {
    const { admin, confirm } = await newOffice();
    const { code, ask } = await newWall();
    const statuses = (await Promise.all([confirm({ code }), confirm({ code }), confirm({ code })])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400, 400]);
    expect((await ask()).body.status).toBe("confirmed");
    expect((await call("GET", "/v1/api-tokens", { token: admin.token })).body.data).toHaveLength(1);
  });

  it("can be entered again by the same company, and no other, if the service ended before the token was stored", async () => {
    const { companyId, confirm } = await newOffice();
    const { id, code, ask } = await newWall();
    const take = env.DIRECTORY.prepare("UPDATE wall_pairings SET confirmed_at = ?, company_id = ? WHERE id = ?");
    await take.bind(Date.now(), companyId, id).run();
    expect((await ask()).body.status).toBe("expired");
    expectProblem(await (await newOffice()).confirm({ code }), 400, "/code");
    expect((await confirm({ code })).status).toBe(200);
    expect((await ask()).body).toMatchObject({ status: "confirmed", companyId });
    expectProblem(await confirm({ code }), 400, "/code");
  });

  it("cannot be guessed: after twenty wrong ones all are refused for a quarter of an hour, and right ones count neither way", async () => {
    const { confirm } = await newOffice();
    for (let tries = 1; tries < 20; tries++) expectProblem(await confirm({ code: "CCCC-CCCC" }), 400, "/code");
    for (let walls = 1; walls <= 3; walls++) expect((await confirm({ code: (await newWall()).code })).status).toBe(200);
    for (let tries = 1; tries <= 1; tries++) expectProblem(await confirm({ code: "CCCC-CCCC" }), 400, "/code");
    const { code } = await newWall();
    const refused = await confirm({ code });
    expectProblem(refused, 429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect((await (await newOffice()).confirm({ code })).status).toBe(200);
    letPass(15 * MINUTE);
    expect((await confirm({ code: (await newWall()).code })).status).toBe(200);
  });

  it.each([
    ["no code", { code: undefined }, "/code"],
    ["an empty name", { name: "" }, "/name"],
    ["another distance", { distance: 4 }, "/distance"],
    ["no line at all", { lineIds: [] }, "/lineIds"],
    ["an unknown member", { role: "admin" }, "/role"],
  ])("is not accepted with %s", async (_, body, pointer) => {
    const { confirm } = await newOffice();
    const { code, ask } = await newWall();
    expectProblem(await confirm({ code, ...body }), 400, pointer);
    expect((await ask()).body.status).toBe("pending");
  });
});
