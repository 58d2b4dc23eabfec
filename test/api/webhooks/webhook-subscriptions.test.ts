import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deliverWebhooks } from "../../../src/jobs/deliver-webhooks.ts";
import { dispatchEvents } from "../../../src/jobs/dispatch-events.ts";
import { call } from "../../support/call.ts";
import { eventually } from "../../support/eventually.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createMachine, createUser } from "../../support/factories.ts";
import { deafEnv, happen, receive, receiverUrl, subscribe } from "../../support/webhooks.ts";

const HOUR = 3_600_000;
const path = "/v1/webhook-subscriptions";

afterEach(() => vi.restoreAllMocks());

async function newCompany() {
  const { companyId } = await createCompany();
  return { companyId, token: (await createUser(companyId, "admin")).token };
}

const post = (token: string, at: string, body?: unknown, headers = {}) => call("POST", `${path}/${at}`, { token, body, headers });

function faultsOf(answer: Awaited<ReturnType<typeof call>>) {
  expectProblem(answer, 400);
  return answer.body.errors;
}

/** Stores an event, and returns the headers and body of the call that delivers it. */
async function delivered(companyId: number, id: string) {
  const calls = receive(() => new Response());
  const [eventId] = await happen(companyId, [{}]);
  const { env: deaf } = deafEnv();
  await dispatchEvents(deaf, companyId, Date.now());
  await deliverWebhooks(deaf, id);
  vi.restoreAllMocks();
  const found = calls.find(({ headers }) => headers.get("webhook-id") === eventId);
  if (!found) throw new Error("it was not called");
  return { body: found.body, headers: Object.fromEntries(found.headers) };
}

