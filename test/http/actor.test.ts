import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { issueToken } from "../../src/http/token.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createGatewayToken, createUser } from "../support/factories.ts";
import { guardSuite } from "../support/guards.ts";
import { probe } from "./probe-app.ts";

const via = probe();
const me = (token: string) => call("GET", "/probe/me", { token, via });
const newUser = async () => createUser((await createCompany()).companyId, "user");
const nowSeconds = () => Math.floor(Date.now() / 1000);
const letPass = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

afterEach(() => {
  vi.useRealTimers();
});

guardSuite({ method: "GET", path: "/probe/me", roles: ["admin", "user"], via });
guardSuite({ method: "GET", path: "/probe/gateway", roles: ["superuser", "superadmin", "admin"], gateway: true, via });

describe("a user", () => {
  it("is who the token says, read once in thirty seconds", async () => {
    const { token, userId, companyId } = await newUser();
    const first = await me(token);
    expect(first.body).toEqual({ kind: "user", userId, companyId, role: "user" });
    expect(first.headers.get("server-timing")).toContain('desc="1 trip"');
    const trips = async () => (await me(token)).headers.get("server-timing")?.includes("d1");
    expect(await trips()).toBe(false);
    letPass(31_000);
    expect(await trips()).toBe(true);
    expect(await trips()).toBe(false);
  });

  it.each([
    ["disabled", "update users set is_active = 0 where id = ?"],
    ["of another role", "update users set role = 'admin' where id = ?"],
    ["with a new password", "update users set token_version = token_version + 1 where id = ?"],
    ["deleted", "delete from users where id = ?"],
  ])("%s is out within thirty seconds", async (_what, change) => {
    const { token, userId } = await newUser();
    expect((await me(token)).status).toBe(200);
    await env.DB.prepare(change).bind(userId).run();
    letPass(31_000);
    expectProblem(await me(token), 401);
    expectProblem(await me(token), 401);
  });

  it("whose role changed gets in at once with a new token, and the old one ends with that", async () => {
    const { token, userId, companyId, tokenVersion } = await newUser();
    expect((await me(token)).status).toBe(200);
    await env.DB.prepare("update users set role = 'admin', token_version = token_version + 1 where id = ?").bind(userId).run();
    const changed = { id: userId, companyId, role: "admin" as const, tokenVersion: tokenVersion + 1 };
    const { token: next } = await issueToken(env, changed, nowSeconds());
    expect((await me(next)).body).toMatchObject({ userId, role: "admin" });
    expectProblem(await me(token), 401);
  });
});

describe("a token", () => {
  it("ends when its time is over", async () => {
    const { token } = await newUser();
    letPass(Number(env.TOKEN_TTL_SECONDS) * 1000 - 5000);
    expect((await me(token)).status).toBe(200);
    letPass(10_000);
    expectProblem(await me(token), 401);
  });

  it("outlives a change of the secret while the previous one is kept", async () => {
    const { token, userId, companyId, role, tokenVersion } = await newUser();
    const rotated = { JWT_SECRET: "a newer secret", JWT_SECRET_PREVIOUS: env.JWT_SECRET };
    const ask = (bearer: string, changes: Partial<Env>) => call("GET", "/probe/me", { token: bearer, via: probe(changes) });
    expect((await ask(token, rotated)).status).toBe(200);
    expectProblem(await ask(token, { ...rotated, JWT_SECRET_PREVIOUS: "" }), 401);
    const user = { id: userId, companyId, role, tokenVersion };
    const { token: newer } = await issueToken({ ...env, ...rotated }, user, nowSeconds());
    expect((await ask(newer, rotated)).status).toBe(200);
    expectProblem(await me(newer), 401);
  });
});

describe("a gateway", () => {
  it("is who its token says, until the token is revoked", async () => {
    const { companyId } = await createCompany();
    const { token, gatewayTokenId } = await createGatewayToken(companyId);
    const ask = () => call("GET", "/probe/gateway", { token, via });
    expect((await ask()).body).toEqual({ kind: "gateway", companyId, gatewayTokenId });
    expect((await ask()).headers.get("server-timing")).not.toContain("d1");
    await env.DB.prepare("update gateway_tokens set revoked_at = ? where id = ?").bind(Date.now(), gatewayTokenId).run();
    letPass(31_000);
    expectProblem(await ask(), 401);
  });
});
