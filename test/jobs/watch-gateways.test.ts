import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { companyDb } from "../../src/db/client.ts";
import { alertConditions } from "../../src/db/schema.ts";
import { dispatchEvents } from "../../src/jobs/dispatch-events.ts";
import { createAlertRule } from "../support/alerts.ts";
import { call } from "../support/call.ts";
import { MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import { createApiToken, createCompany, createGatewayToken, createUser } from "../support/factories.ts";
import { doJob } from "../support/jobs.ts";

stopClockAtNoon();
const db = companyDb(env, "first-primary");
const iso = (at: number) => new Date(at).toISOString();

/** A company with a gateway that reports, and a rule. */
async function plant(kind: string, params: Record<string, number>) {
  const { companyId } = await createCompany();
  const gateway = await createGatewayToken(companyId);
  const admin = await createUser(companyId, "admin");
  const { token } = await createApiToken(admin);
  const rule = await createAlertRule(companyId, { kind: kind as never, params });
  const report = async (changes: { oldestAt?: number; clockSkewMs?: number } = {}, of = gateway.token) => {
    const oldestAt = changes.oldestAt === undefined ? null : iso(changes.oldestAt);
    const queue = { events: oldestAt === null ? 0 : 1, oldestAt, bytes: 0, quarantined: 0, dropped: [] };
    const body = { version: "1", startedAt: iso(NOON), queue, sources: [], clockSkewMs: changes.clockSkewMs ?? 0 };
    expect((await call("PUT", "/v1/gateways/self/status", { token: of, body })).status).toBe(200);
  };
  const conditions = () => db.select().from(alertConditions).where(eq(alertConditions.companyId, companyId));
  /** The conditions that apply after the job ran. */
  const holding = async () => {
    await doJob("orders", Date.now());
    await dispatchEvents(env, companyId, Date.now());
    return (await conditions()).filter(({ until }) => until === null);
  };
  const incidents = async () => (await call("GET", "/v1/incidents", { token })).body.data;
  return { companyId, gateway, admin, rule, report, conditions, holding, incidents };
}

it("a gateway that is silent has an incident, which ends when it reports again; one that never reported has none", async () => {
  const { companyId, gateway, report, holding, incidents, rule } = await plant("gateway_silent", { seconds: 120 });
  await createGatewayToken(companyId);
  await report();
  vi.setSystemTime(NOON + 120 * SECOND);
  expect(await holding()).toEqual([]);
  vi.setSystemTime(NOON + 121 * SECOND);
  expect(await holding()).toMatchObject([{ ruleId: rule.id, machineId: null, since: NOON, dueAt: NOON + 121 * SECOND }]);
  vi.setSystemTime(NOON + 5 * MINUTE);
  expect(await holding()).toHaveLength(1);
  expect(await incidents()).toMatchObject([
    {
      ...{ kind: "gateway_silent", machine: null, nodeId: null, machineCount: 0, resolvedAt: null, since: iso(NOON) },
      gateway: { id: gateway.gatewayTokenId, name: expect.stringContaining("Gateway ") },
    },
  ]);
  await report();
  expect(await holding()).toEqual([]);
  expect((await incidents())[0].resolvedAt).toBe(iso(NOON + 5 * MINUTE));
});

it("a gateway with an old event in its queue has an incident until none is older than half of the limit", async () => {
  const { report, holding, conditions } = await plant("gateway_queue", { minutes: 5 });
  const after = async (age: number, passed: number) => {
    vi.setSystemTime(NOON + passed);
    await report({ oldestAt: NOON + passed - age });
    return await holding();
  };
  expect(await after(5 * MINUTE, 0)).toEqual([]);
  expect(await after(5 * MINUTE + SECOND, MINUTE)).toMatchObject([{ since: NOON - 4 * MINUTE - SECOND }]);
  expect(await after(3 * MINUTE, 2 * MINUTE)).toHaveLength(1);
  // What a silent gateway has by now is not known.
  vi.setSystemTime(NOON + 30 * MINUTE);
  expect(await holding()).toHaveLength(1);
  expect(await after(2 * MINUTE, 31 * MINUTE)).toEqual([]);
  expect(await after(3 * MINUTE, 32 * MINUTE)).toEqual([]);
  expect(await conditions()).toHaveLength(1);
});

it("a gateway whose clock is ahead or behind has an incident", async () => {
  for (const sign of [1, -1]) {
    const { report, holding } = await plant("gateway_clock", { minutes: 2 });
    await report({ clockSkewMs: sign * 2 * MINUTE });
    expect(await holding()).toEqual([]);
    vi.setSystemTime(Date.now() + 30 * SECOND);
    await report({ clockSkewMs: sign * (2 * MINUTE + 1) });
    expect(await holding()).toHaveLength(1);
    vi.setSystemTime(Date.now() + 30 * SECOND);
    await report({ clockSkewMs: 0 });
    expect(await holding()).toEqual([]);
  }
});

it("the incident of a gateway ends when its token is deleted, and when its rule is", async () => {
  for (const what of ["gateway-tokens", "alert-rules"]) {
    const { gateway, admin, rule, report, holding } = await plant("gateway_silent", { seconds: 60 });
    await report();
    vi.setSystemTime(Date.now() + 10 * MINUTE);
    expect(await holding()).toHaveLength(1);
    const id = what === "alert-rules" ? rule.id : gateway.gatewayTokenId;
    const { token } = await createApiToken(admin);
    expect((await call("DELETE", `/v1/${what}/${id}`, { token })).status).toBe(204);
    expect(await holding()).toEqual([]);
  }
});

it("a company's gateways are not looked at by the rules of another one", async () => {
  const [one, other] = [await plant("gateway_silent", { seconds: 60 }), await plant("gateway_clock", { minutes: 1 })];
  await one.report();
  await other.report({ clockSkewMs: 0 });
  vi.setSystemTime(NOON + 10 * MINUTE);
  expect(await one.holding()).toMatchObject([{ subject: `gateway-token:${one.gateway.gatewayTokenId}` }]);
  expect(await other.holding()).toEqual([]);
});
