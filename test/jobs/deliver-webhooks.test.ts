import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { claimDeliveries } from "../../src/api/webhooks/queries.ts";
import { companyDb } from "../../src/db/client.ts";
import { consume } from "../../src/jobs/consume.ts";
import { deliverWebhooks, retryDelayMs } from "../../src/jobs/deliver-webhooks.ts";
import { dispatchEvents } from "../../src/jobs/dispatch-events.ts";
import { sweep } from "../../src/jobs/sweep.ts";
import { call } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { createCompany, createLine, createMachine, createUser } from "../support/factories.ts";
import { deafEnv, happen, receive, subscribe } from "../support/webhooks.ts";

const SECOND = 1000;
const DAY = 86_400 * SECOND;

afterEach(() => vi.restoreAllMocks());

async function newCompany() {
  const { companyId } = await createCompany();
  const admin = await createUser(companyId, "admin");
  return { companyId, admin, token: admin.token };
}

const ok = () => new Response("thanks");
const no = () => new Response("no", { status: 500 });
const idOf = ({ headers }: { headers: Headers }) => headers.get("webhook-id");

/** Delivers what is due now. */
const pass = (subscriptionId: string) =>
  env.DB_0.prepare(`UPDATE webhook_deliveries SET next_attempt_at = 0 WHERE status = 0
      AND (company_id, subscription_nr) = (SELECT company_id, nr FROM webhook_subscriptions WHERE id = ?)`)
    .bind(subscriptionId)
    .run();
const get = async (token: string, id: string, path = "") =>
  (await call("GET", `/v1/webhook-subscriptions/${id}${path}`, { token })).body;
const standing = async (token: string, id: string) =>
  (await get(token, id, "/deliveries?limit=500")).data.reverse().map((one: { status: string }) => one.status);

