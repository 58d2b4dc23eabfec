import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Role } from "../../../../src/db/schema.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createApiToken, createCompany, createMachine, createOperator, createUser } from "../../../support/factories.ts";

const path = "/v1/terminal-pairings";
const MINUTE = 60_000;
const letPass = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

afterEach(() => {
  vi.useRealTimers();
});

/** A display that shows a code. */
async function newDisplay(kind: "wall" | "terminal" = "terminal") {
  const { body } = await call("POST", `/v1/${kind}-pairings`);
  const { id, code, secret } = body as { id: string; code: string; secret: string };
  const ask = (held = secret) => call("GET", `/v1/${kind}-pairings/${id}`, { headers: { "x-pairing-secret": held } });
  return { id, code, secret, ask };
}

/** A company with two machines, and a user who pairs its terminals. */
async function newOffice(role: Role = "admin") {
  const { companyId } = await createCompany();
  const admin = await createUser(companyId, role);
  const machineIds = [(await createMachine(companyId)).id, (await createMachine(companyId)).id] as const;
  const confirm = (body: object, options: CallOptions = {}) =>
    call("POST", `${path}/confirm`, {
      token: admin.token,
      body: { name: "Terminal 1", machineIds: [machineIds[0]], ...body },
      ...options,
    });
  return { companyId, admin, machineIds, confirm };
}

describe("a terminal that an admin confirms", () => {
  it("gets a token of its machines, as often as it asks, which is never stored", async () => {
    const { companyId, admin, machineIds, confirm } = await newOffice();
    const { id, code, secret, ask } = await newDisplay();
    const nothing = { token: null, companyId: null, name: null, machineIds: null };
    expect((await ask()).body).toEqual({ id, status: "pending", expiresAt: expect.any(String), ...nothing });
    const answer = await confirm({ code: ` ${code.toLowerCase().replace("-", " ")}` });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const program = { role: "user", isReadOnly: false, isOfCompany: true, expiresAt: null, createdBy: admin.userId };
    expect(answer.body).toMatchObject({ companyId, name: "Terminal 1", ...program, machineIds: [machineIds[0]] });
    expect(JSON.stringify(answer.body)).not.toContain("andon_");

    const fetched = (await ask()).body;
    const given = { companyId, name: "Terminal 1", machineIds: [machineIds[0]] };
    expect(fetched).toEqual({ id, status: "confirmed", expiresAt: expect.any(String), token: expect.any(String), ...given });
    const { token } = fetched;
    expect(token).toMatch(/^andon_term_[\w-]{43}$/);
    expect((await ask()).body).toEqual(fetched);
    expectProblem(await ask((await newDisplay()).secret), 404);

    expect((await call("GET", `/v1/machines/${machineIds[0]}`, { token })).status).toBe(200);
    expectProblem(await call("GET", `/v1/machines/${machineIds[1]}`, { token }), 404);
    expectProblem(await call("GET", "/v1/state", { token }), 403);

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
  });

  it("signs operators in at its machines, and keeps working when the admin has left", async () => {
    const { companyId, admin, machineIds, confirm } = await newOffice();
    const { operatorId } = await createOperator(companyId);
    const { code, ask } = await newDisplay();
    await confirm({ code, machineIds });
    const { token } = (await ask()).body;
    const boss = await createUser(companyId, "superadmin");
    expect((await call("DELETE", `/v1/users/${admin.userId}`, { token: boss.token })).status).toBe(204);
    letPass(31_000);
    const body = { operatorId };
    expect((await call("POST", `/v1/machines/${machineIds[1]}/sign-in`, { token, body })).status).toBe(200);
    const other = await createMachine(companyId);
    expectProblem(await call("POST", `/v1/machines/${other.id}/sign-in`, { token, body }), 404);
  });

  it("has a token that is listed, audited and revoked like any other API token, and may be renamed", async () => {
    const { admin, machineIds, confirm } = await newOffice();
    const { code, ask } = await newDisplay();
    const { body: made } = await confirm({ code });
    const as = { token: admin.token };
    expect((await call("GET", "/v1/api-tokens", as)).body.data).toMatchObject([{ id: made.id, machineIds: [machineIds[0]] }]);
    const { data } = (await call("GET", "/v1/audit?objectType=api-token", as)).body;
    expect(data).toMatchObject([{ action: "api-token.create", objectId: String(made.id), userId: admin.userId }]);
    expect(data[0].after).toMatchObject({ machineIds: [machineIds[0]] });
    const renamed = await call("PATCH", `/v1/api-tokens/${made.id}`, { ...as, body: { name: "Press 1" } });
    expect(renamed.body).toMatchObject({ name: "Press 1", isOfCompany: true, machineIds: [machineIds[0]] });
    expectProblem(await call("PATCH", `/v1/api-tokens/${made.id}`, { ...as, body: { machineIds: [] } }), 400, "/machineIds");
    const { token } = (await ask()).body;
    expect((await call("DELETE", `/v1/api-tokens/${made.id}`, as)).status).toBe(204);
    expect((await ask()).body).toMatchObject({ status: "expired", token: null, machineIds: null });
    letPass(30_000);
    expectProblem(await call("GET", `/v1/machines/${machineIds[0]}`, { token }), 401);
  });

  it("belongs to machines of the company alone", async () => {
    const [own, other, superuser] = [await newOffice(), await newOffice(), await newOffice("superuser")];
    const { code, ask } = await newDisplay();
    expectProblem(await own.confirm({ code, machineIds: [own.machineIds[0], other.machineIds[0]] }), 400, "/machineIds/1");
    expectProblem(await own.confirm({ code, companyId: other.companyId }), 404, "/companyId");
    expect((await ask()).body.status).toBe("pending");
    const named = { code, companyId: other.companyId, machineIds: other.machineIds };
    expect((await superuser.confirm(named)).status).toBe(200);
    expect((await ask()).body).toMatchObject({ companyId: other.companyId, machineIds: other.machineIds });
  });

  it("is confirmed only by whoever may act as a user, and pairs API tokens", async () => {
    const { admin, confirm } = await newOffice();
    const [{ code }, program] = [await newDisplay(), await createApiToken(admin)];
    expectProblem(await confirm({ code }, { token: program.token }), 403);
    expectProblem(await (await newOffice("user")).confirm({ code }), 403);
    expect((await confirm({ code })).status).toBe(200);
  });
});

