import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { newWebhookSecret } from "../../src/channels/sign-webhook.ts";
import { seal } from "../../src/core/cipher.ts";
import { companyDb } from "../../src/db/client.ts";
import { webhookSubscriptions } from "../../src/db/schema.ts";
import type { EventType } from "../../src/db/values.ts";
import { insertEvents } from "../../src/events/queries.ts";
import { call } from "./call.ts";

/** Part of the names of hosts, one for each test: deliveries of earlier tests may be under way in the same process. */
const scopes = new Map<string, string>();
function scopeOfTest(): string {
  const { testPath, currentTestName } = expect.getState();
  const test = `${testPath} ${currentTestName}`;
  const scope = scopes.get(test) ?? crypto.randomUUID();
  scopes.set(test, scope);
  return scope;
}

/** The URL of a receiver of the running test. */
export function receiverUrl(host: string): string {
  return `https://${host}.${scopeOfTest()}.example.com/in`;
}

/** Answers the calls of all receivers, which are identified by host; host names resolve to a public address. Returns the calls of the running test. */
export function receive(answer: (host: string, request: Request) => Response | Promise<Response>) {
  const calls: { host: string; headers: Headers; body: string }[] = [];
  const scope = scopeOfTest();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input as string | URL, init as RequestInit);
    const { hostname, searchParams } = new URL(request.url);
    if (hostname === "cloudflare-dns.com") {
      const answers =
        searchParams.get("type") === "A" ? [{ name: hostname, type: 1, TTL: 60, data: "93.184.215.14" }] : undefined;
      return Response.json({ Status: 0, Question: [{ name: hostname, type: 1 }], Answer: answers });
    }
    const [host = "", calledScope] = hostname.split(".");
    if (calledScope !== scope) return new Response();
    calls.push({ host, headers: request.headers, body: await request.clone().text() });
    return await answer(host, request);
  });
  return calls;
}

/** The service's bindings with queues whose messages are not delivered; `queued` collects those messages. */
export function deafEnv(variables: Partial<Record<string, string>> = {}) {
  const queued: { queue: string; body: unknown; delaySeconds: number }[] = [];
  const queue = (name: string) => ({
    sendBatch: async (messages: { body: Record<string, unknown>; delaySeconds: number }[]) => {
      for (const { body: sent, delaySeconds } of messages) {
        const { queue: _, ...body } = sent;
        queued.push({ queue: name, body, delaySeconds });
      }
    },
  });
  let trips = 0;
  let rowsRead = 0;
  const DB_0 = {
    withSession: (start: string) => {
      const session = env.DB_0.withSession(start);
      return {
        prepare: (text: string) => session.prepare(text),
        batch: async (statements: D1PreparedStatement[]) => {
          trips++;
          const results = await session.batch(statements);
          rowsRead += results.reduce((sum, { meta }) => sum + (meta.rows_read ?? 0), 0);
          return results;
        },
        getBookmark: () => session.getBookmark(),
      };
    },
  };
  const queues = Object.fromEntries(["EVENTS", "WEBHOOKS", "MESSAGES", "REPORTS", "JOBS"].map((name) => [name, queue(name)]));
  return {
    env: { ...env, ...queues, DB_0, ...variables } as unknown as Env,
    queued,
    batches: () => trips,
    rowsRead: () => rowsRead,
  };
}

/** Creates a subscription through the API; its receiver is at the host with this name. */
export async function subscribe(token: string, host: string, members: Record<string, unknown> = {}) {
  const answer = await call("POST", "/v1/webhook-subscriptions", {
    token,
    body: { url: receiverUrl(host), ...members },
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body as { id: string; secret: string | null } & Record<string, unknown>;
}

/** Stores events as if they had happened in this order, and returns their ids. */
export async function happen(
  companyId: number,
  list: readonly { machineId?: number | null; type?: EventType }[],
): Promise<string[]> {
  const db = companyDb(env, "first-primary");
  const rows = list.map(({ machineId = null, type = "help.called" }) => {
    return { id: crypto.randomUUID(), companyId, machineId, type, at: Date.now(), data: { machineId } };
  });
  for (let i = 0; i < rows.length; i += 10) await insertEvents(db, rows.slice(i, i + 10), Date.now());
  return rows.map(({ id }) => id);
}

/** A stored subscription whose receiver cannot be reached. */
export async function createWebhookSubscription(companyId: number): Promise<{ id: string }> {
  const stamps = { createdAt: Date.now(), updatedAt: Date.now() };
  const row = {
    id: crypto.randomUUID(),
    companyId,
    url: "https://nowhere.example.com/",
    isActive: true,
    description: "",
    ...stamps,
  };
  const sealedSecret = await seal(env, ["webhook_subscriptions.sealed_secret", row.id], newWebhookSecret());
  await companyDb(env, "first-primary")
    .insert(webhookSubscriptions)
    .values({ ...row, sealedSecret });
  return { id: row.id };
}
