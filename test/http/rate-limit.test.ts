import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { issueToken } from "../../src/core/token.ts";
import { WINDOW_SECONDS } from "../../src/http/rate-limit.ts";
import wrangler from "../../wrangler.toml?raw";
import type { Answer } from "../support/answer.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createGatewayToken, createUser } from "../support/factories.ts";
import { probe } from "./probe-app.ts";

const newUser = async () => createUser((await createCompany()).companyId, "admin");
const limiters = ["USER", "TOKEN", "GATEWAY", "ADDRESS"] as const;
type Limiter = `${(typeof limiters)[number]}_LIMITER`;

/** The configuration of a limiter's binding. */
function configured(name: string) {
  const [, limit, period] =
    new RegExp(`name = "${name}"[^[]*simple = \\{ limit = (\\d+), period = (\\d+) \\}`).exec(wrangler) ?? [];
  return { limit: Number(limit), period: Number(period) };
}

/** Every request calls the limiter: a fifth of four is less than one. */
const alwaysAsked = Object.fromEntries(limiters.map((name) => [`${name}_RATE`, "4"]));

/** A limiter that accepts each key this many times. */
const limited = (name: Limiter, times: number) => {
  const seen = new Map<string, number>();
  const limit = async ({ key }: { key: string }) => {
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return { success: (seen.get(key) ?? 0) <= times };
  };
  return { ...alwaysAsked, [name]: { limit } };
};

/** The platform's own limiter, as far as it runs locally, with the configured numbers. */
const asConfigured = (name: Limiter) => {
  const limiter = env[name] as unknown as { limit(options: object): Promise<{ success: boolean }> };
  return { [name]: { limit: ({ key }: { key: string }) => limiter.limit({ key, ...configured(name) }) } };
};
const refusing = { limit: async () => ({ success: false }) };

function stateOf({ headers }: Answer) {
  const [, name, r, t] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "") ?? [];
  return { name, r: Number(r), t: Number(t), policy: headers.get("ratelimit-policy") };
}

it.each(limiters)("%s: callers see the enforced number and window: a fifth is enforced here, the rest by the platform", (who) => {
  expect(configured(`${who}_LIMITER`)).toEqual({ limit: (Number(env[`${who}_RATE`]) * 4) / 5, period: WINDOW_SECONDS });
});

describe("a user", () => {
  it("may send as many requests as the configuration says, with all tokens together", async () => {
    const log = vi.spyOn(console, "log").mockReturnValue(undefined);
    const { token, userId, ...user } = await newUser();
    const via = probe(asConfigured("USER_LIMITER"));
    const limit = Number(env.USER_RATE);
    const { token: other } = await issueToken(env, { ...user, id: userId }, Date.now() / 1000 - 60);
    expect(other).not.toBe(token);
    const ask = (i: number) => call("GET", "/probe/me", { token: i % 2 === 0 ? token : other, via });
    // The local limiter's windows follow the clock: one may end in between.
    const windowNow = () => Math.floor(Date.now() / (WINDOW_SECONDS * 1000));
    const windows = new Set([windowNow()]);
    let served = 0;
    let over: Answer | undefined;
    while (!over && served < 3 * limit) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => ask(i)));
      served += answers.filter(({ status }) => status === 200).length;
      over = answers.find(({ status }) => status !== 200);
      windows.add(windowNow());
    }
    log.mockRestore();
    if (windows.size === 1) expect(served).toBe(limit);
    expect(served).toBeGreaterThanOrEqual(limit);
    if (!over) throw new Error("nothing was refused");
    expectProblem(over, 429);
    expect(over.headers.get("retry-after")).toBe(String(WINDOW_SECONDS));
    expect(stateOf(over)).toEqual({ name: "user", r: 0, t: WINDOW_SECONDS, policy: `"user";q=${limit};w=${WINDOW_SECONDS}` });
    expect((await call("GET", "/probe/me", { token: (await newUser()).token, via })).status).toBe(200);
  });

  it("sees how many requests are left, and for how long", async () => {
    const { token } = await newUser();
    const via = probe();
    const first = stateOf(await call("GET", "/probe/me", { token, via }));
    const limit = Number(env.USER_RATE);
    expect(first).toEqual({ name: "user", r: limit - 1, t: WINDOW_SECONDS, policy: `"user";q=${limit};w=${WINDOW_SECONDS}` });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 4000 });
    const second = stateOf(await call("GET", "/probe/nothing", { token, via }));
    const third = stateOf(await call("GET", "/probe/gateway", { token, via }));
    vi.setSystemTime(Date.now() + 7000);
    const fourth = stateOf(await call("GET", "/probe/me", { token, via }));
    vi.useRealTimers();
    expect(second.policy).toBeNull();
    expect([third.r, third.t]).toEqual([limit - 2, WINDOW_SECONDS - 4]);
    expect([fourth.r, fourth.t]).toEqual([limit - 1, WINDOW_SECONDS]);
  });

  it("is checked at the limiter only after a fifth of its requests", async () => {
    const { token } = await newUser();
    const limit = vi.fn(async () => ({ success: false }));
    const via = probe({ USER_RATE: "12", USER_LIMITER: { limit } });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await call("GET", "/probe/me", { token, via })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(limit).toHaveBeenCalledTimes(2);
  });

  it("is served while the limiter itself fails, which is logged", async () => {
    const { token } = await newUser();
    const limit = () => Promise.reject(new Error("gone"));
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    expect((await call("GET", "/probe/me", { token, via: probe({ ...alwaysAsked, USER_LIMITER: { limit } }) })).status).toBe(200);
    expect(error.mock.calls.join()).toContain('"message":"gone"');
    error.mockRestore();
  });
});