describe("a subscription", () => {
  it("receives events in calls that Standard Webhooks verifies", async () => {
    const { companyId, token } = await newCompany();
    const { id, secret } = await subscribe(token, "good");
    const { id: machineId } = await createMachine(companyId);
    const [first, second] = await happen(companyId, [{ machineId }, { type: "work_order.late" }]);
    const calls = receive(ok);
    const { env: deaf, queued } = deafEnv();
    await dispatchEvents(deaf, companyId, Date.now());
    expect(queued).toContainEqual({ queue: "WEBHOOKS", body: { subscriptionId: id }, delaySeconds: 0 });
    await deliverWebhooks(deaf, id);
    expect(calls.map(idOf).sort()).toEqual([first, second].sort());
    for (const { headers, body } of calls) {
      const verified = new Webhook(secret ?? "").verify(body, Object.fromEntries(headers)) as Record<string, unknown>;
      expect(verified).toEqual({
        ...{ id: headers.get("webhook-id"), type: expect.stringMatching(/^(help\.called|work_order\.late)$/) },
        ...{ timestamp: expect.stringMatching(/Z$/), data: { machineId: expect.toBeOneOf([machineId, null]) }, url: null },
      });
      expect(headers.get("content-type")).toBe("application/json");
      expect(() => new Webhook(secret ?? "").verify(`${body} `, Object.fromEntries(headers))).toThrow();
    }
    const { data } = await get(token, id, "/deliveries");
    expect(data).toMatchObject([
      { eventId: second, eventType: "work_order.late", machineId: null, status: "succeeded", attempts: 1, nextAttemptAt: null },
      { eventId: first, eventType: "help.called", machineId, calls: [{ status: 200, answer: "", error: null }] },
    ]);
    await deliverWebhooks(deaf, id);
    await dispatchEvents(deaf, companyId, Date.now());
    expect(calls).toHaveLength(2);
  });

  it("receives only the events that it asks for", async () => {
    const { companyId, token } = await newCompany();
    const { lineId } = await createLine(companyId);
    const [one, two] = [await createMachine(companyId, { lineId }), await createMachine(companyId)];
    const stranger = await newCompany();
    const ids = {
      all: (await subscribe(token, "all")).id,
      typed: (await subscribe(token, "typed", { events: ["stop.opened", "stop.closed"] })).id,
      machine: (await subscribe(token, "machine", { machineIds: [two.id] })).id,
      line: (await subscribe(token, "line", { lineIds: [lineId] })).id,
      idle: (await subscribe(token, "idle", { isActive: false })).id,
      other: (await subscribe(stranger.token, "other")).id,
    };
    await happen(companyId, [{ machineId: one.id, type: "stop.opened" }, { machineId: two.id }, { machineId: null }]);
    await dispatchEvents(deafEnv().env, companyId, Date.now());
    const counts = Object.entries(ids).map(async ([name, id]) => {
      const { data } = await get(name === "other" ? stranger.token : token, id, "/deliveries");
      return [name, data.map(({ machineId }: { machineId: number | null }) => machineId)];
    });
    expect(Object.fromEntries(await Promise.all(counts))).toEqual({
      ...{ all: [null, two.id, one.id], typed: [one.id], machine: [two.id], line: [one.id] },
      ...{ idle: [], other: [] },
    });
  });

  it("receives a machine's events in order: a failing one only delays later events of that machine", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "shaky");
    const [one, two] = [(await createMachine(companyId)).id, (await createMachine(companyId)).id];
    const events = await happen(companyId, [{ machineId: one }, { machineId: two }, { machineId: one }, { machineId: two }]);
    let isDown = true;
    const calls = receive((_, request) => (isDown && request.headers.get("webhook-id") === events[0] ? no() : ok()));
    const { env: deaf, queued } = deafEnv();
    await dispatchEvents(deaf, companyId, Date.now());
    queued.length = 0;
    await deliverWebhooks(deaf, id);
    expect(calls.map(idOf).sort()).toEqual([events[0], events[1], events[3]].sort());
    expect(await standing(token, id)).toEqual(["pending", "succeeded", "pending", "succeeded"]);
    // Five seconds, within a tenth.
    expect(queued).toEqual([{ queue: "WEBHOOKS", body: { subscriptionId: id }, delaySeconds: expect.toBeOneOf([5, 6]) }]);
    await deliverWebhooks(deaf, id);
    expect(calls).toHaveLength(3);
    isDown = false;
    await pass(id);
    await deliverWebhooks(deaf, id);
    expect(calls.slice(3).map(idOf)).toEqual([events[0], events[2]]);
    expect(await standing(token, id)).toEqual(Array(4).fill("succeeded"));
    expect(await get(token, id)).toMatchObject({ failingSince: null, endedAt: null });
  });

  it("receives the next event once all calls for one have failed", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "picky");
    const { id: machineId } = await createMachine(companyId);
    const [bad] = await happen(companyId, [{ machineId }, { machineId }]);
    const calls = receive((_, request) => (request.headers.get("webhook-id") === bad ? no() : ok()));
    const { env: deaf } = deafEnv({ WEBHOOK_RETRY_SECONDS: "0 0 0" });
    await dispatchEvents(deaf, companyId, Date.now());
    await deliverWebhooks(deaf, id);
    expect(calls.map((one) => idOf(one) === bad)).toEqual([true, true, true, true, false]);
    const { data } = await get(token, id, "/deliveries");
    expect(data).toMatchObject([
      { status: "succeeded", attempts: 1 },
      {
        status: "failed",
        attempts: 4,
        nextAttemptAt: null,
        calls: Array(4).fill({ status: 500, answer: "no", error: "answered 500" }),
      },
    ]);
  });

  it("counts a redirect or no answer as a failed call", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "sly");
    await happen(companyId, [{}]);
    const calls = receive((_, request) => {
      if (calls.length > 1) throw new TypeError("refused");
      return Response.redirect(new URL("https://10.0.0.1/", request.url).href, 302);
    });
    const { env: deaf } = deafEnv({ WEBHOOK_RETRY_SECONDS: "0" });
    await dispatchEvents(deaf, companyId, Date.now());
    await deliverWebhooks(deaf, id);
    const [{ calls: made }] = (await get(token, id, "/deliveries")).data;
    expect(made).toMatchObject([
      { status: 302, error: expect.stringContaining("redirect") },
      { status: null, error: "could not be reached: refused" },
    ]);
  });

  it("ends when its receiver is gone, notifies the admins, and can be activated again", async () => {
    const { companyId, token, admin } = await newCompany();
    const { id } = await subscribe(token, "gone", { description: "Old ERP" });
    const { id: machineId } = await createMachine(companyId);
    const events = await happen(companyId, [{ machineId }, { machineId }]);
    const calls = receive(() => new Response(null, { status: 410 }));
    const { env: deaf, queued } = deafEnv();
    await dispatchEvents(deaf, companyId, Date.now());
    await deliverWebhooks(deaf, id);
    expect(calls).toHaveLength(1);
    expect(await get(token, id)).toMatchObject({ isActive: true, endedBecause: "gone", endedAt: expect.any(String) });
    expect(await standing(token, id)).toEqual(["cancelled", "cancelled"]);
    const messages = env.DB_0.prepare("SELECT kind, channel, address FROM messages WHERE company_id = ?").bind(companyId);
    expect((await messages.all()).results).toContainEqual({
      kind: "webhook_paused",
      channel: "in_app",
      address: expect.any(String),
    });
    expect(admin.userId).toBeGreaterThan(0);
    expect(queued.some(({ queue }) => queue === "MESSAGES")).toBe(true);
    await happen(companyId, [{ machineId }]);
    await dispatchEvents(deaf, companyId, Date.now());
    expect(await standing(token, id)).toHaveLength(2);
    const again = await call("PATCH", `/v1/webhook-subscriptions/${id}`, { token, body: { isActive: true } });
    expect(again.body).toMatchObject({ endedAt: null, endedBecause: null, failingSince: null });
    vi.restoreAllMocks();
    const later = receive(ok);
    const since = new Date(Date.now() - 60 * SECOND).toISOString();
    const replayed = await call("POST", `/v1/webhook-subscriptions/${id}/replay`, { token, body: { since } });
    expect(replayed.body).toEqual({ replayed: 3 });
    await eventually(async () => {
      await deliverWebhooks(deaf, id);
      expect(later.length).toBeGreaterThanOrEqual(3);
    });
    expect(later.map(idOf).slice(0, 2)).toEqual(events);
  });

  it("ends when every call has failed for five days, counted from the last success", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "dead");
    await happen(companyId, [{}]);
    let answer = no;
    receive(() => answer());
    const { env: deaf } = deafEnv();
    await dispatchEvents(deaf, companyId, Date.now());
    await deliverWebhooks(deaf, id);
    expect((await get(token, id)).failingSince).not.toBeNull();
    const failFor = (ms: number) =>
      env.DB_0.prepare("UPDATE webhook_subscriptions SET failing_since = ? WHERE id = ?")
        .bind(Date.now() - ms, id)
        .run();
    await failFor(5 * DAY - 60 * SECOND);
    await pass(id);
    await deliverWebhooks(deaf, id);
    expect(await get(token, id)).toMatchObject({ endedAt: null });
    answer = ok;
    await pass(id);
    await deliverWebhooks(deaf, id);
    expect(await get(token, id)).toMatchObject({ endedAt: null, failingSince: null });
    answer = no;
    await happen(companyId, [{}]);
    await dispatchEvents(deaf, companyId, Date.now());
    await failFor(5 * DAY);
    await deliverWebhooks(deaf, id);
    expect(await get(token, id)).toMatchObject({ endedBecause: "failing", endedAt: expect.any(String) });
  });

  it.each([
    ["its own secret", "webhook_subscriptions", (id: string) => `/v1/webhook-subscriptions/${id}/rotate-secret`],
    ["its company's secret", "webhook_secrets", () => "/v1/webhook-secret/rotate"],
  ])("whose calls could not be signed is called at once when %s has been replaced", async (_, table, rotation) => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "deaf", { hasOwnSecret: table === "webhook_subscriptions" });
    const { id: machineId } = await createMachine(companyId);
    const [event] = await happen(companyId, [{ machineId }]);
    const calls = receive(ok);
    const { env: deaf } = deafEnv();
    await dispatchEvents(deaf, companyId, Date.now());
    // As if it had been encrypted with another key.
    await env.DB_0.prepare(`UPDATE ${table} SET sealed_secret = 'AAAA' WHERE company_id = ?`).bind(companyId).run();
    await expect(deliverWebhooks(deaf, id)).rejects.toThrow();
    expect(calls).toHaveLength(0);
    const { body } = await call("POST", rotation(id), { token });
    expect(body.previousUntil).toBeNull();
    await eventually(async () => expect(calls.map(idOf)).toEqual([event]));
    const [{ headers, body: sent }] = calls as [(typeof calls)[number]];
    new Webhook(body.secret).verify(sent, Object.fromEntries(headers));
    await eventually(async () => expect(await standing(token, id)).toEqual(["succeeded"]));
  });

  it("is not called while inactive or deleted", async () => {
    const { companyId, token } = await newCompany();
    const [paused, deleted] = [(await subscribe(token, "paused")).id, (await subscribe(token, "deleted")).id];
    await happen(companyId, [{}]);
    const calls = receive(ok);
    const { env: deaf } = deafEnv();
    await dispatchEvents(deaf, companyId, Date.now());
    await call("PATCH", `/v1/webhook-subscriptions/${paused}`, { token, body: { isActive: false } });
    await call("DELETE", `/v1/webhook-subscriptions/${deleted}`, { token });
    await deliverWebhooks(deaf, paused);
    await deliverWebhooks(deaf, deleted);
    expect(calls).toHaveLength(0);
    await call("PATCH", `/v1/webhook-subscriptions/${paused}`, { token, body: { isActive: true } });
    await deliverWebhooks(deaf, paused);
    expect(calls.map(({ host }) => host)).toEqual(["paused"]);
  });
});

