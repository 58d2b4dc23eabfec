import { env } from "cloudflare:workers";
import { DrizzleQueryError } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RequestSummary } from "../../src/http/request-summary.ts";
import { call } from "../support/call.ts";
import { createApiToken, createCompany, createGatewayToken, createUser } from "../support/factories.ts";
import { countAt, createLine } from "../support/machines.ts";
import { changed, serviceWith } from "../support/service.ts";
import { probe } from "./probe-app.ts";

// The log lines of a request: what an operator needs, and no personal or secret data.

const methods = ["log", "error", "warn", "info", "debug"] as const;
let lines: string[];
beforeEach(() => {
  lines = [];
  for (const method of methods)
    vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.map(String).join(" ")));
});
afterEach(() => vi.restoreAllMocks());
const logged = () => lines.map((line) => JSON.parse(line));

describe("the log line of a request", () => {
  it("says who made which request, and its cost", async () => {
    const { machine, token, companyId } = await createLine();
    const { headers } = await call("POST", "/v1/ingest", { token, body: { events: [countAt(machine.nodeId, Date.now())] } });
    expect(logged()).toEqual([
      {
        requestId: headers.get("x-request-id"),
        method: "POST",
        route: "/v1/ingest",
        status: 200,
        role: "gateway",
        companyId,
        actorId: expect.any(Number),
        // The gateway's token, and the machine's channels.
        dbTrips: 2,
        rowsRead: expect.any(Number),
        rowsWritten: 0,
        objectCalls: 1,
        durationMs: expect.any(Number),
      },
    ]);
    expect(logged()[0].rowsRead).toBeGreaterThan(0);
  });

  it("has the caller's request id in addition to its own, if that is short visible ASCII", async () => {
    const ids = ["order-42_b", "a;b", undefined, "a b", "ü", "x".repeat(65), ""];
    for (const id of ids) await call("GET", "/health", id === undefined ? {} : { headers: { "x-request-id": id } });
    expect(logged().map(({ callerRequestId }) => callerRequestId)).toEqual(["order-42_b", "a;b", ...Array(5)]);
    for (const { requestId } of logged()) expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("is written once for each request, whatever its result", async () => {
    const { userId, companyId, token } = await createUser((await createCompany()).companyId, "readonly");
    for (const [method, path] of [
      ["GET", "/v1/tags"],
      ["POST", "/v1/machines"],
      ["GET", "/nothing"],
      ["PUT", "/health"],
      ["OPTIONS", "/health"],
    ] as const) {
      await call(method, path, { token });
    }
    expect(logged().map(({ method, route, status }) => [method, route, status])).toEqual([
      ["GET", "/v1/tags", 200],
      ["POST", "/v1/machines", 403],
      ["GET", "/*", 404],
      ["PUT", "/*", 405],
      ["OPTIONS", "/*", 204],
    ]);
    expect(logged()[1]).toMatchObject({ role: "readonly", actorId: userId, companyId });
  });

  it("counts the rows of every kind of query", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "superuser");
    await call("GET", "/v1/tags", { token });
    const read = (await env.DB_0.prepare("select * from companies where id = ?").bind(companyId).run()).meta.rows_read;
    await call("GET", `/v1/companies/${companyId}`, { token });
    await call("PATCH", `/v1/companies/${companyId}`, { token, body: { name: "Renamed" } });
    const [, got, renamed] = logged();
    expect(got).toMatchObject({ dbTrips: 1, rowsWritten: 0 });
    expect(got.rowsRead).toBeGreaterThanOrEqual(read);
    expect(renamed.rowsWritten).toBeGreaterThan(0);
    expect(renamed.rowsRead).toBeGreaterThan(read);
  });
});

