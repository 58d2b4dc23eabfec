import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { router } from "../../../src/router.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { changed, serviceWith } from "../../support/service.ts";

const fail = () => Promise.reject(new Error("gone"));
const never = () => new Promise(() => {});
const well = { code: "ok", database: "ok", objects: "ok", pictures: "ok" };
/** Requests the health with all other parts answering at once, so that it does not matter how busy this computer is. */
const ask = (changes: Partial<Env>) => call("GET", "/health", { via: serviceWith({ ...wellParts(), ...changes }) });

/** A database in which every query is replaced. */
function databaseThat(does: (sql: string) => Promise<unknown>): D1Database {
  const prepare = (sql: string) => {
    const run = () => does(sql);
    const statement = { bind: () => statement, all: run, run, raw: run };
    return statement;
  };
  return { withSession: () => ({ prepare, getBookmark: () => null }) } as unknown as D1Database;
}

let error: MockInstance;
const wellParts = () => ({
  MACHINES: changed(env.MACHINES, {
    getByName: () => ({ health: async () => ({ parkedRows: 0, degradedMachines: 0, unreadableRows: 0 }) }),
  }),
  THUMBNAILS: changed(env.THUMBNAILS, { head: async () => null }),
});

beforeEach(() => {
  error = vi.spyOn(console, "error").mockReturnValue(undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("health", () => {
  it("is ok while all parts are, and needs no token", async () => {
    const { status, body } = await call("GET", "/health");
    const others = ["degradedMachines", "unreadableRows", "silentMachines", "unansweredMachines"];
    const counts = { parkedRows: 0, ...Object.fromEntries(others.map((name) => [name, expect.any(Number)])) };
    expect([status, body]).toEqual([
      200,
      {
        status: "ok",
        version: packageJson.version,
        parts: well,
        ...counts,
        databasePercent: 0,
        isDatabaseFilling: false,
        retentionHoursBehind: expect.any(Object),
        encryptionKey: expect.any(String),
        missingKeys: expect.any(Array),
      },
    ]);
  });

  it.each([
    ["database", { DB_0: databaseThat(fail) }, { ...well, code: "unknown", database: "failed" }],
    ["objects", { MACHINES: changed(env.MACHINES, { getByName: () => ({ health: fail }) }) }, { ...well, objects: "failed" }],
    ["pictures", { THUMBNAILS: changed(env.THUMBNAILS, { head: fail }) }, { ...well, pictures: "failed" }],
  ] as const)("names what fails: %s", async (name, changes, parts) => {
    const answer = await ask(changes);
    expectProblem(answer, 503);
    expect(answer.body.parts).toEqual(parts);
    expect(answer.body.detail).toContain(`${name} failed`);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(error.mock.calls.join()).toContain("gone");
  });

  it.each([
    ["a migration that was not applied", async () => ({ results: [] })],
    ["a database without any", () => Promise.reject(new Error("D1_ERROR: no such table: d1_migrations: SQLITE_ERROR"))],
  ])("distinguishes %s from a database that fails", async (_what, does) => {
    const answer = await ask({ DB_0: databaseThat(does) });
    expectProblem(answer, 503);
    expect(answer.body.parts).toEqual({ ...well, code: "behind" });
  });

  it("checks for the newest migration", async () => {
    const names = env.MIGRATIONS.map(({ name }) => name);
    await env.DB_0.prepare("delete from d1_migrations where name = ?").bind(names.at(-1)).run();
    const behind = await ask({});
    await env.DB_0.prepare("insert into d1_migrations (name) values (?)").bind(names.at(-1)).run();
    expect(behind.body.parts).toEqual({ ...well, code: "behind" });
    expect((await ask({})).status).toBe(200);
  });

  it("does not wait long for a part that does not answer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = ask({ DB_0: databaseThat(never) });
    for (let i = 0; i < 100; i++) await Promise.resolve();
    await vi.advanceTimersByTimeAsync(5000);
    vi.useRealTimers();
    expect((await asked).body.parts).toMatchObject({ database: "failed" });
  });

  it("checks the parts every two seconds, however often it is called", async () => {
    const head = vi.fn(async () => null);
    const changes = { ...env, ...wellParts(), THUMBNAILS: changed(env.THUMBNAILS, { head }) };
    const poll = async () => router.fetch(new Request("http://andon.test/health"), changes, createExecutionContext());
    vi.useFakeTimers({ toFake: ["Date"] });
    for (let i = 0; i < 5; i++) expect((await poll()).status).toBe(200);
    expect(head).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + 2000);
    await poll();
    expect(head).toHaveBeenCalledTimes(2);
  });
});
