import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { selectCompaniesWithUnpublishedLate } from "../../src/api/orders/queries.ts";
import { companyDb } from "../../src/db/client.ts";
import { alertConditions, events } from "../../src/db/schema.ts";
import { eventTypeNumbers } from "../../src/db/values.ts";
import { createAlertRule } from "../support/alerts.ts";
import { MINUTE, NOON, stopClockAtNoon } from "../support/clock.ts";
import { createCompany, createMachine, createSku, createWorkOrder } from "../support/factories.ts";
import { doJob } from "../support/jobs.ts";

stopClockAtNoon();

const db = companyDb(env, "first-primary");

/** A company with a rule about late orders, and this many of them. */
async function createLateOrders(count: number): Promise<number> {
  const { companyId } = await createCompany();
  const machine = await createMachine(companyId);
  const { skuId } = await createSku(companyId);
  await createAlertRule(companyId, { kind: "order_late", params: {} });
  for (let i = 0; i < count; i++) await createWorkOrder(machine, skuId, { estimatedDeliveryAt: NOON - (i + 1) * MINUTE });
  return companyId;
}

const conditionsOf = (companyId: number) => db.select().from(alertConditions).where(eq(alertConditions.companyId, companyId));

it("one run reports all late orders of every company, however many there are", async () => {
  const many = await createLateOrders(120);
  const few = await createLateOrders(1);
  await doJob("orders", NOON);
  const published = await db
    .select({ companyId: events.companyId })
    .from(events)
    .where(eq(events.type, eventTypeNumbers["work_order.late"]));
  expect([many, few].map((id) => published.filter(({ companyId }) => companyId === id).length)).toEqual([120, 1]);
  expect(await conditionsOf(many)).toHaveLength(120);
});

it("more late orders than fit into one page each have their alert, which ends with the order's lateness", async () => {
  const companyId = await createLateOrders(1);
  await env.DB_0.prepare(
    `insert into work_orders (id, company_id, code, name, status, priority, source, estimated_delivery_at, created_at, updated_at)
     select 'copy ' || key, company_id, 'C-' || key, name, status, priority, source, ${NOON} - 1 - key, created_at, updated_at
     from json_each(?) cross join work_orders where company_id = ?`,
  )
    .bind(JSON.stringify(Array(1100).fill(0)), companyId)
    .run();
  await doJob("orders", NOON);
  const isOpen = ({ until }: { until: number | null }) => until === null;
  expect((await conditionsOf(companyId)).filter(isOpen)).toHaveLength(1101);
  await env.DB_0.prepare("update work_orders set status = 'Completed' where id = 'copy 1050'").run();
  await doJob("orders", NOON + MINUTE);
  expect((await conditionsOf(companyId)).filter(isOpen)).toHaveLength(1100);
});

it("a failure for one company does not affect the others", async () => {
  const companies = [await createLateOrders(1), await createLateOrders(1), await createLateOrders(1)];
  const broken = companies[1] as number;
  const isBroken = (statements: readonly D1PreparedStatement[]) =>
    statements.some((one) => {
      const { statement, params } = one as unknown as { statement: string; params: unknown[] };
      return statement.includes("alert_conditions") && params.includes(broken);
    });
  const DB_0 = {
    withSession: (start: string) => {
      const session = env.DB_0.withSession(start);
      return {
        prepare: (text: string) => session.prepare(text),
        batch: (statements: D1PreparedStatement[]) =>
          isBroken(statements) ? Promise.reject(new Error("it is broken")) : session.batch(statements),
        getBookmark: () => session.getBookmark(),
      };
    },
  };
  await expect(doJob("orders", NOON, { DB_0: DB_0 as never })).rejects.toThrow("it is broken");
  const found = await Promise.all(companies.map(conditionsOf));
  expect(found.map(({ length }) => length)).toEqual([1, 0, 1]);
});

it("the search for companies with late orders reads no order that is closed or has its event", async () => {
  const companyId = await createLateOrders(3);
  await doJob("orders", NOON);
  const rowsRead = async () => {
    const before = db.usage.rowsRead;
    await selectCompaniesWithUnpublishedLate(db, NOON);
    return db.usage.rowsRead - before;
  };
  const read = await rowsRead();
  await env.DB_0.prepare(
    `insert into work_orders (id, company_id, code, name, status, priority, source, created_at, updated_at)
     select 'closed ' || key, ?, 'C-' || key, '', 'Completed', 0, '', key, 0 from json_each(?)`,
  )
    .bind(companyId, JSON.stringify(Array(1000).fill(0)))
    .run();
  expect(await rowsRead()).toBe(read);
});