describe("what is due", () => {
  it("is claimed by only one of two concurrent workers, and again when the lease has expired", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "claimed");
    const machines = await Promise.all([1, 2, 3].map(async () => (await createMachine(companyId)).id));
    await happen(
      companyId,
      machines.flatMap((machineId) => Array(3).fill({ machineId })),
    );
    await dispatchEvents(deafEnv().env, companyId, Date.now());
    const db = companyDb(env, "first-primary");
    const now = Date.now();
    const claim = (at: number, limits = {}) =>
      claimDeliveries(db, id, { now: at, lease: at + 30 * SECOND, limit: 100, perMachine: 2, ...limits });
    const both = await Promise.all([claim(now), claim(now)]);
    expect(both.map((rows) => rows.length).sort()).toEqual([0, 6]);
    expect(await claim(now + 29 * SECOND)).toEqual([]);
    // The oldest first, and of each machine no later one before the earlier ones.
    expect((await claim(now + 30 * SECOND, { limit: 1 })).map(({ machineId }) => machineId)).toEqual([machines[0]]);
    expect(await claim(now + 61 * SECOND, { perMachine: 9 })).toHaveLength(9);
  });

  it("is found by the cron if its message was lost", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "lost");
    await happen(companyId, [{}]);
    await dispatchEvents(deafEnv().env, companyId, Date.now());
    const { env: deaf, queued } = deafEnv();
    await sweep(deaf, Date.now());
    const message = { queue: "WEBHOOKS", body: { subscriptionId: id }, delaySeconds: 0 };
    expect(queued).not.toContainEqual(message);
    await sweep(deaf, Date.now() + 16 * SECOND);
    expect(queued).toContainEqual(message);
  });

  it("takes few trips to the database: 200 deliveries of ten machines take at most three batches", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "busy");
    const machines = await Promise.all([...Array(10)].map(async () => (await createMachine(companyId)).id));
    const events = await happen(
      companyId,
      [...Array(200)].map((_, i) => ({ machineId: machines[i % 10] ?? 0 })),
    );
    await dispatchEvents(deafEnv().env, companyId, Date.now());
    const calls = receive(ok);
    const { env: deaf, batches } = deafEnv();
    await deliverWebhooks(deaf, id);
    for (const [i, machineId] of machines.entries()) {
      const delivered = calls.filter(({ body }) => JSON.parse(body).data.machineId === machineId).map(idOf);
      expect(delivered).toEqual(events.filter((_, at) => at % 10 === i));
    }
    expect(batches()).toBeLessThanOrEqual(3);
  });

  it("is found without reading all waiting deliveries", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "behind");
    const [waiting, busy] = [(await createMachine(companyId)).id, (await createMachine(companyId)).id];
    await happen(
      companyId,
      [...Array(20)].map(() => ({ machineId: busy })),
    );
    await dispatchEvents(deafEnv().env, companyId, Date.now());
    const later = Date.now() + DAY;
    await env.DB_0.prepare(
      `WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2000)
      INSERT INTO webhook_deliveries SELECT company_id, nr, 4500000000000000 + value, ?, 0, 1, ?, 0, NULL, NULL, NULL
        FROM n, webhook_subscriptions WHERE id = ?`,
    )
      .bind(waiting, later, id)
      .run();
    const calls = receive(ok);
    const { env: deaf, rowsRead } = deafEnv();
    await deliverWebhooks(deaf, id);
    expect(calls).toHaveLength(20);
    expect(rowsRead()).toBeLessThan(1000);
  });
});

