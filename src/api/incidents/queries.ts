import { and, asc, eq, getTableColumns, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { inList } from "../../db/conditions.ts";
import { alertConditions, alertRules, incidents, lines, machines, personas, stopCauses } from "../../db/schema.ts";

export type IncidentRow = typeof incidents.$inferSelect;
export type ConditionRow = typeof alertConditions.$inferSelect;
export type NewIncident = IncidentRow;

// What machines and operations found, and what becomes of it.

const isUnhandled = sql`${alertConditions.revision} > ${alertConditions.handledRevision}`;

/** What an incident or a condition says of its rule. */
const ofRule = {
  ruleName: sql<string>`${alertRules.name}`.as("rule_name"),
  kind: sql<typeof alertRules.$inferSelect.kind>`${alertRules.kind}`.as("rule_kind"),
  params: sql<Record<string, unknown>>`${alertRules.params}`.mapWith((text: string) => JSON.parse(text)).as("rule_params"),
  levels: sql<typeof alertRules.$inferSelect.levels>`${alertRules.levels}`
    .mapWith((text: string) => JSON.parse(text))
    .as("rule_levels"),
  texts: sql<typeof alertRules.$inferSelect.texts>`${alertRules.texts}`
    .mapWith((text: string | null) => text && JSON.parse(text))
    .as("rule_texts"),
  isRuleActive: sql<boolean>`(${alertRules.isActive} AND ${alertRules.deletedAt} IS NULL)`.mapWith(Boolean).as("is_rule_active"),
};

/** And of its machine; null without one. */
const ofMachine = {
  machineName: sql<string | null>`${machines.name}`.as("machine_name"),
  lineName: sql<string | null>`${lines.name}`.as("line_name"),
};

const causeName = (facts: typeof incidents.facts | typeof alertConditions.facts) =>
  sql<string | null>`(SELECT ${stopCauses.name} FROM ${stopCauses} WHERE ${stopCauses.id} = ${facts}->>'causeId')`.as(
    "cause_name",
  );

/** The statement that reads a company's conditions that nobody has handled, the first due first. */
export function selectUnhandled(db: Db, companyId: number, limit: number) {
  return db
    .select({
      ...getTableColumns(alertConditions),
      ...ofRule,
      ...ofMachine,
      causeName: causeName(alertConditions.facts),
    })
    .from(alertConditions)
    .innerJoin(alertRules, eq(alertRules.id, alertConditions.ruleId))
    .leftJoin(machines, eq(machines.id, alertConditions.machineId))
    .leftJoin(lines, eq(lines.id, machines.lineId))
    .where(and(eq(alertConditions.companyId, companyId), isUnhandled))
    .orderBy(asc(alertConditions.dueAt))
    .limit(limit);
}

export type Unhandled = Awaited<ReturnType<typeof selectUnhandled>>[number];

/** How many conditions of an incident hold, apart from those that nobody has handled. */
const holding = sql<number>`(SELECT count(*) FROM ${alertConditions} WHERE ${alertConditions.incidentId} = ${incidents.id}
  AND ${alertConditions.until} IS NULL AND NOT ${isUnhandled})`.as("holding");

function selectIncidents(db: Db) {
  return db
    .select({ ...getTableColumns(incidents), ...ofRule, ...ofMachine, causeName: causeName(incidents.facts), holding })
    .from(incidents)
    .innerJoin(alertRules, eq(alertRules.id, incidents.ruleId))
    .leftJoin(machines, eq(machines.id, incidents.machineId))
    .leftJoin(lines, eq(lines.id, machines.lineId));
}

export type OpenIncident = Awaited<ReturnType<typeof selectOpenIncidents>>[number];

/** The statement that reads a company's open incidents that conditions which nobody has handled are about, or whose next level is due. */
export function selectOpenIncidents(db: Db, companyId: number, now: number) {
  const isAbout = sql`EXISTS (SELECT 1 FROM ${alertConditions} WHERE ${alertConditions.companyId} = ${companyId} AND ${isUnhandled}
    AND ${alertConditions.ruleId} = ${incidents.ruleId} AND ${alertConditions.subject} = ${incidents.subject})`;
  const isOpen = and(eq(incidents.companyId, companyId), isNull(incidents.resolvedAt));
  return selectIncidents(db).where(and(isOpen, sql`(${isAbout} OR ${incidents.nextLevelAt} <= ${now})`));
}

/** The statement that reads the personas who are told by rules of their own choice, with these. */
export function selectSubscribers(db: Db, companyId: number) {
  return db
    .select({ id: personas.id, alertIds: personas.alertIds })
    .from(personas)
    .where(and(eq(personas.companyId, companyId), eq(personas.isActive, true), sql`json_array_length(${personas.alertIds}) > 0`));
}

/** Holds while conditions and incidents are as they were read. */
export function areAsRead(conditions: readonly ConditionRow[], open: readonly IncidentRow[]): SQL[] {
  const known = JSON.stringify(conditions.map(({ id, revision, handledRevision }) => [id, revision, handledRevision]));
  const knownOpen = JSON.stringify(open.map(({ id, updatedAt }) => [id, updatedAt]));
  return [
    sql`(SELECT count(*) FROM json_each(${known}) AS known CROSS JOIN ${alertConditions}
      ON ${alertConditions.id} = known.value->>0 AND ${alertConditions.revision} = known.value->>1
      AND ${alertConditions.handledRevision} = known.value->>2) = ${conditions.length}`,
    sql`(SELECT count(*) FROM json_each(${knownOpen}) AS known CROSS JOIN ${incidents}
      ON ${incidents.id} = known.value->>0 AND ${incidents.updatedAt} = known.value->>1) = ${open.length}`,
  ];
}

/** The statement that notes that conditions are handled as they are, and of which incidents they are (null: none). */
export function markHandled(db: Db, handled: readonly { id: string; incidentId: string | null }[]) {
  const list = JSON.stringify(handled.map(({ id, incidentId }) => [id, incidentId]));
  return db
    .update(alertConditions)
    .set({
      handledRevision: alertConditions.revision,
      incidentId: sql`(SELECT value->>1 FROM json_each(${list}) WHERE value->>0 = ${alertConditions.id})`,
    })
    .where(
      inList(
        alertConditions.id,
        handled.map(({ id }) => id),
      ),
    );
}

/** The statement that stores incidents as they are now. */
export function saveIncidents(db: Db, rows: readonly IncidentRow[]) {
  const columns = Object.entries(getTableColumns(incidents));
  const values = columns.map(([member]) => `value->>'${member}'`).join(", ");
  const changing = ["level", "nextLevelAt", "resolvedAt", "told", "updatedAt"];
  const changed = columns.filter(([member]) => changing.includes(member));
  return db
    .insert(incidents)
    .select(sql`SELECT ${sql.raw(values)} FROM json_each(${JSON.stringify(rows)}) WHERE true`)
    .onConflictDoUpdate({
      target: incidents.id,
      set: Object.fromEntries(changed.map(([member, { name }]) => [member, sql.raw(`excluded.${name}`)])),
    });
}

/** The statements that read which companies have conditions that should have been handled by `until`, or a level that is due. */
export function selectCompaniesToAlert(db: Db, until: number, now: number) {
  return [
    db
      .selectDistinct({ companyId: alertConditions.companyId })
      .from(alertConditions)
      .where(and(isUnhandled, lte(alertConditions.updatedAt, until))),
    db
      .selectDistinct({ companyId: incidents.companyId })
      .from(incidents)
      .where(and(isNotNull(incidents.nextLevelAt), lte(incidents.nextLevelAt, now))),
  ] as const;
}