describe("a gateway", () => {
  it("is counted by its token, separately from users", async () => {
    const { companyId } = await createCompany();
    const [one, other, user] = [
      await createGatewayToken(companyId),
      await createGatewayToken(companyId),
      await createUser(companyId, "admin"),
    ];
    const via = probe({ ...limited("GATEWAY_LIMITER", 2) });
    const ask = (token: string) => call("GET", "/probe/gateway", { token, via });
    expect([(await ask(one.token)).status, (await ask(one.token)).status]).toEqual([200, 200]);
    const over = await ask(one.token);
    expectProblem(over, 429);
    expect(stateOf(over)).toMatchObject({ name: "gateway", r: 0 });
    expect([(await ask(other.token)).status, (await ask(user.token)).status]).toEqual([200, 200]);
  });
});

describe("an address without a token", () => {
  const from = (address: string, path = "/probe/read", more: object = {}) => ({
    path,
    headers: { "cf-connecting-ip": address },
    ...more,
  });
  const ask = ({ path, ...options }: ReturnType<typeof from>, via: ReturnType<typeof probe>) =>
    call("GET", path, { ...options, via });

  it("is counted by its network for public operations", async () => {
    const via = probe(limited("ADDRESS_LIMITER", 2));
    const statuses = async (...addresses: string[]) => {
      const answers: number[] = [];
      for (const address of addresses) answers.push((await ask(from(address), via)).status);
      return answers;
    };
    expect(await statuses("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")).toEqual([200, 200, 429, 200]);
    expect(await statuses("2001:db8::1", "2001:db8:0:0:9::1", "2001:DB8::2", "2001:db8:1::1")).toEqual([200, 200, 429, 200]);
  });

  it("is counted for invalid tokens, without an effect on others with the same address", async () => {
    const via = probe(limited("ADDRESS_LIMITER", 1));
    const bad = () => ask(from("192.0.2.3", "/probe/me"), via);
    expectProblem(await bad(), 401);
    expectProblem(await bad(), 429);
    expect((await ask(from("192.0.2.3"), via)).status).toBe(200);
    const headers = { "cf-connecting-ip": "192.0.2.3" };
    expect((await call("GET", "/probe/me", { token: (await newUser()).token, headers, via })).status).toBe(200);
  });

  it("is not counted with a valid token, nor without an address", async () => {
    const via = probe({ ...alwaysAsked, ADDRESS_LIMITER: refusing });
    const { token } = await newUser();
    expect((await call("GET", "/probe/me", { token, headers: { "cf-connecting-ip": "192.0.2.4" }, via })).status).toBe(200);
    expect((await call("GET", "/probe/read", { via })).status).toBe(200);
  });
});