it("a hanging receiver delays neither other receivers nor the queue", async () => {
  const { companyId, token } = await newCompany();
  const [hanging, good] = [(await subscribe(token, "hangs")).id, (await subscribe(token, "prompt")).id];
  await happen(companyId, [{}]);
  const calls = receive((host) => (host === "hangs" ? new Promise<never>(() => undefined) : ok()));
  const { env: deaf } = deafEnv();
  await dispatchEvents(deaf, companyId, Date.now());
  const background: Promise<unknown>[] = [];
  const startedAt = Date.now();
  for (const subscriptionId of [hanging, good]) {
    const message = { body: { subscriptionId }, attempts: 1, ack: vi.fn(), retry: vi.fn() };
    const batch = { queue: "andon-webhooks", messages: [message] } as unknown as MessageBatch;
    await consume(batch, deaf, { waitUntil: (work) => background.push(work) });
    expect(message.ack).toHaveBeenCalled();
  }
  await eventually(() => expect(calls.map(({ host }) => host)).toContain("prompt"));
  expect(Date.now() - startedAt).toBeLessThan(9 * SECOND);
  await Promise.all(background);
  expect((await get(token, hanging, "/deliveries")).data[0]).toMatchObject({
    status: "pending",
    calls: [{ status: null, error: "gave no answer within 10 s" }],
  });
});

it("calls are retried on the schedule of Standard Webhooks, within a tenth", () => {
  const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
  for (const [i, seconds] of schedule.entries()) {
    expect(retryDelayMs(schedule, i + 1, 0)).toBeCloseTo(seconds * 900);
    expect(retryDelayMs(schedule, i + 1, 0.5)).toBeCloseTo(seconds * 1000);
  }
  expect(retryDelayMs(schedule, 10, 0.5)).toBeUndefined();
});
