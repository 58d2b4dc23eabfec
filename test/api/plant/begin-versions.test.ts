import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { beginVersions } from "../../../src/api/plant/begin-versions.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";

const HOUR = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

async function newPlant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const ask = (method: string, path: string, body?: unknown) => call(method, path, { token, body });
  const machine = (await ask("POST", "/v1/machines", { name: "Press", ref: "P-1", nodeId: 1 })).body;
  return { companyId, ask, path: `/v1/machines/${machine.id}` };
}

it("a planned change leaves the item as it is, is shown, and is the item's from its instant to its end", async () => {
  const { ask, path } = await newPlant();
  const from = Date.now() + HOUR;
  const planned = { stopAfterSeconds: 60, effectiveFrom: iso(from), effectiveUntil: iso(from + HOUR), reason: "trial" };
  const answer = await ask("PATCH", path, planned);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { stopAfterSeconds: 120 } });
  const limits = answer.body.timeline.filter(({ kind }: { kind: string }) => kind === "limits");
  expect(limits.map(({ values }: { values: { stopAfterSeconds: number } }) => values.stopAfterSeconds)).toEqual([120, 60, 120]);
  const at = async (instant: number) => (await ask("GET", `${path}?at=${iso(instant)}`)).body.stopAfterSeconds;
  expect([await at(from - 1), await at(from), await at(from + HOUR)]).toEqual([120, 60, 120]);
  const [listed] = (await ask("GET", `${path}/versions`)).body.data;
  expect(listed).toMatchObject({ kind: "limits", state: "future", reason: "trial", effectiveFrom: iso(from) });
  const now = async () => (await ask("GET", path)).body.stopAfterSeconds;
  await beginVersions(env, from - 1);
  expect(await now()).toBe(120);
  await beginVersions(env, from);
  await beginVersions(env, from);
  expect(await now()).toBe(60);
});

it("a planned change can be withdrawn, and one before the commissioning, out of order, or of a name is refused", async () => {
  const { ask, path } = await newPlant();
  const from = Date.now() + HOUR;
  await ask("PATCH", path, { stopAfterSeconds: 60, effectiveFrom: iso(from) });
  const [{ id }] = (await ask("GET", `${path}/versions`)).body.data;
  expect((await ask("DELETE", `${path}/versions/${id}`)).status).toBe(204);
  expect((await ask("GET", `${path}?at=${iso(from)}`)).body.stopAfterSeconds).toBe(120);
  expect((await ask("GET", `${path}/versions`)).body.data[0]).toMatchObject({ id, state: "withdrawn" });
  const refused = (body: object) => ask("PATCH", path, { stopAfterSeconds: 60, ...body });
  const reason = "Found on Friday";
  expectProblem(await refused({ effectiveFrom: iso(Date.now() - HOUR), reason }), 400, "/effectiveFrom");
  expectProblem(await refused({ effectiveFrom: iso(from), effectiveUntil: iso(from) }), 400, "/effectiveUntil");
  expectProblem(await refused({ effectiveFrom: iso(from), name: "Saw" }), 400, "/name");
});

it("a shift is refused that would overlap with a version of another one that is yet to begin", async () => {
  const { ask } = await newPlant();
  const days = ["monday"];
  const early = (await ask("POST", "/v1/shifts", { name: "Early", start: "06:00", end: "14:00", days })).body;
  const late = (await ask("POST", "/v1/shifts", { name: "Late", start: "14:00", end: "22:00", days })).body;
  const [first, second] = [iso(Date.now() + HOUR), iso(Date.now() + 2 * HOUR)];
  expect((await ask("PATCH", `/v1/shifts/${early.id}`, { end: "13:00", effectiveFrom: first })).status).toBe(200);
  expectProblem(await ask("PATCH", `/v1/shifts/${late.id}`, { start: "13:00" }), 409, "/start");
  expectProblem(await ask("PATCH", `/v1/shifts/${late.id}`, { start: "12:30", effectiveFrom: second }), 409, "/start");
  expect((await ask("PATCH", `/v1/shifts/${late.id}`, { start: "13:00", effectiveFrom: second })).status).toBe(200);
});
