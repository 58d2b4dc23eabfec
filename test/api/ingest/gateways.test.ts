import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { MINUTE, SECOND } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createApiToken,
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createUser,
} from "../../support/factories.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const path = "/v1/gateways/self/status";
const letPass = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
const hubOf = (companyId: number) => env.HUBS.getByName(String(companyId));
const at = "2026-11-20T08:00:00.000Z";
const source = { id: "hall-io", type: "modbus", state: "ok", lastAt: at, perMinute: 60.5, error: null };
const status = {
  version: "1.2.0",
  startedAt: at,
  queue: {
    ...{ events: 12, oldestAt: at, bytes: 1200, quarantined: 2 },
    dropped: [{ machineRef: "P1", events: 3, from: at, to: "2026-11-20T09:00:00.000Z" }],
  },
  sources: [
    source,
    { ...source, id: "broker", type: "mqtt", state: "failed", lastAt: null, error: "connect\nECONNREFUSED 10.0.4.17:1883" },
  ],
  clockSkewMs: -1500,
};

/** A company with an admin's program and a gateway. */
async function plant() {
  const { companyId } = await createCompany();
  const gateway = await createGatewayToken(companyId);
  const admin = await createUser(companyId, "admin");
  const { token: reader } = await createApiToken(admin);
  const list = async (query = "") => {
    const answer = await call("GET", `/v1/gateways${query}`, { token: reader });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data as { id: number; name: string; status: Record<string, unknown> | null }[];
  };
  const report = (body: unknown = status, token = gateway.token) => call("PUT", path, { token, body });
  return { companyId, gateway, admin, reader, list, report };
}

describe("PUT /v1/gateways/self/status", () => {
  it("keeps what a gateway reports, which people then see, and says the service's time", async () => {
    const { companyId, gateway, list, report } = await plant();
    const other = await createGatewayToken(companyId);
    expect((await list()).map((one) => one.status)).toEqual([null, null]);
    const before = Date.now();
    const answer = await report();
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["now"]);
    expect(Math.abs(Date.parse(answer.body.now) - before)).toBeLessThan(10 * SECOND);
    const [first, second] = await list();
    expect(first).toMatchObject({ id: gateway.gatewayTokenId, companyId });
    expect(first?.status).toEqual({ ...status, heardAt: expect.any(String) });
    expect(Math.abs(Date.parse(String(first?.status?.heardAt)) - before)).toBeLessThan(10 * SECOND);
    expect(second).toMatchObject({ id: other.gatewayTokenId, status: null });
  });

  it("is what was reported last, also after the hub has slept", async () => {
    const { companyId, list, report } = await plant();
    const shown = async () => (await list())[0]?.status?.version;
    await report({ ...status, version: "1" });
    await report({ ...status, version: "2" });
    expect(await shown()).toBe("2");
    // The second came too soon after the first to be stored.
    await evictDurableObject(hubOf(companyId));
    expect(await shown()).toBe("1");
    letPass(11 * SECOND);
    await report({ ...status, version: "3", clockSkewMs: null, sources: [] });
    await evictDurableObject(hubOf(companyId));
    expect(await shown()).toBe("3");
    letPass(-MINUTE);
    await report({ ...status, version: "4" });
    await evictDurableObject(hubOf(companyId));
    expect(await shown()).toBe("4");
  });

  it("is for gateways alone", async () => {
    const { admin, reader } = await plant();
    expectProblem(await call("PUT", path, { body: status }), 401);
    for (const token of [admin.token, reader]) expectProblem(await call("PUT", path, { token, body: status }), 403);
    for (const token of [admin.token, reader]) expectProblem(await call("GET", "/v1/gateways/self", { token }), 403);
  });

  it("names what is wrong with a report, and keeps the one before", async () => {
    const { list, report } = await plant();
    await report();
    const queue = status.queue;
    const dropped = queue.dropped[0];
    const wrong: [unknown, string][] = [
      [{ ...status, more: 1 }, "/more"],
      [{ ...status, version: undefined }, "/version"],
      [{ ...status, version: "x".repeat(51) }, "/version"],
      [{ ...status, startedAt: "yesterday" }, "/startedAt"],
      [{ ...status, startedAt: "0000-01-01T00:00:00+14:00" }, "/startedAt"],
      [{ ...status, startedAt: "9999-12-31T23:59:59-14:00" }, "/startedAt"],
      [{ ...status, clockSkewMs: 1.5 }, "/clockSkewMs"],
      [{ ...status, clockSkewMs: 2 ** 60 }, "/clockSkewMs"],
      [{ ...status, queue: { ...queue, events: -1 } }, "/queue/events"],
      [{ ...status, queue: { ...queue, oldest: at } }, "/queue/oldest"],
      [{ ...status, queue: { ...queue, oldestAt: 7 } }, "/queue/oldestAt"],
      [{ ...status, queue: { ...queue, dropped: [{ ...dropped, to: "2026-11-20T07:00:00Z" }] } }, "/queue/dropped/0/to"],
      [{ ...status, queue: { ...queue, dropped: [{ ...dropped, events: 0 }] } }, "/queue/dropped/0/events"],
      [{ ...status, queue: { ...queue, dropped: Array.from({ length: 51 }, () => dropped) } }, "/queue/dropped"],
      [{ ...status, sources: Array.from({ length: 101 }, (_, i) => ({ ...source, id: `s${i}` })) }, "/sources"],
      [{ ...status, sources: [source, source] }, "/sources/1/id"],
      [{ ...status, sources: [{ ...source, state: "fine" }] }, "/sources/0/state"],
      [{ ...status, sources: [{ ...source, perMinute: -1 }] }, "/sources/0/perMinute"],
      [{ ...status, sources: [{ ...source, error: "x".repeat(301) }] }, "/sources/0/error"],
      [{ ...status, sources: [{ ...source, id: "a\u202eb" }] }, "/sources/0/id"],
      [{ ...status, sources: [{ ...source, password: "secret" }] }, "/sources/0/password"],
    ];
    for (const [body, pointer] of wrong) expectProblem(await report(body), 400, pointer);
    const long = Array.from({ length: 100 }, (_, i) => ({ ...source, id: `s${i}`, error: "é".repeat(300) }));
    expectProblem(await report({ ...status, sources: long }), 413);
    expect((await list())[0]?.status).toMatchObject(status);
  });

  it("is refused with the token of a deleted gateway", async () => {
    const { gateway, admin, list } = await plant();
    const path = `/v1/gateway-tokens/${gateway.gatewayTokenId}`;
    expect((await call("DELETE", path, { token: admin.token })).status).toBe(204);
    expectProblem(await call("PUT", "/v1/gateways/self/status", { token: gateway.token, body: status }), 401);
    expect(await list()).toEqual([]);
  });
});

