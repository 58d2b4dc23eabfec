import { and, asc, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { events, workOrders } from "../db/schema.ts";
import type { WorkOrderStatus } from "../db/values.ts";
import type { NewEvent } from "./event.ts";

/** Members of an event's data that are looked up by an id in the data when the event is stored. */
const names = {
  machineName: sql`(SELECT name FROM machines WHERE id = data->>'machineId')`,
  lineId: sql`(SELECT line_id FROM machines WHERE id = data->>'machineId')`,
  lineName: sql`(SELECT lines.name FROM machines JOIN lines ON lines.id = line_id WHERE machines.id = data->>'machineId')`,
  shiftName: sql`(SELECT name FROM shifts WHERE id = data->>'shiftId')`,
  operatorName: sql`(SELECT name FROM operators WHERE id = data->>'operatorId')`,
  generalCauseName: sql`(SELECT name FROM stop_causes WHERE id = data->>'generalCauseId')`,
  specificCauseName: sql`(SELECT name FROM stop_causes WHERE id = data->>'specificCauseId')`,
  componentName: sql`(SELECT name FROM stop_causes WHERE id = data->>'componentId')`,
  ruleName: sql`(SELECT name FROM alert_rules WHERE id = data->>'ruleId')`,
  userName: sql`(SELECT name FROM users WHERE id = data->>'userId')`,
};

/** `data` with the names filled in for which it has a member. */
const dataWithNames = sql`json_replace(data, ${sql.join(
  Object.entries(names).map(([member, name]) => sql`${sql.raw(`'$.${member}'`)}, ${name}`),
  sql`, `,
)})`;

/**
 * The statement that stores events, in this order, and returns those that were new: existing events stay as they are. Members of the data such as
 * `machineName`, which must be present as null, get the name that belongs to the `machineId` (see `names`).
 */
export function insertEvents(db: Db, rows: readonly NewEvent[], now: number) {
  return db
    .insert(events)
    .select(
      sql`SELECT NULL, id, company_id, machine_id, type, at, ${dataWithNames}, NULL, ${now} FROM (
        SELECT value->>'id' AS id, value->>'companyId' AS company_id, value->>'machineId' AS machine_id, value->>'type' AS type,
          value->>'at' AS at, value->'data' AS data, key FROM json_each(${JSON.stringify(rows)})) WHERE true ORDER BY key`,
    )
    .onConflictDoNothing()
    .returning({ seq: events.seq });
}

/** A time as text, in SQL; null for none. */
const isoTime = (time: SQL | number | null) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${time} / 1000.0, 'unixepoch')`;

/**
 * The statement that stores an event for each order that matches a condition, with its present members, and returns those that were new. It comes
 * after the statement that changes the orders, or before it if `status` is the new status.
 * @param of an SQL expression of the order that distinguishes this event from earlier ones of its type; without it an order has at most one event of
 * the type
 * @param expectedAt when the remaining units of the order will be made, epoch ms
 */
export function insertOrderEvents(
  db: Db,
  type: "work_order.created" | "work_order.started" | "work_order.late" | "work_order.completed",
  where: SQL | undefined,
  now: number,
  { of, status, expectedAt }: { of?: SQL; status?: WorkOrderStatus; expectedAt?: SQL | null } = {},
) {
  const o = workOrders;
  const id = of ? sql`${type} || ':' || ${o.id} || ':' || ${of}` : sql`${type} || ':' || ${o.id}`;
  const machineIds = sql`(SELECT json_group_array(machine_id) FROM (SELECT machine_id FROM work_order_machines
    WHERE work_order_id = ${o.id} ORDER BY machine_id))`;
  const expected = expectedAt === undefined ? sql`` : sql`, 'expectedAt', ${isoTime(expectedAt)}`;
  return db
    .insert(events)
    .select(
      sql`SELECT NULL, ${id}, ${o.companyId}, NULL, ${type}, ${now}, json_object('workOrderId', ${o.id}, 'code', ${o.code}, 'name', ${o.name},
        'status', ${status ?? o.status}, 'dueAt', ${isoTime(sql`${o.estimatedDeliveryAt}`)}, 'machineIds', json(${machineIds})${expected}),
        NULL, ${now} FROM ${o} WHERE ${where}`,
    )
    .onConflictDoNothing()
    .returning({ seq: events.seq });
}

/** The statement that reads the oldest events of a company that have not been dispatched. */
export function selectUndispatched(db: Db, companyId: number, limit: number) {
  return db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), isNull(events.dispatchedAt)))
    .orderBy(asc(events.seq))
    .limit(limit);
}

/** The statement that marks events as dispatched. */
export function markDispatched(db: Db, seqs: readonly number[], now: number) {
  return db
    .update(events)
    .set({ dispatchedAt: now })
    .where(and(inList(events.seq, seqs), isNull(events.dispatchedAt)));
}

/** The statement that reads the companies with events that should have been dispatched by `until`. */
export function selectWaitingCompanies(db: Db, until: number) {
  return db
    .selectDistinct({ companyId: events.companyId })
    .from(events)
    .where(and(isNull(events.dispatchedAt), lte(events.createdAt, until)));
}
