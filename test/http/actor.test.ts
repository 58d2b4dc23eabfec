import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { issueToken } from "../../src/core/token.ts";
import { badTokens } from "../support/bad-tokens.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createGatewayToken, createUser } from "../support/factories.ts";
import { probe } from "./probe-app.ts";

const via = probe();
const me = (token: string) => call("GET", "/probe/me", { token, via });
const newUser = async () => createUser((await createCompany()).companyId, "user");
const deleteCompany = async (companyId: number) => {
  const { token } = await createUser((await createCompany()).companyId, "superuser");
  expect((await call("DELETE", `/v1/companies/${companyId}`, { token })).status).toBe(204);
};
const nowSeconds = () => Math.floor(Date.now() / 1000);
const letPass = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

afterEach(() => {
  vi.useRealTimers();
});

describe("a user", () => {
  it("is the one in the token, and is read once in thirty seconds", async () => {
    const { token, userId, companyId } = await newUser();
    const first = await me(token);
    expect(first.body).toEqual({ kind: "user", userId, userName: expect.stringMatching(/^User /), companyId, role: "user" });
    expect(first.headers.get("server-timing")).toContain('desc="1 trip"');
    const trips = async () => (await me(token)).headers.get("server-timing")?.includes("d1");
    expect(await trips()).toBe(false);
    letPass(30_000);
    expect(await trips()).toBe(true);
    expect(await trips()).toBe(false);
  });

  it.each([
    ["disabled", "update users set is_active = 0 where id = ?"],
    ["of another role", "update users set role = 'admin' where id = ?"],
    ["with a new password", "update users set token_version = token_version + 1 where id = ?"],
    ["deleted", "delete from users where id = ?"],
    ["moved to another company", "update users set company_id = (select min(id) from companies) where id = ?"],
  ])("%s loses access within thirty seconds", async (_what, change) => {
    const { token, userId } = await newUser();
    expect((await me(token)).status).toBe(200);
    await env.DB_0.prepare(change).bind(userId).run();
    letPass(30_000);
    expectProblem(await me(token), 401);
    expectProblem(await me(token), 401);
  });

  it("loses access when the token expires, even if the token is cached", async () => {
    const { userId, companyId, tokenVersion } = await newUser();
    const user = { id: userId, companyId, role: "user" as const, tokenVersion };
    const { token } = await issueToken(env, user, nowSeconds() - Number(env.TOKEN_TTL_SECONDS) + 10);
    expect((await me(token)).status).toBe(200);
    letPass(10_000);
    expectProblem(await me(token), 401);
  });

  it("loses access within thirty seconds after the company is deleted", async () => {
    const { token, companyId } = await newUser();
    expect((await me(token)).status).toBe(200);
    await deleteCompany(companyId);
    letPass(30_000);
    expectProblem(await me(token), 401);
  });

  it("with a new role has access at once with a new token, which ends the old one", async () => {
    const { token, userId, companyId, tokenVersion } = await newUser();
    expect((await me(token)).status).toBe(200);
    await env.DB_0.prepare("update users set role = 'admin', token_version = token_version + 1 where id = ?").bind(userId).run();
    const changed = { id: userId, companyId, role: "admin" as const, tokenVersion: tokenVersion + 1 };
    const { token: next } = await issueToken(env, changed, nowSeconds());
    expect((await me(next)).body).toMatchObject({ userId, role: "admin" });
    expectProblem(await me(token), 401);
  });
});