describe("GET /v1/gateways", () => {
  it("shows each company its own gateways", async () => {
    const [one, other] = [await plant(), await plant()];
    await one.report({ ...status, version: "one" });
    await other.report({ ...status, version: "other" });
    expect((await one.list()).map((gateway) => [gateway.id, gateway.status?.version])).toEqual([
      [one.gateway.gatewayTokenId, "one"],
    ]);
    expectProblem(await call("GET", `/v1/gateways?companyId=${other.companyId}`, { token: one.reader }), 404);
    const superuser = await createUser(one.companyId, "superuser");
    const { token } = await createApiToken(superuser);
    const seen = await call("GET", `/v1/gateways?companyId=${other.companyId}`, { token });
    expect(seen.body.data).toMatchObject([{ id: other.gateway.gatewayTokenId, status: { version: "other" } }]);
    expectProblem(await call("GET", "/v1/gateways?companyId=999999999", { token }), 404);
    expectProblem(await call("GET", "/v1/gateways", { token: one.gateway.token }), 403);
  });

  it("is read in pages, each no longer than 1 MiB", async () => {
    const { companyId, gateway, report, reader } = await plant();
    const gateways = [gateway];
    for (let i = 0; i < 39; i += 1) gateways.push(await createGatewayToken(companyId));
    const long = Array.from({ length: 90 }, (_, i) => ({ ...source, id: `s${i}`, error: "x".repeat(220) }));
    for (const { token } of gateways) expect((await report({ ...status, sources: long }, token)).status).toBe(200);
    const found: number[] = [];
    let cursor = "";
    let pages = 0;
    do {
      const answer = await call("GET", `/v1/gateways?limit=30${cursor}`, { token: reader });
      expect(JSON.stringify(answer.body).length).toBeLessThan(1024 * 1024 + 1000);
      found.push(...answer.body.data.map(({ id }: { id: number }) => id));
      cursor = answer.body.cursor ? `&cursor=${answer.body.cursor}` : "";
      pages += 1;
    } while (cursor);
    expect(found).toEqual(gateways.map(({ gatewayTokenId }) => gatewayTokenId));
    expect(pages).toBeGreaterThan(1);
  });
});

describe("GET /v1/gateways/self", () => {
  it("gives a gateway its name, its company's time zone, the time, and the machines that it may feed", async () => {
    const { companyId, gateway } = await plant();
    const foreign = await plant();
    await createMachine(foreign.companyId);
    const [press, saw] = [
      await createMachine(companyId, { standardCycleSeconds: 12.5, reportingSeconds: 60 }),
      await createMachine(companyId),
    ];
    await createChannels(press, [
      { channel: 2, type: "defect" },
      { channel: 1, type: "total", wrapsAt: 65_536 },
    ]);
    const ask = (query = "") => call("GET", `/v1/gateways/self${query}`, { token: gateway.token });
    const { body } = await ask();
    expect(body).toMatchObject({
      id: gateway.gatewayTokenId,
      company: { id: companyId },
      timezone: expect.any(String),
      cursor: null,
    });
    expect(Math.abs(Date.parse(body.now) - Date.now())).toBeLessThan(10 * SECOND);
    const { nodeId } = press;
    expect(body.machines).toMatchObject([
      {
        ...{
          id: press.id,
          ref: press.ref,
          name: press.name,
          signal: "counts",
          nodeId,
          reportingSeconds: 60,
          standardCycleSeconds: 12.5,
        },
        countSensors: [
          { type: "total", nodeId, channel: 1, wrapsAt: 65_536 },
          { type: "defect", nodeId, channel: 2, wrapsAt: null },
        ],
      },
      { id: saw.id, ref: saw.ref, standardCycleSeconds: null, countSensors: [] },
    ]);
    const first = (await ask("?limit=1")).body;
    expect(first.machines.map(({ id }: { id: number }) => id)).toEqual([press.id]);
    const second = (await ask(`?limit=1&cursor=${first.cursor}`)).body;
    expect(second.machines.map(({ id }: { id: number }) => id)).toEqual([saw.id]);
    expect(second.cursor).toBeNull();
    expectProblem(await ask("?limit=501"), 400, "/query/limit");
    expectProblem(await ask("?cursor=x"), 400, "/query/cursor");
    expectProblem(await ask("?companyId=1"), 400, "/query/companyId");
  });
});
