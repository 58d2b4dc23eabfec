import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Role, roles } from "../../src/db/schema.ts";
import { eachOf } from "../../src/limits/load.ts";
import { router } from "../../src/router.ts";
import type { Answer } from "../support/answer.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createGatewayToken, createUser } from "../support/factories.ts";
import { serviceWith } from "../support/service.ts";

// The rules of HTTP and of this service for every operation, from the list of all of them: a new one is covered automatically.

const operations = router.openAPIRegistry.definitions
  .flatMap((one) => (one.type === "route" ? [one.route] : []))
  .map((route) => ({ ...route, method: route.method.toUpperCase(), name: `${route.method.toUpperCase()} ${route.path}` }));
type Operation = (typeof operations)[number] & { "x-roles"?: string[]; "x-permission"?: string };
const bodied = operations.filter(({ request }) => request?.body);
const guarded = operations.filter(({ security }) => security?.length !== 0) as Operation[];
const mediaTypeOf = ({ request }: Operation) => Object.keys(request?.body?.content ?? {})[0] ?? "";
const isForm = (operation: Operation) => mediaTypeOf(operation) === "multipart/form-data";
const at = (path: string, value = "1") => path.replaceAll(/\{[^}]+\}/g, value);
/** Several at a time, since each one mostly waits. With all at once, storage on a busy machine takes too long for the last ones: 503. */
const all = <T>(list: readonly T[], check: (one: T) => Promise<void>) => eachOf(list, 16, check);

let companyId: number;
let token: string;
let gatewayToken: string;
const newToken = async (role: Role = "superuser") => (await createUser(companyId, role)).token;
beforeEach(async () => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
  companyId = (await createCompany()).companyId;
  token = await newToken();
  gatewayToken = (await createGatewayToken(companyId)).token;
  return () => vi.restoreAllMocks();
});
/** The token of a superuser, or of a gateway for what is for gateways alone. */
const tokenOf = (operation: Operation) => (String(operation["x-roles"]) === "gateway" ? gatewayToken : token);
const ask = (method: string, path: string, options: Parameters<typeof call>[2] = {}) => call(method, path, { token, ...options });

/** The answer's headers without those that always differ. */
function lastingHeaders({ headers }: Answer) {
  // The ETag of a list depends on its items, and some lists grow with each request: the audit, notifications.
  const fleeting = ["etag", "x-request-id", "server-timing", "ratelimit", "x-d1-bookmark", "content-length"];
  return Object.fromEntries([...headers].filter(([name]) => !fleeting.includes(name)));
}

/** The query that an operation requires, which is checked before its body. */
function queryOf({ path }: { path: string }): string {
  if (path === "/v1/setup/imports") return "?kind=lines";
  if (!path.endsWith("/csv")) return "";
  return `?${new URLSearchParams({ title: "Week", since: "2100-01-01T00:00:00Z", until: "2100-01-02T00:00:00Z" })}`;
}