describe("a deployed service", () => {
  const via = serviceWith({ REQUEST_LOG: "summary" });
  const MINUTE = 60_000;
  let now = Date.UTC(2026, 5, 1, 12);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    now += 10 * MINUTE;
    vi.setSystemTime(now);
  });
  afterEach(() => vi.useRealTimers());

  // Without the summary of the test before.
  const ownLines = () => logged().filter(({ minute }) => minute === undefined || Date.parse(minute) >= now);
  const routes = () => ownLines().map(({ event, method, route, status }) => event ?? `${method} ${route} ${status}`);

  it("writes a line for refusals and people's writes, and none for other requests", async () => {
    const { companyId, machine, token: gateway } = await createLine();
    const { token, userId } = await createUser(companyId, "admin");
    const { token: program } = await createApiToken({ userId, companyId, role: "admin" });
    const ask = (method: string, path: string, own: string, body?: object) => call(method, path, { token: own, via, body });
    await ask("GET", "/v1/tags", token);
    await ask("GET", "/v1/machines/0/state", token);
    await ask("POST", "/v1/ingest", gateway, { events: [countAt(machine.nodeId, Date.now())] });
    await ask("POST", "/v1/lines", token, { name: "Hall 1", order: 1 });
    await ask("POST", "/v1/lines", program, { name: "Hall 2", order: 1 });
    await ask("POST", "/v1/lines", program, {});
    await ask("GET", "/v1/tags", "wrong");
    expect(routes()).toEqual(["GET /v1/machines/:id/state 404", "POST /v1/lines 201", "POST /v1/lines 400", "GET /v1/tags 401"]);
  });

  it("writes a line for a request that takes longer than a second", async () => {
    const { token } = await createUser((await createCompany()).companyId, "readonly");
    const takes = (ms: number) => {
      const prepare = (text: string, session: D1DatabaseSession) => {
        vi.setSystemTime(Date.now() + ms);
        return session.prepare(text);
      };
      const withSession = (start: string) => {
        const session = env.DB_0.withSession(start);
        return { ...session, prepare: (text: string) => prepare(text, session), getBookmark: () => session.getBookmark() };
      };
      return serviceWith({ REQUEST_LOG: "summary", DB_0: changed(env.DB_0, { withSession }) });
    };
    await call("GET", "/v1/tags", { token, via: takes(1) });
    expect(routes()).toEqual([]);
    await call("GET", "/v1/tags", { token, via: takes(1001) });
    expect(routes()).toEqual(["GET /v1/tags 200"]);
  });

  it("writes a summary of a minute's requests with the first request of another one", async () => {
    const { token } = await createUser((await createCompany()).companyId, "readonly");
    for (let i = 0; i < 3; i++) await call("GET", "/v1/tags", { token, via });
    await call("GET", "/v1/skus", { token, via });
    expect(routes()).toEqual([]);
    vi.setSystemTime(now + MINUTE);
    await call("GET", "/v1/tags", { token, via });
    const [summary, ...others] = ownLines();
    expect(others).toEqual([]);
    const numbers = { rowsRead: expect.any(Number), rowsWritten: 0, objectCalls: 0, p50: 0, p99: 0 };
    expect(summary).toEqual({
      event: "requests",
      minute: new Date(now).toISOString(),
      routes: [
        { method: "GET", route: "/v1/tags", requests: 3, dbTrips: expect.any(Number), ...numbers },
        { method: "GET", route: "/v1/skus", requests: 1, dbTrips: 1, ...numbers },
      ],
    });
  });

  it("has the durations that half and nearly all of the requests did not exceed", () => {
    const requests = new RequestSummary();
    const cost = { dbTrips: 1, rowsRead: 2, rowsWritten: 3, objectCalls: 4 };
    for (let ms = 100; ms > 0; ms--) requests.add({ method: "GET", route: "/x" }, cost, ms, now);
    expect(requests.endBefore(now + MINUTE - 1)).toEqual([]);
    expect(requests.endBefore(now + MINUTE)).toMatchObject([
      { routes: [{ requests: 100, dbTrips: 100, rowsRead: 200, rowsWritten: 300, objectCalls: 400, p50: 50, p99: 99 }] },
    ]);
    expect(requests.endBefore(now + 2 * MINUTE)).toEqual([]);
  });
});

