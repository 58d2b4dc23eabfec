import { and, eq, gt, gte, isNotNull, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import {
  alertRules,
  calendarDays,
  chatRooms,
  lines,
  machines,
  operatorPlanAssignments,
  operatorPlans,
  operators,
  personas,
  reportSubscriptions,
  shifts,
  skus,
  stopCauses,
  webhookSubscriptions,
  workOrderMachines,
  workOrders,
  workOrderTargets,
} from "../db/schema.ts";
import { DAY_MS, isoOf } from "../oee/time.ts";
import { type Problem, refusal } from "./problem.ts";

// What in a company's set-up needs what: the one place that decides what becomes of a reference when the thing it names is deleted. Deleting reads
// it (src/resource/items.ts), and so does GET /v1/setup/check. A test compares it with the tables: a new column with ids must be listed here or there.

/** Things that name others or are named by them, as messages call them, and where they are stored. */
const kinds = {
  "alert rule": kind(alertRules, alertRules.name, isNull(alertRules.deletedAt)),
  // Of the past it only says what was. The day may still last somewhere until a day later.
  "calendar day": kind(calendarDays, calendarDays.date, isNull(calendarDays.deletedAt), (now) =>
    gte(calendarDays.date, isoOf(now - DAY_MS).slice(0, 10)),
  ),
  "chat room": kind(chatRooms, chatRooms.name, isNull(chatRooms.deletedAt)),
  line: kind(lines, lines.name, isNull(lines.deletedAt)),
  machine: kind(machines, machines.name, isNull(machines.deletedAt)),
  operator: kind(operators, operators.name, isNull(operators.deletedAt)),
  // A plan that has ended needs nothing any more.
  "operator plan": kind(operatorPlans, operatorPlans.title, isNull(operatorPlans.deletedAt), (now) =>
    gt(operatorPlans.until, now),
  ),
  persona: kind(personas, personas.name, undefined),
  "report subscription": kind(reportSubscriptions, reportSubscriptions.name, isNull(reportSubscriptions.deletedAt)),
  shift: kind(shifts, shifts.name, isNull(shifts.deletedAt)),
  SKU: kind(skus, skus.name, isNull(skus.deletedAt)),
  "stop cause": kind(stopCauses, stopCauses.name, isNull(stopCauses.deletedAt)),
  // Its URL may contain a secret.
  "webhook subscription": kind(
    webhookSubscriptions,
    sql`iif(${webhookSubscriptions.description} = '', ${webhookSubscriptions.id}, ${webhookSubscriptions.description})`,
    isNull(webhookSubscriptions.deletedAt),
  ),
  "work order": kind(
    workOrders,
    workOrders.code,
    sql`${workOrders.deletedAt} IS NULL AND ${workOrders.status} IN ('Backlog', 'Planned', 'InProgress', 'Paused')`,
  ),
} as const;

export type ReferenceKind = keyof typeof kinds;
export const referenceKinds = Object.keys(kinds) as ReferenceKind[];

/** One member that holds ids of other things. */
export interface Reference {
  /** What names others, and its member, as the API calls it. */
  from: ReferenceKind;
  member: string;
  to: ReferenceKind;
  /**
   * What deleting the named thing does. `refused`: 409 while something names it, because that would silently stop doing its work, and can be
   * changed first. `reported`: it is deleted, and `GET /v1/setup/check` lists what names it still: that has other parts that go on, or cannot be changed.
   */
  onDelete: "refused" | "reported";
  /** The ids that a row of `from` names: a query with the column `value`. */
  ids: SQL;
  /** True for rows of `from` that name this id. */
  names(id: SQLWrapper): SQL;
}

/** All references of a company's set-up, except to the company itself: what belongs to a company ends with it. */
export const references: readonly Reference[] = [
  inLists("alert rule", "machineIds", "machine", "refused", alertRules.machineIds),
  inLists("alert rule", "lineIds", "line", "refused", alertRules.lineIds),
  inLists("alert rule", "shiftIds", "shift", "refused", alertRules.shiftIds),
  inLists("alert rule", "when.causeIds", "stop cause", "refused", sql`${alertRules.params} -> '$.causeIds'`),
  inLevels("personaIds", "persona"),
  inLevels("chatRoomIds", "chat room"),
  inColumn("calendar day", "lineId", "line", "refused", calendarDays.lineId),
  inColumn("calendar day", "machineId", "machine", "reported", calendarDays.machineId),
  inCalendar("shifts.shiftId", "shift"),
  inLists("report subscription", "machineIds", "machine", "refused", reportSubscriptions.machineIds),
  inLists("report subscription", "lineIds", "line", "refused", reportSubscriptions.lineIds),
  inLists("report subscription", "shiftIds", "shift", "refused", reportSubscriptions.shiftIds),
  inLists("report subscription", "personaIds", "persona", "refused", reportSubscriptions.personaIds),
  inLists(
    "report subscription",
    "webhookSubscriptionIds",
    "webhook subscription",
    "refused",
    reportSubscriptions.webhookSubscriptionIds,
  ),
  inLists("webhook subscription", "machineIds", "machine", "refused", webhookSubscriptions.machineIds),
  inLists("webhook subscription", "lineIds", "line", "refused", webhookSubscriptions.lineIds),
  inRows("work order", "machines", "machine", "refused", {
    rows: workOrderMachines,
    of: eq(workOrderMachines.workOrderId, workOrders.id),
    value: workOrderMachines.machineId,
  }),
  inRows("work order", "targets", "SKU", "refused", {
    rows: workOrderTargets,
    of: eq(workOrderTargets.workOrderId, workOrders.id),
    value: workOrderTargets.skuId,
  }),
  inColumn("machine", "lineId", "line", "refused", machines.lineId),
  inColumn("stop cause", "parentId", "stop cause", "refused", stopCauses.parentId),
  inLists("shift", "machineIds", "machine", "reported", shifts.machineIds),
  ...(["machineId", "shiftId", "operatorId"] as const).map((member) =>
    inRows(
      "operator plan",
      `assignments.${member}`,
      member === "machineId" ? "machine" : member === "shiftId" ? "shift" : "operator",
      "reported",
      {
        rows: operatorPlanAssignments,
        of: eq(operatorPlanAssignments.planId, operatorPlans.id),
        value: operatorPlanAssignments[member],
      },
    ),
  ),
];

/** The maximum number of things that one refusal names. */
const MOST_NAMED = 20;

/** Something that names what is to be deleted. */
export interface Dependent {
  id: unknown;
  label: string;
}

/** The references that forbid deleting something of this kind (a resource's noun). */
export function refusing(noun: string): Reference[] {
  return references.filter(({ to, onDelete }) => to === noun && onDelete === "refused");
}

/**
 * The statement that reads what names something by a reference, a few more than a refusal lists.
 * @param companyId the company that owns it
 * @param id the thing
 */
export function selectDependents(db: CompanyDb, reference: Reference, companyId: SQLWrapper, id: number | string) {
  const { table, id: rowId, label } = kinds[reference.from];
  return db
    .select({ id: sql<unknown>`${rowId}`.as("dependent_id"), label: sql<string>`${label}`.as("dependent_label") })
    .from(table)
    .where(namesIt(reference, companyId, id))
    .limit(MOST_NAMED + 1);
}

/** Condition: nothing names it by this reference. */
export function hasNoDependent(reference: Reference, companyId: SQLWrapper, id: number | string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${kinds[reference.from].table} WHERE ${namesIt(reference, companyId, id)})`;
}

/**
 * The statement that reads what names some of these by a reference, a few more than a refusal lists. What is one of them itself does not count.
 * @param companyId the company that owns them
 */
export function selectDependentsOf(
  db: CompanyDb,
  reference: Reference,
  companyId: SQLWrapper,
  ids: readonly (number | string)[],
) {
  const { table, id: rowId, label } = kinds[reference.from];
  return db
    .select({ id: sql<unknown>`${rowId}`.as("dependent_id"), label: sql<string>`${label}`.as("dependent_label") })
    .from(table)
    .where(namesSome(reference, companyId, ids))
    .limit(MOST_NAMED + 1);
}

/** Condition: nothing names any of these by this reference, apart from them themselves. */
export function haveNoDependent(reference: Reference, companyId: SQLWrapper, ids: readonly (number | string)[]): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${kinds[reference.from].table} WHERE ${namesSome(reference, companyId, ids)})`;
}

