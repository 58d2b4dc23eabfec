import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { hashPassword } from "../../../../src/core/password.ts";
import { networkOf } from "../../../../src/http/network.ts";
import type { Answer } from "../../../support/answer.ts";
import { auditEntries } from "../../../support/audit.ts";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";

const password = "correct horse battery";
const login = (email: string, attempt: string, address = randomAddress()) =>
  call("POST", "/identity/login", { body: { email, password: attempt }, headers: { "cf-connecting-ip": address } });
const randomAddress = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;
const statusesOf = async (count: number, attempt: () => ReturnType<typeof login>) => {
  const answers = await Promise.all(Array.from({ length: count }, attempt));
  return answers.map(({ status }) => status).sort();
};
const newUser = async (options: { isActive?: boolean } = {}) =>
  createUser((await createCompany()).companyId, "user", { password, ...options });

const seedFailures = (key: string, failures: number, since = Date.now()) =>
  env.DIRECTORY.prepare("insert or replace into login_attempts (key, failures, window_start) values (?, ?, ?)")
    .bind(key, failures, since)
    .run();
const countersOf = async (email: string) => {
  const rows = env.DIRECTORY.prepare("select key, failures from login_attempts where key like ? and failures > 0 order by key");
  return (await rows.bind(`%${email}%`).all<{ key: string; failures: number }>()).results.map(({ failures }) => failures);
};

describe("login", () => {
  it("gives a token that works, in the contract's shape and two trips to each database", async () => {
    const { email, companyId, userId } = await newUser();
    const before = Math.floor(Date.now() / 1000);
    const { status, body, headers } = await login(` ${email.toUpperCase()}`, password);
    expect(status).toBe(200);
    const jwt = { token: expect.any(String), exp: expect.any(Number) };
    expect(body).toEqual({ error: false, data: { email, companyId, id: userId, role: "user", jwt } });
    expect(body.data.jwt.exp - before - Number(env.TOKEN_TTL_SECONDS)).toBeLessThan(3);
    expect(JSON.parse(atob(body.data.jwt.token.split(".")[1]))).toMatchObject({
      exp: body.data.jwt.exp,
      sub: String(userId),
      role: "user",
    });
    expect(headers.get("server-timing")).toContain('desc="4 trips"');
    expect(headers.get("cache-control")).toBe("private, no-store");
  });

  it("answers a wrong password, an unknown e-mail, an inactive and a deleted user alike, after the same work", async () => {
    const [known, inactive, deleted] = [await newUser(), await newUser({ isActive: false }), await newUser()];
    await env.DB_0.batch([
      env.DB_0.prepare("update users set password_hash = ? where id in (?, ?, ?)").bind(
        await hashPassword(password),
        ...[known, inactive, deleted].map(({ userId }) => userId),
      ),
      env.DB_0.prepare("update users set deleted_at = 1 where id = ?").bind(deleted.userId),
    ]);
    const doomed = [
      () => login(known.email, "wrong"),
      () => login(inactive.email, password),
      () => login(deleted.email, password),
      () => login("nobody@example.test", password),
    ];
    const durations = doomed.map(() => Number.POSITIVE_INFINITY);
    // The hash takes nearly all of the time: a login that skips it is ten times as fast. Other tests may delay any one of them.
    const ratio = () => Math.min(...durations) / Math.max(...durations);
    const answers: Answer[] = [];
    for (let tries = 0; tries < 2 || (tries < 6 && ratio() <= 0.2); tries++) {
      for (const [i, attempt] of doomed.entries()) {
        const startedAt = performance.now();
        answers.push(await attempt());
        durations[i] = Math.min(durations[i] ?? 0, performance.now() - startedAt);
      }
    }
    for (const answer of answers) {
      expectProblem(answer, 401);
      expect({ ...answer.body, requestId: "" }).toEqual({ ...answers[0]?.body, requestId: "" });
      expect(answer.body.error).toBe(true);
      expect(answer.headers.get("server-timing")).toContain('desc="3 trips"');
    }
    expect(ratio(), durations.join(" ms, ")).toBeGreaterThan(0.2);
  });

  it("is refused after the company was deleted", async () => {
    const [{ email, companyId }, superuser] = [await newUser(), await createUser((await createCompany()).companyId, "superuser")];
    expect((await call("DELETE", `/v1/companies/${companyId}`, { token: superuser.token })).status).toBe(204);
    expectProblem(await login(email, password), 401);
  });

  it("answers an e-mail of spaces like an unknown one, and refuses an empty one", async () => {
    expectProblem(await login("  ", password), 401);
    expectProblem(await login("", password), 400, "/email");
  });

  it("names each fault of the body", async () => {
    const post = (body: unknown, headers?: Record<string, string>) =>
      call("POST", "/identity/login", { body, ...(headers && { headers }) });
    expectProblem(await post({ email: 3, password: "" }), 400, "/email", "/password");
    expectProblem(await post({}), 400, "/email", "/password");
    expectProblem(await post("[]"), 400, "");
    expectProblem(await post({ email: "a@b", password: "p".repeat(1025) }), 400, "/password");
    expectProblem(await post({ email: "a\0@b", password: "\ud800" }), 400, "/email", "/password");
  });
});

