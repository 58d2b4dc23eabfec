import { and, asc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import {
  alertRules,
  companies,
  eventCounters,
  events,
  lines,
  machines,
  operators,
  shifts,
  stopCauses,
  users,
  workOrders,
} from "../db/schema.ts";
import { eventTypeNumbers, type WorkOrderStatus } from "../db/values.ts";
import type { NewEvent } from "./event.ts";
import { firstPlaceOf } from "./shapes.ts";
import { AS_ARRAY, numberedOf, rowOf } from "./stored.ts";

/**
 * The number that the next event of a company follows. A dispatched event may have been deleted already, and an event that is there may not have been
 * dispatched.
 */
function lastSeqOf(companyId: SQL): SQL {
  return sql`max(coalesce((SELECT max(known.seq) FROM ${events} AS known WHERE known.company_id = ${companyId}), 0),
    ${dispatchedSeqOf(companyId)})`;
}

/**
 * The statement that stores events, in this order, and returns those that were new: existing events stay as they are. Their numbers follow those of the
 * company's events; a repeated event leaves a gap.
 */
export function insertEvents(db: CompanyDb, list: readonly NewEvent[], now: number) {
  const rows = list
    .map(rowOf)
    .map(({ companyId, ...row }) => [companyId, row.machineId, row.n, row.key, row.type, row.at, row.form, row.data]);
  const value = (place: number) => sql.raw(`value->>${place}`);
  const lineId = sql`(SELECT line_id FROM ${machines} WHERE ${machines.id} = ${value(1)})`;
  return db
    .insert(events)
    .select(
      sql`SELECT ${value(0)}, ${lastSeqOf(value(0))} + row_number() OVER (PARTITION BY ${value(0)} ORDER BY key), ${value(1)}, ${value(2)},
        ${value(3)}, ${value(4)}, ${lineId}, ${value(5)}, ${now}, ${value(6)}, ${value(7)}
        FROM json_each(${JSON.stringify(rows)}) WHERE true ORDER BY key`,
    )
    .onConflictDoNothing()
    .returning({ seq: events.seq });
}

/**
 * The statement that stores an event for each order that matches a condition, with its present members, and returns those that were new. It comes
 * after the statement that changes the orders, or before it if `status` is the new status.
 * @param of an SQL expression of the order that distinguishes this event from earlier ones of its type; without it an order has at most one event of
 * the type
 * @param expectedAt when the remaining units of the order will be made, epoch ms
 */
export function insertOrderEvents(
  db: CompanyDb,
  type: "work_order.created" | "work_order.started" | "work_order.late" | "work_order.completed",
  where: SQL | undefined,
  now: number,
  { of, status, expectedAt }: { of?: SQL; status?: WorkOrderStatus; expectedAt?: SQL | null } = {},
) {
  const o = workOrders;
  const key = of ? sql`${type} || ':' || ${o.id} || ':' || ${of}` : sql`${type} || ':' || ${o.id}`;
  const machineIds = sql`(SELECT json_group_array(machine_id) FROM (SELECT machine_id FROM work_order_machines
    WHERE work_order_id = ${o.id} ORDER BY machine_id))`;
  const expected = expectedAt === undefined ? sql`` : sql`, ${now} - ${expectedAt}`;
  // As the shape of the type has it (shapes.ts).
  const data = sql`json_array(${o.id}, ${o.code}, ${o.name}, ${status ?? o.status}, ${now} - ${o.estimatedDeliveryAt}, json(${machineIds})${expected})`;
  return db
    .insert(events)
    .select(
      sql`SELECT ${o.companyId}, ${lastSeqOf(sql`${o.companyId}`)} + row_number() OVER (PARTITION BY ${o.companyId}), NULL, NULL, ${key},
        ${eventTypeNumbers[type]}, NULL, ${now}, ${now}, ${AS_ARRAY}, ${data} FROM ${o} WHERE ${where}`,
    )
    .onConflictDoNothing()
    .returning({ seq: events.seq });
}

/** The tables with the names in events. Deleted rows keep their names. */
const namedTables = { machines, lines, shifts, operators, stopCauses, alertRules, users };
export type NamedTable = keyof typeof namedTables;

/** The statement that reads names by the ids of rows. */
export function selectNames(db: CompanyDb, table: NamedTable, ids: readonly (number | string)[]) {
  const { id, name } = namedTables[table];
  return db
    .select({ id: sql<number | string>`${id}`.as("named_id"), name })
    .from(namedTables[table])
    .where(inList(id, ids));
}

/** The condition for the event with an id. Ids of events that machines numbered are mostly not stored. */
export function hasId(id: string): SQL {
  const isStored = eq(events.key, id);
  const numbered = numberedOf(id);
  if (!numbered) return isStored;
  const { type, about, machineId, n } = numbered;
  const place = firstPlaceOf(type, about, machineId);
  const isAbout = place === null ? sql`${about} = ${machineId}` : sql`${events.data}->>0 = ${place}`;
  const isNumbered = and(
    eq(events.machineId, machineId),
    eq(events.n, n),
    isNull(events.key),
    eq(events.type, eventTypeNumbers[type]),
  );
  return sql`(${isStored} OR (${isNumbered} AND ${isAbout}))`;
}

/** Up to which number the events of a company are dispatched. */
export function dispatchedSeqOf(companyId: SQL | number): SQL {
  return sql`coalesce((SELECT dispatched_seq FROM ${eventCounters} WHERE ${eventCounters.companyId} = ${companyId}), 0)`;
}

/** The statement that reads the oldest dispatched events of a company after a number. */
export function selectDispatched(db: CompanyDb, companyId: number, after: number, limit: number) {
  return db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), gt(events.seq, after), lte(events.seq, dispatchedSeqOf(companyId))))
    .orderBy(asc(events.seq))
    .limit(limit);
}

/** The statement that reads the oldest events of a company that have not been dispatched. */
export function selectUndispatched(db: CompanyDb, companyId: number, limit: number) {
  return db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), sql`${events.seq} > ${dispatchedSeqOf(companyId)}`))
    .orderBy(asc(events.seq))
    .limit(limit);
}

/** The statement that marks a company's events up to a number as dispatched. */
export function markDispatched(db: CompanyDb, companyId: number, seq: number) {
  const { dispatchedSeq } = eventCounters;
  return db
    .insert(eventCounters)
    .values({ companyId, dispatchedSeq: seq })
    .onConflictDoUpdate({
      target: eventCounters.companyId,
      set: { dispatchedSeq: seq },
      setWhere: sql`${dispatchedSeq} < ${seq}`,
    });
}

/** The statement that reads the companies with events that should have been dispatched by `until`. */
export function selectWaitingCompanies(db: CompanyDb, until: number) {
  const ofCompany = and(eq(events.companyId, companies.id), sql`${events.seq} > ${dispatchedSeqOf(sql`${companies.id}`)}`);
  const isWaiting = and(ofCompany, lte(events.createdAt, until));
  return db.select({ companyId: companies.id }).from(companies).where(sql`EXISTS (SELECT 1 FROM ${events} WHERE ${isWaiting})`);
}