describe("no secret", () => {
  const secret = "hunter2hunter2hunter2";
  const spiked = { who: `${secret}@example.test`, text: `"${secret}" ${secret}`, token: secret };

  /** Sends secrets in every possible place, and with good and bad tokens. */
  async function sendEverywhere(via?: ReturnType<typeof probe>) {
    const { companyId } = await createCompany();
    const [user, gateway] = [await createUser(companyId, "superuser", { password: secret }), await createGatewayToken(companyId)];
    const { machine } = await createLine();
    const headers = {
      "x-secret": secret,
      cookie: `session=${secret}`,
      "idempotency-key": secret,
      "if-match": `"${secret}"`,
      "x-d1-bookmark": secret,
      "user-agent": secret,
      referer: `http://${secret}.test`,
      "cf-connecting-ip": "192.0.2.66",
    };
    const some = (names: (keyof typeof headers)[]) => Object.fromEntries(names.map((name) => [name, headers[name]]));
    const harmless = some(["x-secret", "cookie", "idempotency-key", "if-match", "user-agent", "referer", "cf-connecting-ip"]);
    const tokens = [
      user.token,
      gateway.token,
      secret,
      `andon_gw_${secret}`,
      `eyJhbGciOiJIUzI1NiJ9.${secret}.${secret}`,
      `${user.token}x`,
    ];
    const door = via && { via };
    for (const token of tokens) {
      for (const sent of [headers, harmless]) {
        await call("GET", `/v1/machines/${secret}/state?${secret}=${secret}`, { token, headers: sent, ...door });
        await call("GET", `/${secret}/${secret}?key=${secret}`, { token, headers: sent, ...door });
        await call("POST", "/v1/users", {
          token,
          headers: sent,
          body: { ...spiked, email: spiked.who, password: secret, name: secret },
          ...door,
        });
        await call("POST", "/v1/skus", { token, headers: sent, body: { id: secret, name: secret, standards: [] }, ...door });
        await call("POST", "/v1/ingest", {
          token,
          headers: sent,
          body: { events: [spiked, countAt(machine.nodeId, Date.now(), 1, { id: secret })] },
          ...door,
        });
        await call("PUT", "/v1/config", { token, headers: sent, body: { config: spiked }, ...door });
      }
    }
    for (const body of [
      { email: user.email, password: secret },
      { email: spiked.who, password: secret },
      `{"password": "${secret}`,
    ]) {
      await call("POST", "/identity/login", { body, headers: harmless, ...door });
    }
    return [secret, user.email, user.token.split(".")[2] ?? "", gateway.token.slice(9), "192.0.2.66"];
  }

  function expectNoneOf(secrets: string[]) {
    expect(lines.length).toBeGreaterThan(70);
    for (const one of secrets) expect(lines.filter((line) => line.includes(one))).toEqual([]);
  }

  it("is in the log of a request that is served or refused", async () => {
    expectNoneOf(await sendEverywhere());
  });

  it("is in the log of a database error that has the parameters", async () => {
    const fails = (sql: string, params: unknown[]) => async () => {
      const text = `D1_ERROR: near "${params.join()}": ${sql}\nparams: ${params.join()}`;
      throw new DrizzleQueryError(sql, params, new Error(text, { cause: new Error(params.join()) }));
    };
    const prepare = (sql: string) => {
      const bound = (params: unknown[]): object => {
        const fail = fails(sql, params);
        return { bind: (...values: unknown[]) => bound(values), all: fail, run: fail, raw: fail, first: fail };
      };
      return bound([]);
    };
    const withSession = () => ({ prepare, batch: fails("batch", Object.values(spiked)), getBookmark: () => null });
    expectNoneOf(await sendEverywhere(serviceWith({ DB_0: changed(env.DB_0, { withSession }) })));
    expect(lines.some((line) => line.includes("D1_ERROR"))).toBe(true);
  });

  it("is in the log of an error that has it in its message", async () => {
    await call("GET", "/probe/failure", { via: probe() });
    const [error] = logged().filter((line) => line.error);
    expect(error).toMatchObject({
      route: "/probe/failure",
      error: { name: "Error", message: "a secret detail", stack: expect.stringMatching(/^\s+at /) },
    });
    lines = [];
    await call(
      "GET",
      `/probe/failure?message=${encodeURIComponent(`no "${secret}" of a.b+c@example.test, andon_gw_${secret} eyJ${secret}.a.b whsec_${secret}`)}`,
      { via: probe() },
    );
    expect(logged()[0].error.message).toBe('no "…" of … … … …');
  });
});