describe("login throttle", () => {
  it("checks exactly ten of fifty wrong passwords from an address at the same time, and then refuses the right one", async () => {
    const { email, userId } = await newUser();
    const address = randomAddress();
    expect(await statusesOf(50, () => login(email, "wrong", address))).toEqual([...Array(10).fill(401), ...Array(40).fill(429)]);
    expect(await auditEntries({ action: "login.failure", objectId: userId })).toHaveLength(10);
    const refused = await login(email, password, address);
    expectProblem(refused, 429);
    const retryAfterSeconds = Number(refused.headers.get("retry-after"));
    expect(retryAfterSeconds).toBeGreaterThan(880);
    expect(retryAfterSeconds).toBeLessThanOrEqual(900);
    expect(await countersOf(email), "what is not tried does not count").toEqual([10, 10]);
  });

  it("checks a hundred failures of an account from many addresses, and refuses the next", async () => {
    const { email } = await newUser();
    const home = randomAddress();
    await login(email, password, home);
    await seedFailures(`account|${email}`, 97);
    expect(await statusesOf(6, () => login(email, "wrong"))).toEqual([401, 401, 401, 429, 429, 429]);
    expectProblem(await login(email, password), 429);
    expect((await login(email, password, home)).status, "at home").toBe(200);
  });

  it("lets a user in for the first time while others guess from elsewhere", async () => {
    const { email } = await newUser();
    const elsewhere = randomAddress();
    for (let i = 0; i < 11; i++) await login(email, "wrong", elsewhere);
    expectProblem(await login(email, password, elsewhere), 429);
    expect((await login(email, password)).status).toBe(200);
  });

  it("lets the account in again from a network where it failed, after fifteen minutes", async () => {
    const { email } = await newUser();
    const address = randomAddress();
    await seedFailures(`pair|${email}|${networkOf(address)}`, 10, Date.now() - 14 * 60_000);
    const held = await login(email, password, address);
    expectProblem(held, 429);
    const seconds = Number(held.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(40);
    expect(seconds).toBeLessThanOrEqual(60);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
    const after = await login(email, password, address);
    vi.useRealTimers();
    expect(after.status).toBe(200);
  });

  it("does not count what succeeds, one after the other or at once", async () => {
    const { email } = await newUser();
    const address = randomAddress();
    for (let i = 0; i < 12; i++) expect((await login(email, password, address)).status).toBe(200);
    const statuses = await statusesOf(14, () => login(email, password, address));
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200));
    expect(await countersOf(email)).toEqual([]);
    expect((await login(email, password, address)).status).toBe(200);
  });

  it("counts failures in a known address, and forgets that it is known after thirty days", async () => {
    const { email } = await newUser();
    const home = randomAddress();
    await login(email, password, home);
    expect(await statusesOf(11, () => login(email, "wrong", home))).toEqual([...Array(10).fill(401), 429]);
    expect((await login(email, password)).status, "elsewhere").toBe(200);

    await seedFailures(`account|${email}`, 100);
    await env.DIRECTORY.prepare("delete from login_attempts where key like ?").bind(`pair|${email}|%`).run();
    expect((await login(email, password, home)).status).toBe(200);
    await seedFailures(`known|${email}|${networkOf(home)}`, 0, Date.now() - 31 * 86_400_000);
    expectProblem(await login(email, password, home), 429);
  });

  it("refuses an address after failures for a hundred accounts, and only that address", async () => {
    const address = randomAddress();
    const { email } = await newUser();
    await seedFailures(`address|${networkOf(address)}`, 99);
    expectProblem(await login("a@example.test", "wrong", address), 401);
    expectProblem(await login(email, password, address), 429);
    expect(await countersOf(email)).toEqual([]);
    expect((await login(email, password)).status).toBe(200);
  });

  it("refuses without comparing passwords", async () => {
    const [tried, refused] = [randomAddress(), randomAddress()];
    await seedFailures(`address|${networkOf(refused)}`, 100);
    const fastest = { tried: Number.POSITIVE_INFINITY, refused: Number.POSITIVE_INFINITY };
    const take = async (which: keyof typeof fastest, address: string, status: number) => {
      const startedAt = performance.now();
      expect((await login("nobody@example.test", "wrong", address)).status).toBe(status);
      fastest[which] = Math.min(fastest[which], performance.now() - startedAt);
    };
    // In turns, so that other load on the computer affects both.
    for (let i = 0; i < 5; i++) {
      await take("refused", refused, 429);
      await take("tried", tried, 401);
    }
    expect(fastest.refused / fastest.tried).toBeLessThan(0.25);
  });

  it("counts addresses of an IPv6 network together", async () => {
    const { email } = await newUser();
    const network = randomAddress();
    for (let i = 1; i <= 10; i++) await login(email, "wrong", `${network.slice(0, -1)}${i}`);
    expectProblem(await login(email, password, `${network.slice(0, -1)}ffff`), 429);
  });
});
