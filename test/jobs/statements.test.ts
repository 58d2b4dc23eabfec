import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { companyDb } from "../../src/db/client.ts";
import { alertConditions, reportSubscriptions, subscriptionLogs, workOrders } from "../../src/db/schema.ts";
import type { JobName } from "../../src/events/queues.ts";
import { consume } from "../../src/jobs/consume.ts";
import { dispatchEvents } from "../../src/jobs/dispatch-events.ts";
import { Budget, withBudget } from "../../src/limits/budget.ts";
import { createAlertRule } from "../support/alerts.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../support/clock.ts";
import {
  createCompany,
  createMachine,
  createSku,
  createSubscription,
  createUser,
  createWorkOrder,
} from "../support/factories.ts";
import { doJob } from "../support/jobs.ts";
import { confirmAllMachines } from "../support/machines.ts";
import { createWebhookSubscription, deafEnv, happen } from "../support/webhooks.ts";

// The statements of an invocation: docs/performance.md has the figures.

stopClockAtNoon();

const db = companyDb(env, "first-primary");
const lateBy = (i: number) => ({ estimatedDeliveryAt: NOON - (i + 1) * MINUTE });

/** A company with a rule about late orders, and a machine. */
async function createWatched() {
  const { companyId } = await createCompany();
  await createAlertRule(companyId, { kind: "order_late", params: {} });
  return { ...(await createSku(companyId)), companyId, machine: await createMachine(companyId) };
}

/** Orders of other tests and files are not late any more. */
async function endAll() {
  await db.update(workOrders).set({ status: "Completed" });
  await doJob("orders", NOON + 20 * MINUTE);
}

beforeEach(endAll);

describe("the jobs of a minute", () => {
  it("take at most 12 statements each if there is nothing to do, and none for companies with a rule whose orders are not late", async () => {
    for (let i = 0; i < 30; i++) await createWatched();
    await confirmAllMachines();
    for (const name of ["sweep", "configure", "reports", "orders"] satisfies JobName[]) {
      const [own, ...others] = await doJob(name, NOON);
      expect(own?.statements, name).toBeLessThanOrEqual(12);
      expect(others, name).toEqual([]);
    }
  });

  it("take at most 40 each for 600 orders of a company that become late", async () => {
    const { companyId, machine, skuId } = await createWatched();
    for (let i = 0; i < 600; i++) await createWorkOrder(machine, skuId, lateBy(i));
    const done = await doJob("orders", NOON);
    expect(done.map(({ job }) => [job.job, job.companyIds])).toEqual([
      ["orders", undefined],
      ["lateOrders", [companyId]],
      ["orderRules", [companyId]],
    ]);
    for (const { job, statements } of done) expect(statements, job.job).toBeLessThanOrEqual(40);
    const stored = await env.DB_0.prepare("SELECT count(*) AS n FROM events WHERE company_id = ?").bind(companyId).first("n");
    expect(stored).toBe(600);
    // Everything is published, so that only the rule remains to be watched.
    expect((await doJob("orders", NOON + MINUTE)).map(({ job }) => job.job)).toEqual(["orders", "orderRules"]);
  });

  it("take at most 12 for each of many companies with late orders, 20 of which share an invocation", async () => {
    const companyIds: number[] = [];
    for (let i = 0; i < 45; i++) {
      const { companyId, machine, skuId } = await createWatched();
      await createWorkOrder(machine, skuId, lateBy(i));
      companyIds.push(companyId);
    }
    const done = await doJob("orders", NOON);
    for (const name of ["lateOrders", "orderRules"]) {
      const own = done.filter(({ job }) => job.job === name);
      expect(own.map(({ job }) => job.companyIds?.length)).toEqual([20, 20, 5]);
      expect(own.flatMap(({ job }) => job.companyIds).sort()).toEqual(companyIds.sort());
      for (const { statements, job } of own) expect(statements).toBeLessThanOrEqual(12 * (job.companyIds?.length ?? 0));
    }
  });

  it("are continued in another invocation when one has done enough", async () => {
    for (let i = 0; i < 3; i++) {
      const { machine, skuId } = await createWatched();
      await createWorkOrder(machine, skuId, lateBy(i));
    }
    const done = await doJob("orders", NOON, {}, 5);
    const rounds = done.filter(({ job }) => job.job === "lateOrders").map(({ job }) => job.companyIds?.length);
    expect(rounds).toEqual([3, 2, 1]);
  });

  it("put 1,000 reports that are due into the queue, with three statements for a hundred", async () => {
    const { companyId } = await createCompany();
    const first = await createSubscription(companyId, { isActive: true, kind: "daily", time: "11:00", nextRunAt: NOON - HOUR });
    await env.DB_0.prepare(
      `INSERT INTO report_subscriptions (id, company_id, name, kind, time, is_active, next_run_at, created_at, updated_at)
       SELECT 'of-a-thousand-' || value, company_id, name, kind, time, is_active, next_run_at, created_at, updated_at
       FROM report_subscriptions, json_each(?) WHERE report_subscriptions.id = ?`,
    )
      .bind(JSON.stringify(Array.from({ length: 999 }, (_, i) => i)), first.id)
      .run();
    const sent: string[] = [];
    let calls = 0;
    const REPORTS = {
      sendBatch: async (messages: { body: { logId: string } }[]) => {
        calls += 1;
        sent.push(...messages.map(({ body }) => body.logId));
      },
    } as never;
    const [done] = await doJob("reports", NOON, { REPORTS });
    const ofCompany = sent.filter((logId) => logId.startsWith("of-a-thousand-") || logId.startsWith(first.id));
    expect([ofCompany.length, new Set(ofCompany).size]).toEqual([1000, 1000]);
    // Other tests may have left reports that are due, too.
    const hundreds = Math.ceil(sent.length / 100);
    expect(calls).toBe(hundreds);
    expect(done?.statements).toBeLessThanOrEqual(3 * (hundreds + 1) + 2);
    const own = eq(reportSubscriptions.companyId, companyId);
    const due = await db.select({ at: reportSubscriptions.nextRunAt }).from(reportSubscriptions).where(own);
    expect(new Set(due.map(({ at }) => at))).toEqual(new Set([NOON - HOUR + DAY]));
    await db.update(subscriptionLogs).set({ nextAttemptAt: null });
  });
});