describe("a token", () => {
  it("ends at its expiry", async () => {
    const { token } = await newUser();
    letPass(Number(env.TOKEN_TTL_SECONDS) * 1000 - 5000);
    expect((await me(token)).status).toBe(200);
    letPass(10_000);
    expectProblem(await me(token), 401);
  });

  const newer = "a newer secret of the test suite alone";
  const ask = (token: string, changes: Partial<Env>) => call("GET", "/probe/me", { token, via: probe(changes) });

  it("is valid after a change of the secret while the previous one is kept; new ones are signed with the new secret", async () => {
    const { token, userId, companyId, role, tokenVersion } = await newUser();
    const rotated = { JWT_SECRET: newer, JWT_SECRET_PREVIOUS: env.JWT_SECRET };
    expect((await ask(token, rotated)).status).toBe(200);
    const user = { id: userId, companyId, role, tokenVersion };
    const { token: next } = await issueToken({ ...env, ...rotated }, user, nowSeconds());
    expect((await ask(next, rotated)).status).toBe(200);
    expectProblem(await me(next), 401);
    const done = { JWT_SECRET: newer, JWT_SECRET_PREVIOUS: "" };
    expect((await ask(next, done)).status).toBe(200);
    expectProblem(await ask(token, done), 401);
  });

  it("is not valid at another installation with the same secrets", async () => {
    const { token, userId, companyId, role, tokenVersion } = await newUser();
    const user = { id: userId, companyId, role, tokenVersion };
    const [here, there] = [{ INSTALLATION_ID: "a".repeat(32) }, { INSTALLATION_ID: "b".repeat(32) }];
    const { token: own } = await issueToken({ ...env, ...here }, user, nowSeconds());
    expect((await ask(own, here)).status).toBe(200);
    expectProblem(await ask(own, there), 401);
    expectProblem(await ask(token, here), 401);
    expectProblem(await me(own), 401);
  });

  it.each<[string, Partial<Env>]>([
    ["no secret", { JWT_SECRET: "" }],
    ["a secret of 31 bytes", { JWT_SECRET: "x".repeat(31) }],
    ["a previous secret of 31 bytes", { JWT_SECRET_PREVIOUS: "x".repeat(31) }],
    ["the same secret twice", { JWT_SECRET_PREVIOUS: env.JWT_SECRET }],
  ])("is neither accepted nor issued with %s, and the log says why", async (_what, changes) => {
    const { token, userId: id, companyId, role, tokenVersion } = await newUser();
    const log = vi.spyOn(console, "error").mockReturnValue(undefined);
    expectProblem(await ask(token, changes), 503);
    expect(log.mock.calls.join()).toMatch(/JWT_SECRET/);
    expect(log.mock.calls.join()).not.toMatch(/xxxx|a secret of the test/);
    log.mockRestore();
    const user = { id, companyId, role, tokenVersion };
    await expect(issueToken({ ...env, ...changes }, user, nowSeconds())).rejects.toThrow(/JWT_SECRET/);
  });

  it("is accepted only from a single Authorization header", async () => {
    const { token } = await newUser();
    const sent = (path: string, headers: Record<string, string>) => call("GET", path, { headers, via });
    expect((await sent("/probe/me", { authorization: `bearer  ${token}` })).status).toBe(200);
    const elsewhere = [
      await sent(`/probe/me?access_token=${token}&token=${token}`, {}),
      await sent("/probe/me", { cookie: `token=${token}; access_token=${token}; authorization=Bearer ${token}` }),
      await sent("/probe/me", { "x-authorization": `Bearer ${token}` }),
      await sent("/probe/me", { authorization: token }),
      await sent("/probe/me", { authorization: `Bearer ${token}, Bearer ${token}` }),
    ];
    for (const answer of elsewhere) expectProblem(answer, 401);
  });

  it("is in no answer, and in no line of the log", async () => {
    const { userId, companyId, role, tokenVersion, token } = await newUser();
    const written = [vi.spyOn(console, "log"), vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
    const bad = [...Object.values(await badTokens({ userId, companyId, role, tokenVersion })), "andon_gw_nonsense"];
    const answers = await Promise.all(bad.map(me));
    await me(token);
    const answered =
      answers.map(({ body, headers }) => JSON.stringify([body, [...headers]])).join() +
      written.flatMap(({ mock }) => mock.calls).join();
    for (const one of [...bad, token]) for (const part of one.split(".")) if (part !== "") expect(answered).not.toContain(part);
    vi.restoreAllMocks();
  });
});

describe("a gateway", () => {
  it("is the one in its token, until the token is revoked", async () => {
    const { companyId } = await createCompany();
    const { token, gatewayTokenId } = await createGatewayToken(companyId);
    const ask = () => call("GET", "/probe/gateway", { token, via });
    expect((await ask()).body).toEqual({ kind: "gateway", companyId, gatewayTokenId });
    expect((await ask()).headers.get("server-timing")).not.toContain("d1");
    await env.DB_0.prepare("update gateway_tokens set revoked_at = ? where id = ?").bind(Date.now(), gatewayTokenId).run();
    letPass(30_000);
    expectProblem(await ask(), 401);
  });

  it("loses access within thirty seconds after the company is deleted", async () => {
    const { companyId } = await createCompany();
    const { token } = await createGatewayToken(companyId);
    expect((await call("GET", "/probe/gateway", { token, via })).status).toBe(200);
    await deleteCompany(companyId);
    letPass(30_000);
    expectProblem(await call("GET", "/probe/gateway", { token, via }), 401);
  });
});