function namesSome(
  { from, to, ids: named }: Reference,
  companyId: SQLWrapper,
  ids: readonly (number | string)[],
): SQL | undefined {
  const { id, owner } = kinds[from];
  const isOne = sql`EXISTS (SELECT 1 FROM (${named}) AS named WHERE ${inList(sql`named.value`, ids)})`;
  return and(
    sql`${owner} = ${companyId}`,
    isLive(from, Date.now()),
    isOne,
    from === to ? sql`NOT (${inList(id, ids)})` : undefined,
  );
}

/** The refusal to delete what others need: 409 that lists them, at most 20; undefined if nothing needs it. */
export function refusalOf(found: readonly (readonly [Reference, readonly Dependent[]])[]): Problem | undefined {
  const all = found.flatMap(([{ from, member }, rows]) => rows.map((row) => ({ from, member, ...row })));
  if (all.length === 0) return undefined;
  const shown = all.slice(0, MOST_NAMED);
  const and = all.length > shown.length ? ", as do others" : "";
  return refusal(
    409,
    shown.map(({ from, member, id, label }) => ({
      pointer: "",
      code: "in_use",
      message: `the ${from} ${label} (${id}) needs it, by its ${member}${and}: change or delete that first`,
    })),
  );
}

/** The references without which something of this kind (a resource's noun) does not do its work. */
export function requiredBy(noun: string): Reference[] {
  return references.filter(({ from, onDelete }) => from === noun && onDelete === "refused");
}