describe("a token with one sign of a terminal's, and not the other", () => {
  it("is not accepted: neither by the way it begins, nor by the machines that are stored", async () => {
    const { admin, machineIds, confirm } = await newOffice();
    const { code, ask } = await newDisplay();
    const { body: made } = await confirm({ code });
    const { token } = (await ask()).body;
    await env.DB_0.prepare("UPDATE api_tokens SET machine_ids = NULL WHERE id = ?").bind(made.id).run();
    expectProblem(await call("GET", `/v1/machines/${machineIds[0]}`, { token }), 401);
    const program = await createApiToken(admin, { machineIds: [machineIds[0]] });
    expectProblem(await call("GET", `/v1/machines/${machineIds[0]}`, { token: program.token }), 401);
  });
});

describe("a code of a terminal", () => {
  it("pairs no wall, and that of a wall no terminal", async () => {
    const { admin, confirm } = await newOffice();
    const [wall, terminal] = [await newDisplay("wall"), await newDisplay()];
    expectProblem(await confirm({ code: wall.code }), 400, "/code");
    const asWall = { token: admin.token, body: { code: terminal.code, name: "Hall 1" } };
    expectProblem(await call("POST", "/v1/wall-pairings/confirm", asWall), 400, "/code");
    const [ofWall, ofTerminal] = [await wall.ask(), await terminal.ask()];
    expect([ofWall.body.status, ofTerminal.body.status]).toEqual(["pending", "pending"]);
    const asked = { headers: { "x-pairing-secret": terminal.secret } };
    expectProblem(await call("GET", `/v1/wall-pairings/${terminal.id}`, asked), 404);
    expect((await confirm({ code: terminal.code })).status).toBe(200);
  });

  it("ends after ten minutes, and is confirmed once when the answer is lost and the request repeated", async () => {
    const { admin, confirm } = await newOffice();
    const [{ code }, late] = [await newDisplay(), await newDisplay()];
    const headers = { "idempotency-key": "same" };
    const first = await confirm({ code }, { headers });
    const again = await confirm({ code }, { headers });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await call("GET", "/v1/api-tokens", { token: admin.token })).body.data).toHaveLength(1);
    letPass(10 * MINUTE);
    expect((await late.ask()).body.status).toBe("expired");
    expectProblem(await confirm({ code: late.code }), 400, "/code");
  });

  it.each([
    ["no code", { code: undefined }, "/code"],
    ["an empty name", { name: "" }, "/name"],
    ["no machine", { machineIds: [] }, "/machineIds"],
    ["all machines", { machineIds: null }, "/machineIds"],
    ["a machine twice", { machineIds: [1, 1] }, "/machineIds/1"],
    ["too many machines", { machineIds: Array.from({ length: 21 }, (_, i) => i + 1) }, "/machineIds"],
    ["a role", { role: "admin" }, "/role"],
  ])("is not accepted with %s", async (_, body, pointer) => {
    const { confirm } = await newOffice();
    const { code, ask } = await newDisplay();
    expectProblem(await confirm({ code, ...body }), 400, pointer);
    expect((await ask()).body.status).toBe("pending");
  });
});
