import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";

const password = "correct horse battery";
const login = (email: string, attempt: string, address = randomAddress()) =>
  call("POST", "/identity/login", { body: { email, password: attempt }, headers: { "cf-connecting-ip": address } });
const randomAddress = () => `2001:db8::${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}`;
const attempts = (count: number, attempt: () => ReturnType<typeof login>) => Promise.all(Array.from({ length: count }, attempt));
const newUser = async (options: { isActive?: boolean } = {}) =>
  createUser((await createCompany()).companyId, "user", { password, ...options });

describe("login", () => {
  it("gives a token that works, in the contract's shape and two database trips", async () => {
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
    expect(headers.get("server-timing")).toContain('desc="2 trips"');
    expect(headers.get("cache-control")).toBe("private, no-store");
  });

  it("answers a wrong password, an unknown e-mail and an inactive user alike", async () => {
    const answers = [
      await login((await newUser()).email, "wrong"),
      await login("nobody@example.test", password),
      await login((await newUser({ isActive: false })).email, password),
    ];
    for (const answer of answers) {
      expectProblem(answer, 401);
      expect({ ...answer.body, requestId: "" }).toEqual({ ...answers[0]?.body, requestId: "" });
      expect(answer.body.error).toBe(true);
      expect(answer.headers.get("server-timing")).toContain('desc="1 trip"');
    }
  });

  it("does the work of a real password for an unknown e-mail", async () => {
    const startedAt = performance.now();
    await login("nobody-either@example.test", password);
    expect(performance.now() - startedAt).toBeGreaterThan(30);
  });

  it("names what is wrong with the body", async () => {
    const post = (body: unknown, headers?: Record<string, string>) =>
      call("POST", "/identity/login", { body, ...(headers && { headers }) });
    expectProblem(await post({ email: 3, password: "" }), 400, "/email", "/password");
    expectProblem(await post({}), 400, "/email", "/password");
    expectProblem(await post("[]"), 400, "");
    expectProblem(await post({ email: "a@b", password: "p".repeat(1025) }), 400, "/password");
  });
});

describe("login throttle", () => {
  it("lets ten failures of an account through, exactly, even all at once, and then nobody", async () => {
    const { email } = await newUser();
    const answers = await attempts(14, () => login(email, "wrong"));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    const refused = await login(email, password);
    expectProblem(refused, 429);
    const retryAfterSeconds = Number(refused.headers.get("retry-after"));
    expect(retryAfterSeconds).toBeGreaterThan(880);
    expect(retryAfterSeconds).toBeLessThanOrEqual(900);
  });

  it("lets the account in again when its fifteen minutes are over", async () => {
    const { email } = await newUser();
    await env.DB.prepare("insert into login_attempts (key, failures, window_start) values (?, 10, ?)")
      .bind(`account|${email}`, Date.now() - 15 * 60_000 + 1500)
      .run();
    const held = await login(email, password);
    expectProblem(held, 429);
    expect(["1", "2"]).toContain(held.headers.get("retry-after"));
    await vi.waitFor(async () => expect((await login(email, password)).status).toBe(200), { timeout: 5000, interval: 500 });
  });

  it("does not count what succeeds", async () => {
    const { email } = await newUser();
    for (let i = 0; i < 12; i++) expect((await login(email, password)).status).toBe(200);
  });

  it("keeps the right user in while others guess from elsewhere", async () => {
    const { email } = await newUser();
    const home = randomAddress();
    expect((await login(email, password, home)).status).toBe(200);
    await seedFailures(`account|${email}`, 10);
    expectProblem(await login(email, password), 429);
    expect((await login(email, password, home)).status).toBe(200);
  });

  it("counts a known address by itself, and forgets it after thirty days", async () => {
    const { email } = await newUser();
    const home = randomAddress();
    await login(email, password, home);
    await attempts(10, () => login(email, "wrong", home));
    expectProblem(await login(email, password, home), 429);
    expect((await login(email, password)).status).toBe(200);

    await seedFailures(`account|${email}`, 10);
    await env.DB.prepare("update login_attempts set window_start = ? where key like ?")
      .bind(Date.now() - 31 * 86_400_000, `%|${email}|${home}`)
      .run();
    expectProblem(await login(email, password, home), 429);
  });

  it("holds an address that fails for a hundred accounts, and it alone", async () => {
    const address = randomAddress();
    const { email } = await newUser();
    await seedFailures(`address|${address}`, 99);
    expectProblem(await login("a@example.test", "wrong", address), 401);
    expectProblem(await login(email, password, address), 429);
    expect((await login(email, password)).status).toBe(200);
  });
});

const seedFailures = (key: string, failures: number) =>
  env.DB.prepare("insert or replace into login_attempts (key, failures, window_start) values (?, ?, ?)")
    .bind(key, failures, Date.now())
    .run();
