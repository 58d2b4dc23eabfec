import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { watchDatabaseSize } from "../../src/jobs/watch-database-size.ts";
import { router } from "../../src/router.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { changed, serviceWith } from "../support/service.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A service whose database is full to this percentage. */
async function full(percent: number, changes: Partial<Env> = {}) {
  const { meta } = await env.DB_0.prepare("SELECT 1").run();
  const limit = String(Math.floor((meta.size_after * 100) / (percent + 0.5)));
  return { ...changes, DATABASE_LIMIT_BYTES: limit } as unknown as Partial<Env>;
}

const superuser = async () => createUser((await createCompany()).companyId, "superuser");

describe("a database that is filling", () => {
  it.each([
    [50, false],
    [61, true],
  ])("at %i % is shown in /health and to superusers: %s", async (percent, isFilling) => {
    const via = serviceWith(await full(percent));
    expect((await call("GET", "/health", { via })).body).toMatchObject({
      databasePercent: percent,
      isDatabaseFilling: isFilling,
    });
    const { token, companyId } = await superuser();
    expect((await call("GET", "/v1/usage", { token, via })).body.database).toEqual({ percent, isFilling });
    const { token: own } = await createUser(companyId, "admin");
    expect((await call("GET", "/v1/usage", { token: own, via })).body.database).toBeNull();
  });

  it("is logged from 60 % on, and superusers are notified once from 70 % on", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    const { token, companyId } = await superuser();
    const admin = await createUser(companyId, "admin");
    const now = Date.UTC(2026, 10, 26);
    const titles = async (of = token) =>
      (await call("GET", "/v1/notifications", { token: of })).body.data.map(({ title }: { title: string }) => title);
    await watchDatabaseSize({ ...env, ...(await full(59)) }, now);
    expect(error).not.toHaveBeenCalled();
    await watchDatabaseSize({ ...env, ...(await full(65)) }, now);
    expect(JSON.parse(error.mock.lastCall?.[0])).toEqual({ event: "database_filling", percent: 65 });
    expect(await titles()).toEqual([]);
    for (const _ of [1, 2]) await watchDatabaseSize({ ...env, ...(await full(72)) }, now);
    expect(await titles()).toEqual(["The database is 72 % full"]);
    await watchDatabaseSize({ ...env, ...(await full(81)) }, now);
    expect((await titles()).sort()).toEqual(["The database is 72 % full", "The database is 81 % full"]);
    expect(await titles(admin.token)).toEqual([]);
  });

  it("gets no new companies from 80 % on", async () => {
    const { token, companyId } = await superuser();
    const body = { name: "New plant", timezone: "UTC" };
    const create = async (percent: number) =>
      call("POST", "/v1/companies", { token, body, via: serviceWith(await full(percent)) });
    const refused = await create(81);
    expectProblem(refused, 409);
    expect(refused.body.errors).toMatchObject([{ code: "database_filling", message: expect.stringContaining("81 % full") }]);
    expect((await create(79)).status).toBe(201);
    const via = serviceWith(await full(90));
    expect((await call("PATCH", `/v1/companies/${companyId}`, { token, via, body: { name: "Other" } })).status).toBe(200);
  });
});

describe("a full database", () => {
  const saysSo = (message: string) => {
    const withSession = (start: string) => {
      const session = env.DB_0.withSession(start);
      let trips = 0;
      return {
        prepare: (text: string) => session.prepare(text),
        // The first one reads.
        batch: async (statements: D1PreparedStatement[]) => {
          trips += 1;
          if (trips > 1) throw new Error(message);
          return await session.batch(statements);
        },
        getBookmark: () => session.getBookmark(),
      };
    };
    return { DB_0: changed(env.DB_0, { withSession }) };
  };

  it.each([
    ["is one at 98 %", () => full(98)],
    ["is one that says so", async () => saysSo("D1_ERROR: database or disk is full: SQLITE_FULL")],
    ["is one at the platform's limit", async () => saysSo("D1_ERROR: Exceeded maximum DB size")],
  ])("%s: writes are refused with the reason, reads go on", async (_what, changes) => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const via = serviceWith((await changes()) as Partial<Env>);
    const refused = await call("POST", "/v1/lines", { token, via, body: { name: "Hall 1", order: 1 } });
    expectProblem(refused, 503);
    expect(refused.body.errors).toMatchObject([{ pointer: "", code: "database_full" }]);
    expect(refused.headers.get("retry-after")).toBe("600");
    expect((await call("GET", "/v1/lines", { token, via })).body.data).toEqual([]);
  });
});

it("the limit has to be a whole number", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const answer = await router.request("/v1/lines", {}, { ...env, DATABASE_LIMIT_BYTES: "10 GB" });
  expect(answer.status).toBe(503);
});
