import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { directoryDb } from "../../src/db/client.ts";
import { selectRequeued } from "../../src/directory/dead-letters.ts";
import type { QueueMessages } from "../../src/events/queues.ts";
import service from "../../src/index.ts";
import { sweep } from "../../src/jobs/sweep.ts";

beforeEach(() => {
  // The failure is logged; the job that stores the dead letter has a working database again.
  vi.spyOn(console, "error").mockImplementation(() => {
    isBroken = false;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DIRECTORY.prepare("DELETE FROM dead_letters").run();
});

const broken = {
  ...env,
  DB_0: new Proxy(env.DB_0, {
    get: (target, name) => {
      if (name === "withSession" && isBroken) throw new Error("the database is away");
      const member = Reflect.get(target, name) as unknown;
      return typeof member === "function" ? member.bind(target) : member;
    },
  }),
};
let isBroken = false;
/** No company has this id. */
const NO_COMPANY = 2 ** 40;

/** Processes one message of a queue, during which its database is broken. */
async function work(queue: string, attempts: number) {
  const message = {
    id: `message ${attempts}`,
    timestamp: new Date(0),
    attempts,
    body: { queue: "EVENTS", companyId: NO_COMPANY },
  };
  const batch = createMessageBatch(queue, [message]);
  isBroken = queue !== "andon-dead-letters";
  const context = createExecutionContext();
  await service.queue(batch, broken as never, context);
  return await getQueueResult(batch, context);
}

const letters = async () =>
  (await env.DIRECTORY.prepare("SELECT id, queue, body, error, is_requeued FROM dead_letters").all()).results;

describe("a message that fails", () => {
  it("is retried, and kept as a dead letter with the reason after the last attempt", async () => {
    expect((await work("andon-events", 1)).retryMessages).toEqual([{ msgId: "message 1" }]);
    expect((await work("andon-events", 8)).retryMessages).toEqual([{ msgId: "message 8" }]);
    expect(await letters()).toEqual([]);
    const last = await work("andon-events", 9);
    expect([last.explicitAcks, last.retryMessages]).toEqual([["message 9"], []]);
    expect(await letters()).toEqual([
      {
        id: "message 9",
        queue: "EVENTS",
        body: `{"companyId":${NO_COMPANY}}`,
        error: expect.stringContaining("is away"),
        is_requeued: 0,
      },
    ]);
  });

  it("is also kept when the platform moves it to the dead-letter queue", async () => {
    await work("andon-dead-letters", 1);
    await work("andon-dead-letters", 1);
    expect(await letters()).toMatchObject([{ id: "message 1", queue: "EVENTS", error: null }]);
  });

  it("is sent to its queue again on request, and no longer kept", async () => {
    await work("andon-events", 9);
    const sent: QueueMessages["EVENTS"][] = [];
    // Events that companies of other tests left undelivered are sent as well.
    const sendBatch = async (messages: { body: QueueMessages["EVENTS"] }[]) =>
      sent.push(...messages.flatMap(({ body }) => (body.companyId === NO_COMPANY ? body : [])));
    const watched = { ...env, EVENTS: { sendBatch } } as never;
    await sweep(watched, Date.now());
    expect(sent).toEqual([]);
    await env.DIRECTORY.prepare("UPDATE dead_letters SET is_requeued = 1").run();
    await sweep(watched, Date.now());
    expect(sent).toEqual([{ queue: "EVENTS", companyId: NO_COMPANY }]);
    expect(await letters()).toEqual([]);
  });

  it("is found by an index when it is to be sent again", async () => {
    const { sql, params } = selectRequeued(directoryDb(env), 10).toSQL();
    const plan = await env.DIRECTORY.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    expect(plan.results.map(({ detail }) => detail)).toEqual(["SCAN dead_letters USING INDEX dead_letters_requeued"]);
  });
});