const verifies = (secret: string | null, { body, headers }: Awaited<ReturnType<typeof delivered>>) => {
  try {
    new Webhook(secret ?? "").verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe("a subscription's secret", () => {
  it("is shown once, and encrypted at rest", async () => {
    const { token } = await newCompany();
    const key = { "idempotency-key": crypto.randomUUID() };
    const send = () => call("POST", path, { token, body: { url: "https://erp.example.com/" }, headers: key });
    const { body: made } = await send();
    expect(made).toMatchObject({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      hasOwnSecret: true,
      isActive: true,
    });
    expect((await send()).body).toMatchObject({ id: made.id, secret: null });
    expect((await call("GET", `${path}/${made.id}`, { token })).body).not.toHaveProperty("secret");
    const { results } = await env.DB_0.prepare("SELECT * FROM webhook_subscriptions WHERE id = ?").bind(made.id).all();
    expect(JSON.stringify(results)).not.toContain("whsec_");
  });

  it("is the company's if it has none of its own, created if needed", async () => {
    const { companyId, token } = await newCompany();
    const made = await subscribe(token, "erp", { hasOwnSecret: false });
    expect(made).toMatchObject({ secret: null, hasOwnSecret: false });
    const { body: secret } = await call("GET", "/webhook-subscriptions/secret", { token });
    expect(verifies(secret, await delivered(companyId, made.id))).toBe(true);
    const { secret: own } = await subscribe(token, "mes");
    expect(own).not.toBe(secret);
  });

  it("still signs for a day, in addition to the new one, after it was replaced", async () => {
    const { companyId, token } = await newCompany();
    const { id, secret: first } = await subscribe(token, "erp");
    const key = { "idempotency-key": crypto.randomUUID() };
    const { body: rotated } = await post(token, `${id}/rotate-secret`, undefined, key);
    expect((await post(token, `${id}/rotate-secret`, undefined, key)).body).toEqual({ ...rotated, secret: null });
    const until = Date.parse(rotated.previousUntil) - Date.now();
    expect([until > 23.9 * HOUR, until <= 24 * HOUR]).toEqual([true, true]);
    const both = await delivered(companyId, id);
    expect(both.headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect([verifies(first, both), verifies(rotated.secret, both)]).toEqual([true, true]);
    await env.DB_0.prepare("UPDATE webhook_subscriptions SET previous_until = ? WHERE id = ?").bind(Date.now(), id).run();
    const later = await delivered(companyId, id);
    expect([verifies(first, later), verifies(rotated.secret, later)]).toEqual([false, true]);
  });

  it("of the company still signs for a day after it was replaced, also by a subscription's own one", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "erp", { hasOwnSecret: false });
    const { body: first } = await call("GET", "/webhook-subscriptions/secret", { token });
    const { body: rotated } = await call("POST", "/v1/webhook-secret/rotate", { token });
    expect((await call("GET", "/webhook-subscriptions/secret", { token })).body).toBe(rotated.secret);
    const both = await delivered(companyId, id);
    expect([first, rotated.secret].map((secret) => verifies(secret, both))).toEqual([true, true]);
    const { body: own } = await post(token, `${id}/rotate-secret`);
    const next = await delivered(companyId, id);
    expect([first, rotated.secret, own.secret].map((secret) => verifies(secret, next))).toEqual([false, true, true]);
    expect((await call("GET", `${path}/${id}`, { token })).body.hasOwnSecret).toBe(true);
  });

  it("of the company is created by its first replacement", async () => {
    const { token } = await newCompany();
    const { body } = await call("POST", "/v1/webhook-secret/rotate", { token });
    expect(body).toEqual({ secret: expect.stringMatching(/^whsec_/), previousUntil: null });
    expect((await call("GET", "/webhook-subscriptions/secret", { token })).body).toBe(body.secret);
  });
});

describe("a subscription is refused", () => {
  it.each([
    ["http://erp.example.com/", "/url", "not_public"],
    ["https://127.0.0.1/", "/url", "not_public"],
    ["https://0x7f.1/", "/url", "not_public"],
    ["https://0177.0.0.1/", "/url", "not_public"],
    ["https://[::ffff:10.0.0.1]/", "/url", "not_public"],
    ["https://erp.internal/", "/url", "not_public"],
    ["https://erp.example.com:8443/", "/url", "not_public"],
  ])("with the URL %s", async (url, pointer, code) => {
    const { token } = await newCompany();
    expect(faultsOf(await call("POST", path, { token, body: { url } }))).toMatchObject([{ pointer, code }]);
    const { id } = await subscribe(token, "erp");
    expect(faultsOf(await call("PATCH", `${path}/${id}`, { token, body: { url } }))).toMatchObject([{ pointer, code }]);
    expect((await call("GET", `${path}/${id}`, { token })).body.url).toBe(receiverUrl("erp"));
  });

  it("with unknown events, machines or lines, or those of another company", async () => {
    const { token } = await newCompany();
    const stranger = await newCompany();
    const { id: machineId } = await createMachine(stranger.companyId);
    const lineId = (await call("POST", "/v1/lines", { token: stranger.token, body: { name: "Line" } })).body.id;
    const url = "https://erp.example.com/in";
    for (const [wanted, pointer] of [
      [{ events: ["stop.opened", "stop.exploded"] }, "/events/1"],
      [{ events: [] }, "/events"],
      [{ machineIds: [machineId] }, "/machineIds/0"],
      [{ lineIds: [lineId] }, "/lineIds/0"],
    ] as const) {
      expectProblem(await call("POST", path, { token, body: { url, ...wanted } }), 400, pointer);
    }
    expect((await call("GET", path, { token })).body.data).toEqual([]);
  });

  it("with both machines and lines, also if they are set one after the other", async () => {
    const { companyId, token } = await newCompany();
    const { id: machineId } = await createMachine(companyId);
    const lineId = (await call("POST", "/v1/lines", { token, body: { name: "Line" } })).body.id;
    const error = { pointer: "/lineIds", code: "not_allowed" };
    const body = { url: "https://erp.example.com/", machineIds: [machineId], lineIds: [lineId] };
    expect(faultsOf(await call("POST", path, { token, body }))).toMatchObject([error]);
    const { id } = await subscribe(token, "erp", { machineIds: [machineId] });
    const change = (members: object) => call("PATCH", `${path}/${id}`, { token, body: members });
    expect(faultsOf(await change({ lineIds: [lineId] }))).toMatchObject([error]);
    expect((await change({ lineIds: [lineId], machineIds: null })).status).toBe(200);
  });
});

describe("ping", () => {
  it("shows the result of a call, whose event is sent nowhere else", async () => {
    const { token } = await newCompany();
    const { id, secret } = await subscribe(token, "erp", { isActive: false });
    const calls = receive(() => new Response("pong", { status: 201 }));
    expect((await post(token, `${id}/ping`)).body).toEqual({
      durationMs: expect.any(Number),
      status: 201,
      answer: "pong",
      error: null,
    });
    const [{ headers, body } = { headers: new Headers(), body: "" }] = calls;
    expect(new Webhook(secret ?? "").verify(body, Object.fromEntries(headers))).toMatchObject({ type: "ping", data: {} });
    expect((await call("GET", `${path}/${id}/deliveries`, { token })).body.data).toEqual([]);
  });

  it("says why it failed", async () => {
    const { token } = await newCompany();
    const { id } = await subscribe(token, "erp");
    receive(() => new Response("off", { status: 500 }));
    expect((await post(token, `${id}/ping`)).body).toMatchObject({ status: 500, answer: "off", error: "answered 500" });
  });

  it("is refused after thirty in an hour, for this subscription alone", async () => {
    const { token } = await newCompany();
    // A host of its own: queued deliveries of other tests may call theirs meanwhile.
    const { id } = await subscribe(token, "pinged");
    const other = await subscribe(token, "mes");
    const calls = receive(() => new Response("pong"));
    const statuses = await Promise.all(Array.from({ length: 3 }, () => post(token, `${id}/ping`)));
    for (let n = statuses.length; n < 30; n++) expect((await post(token, `${id}/ping`)).status).toBe(200);
    const refused = await post(token, `${id}/ping`);
    expectProblem(refused, 429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(calls.filter(({ host }) => host === "pinged")).toHaveLength(30);
    expect((await post(token, `${other.id}/ping`)).status).toBe(200);
  });
});

describe("the list of deliveries", () => {
  it("filters by status, page by page, and refuses an unknown status", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "erp");
    receive(() => new Response());
    const { env: deaf } = deafEnv();
    const sent = await happen(companyId, [{}, {}]);
    await dispatchEvents(deaf, companyId, Date.now());
    await deliverWebhooks(deaf, id);
    const [waiting] = await happen(companyId, [{}]);
    await dispatchEvents(deaf, companyId, Date.now());
    const list = (query: string) => call("GET", `${path}/${id}/deliveries?${query}`, { token });
    const idsOf = async (query: string) => (await list(query)).body.data.map(({ eventId }: { eventId: string }) => eventId);
    expect(await idsOf("")).toEqual([waiting, sent[1], sent[0]]);
    expect(await idsOf("status=succeeded")).toEqual([sent[1], sent[0]]);
    expect(await idsOf("status=pending")).toEqual([waiting]);
    expect(await idsOf("status=failed")).toEqual([]);
    const { cursor } = (await list("status=succeeded&limit=1")).body;
    expect(await idsOf(`status=succeeded&limit=1&cursor=${encodeURIComponent(cursor)}`)).toEqual([sent[0]]);
    for (const [query, pointer] of [
      ["status=lost", "/query/status"],
      ["cursor=x", "/query/cursor"],
      ["limit=501", "/query/limit"],
      ["events=stop.opened", "/query/events"],
    ] as const) {
      expectProblem(await list(query), 400, pointer);
    }
  });
});

