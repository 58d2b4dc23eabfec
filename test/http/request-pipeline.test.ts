import { beforeAll, describe, expect, it, vi } from "vitest";
import staticHeaders from "../../src/docs/_headers?raw";
import { router } from "../../src/router.ts";
import { badTokens } from "../support/bad-tokens.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { countAt, createLine } from "../support/machines.ts";
import { probe } from "./probe-app.ts";

const via = probe();

describe("every answer", () => {
  it("has its own request id, whatever the caller sends", async () => {
    const idOf = async (id?: string) =>
      (await call("GET", "/health", id === undefined ? {} : { headers: { "x-request-id": id } })).headers.get("x-request-id");
    const own = crypto.randomUUID();
    for (const id of [undefined, "order-42_b", own, own]) {
      expect(await idOf(id)).toMatch(/^[0-9a-f-]{36}$/);
      expect(await idOf(id)).not.toBe(id);
    }
  });

  it("is not cached unless its operation says so, and has its server timing", async () => {
    const health = await call("GET", "/health");
    expect(health.headers.get("cache-control")).toBe("private, no-store");
    const read = await call("GET", "/probe/read", { via });
    expect(read.headers.get("server-timing")).toMatch(/^d1;dur=\d+;desc="1 trip", total;dur=\d+$/);
    const { machine, token } = await createLine();
    const body = {
      events: [countAt(machine.nodeId, Date.now()), { type: "heartbeat", at: new Date().toISOString(), nodeId: 0 }],
    };
    const sent = await call("POST", "/v1/ingest", { token, body });
    expect(sent.headers.get("server-timing")).toMatch(/^d1;.*, objects;dur=\d+;desc="1 call", total;dur=\d+$/);
    expect((await call("GET", "/nothing")).headers.get("cache-control")).toBe("private, no-store");
    expect((await call("GET", "/probe/cacheable", { via })).headers.get("cache-control")).toBe("public, max-age=60");
    const user = await createUser((await createCompany()).companyId, "user");
    expect((await call("GET", "/probe/kept", { token: user.token, via })).headers.get("cache-control")).toBe("private, no-store");
  });

  it("cannot be used as a page, or in a frame", async () => {
    const nothing = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";
    const { token } = await createUser((await createCompany()).companyId, "user");
    for (const [method, path] of [
      ["GET", "/health"],
      ["GET", "/nothing"],
      ["POST", "/health"],
      ["OPTIONS", "/health"],
      ["GET", "/v1/tags"],
    ]) {
      const { headers } = await call(method ?? "", path ?? "", { token });
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("x-frame-options"), path).toBe("DENY");
      expect(headers.get("content-security-policy"), path).toBe(nothing);
      expect(headers.get("referrer-policy"), path).toBe("no-referrer");
      expect(headers.get("strict-transport-security"), path).toBe("max-age=31536000; includeSubDomains");
      expect(headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
      expect(headers.get("set-cookie"), path).toBeNull();
    }
  });
});

it("an answer has the same headers as a static file", async () => {
  const { headers } = await call("GET", "/nothing");
  const [, everywhere = ""] = /^\/\*\n((?: {2}.*\n)+)/.exec(staticHeaders) ?? [];
  const pairs = everywhere
    .trim()
    .split("\n")
    .map((line) => line.trim().split(": ") as [string, string]);
  expect(pairs.map(([name]) => name)).toEqual(
    expect.arrayContaining(["X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy"]),
  );
  for (const [name, value] of pairs) expect(headers.get(name), name).toBe(value);
});

describe("an unencrypted request", () => {
  const ask = (scheme: string, token: string) =>
    call("GET", "/v1/tags", { token, headers: { "cf-visitor": JSON.stringify({ scheme }) } });

  it("is refused, and not redirected", async () => {
    const { token } = await createUser((await createCompany()).companyId, "user");
    expectProblem(await ask("http", token), 403);
    expect((await ask("https", token)).status).toBe(200);
    expectProblem(await call("GET", "/nothing", { headers: { "cf-visitor": '{"scheme":"http"}' } }), 403);
  });
});

