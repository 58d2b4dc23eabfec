import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { networkOf } from "../../../../src/http/network.ts";
import { auditEntries } from "../../../support/audit.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { MINUTE } from "../../../support/clock.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createApiToken, createCompany, createUser } from "../../../support/factories.ts";

const path = "/v1/gateway-pairings";
const letPass = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
const randomAddress = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;
const exchange = (code: string, options: CallOptions = {}) => call("POST", `${path}/confirm`, { body: { code }, ...options });

afterEach(() => {
  vi.useRealTimers();
});

/** A company with an admin, and a code that the admin made. */
async function newPairing(name = "Bridge hall 1") {
  const { companyId } = await createCompany();
  const admin = await createUser(companyId, "admin");
  const answer = await call("POST", path, { token: admin.token, body: { name } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { id, code } = answer.body as { id: string; code: string };
  const state = async (token = admin.token) => await call("GET", `${path}/${id}`, { token });
  return { companyId, admin, id, code, answer, state };
}

describe("the code of a gateway", () => {
  it("is made by an admin, for 15 minutes, and says who waits for whom", async () => {
    const { companyId, id, code, answer, state } = await newPairing();
    const { expiresAt, createdAt } = answer.body;
    expect(answer.body).toEqual({ id, companyId, name: "Bridge hall 1", code, expiresAt, createdAt });
    expect(answer.headers.get("location")).toBe(`${path}/${id}`);
    expect(code).toMatch(/^[CDFGHJKMNPQRTVWXY34679]{4}-[CDFGHJKMNPQRTVWXY34679]{4}$/);
    expect((Date.parse(expiresAt) - Date.parse(createdAt)) / MINUTE).toBe(15);
    const waiting = { id, companyId, name: "Bridge hall 1", status: "pending", gatewayTokenId: null, expiresAt, createdAt };
    expect((await state()).body).toEqual(waiting);
  });

  it("is exchanged for a token that sends events, once, in the name of whoever made it", async () => {
    const { companyId, admin, id, code, state } = await newPairing();
    const answer = await exchange(` ${code.toLowerCase().replace("-", " ")}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { token, ...item } = answer.body as { token: string; id: number };
    expect(token).toMatch(new RegExp(`^andon_gw_${companyId.toString(36)}_[\\w-]{43}$`));
    expect(item).toMatchObject({ companyId, name: "Bridge hall 1", deletedAt: null });
    expect((await call("POST", "/v1/ingest", { token, body: { events: [] } })).status).toBe(200);
    expect((await state()).body).toMatchObject({ id, status: "confirmed", gatewayTokenId: item.id });
    const listed = await call("GET", "/v1/gateway-tokens", { token: admin.token });
    expect(listed.body.data).toEqual([item]);
    expect(await auditEntries({ companyId, action: "gateway-token.create" })).toMatchObject([
      { userId: admin.userId, objectId: String(item.id) },
    ]);

    expectProblem(await exchange(code), 400, "/code");
    expect((await call("GET", "/v1/gateway-tokens", { token: admin.token })).body.data).toHaveLength(1);
    // A token that was deleted is none.
    expect((await call("DELETE", `/v1/gateway-tokens/${item.id}`, { token: admin.token })).status).toBe(204);
    expect((await state()).body).toMatchObject({ status: "expired", gatewayTokenId: null });
  });

  it("gives one of two gateways a token that send it at the same time", async () => {
    const { admin, code } = await newPairing();
    const answers = await Promise.all([exchange(code), exchange(code), exchange(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await call("GET", "/v1/gateway-tokens", { token: admin.token })).body.data).toHaveLength(1);
  });

  it("ends after 15 minutes", async () => {
    const { code, state } = await newPairing();
    letPass(15 * MINUTE - 5000);
    const other = await newPairing();
    expect((await state()).body.status).toBe("pending");
    letPass(10_000);
    expectProblem(await exchange(code), 400, "/code");
    expect((await state()).body.status).toBe("expired");
    expect((await exchange(other.code)).status).toBe(200);
  });

  it("is the same when its request is repeated with its Idempotency-Key", async () => {
    const { companyId } = await createCompany();
    const admin = await createUser(companyId, "admin");
    const options = { token: admin.token, body: { name: "Once" }, headers: { "idempotency-key": crypto.randomUUID() } };
    const [first, second] = [await call("POST", path, options), await call("POST", path, options)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
  });

  it("is worth nothing once whoever made it may not make gateways any more", async () => {
    for (const change of ["role = 'user'", "is_active = 0"]) {
      const { companyId, admin, code } = await newPairing();
      await env.DB_0.prepare(`UPDATE users SET ${change} WHERE id = ?`).bind(admin.userId).run();
      expectProblem(await exchange(code), 400, "/code");
      const chief = await createUser(companyId, "superadmin");
      expect((await call("GET", "/v1/gateway-tokens", { token: chief.token })).body.data).toEqual([]);
    }
  });

  it("is good again if the token could not be stored", async () => {
    const { companyId, admin, code, state } = await newPairing();
    await env.DB_0.prepare("INSERT INTO quotas VALUES (?, 'gateway-tokens', 0)").bind(companyId).run();
    expectProblem(await exchange(code), 409);
    expect((await state()).body).toMatchObject({ status: "pending" });
    await env.DB_0.prepare("DELETE FROM quotas WHERE company_id = ?").bind(companyId).run();
    expect((await exchange(code)).status).toBe(200);
    expect((await call("GET", "/v1/gateway-tokens", { token: admin.token })).body.data).toHaveLength(1);
  });
});

describe("pairing gateways", () => {
  it("is for people who may make gateways, and each company sees its own", async () => {
    const { companyId, id, state } = await newPairing();
    const body = { name: "Bridge" };
    const other = await createUser((await createCompany()).companyId, "admin");
    expectProblem(await state(other.token), 404);
    expectProblem(await call("POST", path, { token: other.token, body: { ...body, companyId } }), 404);
    const user = await createUser(companyId, "user");
    expectProblem(await call("POST", path, { token: user.token, body }), 403);
    expectProblem(await state(user.token), 403);
    const program = await createApiToken(await createUser(companyId, "admin"), { role: "admin" });
    expectProblem(await call("POST", path, { token: program.token, body }), 403);
    const superuser = await createUser((await createCompany()).companyId, "superuser");
    const made = await call("POST", path, { token: superuser.token, body: { ...body, companyId } });
    expect(made.status).toBe(201);
    expect((await exchange(made.body.code as string)).body).toMatchObject({ companyId });
    expect((await call("GET", `${path}/${id}?companyId=${companyId}`, { token: superuser.token })).status).toBe(200);
    expectProblem(
      await call("POST", path, { token: superuser.token, body: { ...body, companyId: 999_999_999 } }),
      404,
      "/companyId",
    );
  });

  it("names what is wrong with a request", async () => {
    const { admin } = await newPairing();
    const make = (body: object) => call("POST", path, { token: admin.token, body });
    for (const name of ["", "  ", "a\u202eb", "x".repeat(201), 7, null]) expectProblem(await make({ name }), 400, "/name");
    expectProblem(await make({ name: "Bridge", role: "admin" }), 400, "/role");
    for (const code of ["", "CDFG-3467", "*", "%", 7, null, "x".repeat(21)]) {
      expectProblem(await call("POST", `${path}/confirm`, { body: { code } }), 400, "/code");
    }
    expectProblem(await call("POST", `${path}/confirm`, { body: { code: "CDFG-3467", name: "mine" } }), 400, "/name");
    expectProblem(await call("GET", `${path}/no-id`, { token: admin.token }), 400, "/path/id");
  });

  it("takes no code of a wall or terminal, nor do these take one of a gateway", async () => {
    const { admin, code } = await newPairing();
    for (const kind of ["wall", "terminal"]) {
      const display = await call("POST", `/v1/${kind}-pairings`);
      expectProblem(await exchange(display.body.code as string), 400, "/code");
      const machineIds = kind === "terminal" ? { machineIds: [1] } : {};
      const body = { code, name: "x", ...machineIds };
      const answer = await call("POST", `/v1/${kind}-pairings/confirm`, { token: admin.token, body });
      expect(answer.status).toBe(400);
    }
    expect((await exchange(code)).status).toBe(200);
  });

  it("must wait after twenty wrong codes from a network in a quarter of an hour", async () => {
    const headers = { "cf-connecting-ip": randomAddress() };
    const key = `gateway codes|${networkOf(headers["cf-connecting-ip"])}`;
    expectProblem(await exchange("CDFG-3467", { headers }), 400, "/code");
    const { meta } = await env.DIRECTORY.prepare("UPDATE login_attempts SET failures = 19 WHERE key = ?").bind(key).run();
    expect(meta.changes).toBe(1);
    // A right one does not count.
    expect((await exchange((await newPairing()).code, { headers })).status).toBe(200);
    expectProblem(await exchange("CDFG-3467", { headers }), 400, "/code");
    const { code } = await newPairing();
    const refused = await exchange(code, { headers });
    expectProblem(refused, 429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect((await exchange(code, { headers: { "cf-connecting-ip": randomAddress() } })).status).toBe(200);
  });
});
