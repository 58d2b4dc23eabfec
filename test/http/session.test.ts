import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { changed, serviceWith } from "../support/service.ts";

// A replica may lag behind: where a session begins decides whether it may be used.

let token: string;
let companyId: number;
beforeAll(async () => {
  companyId = (await createCompany()).companyId;
  token = (await createUser(companyId, "superuser")).token;
});

/** The start of each of the request's database sessions. */
async function startsOf(method: string, path: string, options: { body?: unknown; headers?: Record<string, string> } = {}) {
  const starts: unknown[] = [];
  const withSession = (start: string) => {
    starts.push(start);
    return env.DB_0.withSession(start);
  };
  const answer = await call(method, path, { token, ...options, via: serviceWith({ DB_0: changed(env.DB_0, { withSession }) }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return { starts, bookmark: answer.headers.get("x-d1-bookmark") ?? "" };
}

/** A bookmark without its database. */
const bare = (named: string) => named.replace(/^0\./, "");
const newOperator = () => ({ name: "Ann", code: crypto.randomUUID() });

describe("a D1 session begins", () => {
  it("at any replica for reads, whatever their method", async () => {
    for (const [method, path, body] of [
      ["GET", "/v1/operators", undefined],
      ["HEAD", "/v1/operators", undefined],
      // Of a company without machines, because data that machines are made to send is read from the primary.
      ["POST", "/v1/public/reports/metrics", { companyIds: [companyId] }],
      ["POST", "/v1/public/reports/stops", {}],
    ] as const) {
      expect((await startsOf(method, path, { body })).starts, path).toEqual(["first-unconstrained"]);
    }
  });

  it("at the primary for writes, which are checked against the newest state", async () => {
    const { starts } = await startsOf("POST", "/v1/operators", { body: newOperator() });
    expect(starts).toEqual(["first-primary"]);
  });

  it("at the caller's bookmark for both", async () => {
    const { bookmark } = await startsOf("POST", "/v1/operators", { body: newOperator() });
    const headers = { "x-d1-bookmark": bookmark };
    expect((await startsOf("GET", "/v1/operators", { headers })).starts).toEqual([bare(bookmark)]);
    expect((await startsOf("POST", "/v1/operators", { body: newOperator(), headers })).starts).toEqual([bare(bookmark)]);
  });

  it("at the bookmark of before bookmarks had a database, which is that of database 0", async () => {
    const { bookmark } = await startsOf("POST", "/v1/operators", { body: newOperator() });
    const headers = { "x-d1-bookmark": bare(bookmark) };
    expect((await startsOf("GET", "/v1/operators", { headers })).starts).toEqual([bare(bookmark)]);
  });

  it("where it would without a bookmark for one of another database", async () => {
    const { bookmark } = await startsOf("POST", "/v1/operators", { body: newOperator() });
    const headers = { "x-d1-bookmark": `3.${bare(bookmark)}` };
    expect((await startsOf("GET", "/v1/operators", { headers })).starts).toEqual(["first-unconstrained"]);
    const written = await startsOf("POST", "/v1/operators", { body: newOperator(), headers });
    expect(written.starts).toEqual(["first-primary"]);
    expect(written.bookmark).toMatch(/^0\./);
  });

  it("at the primary for an unknown caller, whatever bookmark it sends", async () => {
    const user = await createUser((await createCompany()).companyId, "user", { password: "correct horse battery" });
    const bookmark = "ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff";
    const headers = { "x-d1-bookmark": bookmark };
    const body = { email: user.email, password: "correct horse battery" };
    const login = await startsOf("POST", "/identity/login", { body, headers });
    expect(login.starts).toEqual(["first-primary"]);
    expect((await startsOf("GET", "/health", { headers: { "x-d1-bookmark": "nonsense" } })).starts).not.toContain("nonsense");
    const starts: unknown[] = [];
    const withSession = (start: string) => {
      starts.push(start);
      return env.DB_0.withSession(start);
    };
    const via = serviceWith({ DB_0: changed(env.DB_0, { withSession }) });
    for (const refused of ["andon_gw_nobodys", "eyJhbGciOiJIUzI1NiJ9.e30.x"]) {
      expect((await call("POST", "/v1/ingest", { token: refused, body: { events: [] }, headers, via })).status).toBe(401);
    }
    expect(starts).toEqual(["first-primary"]);
  });
});