/** An id that is named, and belongs to nothing any more. */
export interface Missing {
  id: number | string;
}

/** The statement that reads what a row, which may be deleted itself, names by a reference and is not there any more. */
export function selectMissing(db: CompanyDb, reference: Reference, rowId: number | string) {
  const { table } = kinds[reference.from];
  const missing = missingIn(reference);
  return db
    .select({ id: sql<number | string>`${missing}`.as("missing_id") })
    .from(table)
    .where(and(isNeeding(reference, rowId), isNotNull(missing)));
}

/** Condition: what a row names by a reference is there. */
export function hasAllNeeded(reference: Reference, rowId: number | string): SQL {
  const { table } = kinds[reference.from];
  return sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${and(isNeeding(reference, rowId), isNotNull(missingIn(reference)))})`;
}

function isNeeding({ from }: Reference, rowId: number | string): SQL | undefined {
  const { id, isStillNeeded } = kinds[from];
  return and(eq(id, rowId), isStillNeeded?.(Date.now()));
}

/** The refusal to restore what needs something that is deleted: a 409 that names one such thing for each reference; undefined if nothing is missing. */
export function missingOf(found: readonly (readonly [Reference, readonly Missing[]])[]): Problem | undefined {
  const faults = found.flatMap(([{ member, to }, rows]) =>
    rows.map(({ id }) => {
      const message = `it names the ${to} ${id} by its ${member}, which is deleted: restore that first`;
      return { pointer: "", code: "not_found", message } as const;
    }),
  );
  return faults.length === 0 ? undefined : refusal(409, faults);
}

/** Condition: the company has all of these. For writes that name them, so that none is deleted meanwhile. */
export function areThere(to: ReferenceKind, companyId: number, ids: readonly (number | string)[]): SQL {
  if (ids.length === 0) return sql`true`;
  const distinct = [...new Set(ids)];
  const { table, id, owner, deletedAt } = kinds[to];
  // The plus rules out the index by company, which may have thousands of rows.
  const isOne = and(inList(id, distinct), sql`+${owner} = ${companyId}`, deletedAt && isNull(deletedAt));
  return sql`(SELECT count(*) FROM ${table} WHERE ${isOne}) = ${distinct.length}`;
}

/** Kinds that choose machines by `machineIds` and `lineIds`; both null: all. */
export const choosing = ["alert rule", "report subscription", "webhook subscription"] as const;

/** The statement that reads the active rows of a kind that choose no machine in service: they can do nothing any more. At most `limit` rows. */
export function selectIdle(db: CompanyDb, from: (typeof choosing)[number], companyId: number, now: number, limit: number) {
  const { id, label, owner } = kinds[from];
  const table = {
    "alert rule": alertRules,
    "report subscription": reportSubscriptions,
    "webhook subscription": webhookSubscriptions,
  }[from];
  const isInService = sql`one.deleted_at IS NULL AND (one.decommissioned_at IS NULL OR one.decommissioned_at > ${now})`;
  const isChosen = sql`EXISTS (SELECT 1 FROM json_each(${table.machineIds}) AS named JOIN ${machines} AS one ON one.id = named.value WHERE ${isInService})
    OR EXISTS (SELECT 1 FROM json_each(${table.lineIds}) AS named JOIN ${machines} AS one ON one.line_id = named.value WHERE ${isInService})`;
  const isChoosing = sql`(${table.machineIds} IS NOT NULL OR ${table.lineIds} IS NOT NULL)`;
  const isActive = and(eq(table.isActive, true), isNull(table.deletedAt));
  return db
    .select({ id: sql<string>`${id}`.as("idle_id"), name: sql<string>`${label}`.as("idle_label") })
    .from(table)
    .where(and(eq(owner, companyId), isActive, isChoosing, sql`NOT (${isChosen})`))
    .limit(limit);
}

/** The maximum number of rows of a kind that are searched for what was deleted. */
export const MOST_SEARCHED = 5000;

/** The statement that reads the kinds that have more rows than are searched. */
export function selectPartlySearched(db: CompanyDb, companyId: number, now: number) {
  const isLarge = [...new Set(references.map(({ from }) => from))].map((from) => {
    const rows = sql`SELECT 1 FROM ${kinds[from].table} WHERE ${kinds[from].owner} = ${companyId} AND ${isLive(from, now)} LIMIT ${MOST_SEARCHED + 1}`;
    return sql`iif((SELECT count(*) FROM (${rows})) > ${MOST_SEARCHED}, ${from}, NULL)`;
  });
  const large = sql`json_array(${sql.join(isLarge, sql`, `)})`;
  const read = (text: string) => (JSON.parse(text) as (ReferenceKind | null)[]).flatMap((kind) => kind ?? []);
  return db.select({ large: large.mapWith(read).as("large") }).from(sql`(SELECT 1)`);
}

/** The statement that reads what names something that is not there any more, with one such id, at most `limit` rows. */
export function selectBroken(db: CompanyDb, reference: Reference, companyId: number, now: number, limit: number) {
  const { from } = reference;
  const { table, id, label, owner } = kinds[from];
  const missing = missingIn(reference);
  const searched = sql`SELECT ${id} FROM ${table} WHERE ${owner} = ${companyId} AND ${isLive(from, now)} LIMIT ${MOST_SEARCHED}`;
  return db
    .select({
      id: sql<number | string>`${id}`.as("broken_id"),
      name: sql<string>`${label}`.as("broken_label"),
      missing: sql<number | string>`${missing}`.as("missing_id"),
    })
    .from(table)
    .where(and(eq(owner, companyId), sql`${id} IN (${searched})`, isNotNull(missing)))
    .limit(limit);
}

/** One of the ids that a row names by a reference, and that its company does not have; null: there is none. */
function missingIn({ from, to, ids }: Reference): SQL {
  const target = kinds[to];
  const column = (one: SQLiteColumn) => sql`target.${sql.identifier(one.name)}`;
  const isThere = target.deletedAt && sql`${column(target.deletedAt)} IS NULL`;
  const isTarget = and(sql`${column(target.id)} = named.value`, sql`${column(target.owner)} = ${kinds[from].owner}`, isThere);
  return sql`(SELECT named.value FROM (${ids}) AS named WHERE named.value IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM ${target.table} AS target WHERE ${isTarget}) LIMIT 1)`;
}

function namesIt({ from, names }: Reference, companyId: SQLWrapper, id: number | string): SQL | undefined {
  return and(sql`${kinds[from].owner} = ${companyId}`, isLive(from, Date.now()), names(sql`${id}`));
}

function isLive(from: ReferenceKind, now: number): SQL {
  const { isThere, isStillNeeded } = kinds[from];
  return and(isThere, isStillNeeded?.(now)) ?? sql`true`;
}

interface Kind {
  table: SQLiteTable;
  id: SQLiteColumn;
  owner: SQLiteColumn;
  deletedAt: SQLiteColumn | undefined;
  /** What people know it by. */
  label: SQLWrapper;
  /** True for rows that still do something. */
  isThere: SQL | undefined;
  isStillNeeded: ((now: number) => SQL) | undefined;
}

type KindTable = SQLiteTable & { id: SQLiteColumn; companyId: SQLiteColumn; deletedAt?: SQLiteColumn };

function kind(table: KindTable, label: SQLWrapper, isThere: SQL | undefined, isStillNeeded?: (now: number) => SQL): Kind {
  return { table, id: table.id, owner: table.companyId, deletedAt: table.deletedAt, label, isThere, isStillNeeded };
}

type Decision = Reference["onDelete"];

/** Ids in a column with a JSON list; null: none. */
function inLists(from: ReferenceKind, member: string, to: ReferenceKind, onDelete: Decision, list: SQLWrapper): Reference {
  const ids = sql`SELECT value FROM json_each(${list})`;
  return { from, member, to, onDelete, ids, names: (id) => sql`${id} IN (${ids})` };
}

/** Ids in the levels of an alert rule. */
function inLevels(member: "personaIds" | "chatRoomIds", to: ReferenceKind): Reference {
  const ids = sql`SELECT recipient.value AS value FROM json_each(${alertRules.levels}) AS one_level,
    json_each(one_level.value, ${sql.raw(`'$.${member}'`)}) AS recipient`;
  return { from: "alert rule", member: `levels.${member}`, to, onDelete: "refused", ids, names: (id) => sql`${id} IN (${ids})` };
}

/** Ids of the shifts of a calendar day. */
function inCalendar(member: string, to: ReferenceKind): Reference {
  const ids = sql`SELECT value->>'id' AS value FROM json_each(${calendarDays.shifts})`;
  return { from: "calendar day", member, to, onDelete: "refused", ids, names: (id) => sql`${id} IN (${ids})` };
}

/** Ids in rows of another table. */
function inRows(
  from: ReferenceKind,
  member: string,
  to: ReferenceKind,
  onDelete: Decision,
  { rows, of, value }: { rows: SQLiteTable; of: SQL; value: SQLiteColumn },
): Reference {
  const ids = sql`SELECT ${value} AS value FROM ${rows} WHERE ${of}`;
  return { from, member, to, onDelete, ids, names: (id) => sql`EXISTS (SELECT 1 FROM ${rows} WHERE ${of} AND ${value} = ${id})` };
}

/** An id in a column; null: none. */
function inColumn(from: ReferenceKind, member: string, to: ReferenceKind, onDelete: Decision, column: SQLiteColumn): Reference {
  return { from, member, to, onDelete, ids: sql`SELECT ${column} AS value`, names: (id) => sql`${column} = ${id}` };
}