/** A batch of the queue EVENTS with a message for each company, and what was decided about each. */
function batchOf(companyIds: readonly number[], attempts = 1) {
  const decided: [string, unknown][] = [];
  const messages = companyIds.map((companyId) => ({
    ...{ id: `${companyId}`, timestamp: new Date(), attempts, body: { queue: "EVENTS", companyId } },
    ack: () => decided.push(["ack", companyId]),
    retry: () => decided.push(["retry", companyId]),
  }));
  return { batch: { queue: "andon-events", messages } as unknown as MessageBatch, decided };
}

describe("the dispatch of the events of ten companies", () => {
  async function statementsOf(prepare: (companyId: number) => Promise<unknown>) {
    const companyIds: number[] = [];
    for (let i = 0; i < 10; i++) {
      const { companyId } = await createCompany();
      await prepare(companyId);
      await happen(companyId, [{}]);
      companyIds.push(companyId);
    }
    let statements = 0;
    for (const companyId of companyIds) {
      const { env: own, budget } = withBudget(deafEnv().env);
      await dispatchEvents(own, companyId, NOON);
      statements += budget.statements;
    }
    return statements;
  }

  it("takes at most 63 statements", async () => {
    expect(await statementsOf(async () => undefined)).toBeLessThanOrEqual(63);
  });

  it("takes at most 141 with a webhook and a condition each", async () => {
    const statements = await statementsOf(async (companyId) => {
      await createWebhookSubscription(companyId);
      await createUser(companyId, "admin");
      const { machineId } = await createMachine(companyId);
      const { id: ruleId } = await createAlertRule(companyId, { kind: "stop", params: { minutes: 5 } });
      const at = { since: NOON, dueAt: NOON, createdAt: NOON, updatedAt: NOON };
      const condition = { id: `c-${companyId}`, companyId, ruleId, machineId, subject: `m-${machineId}`, revision: 1, facts: {} };
      await db.insert(alertConditions).values({ ...condition, ...at });
    });
    expect(statements).toBeLessThanOrEqual(141);
  });

  it("leaves the others to another invocation when this one has done enough", async () => {
    const companyIds = [(await createCompany()).companyId, (await createCompany()).companyId];
    for (const companyId of companyIds) await happen(companyId, [{}]);
    const { batch, decided } = batchOf(companyIds);
    await consume(batch, deafEnv().env, createExecutionContext(), 1);
    expect(decided).toEqual([
      ["ack", companyIds[0]],
      ["retry", companyIds[1]],
    ]);
    // A message that would become a dead letter is not put off.
    const last = batchOf(companyIds, 9);
    await consume(last.batch, deafEnv().env, createExecutionContext(), 1);
    expect(last.decided.map(([what]) => what)).toEqual(["ack", "ack"]);
  });
});

it("a budget counts the statements of a batch one by one", async () => {
  const { env: own, budget } = withBudget(env, 4);
  const counted = companyDb(own);
  const one = counted.select().from(alertConditions).limit(1);
  await one;
  await counted.batch([one, one]);
  expect([budget.statements, budget.isUsed]).toEqual([3, false]);
  await companyDb(own).select().from(alertConditions).limit(1);
  expect(budget.isUsed).toBe(true);
  expect(new Budget(1).isUsed).toBe(false);
});