describe("an operation", () => {
  it("is only for the callers that it names, and its answers are not cached for others", async () => {
    await all(operations, async ({ name, method, path, security }) => {
      const { status, headers } = await call(method, at(path));
      expect(status === 401, name).toBe(security?.length !== 0);
      if (status === 401) expect(headers.get("cache-control"), name).toBe("private, no-store");
    });
    await all(guarded, async ({ name, method, path, "x-roles": named = [], "x-permission": permission }) => {
      const inside = permission ? "superuser" : roles.find((role) => named.includes(role));
      const outside = permission ? undefined : roles.find((role) => !named.includes(role));
      for (const role of [inside, outside]) {
        if (!role) continue;
        // A separate user for each: one of them ends all tokens of its caller.
        const { body, headers } = await call(method, at(path), { token: await newToken(role) });
        expect(/may not do this/.test(body?.detail ?? ""), `${name} ${role}`).toBe(role === outside);
        expect(headers.get("cache-control"), name).toBe("private, no-store");
      }
    });
  });

  it("with a body refuses other content types", async () => {
    expect(bodied.length).toBeGreaterThan(40);
    await all(bodied, async (operation) => {
      for (const other of [
        "text/plain",
        "application/xml",
        isForm(operation) ? "application/json" : "multipart/form-data; boundary=x",
      ]) {
        const answer = await ask(operation.method, at(operation.path) + queryOf(operation), {
          token: tokenOf(operation),
          body: "{}",
          headers: { "content-type": other },
        });
        expect(answer.status, `${operation.name} ${other}`).toBe(415);
        expectProblem(answer, 415);
      }
    });
  });

  it("with a body reads no more of it than its limit, however it is sent", async () => {
    const mebibyte = new Uint8Array(1024 * 1024);
    const [large, huge] = [new Blob([mebibyte, "x"]), new Blob(Array<Uint8Array<ArrayBuffer>>(6).fill(mebibyte))];
    const via = serviceWith({});
    for (const operation of bodied) {
      // A file of any length, whose limit test/api/ingest/imports/imports.test.ts has.
      if (operation.name === "POST /v1/imports") continue;
      const headers = { authorization: `Bearer ${tokenOf(operation)}`, "content-type": mediaTypeOf(operation) };
      const isFile = isForm(operation) || operation.name === "POST /v1/setup/imports";
      const init = { method: operation.method, headers, body: (isFile ? huge : large).stream() };
      const url = `http://andon.test${at(operation.path)}${queryOf(operation)}`;
      expect((await via(new Request(url, init))).status, operation.name).toBe(413);
    }
  });

  it("that reads can be called by HEAD too, without a body in the answer", async () => {
    await all(operations, async ({ name, method, path }) => {
      if (method !== "GET") return;
      const [got, head] = [await ask("GET", at(path)), await ask("HEAD", at(path))];
      expect([head.status, head.body], name).toEqual([got.status, null]);
      expect(lastingHeaders(head), name).toEqual(lastingHeaders(got));
    });
  });
});

it("each path lists its methods, and refuses others", async () => {
  const knows = (pattern: string, path: string) => new RegExp(`^${pattern.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(path);
  await all([...new Set(operations.map(({ path }) => at(path)))], async (path) => {
    const known = new Set(operations.flatMap((one) => (knows(one.path, path) ? [one.method] : [])));
    if (known.has("GET")) known.add("HEAD");
    const { status, headers, body } = await call("OPTIONS", path);
    expect([status, body], path).toEqual([204, null]);
    expect(headers.get("allow")?.split(", ").sort(), path).toEqual([...known, "OPTIONS"].sort());
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
      if (known.has(method)) continue;
      const refused = await call(method, path);
      expect([refused.status, refused.headers.get("allow")], `${method} ${path}`).toEqual([405, headers.get("allow")]);
    }
  });
});

describe("an odd address", () => {
  it.each(["%zz", "%00", "%2e%2e%2f", "a".repeat(20_000)])("is never our fault: %#", async (part) => {
    await all(operations, async ({ name, method, path }) => {
      if (!path.includes("{")) return;
      const answer = await ask(method, at(path, part), method === "GET" || method === "DELETE" ? {} : { body: {} });
      expect(answer.status, name).toBeLessThan(500);
    });
  });

  it.each([
    "//health",
    "/health/",
    "/health//",
    "///",
    "/./health",
    "/%68ealth",
    "/v1//tags",
    "/v1/tags?",
    "/v1/tags?%",
    "/v1/tags?limit=%zz&cursor=%ff",
    "/v1/tags?limit&limit&limit=",
    "/v1/tags?__proto__=1&constructor=2&toString=3",
    `/v1/tags?${"x=y&".repeat(10_000)}`,
    `/${"a/".repeat(10_000)}`,
    "/v1/tags#fragment",
    "/@evil.example/",
    "/v1/tags;jsessionid=1",
  ])("is never our fault: %#", async (path) => {
    const answer = await ask("GET", path);
    expect(answer.status).toBeLessThan(500);
    if (answer.status >= 400) expectProblem(answer, answer.status);
  });

  it.each([
    "http://localhost",
    "http://[::1]:8787",
    "http://192.0.2.1:1",
    "http://a_b.test",
    "https://xn--bcher-kva.test",
    "http://user:pw@andon.test",
  ])("is never our fault: %s", async (origin) => {
    const headers = { authorization: `Bearer ${token}` };
    expect((await serviceWith({})(new Request(`${origin}/v1/dashboards`, { headers }))).status).toBe(200);
  });
});