describe("paths and methods", () => {
  it("answers an unknown path with 404", async () => {
    expectProblem(await call("GET", "/nothing"), 404);
    expectProblem(await call("POST", "/identity/login/more", { body: {} }), 404);
    expectProblem(await call("OPTIONS", "/nothing"), 404);
  });

  it("answers an unknown method of a path with 405 and what is allowed", async () => {
    const answer = await call("GET", "/identity/login");
    expectProblem(answer, 405);
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
    expect((await call("DELETE", "/health")).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(await call("HEAD", "/identity/login")).toMatchObject({ status: 405, body: null });
  });

  it("answers HEAD as GET without a body, and OPTIONS with what is allowed", async () => {
    expect(await call("HEAD", "/health")).toMatchObject({ status: 200, body: null });
    const options = await call("OPTIONS", "/health");
    expect(options.status).toBe(204);
    expect(options.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});

describe("cross-origin calls", () => {
  const origins = probe({ CORS_ORIGINS: "https://a.example https://b.example" });
  const preflight = (origin: string) =>
    call("OPTIONS", "/probe/me", { headers: { origin, "access-control-request-method": "GET" }, via: origins });

  it("are allowed from the configured origins", async () => {
    const { status, headers } = await preflight("https://b.example");
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe("https://b.example");
    expect(headers.get("access-control-allow-headers")).toContain("authorization");
    const refusal = await call("GET", "/probe/me", { headers: { origin: "https://a.example" }, via: origins });
    expectProblem(refusal, 401);
    expect(refusal.headers.get("access-control-allow-origin")).toBe("https://a.example");
    const exposed = refusal.headers.get("access-control-expose-headers")?.split(",");
    const wanted = ["x-request-id", "x-d1-bookmark", "etag", "retry-after", "ratelimit", "ratelimit-policy", "server-timing"];
    expect(exposed).toEqual(expect.arrayContaining(wanted));
    expect(refusal.headers.get("vary")).toBe("Origin");
  });

  it("are not allowed from others, nor from anywhere by default", async () => {
    expect((await preflight("https://c.example")).headers.has("access-control-allow-origin")).toBe(false);
    const plain = await call("GET", "/health", { headers: { origin: "https://a.example" } });
    expect(plain.headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("bodies", () => {
  const post = (body: unknown, headers?: Record<string, string>, path = "/probe/shapes/1") =>
    call("POST", path, { body, ...(headers && { headers }), via });
  const raw = (init: RequestInit, path = "/probe/shapes/1") =>
    via(new Request(`http://andon.test${path}`, { method: "POST", ...init }));

  it("are JSON, with any charset and any JSON type", async () => {
    expect((await post({}, { "content-type": "application/json; charset=utf-8" })).status).toBe(200);
    expect((await post({}, { "content-type": "application/cloudevents+json" })).status).toBe(200);
    for (const type of [
      "text/plain",
      "application/xml",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ]) {
      expectProblem(await post("{}", { "content-type": type }), 415);
    }
    expect((await raw({ body: new TextEncoder().encode("{}") })).status).toBe(415);
  });

  it("that are missing or not JSON are refused", async () => {
    for (const body of ["{", "", "{'a': 1}", "\u0000"]) {
      const answer = await post(body);
      expectProblem(answer, 400, "");
      expect(answer.body.errors[0].code).toBe("malformed_json");
    }
    const empty = await call("POST", "/probe/shapes/1", { via });
    expectProblem(empty, 400, "");
    expect(empty.body.errors[0].code).toBe("required");
  });

  it("have each fault named by its pointer, like the path and the query", async () => {
    const faulty = await post({ entries: [{ "a/b": 0 }, { "a/b": 1, extra: 1, "x~y": 2 }, { name: 3 }] });
    expectProblem(faulty, 400, "/entries/0/a~1b", "/entries/1/extra", "/entries/1/x~0y", "/entries/2/a~1b", "/entries/2/name");
    expect(faulty.body.errors.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(["too_small", "unknown_member", "required", "invalid_type"]),
    );
    expectProblem(await post({}, undefined, "/probe/shapes/x"), 400, "/path/id");
    expectProblem(await post({}, undefined, "/probe/shapes/1?limit=10"), 400, "/query/limit");
    expectProblem(await post([]), 400, "");
  });

  it("are limited to 1 MiB, or to the limit of their operation, however they are sent", async () => {
    const mebibyte = 1024 * 1024;
    const filled = (bytes: number) => JSON.stringify({ filler: "x".repeat(bytes - 13) });
    const chunked = (text: string) => new Blob([text]).stream();
    expect((await post(filled(mebibyte))).status).toBe(200);
    expectProblem(await post(filled(mebibyte + 1)), 413);
    const headers = { "content-type": "application/json" };
    expect((await raw({ headers, body: chunked(filled(mebibyte)) })).status).toBe(200);
    expect((await raw({ headers, body: chunked(filled(mebibyte + 1)) })).status).toBe(413);
    expect((await post(filled(2 * mebibyte), undefined, "/probe/large")).body).toBe(2 * mebibyte);
    expectProblem(await post(filled(5 * mebibyte), undefined, "/probe/large"), 413);
  });
});

describe("bookmarks", () => {
  it("are returned by reads and writes, and accepted in later requests", async () => {
    const first = await call("GET", "/probe/read", { via });
    const bookmark = first.headers.get("x-d1-bookmark") ?? "";
    expect(bookmark).toMatch(/^0\.[0-9a-f]{8}-/);
    const second = await call("GET", "/probe/read", { headers: { "x-d1-bookmark": bookmark }, via });
    expect(second.status).toBe(200);
    expect((second.headers.get("x-d1-bookmark") ?? "") >= bookmark).toBe(true);
    expect((await call("GET", "/probe/cacheable", { via })).headers.has("x-d1-bookmark")).toBe(false);
  });

  it("that are not from this API are refused", async () => {
    const { token } = await createUser((await createCompany()).companyId, "user");
    for (const garbage of ["garbage", "first-primary", ""]) {
      const headers = { "x-d1-bookmark": garbage };
      expectProblem(await call("GET", "/v1/operators", { token, headers }), 400, "/header/x-d1-bookmark");
      // Those of unknown callers are not even read.
      expect((await call("GET", "/probe/read", { headers, via })).status).toBe(200);
    }
  });
});

describe("failures on our side", () => {
  const failing = (message: string, more: object = {}) => {
    const fail = () => Promise.reject(Object.assign(new Error(message), more));
    const statement = { bind: () => statement, all: fail, run: fail, raw: fail, first: fail };
    return { withSession: () => ({ prepare: () => statement, batch: fail, getBookmark: () => null }) } as unknown as D1Database;
  };
  const ask = async (path: string, DB_0?: D1Database) => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = await call("GET", path, { via: probe(DB_0 && { DB_0 }) });
    const logged = error.mock.calls.map(([line]) => String(line)).join();
    error.mockRestore();
    return { answer, logged };
  };

  it("show only their request id, and are logged", async () => {
    const { answer, logged } = await ask("/probe/failure");
    expectProblem(answer, 500);
    expect(JSON.stringify(answer.body)).not.toContain("secret");
    expect(Object.keys(answer.body).sort()).toEqual(["detail", "instance", "requestId", "status", "title", "type"]);
    expect(logged).toContain("a secret detail");
    expect(logged).toContain(answer.body.requestId);
  });

  it("are logged without the query and its parameters", async () => {
    const { answer, logged } = await ask("/probe/read", failing("D1_ERROR: disk I/O error"));
    expectProblem(answer, 500);
    expect(logged).toContain("disk I/O error");
    expect(logged).not.toContain("token_version");
  });

  it("are 503 with Retry-After if storage is overloaded or temporarily fails", async () => {
    for (const DB_0 of [
      failing("D1_ERROR: D1 DB is overloaded. Requests queued for too long."),
      failing("D1_ERROR: Too many requests queued"),
      failing("Durable Object has too much to do", { overloaded: true }),
      failing("The object was evicted", { retryable: true }),
      failing("D1_ERROR: Network connection lost."),
      failing("D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node."),
      failing("D1_ERROR: database is locked: SQLITE_BUSY"),
    ]) {
      const { answer } = await ask("/probe/read", DB_0);
      expectProblem(answer, 503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });
});

describe("the list of operations", () => {
  const operations = router.openAPIRegistry.definitions.flatMap((one) => (one.type === "route" ? [one.route] : []));

  it.each(operations.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s says who may call it",
    (_name, route) => {
      expect(route.security).toBeDefined();
      if (route.security?.length === 0) return;
      const { "x-roles": named = [], "x-permission": permission } = route as { "x-roles"?: string[]; "x-permission"?: string };
      expect(named.length > 0 || permission !== undefined).toBe(true);
      expect(Object.keys(route.responses)).toEqual(expect.arrayContaining(["401", "403"]));
    },
  );

  const guarded = operations.filter((route) => route.security?.length !== 0);
  let forged: Record<string, string>;
  beforeAll(async () => {
    // The service logs thousands of lines that nobody reads.
    vi.spyOn(console, "log").mockReturnValue(undefined);
    forged = await badTokens(await createUser((await createCompany()).companyId, "superuser"));
    return () => vi.restoreAllMocks();
  });

  it.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s refuses a bad token",
    async (_name, route) => {
      const path = route.path.replace(/\{[^}]+\}/g, "1");
      const bad = Object.entries({ nothing: undefined, ...forged, "unknown gateway": "andon_gw_unknown" });
      await Promise.all(
        bad.map(async ([fault, token]) => {
          const answer = await call(route.method.toUpperCase(), path, token === undefined ? {} : { token });
          expect(answer.status, fault).toBe(401);
        }),
      );
      expectProblem(await call(route.method.toUpperCase(), path, { headers: { authorization: "Basic YTpi" } }), 401);
    },
  );
});