describe("replay", () => {
  it("sends one event again, with the same id", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "erp");
    const first = await delivered(companyId, id);
    const eventId = first.headers["webhook-id"] ?? "";
    const calls = receive(() => new Response());
    expect((await post(token, `${id}/deliveries/${eventId}/replay`)).body).toEqual({ replayed: 1 });
    await eventually(async () => {
      await deliverWebhooks(deafEnv().env, id);
      expect(calls).not.toHaveLength(0);
    });
    expect(calls.map(({ headers, body }) => [headers.get("webhook-id"), body])).toEqual([[eventId, first.body]]);
    const [delivery] = (await call("GET", `${path}/${id}/deliveries`, { token })).body.data;
    // Of the calls that succeed, the last one is kept.
    expect(delivery).toMatchObject({ eventId, attempts: 1, calls: [{ status: 200, answer: "", error: null }] });
  });

  it("refuses unknown, other companies' and unwanted events, and inactive subscriptions", async () => {
    const { companyId, token } = await newCompany();
    const stranger = await newCompany();
    const { id } = await subscribe(token, "erp", { events: ["stop.opened"] });
    const [unwanted] = await happen(companyId, [{ type: "help.called" }]);
    const [foreign] = await happen(stranger.companyId, [{ type: "stop.opened" }]);
    for (const eventId of [unwanted, foreign, "none"]) {
      expectProblem(await post(token, `${id}/deliveries/${eventId}/replay`), 404);
    }
    const since = new Date(Date.now() - HOUR).toISOString();
    for (const at of [`${id}/replay`, `none/replay`]) expectProblem(await post(stranger.token, at, { since }), 404);
    for (const what of ["rotate-secret", "ping"]) expectProblem(await post(stranger.token, `${id}/${what}`), 404);
    expectProblem(await call("GET", `${path}/${id}/deliveries`, { token: stranger.token }), 404);
    expect((await post(token, `${id}/replay`, { since })).body).toEqual({ replayed: 0 });
    await call("PATCH", `${path}/${id}`, { token, body: { isActive: false } });
    expectProblem(await post(token, `${id}/replay`, { since }), 409);
  });

  it("gives two at the same time the same answer, and ignores earlier events and other types", async () => {
    const { companyId, token } = await newCompany();
    const { id } = await subscribe(token, "erp", { events: ["stop.opened"] });
    await happen(companyId, [{ type: "stop.opened" }, { type: "help.called" }]);
    await dispatchEvents(deafEnv().env, companyId, Date.now());
    const later = new Date(Date.now() + HOUR).toISOString();
    expect((await post(token, `${id}/replay`, { since: later })).body).toEqual({ replayed: 0 });
    const since = new Date(Date.now() - HOUR).toISOString();
    const answers = await Promise.all([post(token, `${id}/replay`, { since }), post(token, `${id}/replay`, { since })]);
    expect(answers.map(({ body }) => body)).toEqual([{ replayed: 1 }, { replayed: 1 }]);
  });
});
