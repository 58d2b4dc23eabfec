import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { tokenHashOf } from "../../../src/core/bearer-token.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";

// A service without users: this file has a database of its own, and its tests are in the order in which such a service is claimed.

const zoned = { companyName: "Plant of caps", timezone: "Europe/Madrid" };
const claim = { name: "Ana Ruiz", email: "Ana@Plant.test", password: "seven violet kettles hum", ...zoned };
const post = (body: object) => call("POST", "/v1/claim", { body });
const isClaimed = async () => (await call("GET", "/v1/claim")).body;
const count = async (table: string) => (await env.DB_0.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n;

/** What `npm start -- --empty` and `npm run admin` do. */
async function makeCode(code: string): Promise<void> {
  const { DIRECTORY } = env;
  await DIRECTORY.batch([
    DIRECTORY.prepare("DELETE FROM claim_codes"),
    DIRECTORY.prepare("INSERT INTO claim_codes (code_hash, created_at) VALUES (?, 0)").bind(tokenHashOf(code)),
    DIRECTORY.prepare("DELETE FROM login_attempts WHERE key = 'claim'"),
  ]);
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

it("waits for its first user, and refuses without a code that was made", async () => {
  expect(await isClaimed()).toEqual({ isClaimed: false });
  const refused = await post({ ...claim, code: "CDFG-3467" });
  expectProblem(refused, 400);
  expect(refused.body.errors).toMatchObject([{ pointer: "/code", code: "wrong" }]);
  expect([await count("users"), await count("companies")]).toEqual([0, 0]);
});

it("names what is wrong with the first account and the plant, and stores nothing", async () => {
  await makeCode("CDFG3467");
  for (const [changes, pointer] of [
    [{ password: "too short" }, "/password"],
    [{ password: "ana ruiz plant of caps" }, "/password"],
    [{ timezone: "Europe/Madrd" }, "/timezone"],
    [{ email: "ana" }, "/email"],
    [{ name: " " }, "/name"],
    [{ companyName: undefined }, "/companyName"],
  ] as const) {
    const refused = await post({ ...claim, code: "CDFG-3467", ...changes });
    expectProblem(refused, 400);
    expect(refused.body.errors).toMatchObject([{ pointer }]);
  }
  expect([await count("users"), await count("companies"), await isClaimed()]).toEqual([0, 0, { isClaimed: false }]);
});

it("refuses every code after ten wrong ones, for 15 minutes or until there is a new code", async () => {
  await makeCode("CDFG3467");
  for (let i = 0; i < 10; i++) expectProblem(await post({ ...claim, code: "WRNG-3467" }), 400);
  const locked = await post({ ...claim, code: "CDFG-3467" });
  expectProblem(locked, 429);
  const wait = Number(locked.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(890);
  expect(wait).toBeLessThanOrEqual(900);
  vi.setSystemTime(Date.now() + 900_000);
  expectProblem(await post({ ...claim, code: "WRNG-3467" }), 400);
  for (let i = 1; i < 10; i++) await post({ ...claim, code: "WRNG-3467" });
  expectProblem(await post({ ...claim, code: "CDFG-3467" }), 429);
  await makeCode("HJKM4679");
  // A code that was replaced is wrong.
  expectProblem(await post({ ...claim, code: "CDFG-3467" }), 400);
});

it("belongs to whoever is first with the code: one user, one company, and both in the audit", async () => {
  await makeCode("PQRT3469");
  const answers = await Promise.all([1, 2, 3].map((i) => post({ ...claim, email: `ana${i}@plant.test`, code: "pqrt 3469" })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const i = answers.findIndex(({ status }) => status === 201) + 1;
  const { companyId, userId } = answers[i - 1]?.body ?? {};
  expect([await count("users"), await count("companies")]).toEqual([1, 1]);
  const signedIn = await call("POST", "/identity/login", { body: { email: `ANA${i}@plant.test`, password: claim.password } });
  expect(signedIn.body.data).toMatchObject({ companyId, id: userId, role: "superuser" });
  const { token } = signedIn.body.data.jwt;
  const company = (await call("GET", `/v1/companies/${companyId}`, { token })).body;
  expect(company).toMatchObject({
    name: claim.companyName,
    timezone: claim.timezone,
    productionDay: "shiftStart",
    currency: "EUR",
  });
  const entries = (await call("GET", "/v1/audit?limit=10", { token })).body.data;
  const made = entries.filter(({ action }: { action: string }) => action.endsWith(".create"));
  expect(made.map(({ action, userId: by, objectId }: Record<string, unknown>) => [action, by, objectId]).sort()).toEqual([
    ["company.create", userId, String(companyId)],
    ["user.create", userId, String(userId)],
  ]);
  expect(JSON.stringify(made)).not.toContain(claim.password);
});

it("cannot be claimed again, with an old code or a new one", async () => {
  expect(await isClaimed()).toEqual({ isClaimed: true });
  expectProblem(await post({ ...claim, code: "PQRT-3469" }), 409);
  await makeCode("VWXY3467");
  const refused = await post({ ...claim, code: "VWXY-3467" });
  expectProblem(refused, 409);
  expect(refused.body.detail).toContain("sign in");
  // Not even once its users are deleted.
  await env.DB_0.prepare("UPDATE users SET deleted_at = 1").run();
  expectProblem(await post({ ...claim, code: "VWXY-3467" }), 409);
  expect([await count("users"), await count("companies")]).toEqual([1, 1]);
});
