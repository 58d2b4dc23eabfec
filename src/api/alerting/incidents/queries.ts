import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifBetween, ifGiven, ifListed, inList } from "../../../db/conditions.ts";
import { isUnchanged } from "../../../db/expect.ts";
import { jsonRows } from "../../../db/json-rows.ts";
import {
  alertConditions,
  alertRules,
  gatewayTokens,
  incidents,
  lines,
  machines,
  personas,
  stopCauses,
  users,
  workOrders,
} from "../../../db/schema.ts";
import { gatewayAlertKinds } from "../../../db/values.ts";
import { openStatuses } from "../../orders/outlook.ts";
import type { IncidentQuery } from "./query.ts";

export type IncidentRow = typeof incidents.$inferSelect;
export type ConditionRow = typeof alertConditions.$inferSelect;

// Conditions, which machines and operations find, and the incidents that are made of them.

const isUnhandled = sql`${alertConditions.revision} > ${alertConditions.handledRevision}`;

/** Columns of the rule of an incident or a condition. */
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

/** Columns of its machine; null without one. */
const ofMachine = {
  machineName: sql<string | null>`${machines.name}`.as("machine_name"),
  lineName: sql<string | null>`${lines.name}`.as("line_name"),
};

const causeName = (facts: typeof incidents.facts | typeof alertConditions.facts) =>
  sql<string | null>`(SELECT ${stopCauses.name} FROM ${stopCauses} WHERE ${stopCauses.id} = ${facts}->>'causeId')`.as(
    "cause_name",
  );

/** The statement that reads a company's unhandled conditions, earliest due first. */
export function selectUnhandled(db: CompanyDb, companyId: number, limit: number) {
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

/** The number of an incident's conditions that apply, without unhandled ones. */
const holding = sql<number>`(SELECT count(*) FROM ${alertConditions} WHERE ${alertConditions.incidentId} = ${incidents.id}
  AND ${alertConditions.until} IS NULL AND NOT ${isUnhandled})`.as("holding");

/** Additional columns of an incident in responses. */
const shown = {
  lineId: sql<number | null>`${machines.lineId}`.as("machine_line_id"),
  acknowledgedByName: sql<string | null>`${users.name}`.as("acknowledged_by_name"),
  /** The machine of each condition, and whether the condition still applies (1) or not (0). A machine may have several. */
  conditions: sql<[machineId: number, goesOn: number][]>`(SELECT json_group_array(json_array(${alertConditions.machineId},
    ${alertConditions.until} IS NULL)) FROM ${alertConditions}
    WHERE ${alertConditions.incidentId} = ${incidents.id} AND ${alertConditions.machineId} IS NOT NULL)`
    .mapWith((text: string): [machineId: number, goesOn: number][] => JSON.parse(text))
    .as("conditions"),
};

function selectIncidents(db: CompanyDb) {
  return db
    .select({ ...getTableColumns(incidents), ...ofRule, ...ofMachine, ...shown, causeName: causeName(incidents.facts), holding })
    .from(incidents)
    .innerJoin(alertRules, eq(alertRules.id, incidents.ruleId))
    .leftJoin(machines, eq(machines.id, incidents.machineId))
    .leftJoin(lines, eq(lines.id, machines.lineId))
    .leftJoin(users, eq(users.id, incidents.acknowledgedBy));
}

export type ShownIncident = Awaited<ReturnType<typeof selectIncident>>[number];

/** The statement that reads an incident of a company (undefined: of any). */
export function selectIncident(db: CompanyDb, id: string, companyId: number | undefined) {
  return selectIncidents(db).where(and(eq(incidents.id, id), ifGiven(incidents.companyId, companyId)));
}

/** The maximum number of machines in the response for one incident. */
const MOST_MACHINES = 1000;

/** The statement that reads the machines of an incident, each with the start of its first and the end of its last condition. */
export function selectMachinesOf(db: CompanyDb, incidentId: string) {
  const { since, until, machineId } = alertConditions;
  return db
    .select({
      id: sql<number>`${machines.id}`.as("machine_id"),
      name: sql<string>`${machines.name}`.as("machine_name"),
      since: sql<number>`min(${since})`.as("first_since"),
      until: sql<number | null>`iif(count(*) = count(${until}), max(${until}), NULL)`.as("last_until"),
    })
    .from(alertConditions)
    .innerJoin(machines, eq(machines.id, machineId))
    .where(eq(alertConditions.incidentId, incidentId))
    .groupBy(machines.id)
    .orderBy(asc(machines.id))
    .limit(MOST_MACHINES);
}

/** The statement that reads the incidents that match a query, one more than its limit. */
export function selectIncidentsInOrder(db: CompanyDb, query: IncidentQuery) {
  const { companyId, isOpen, ruleIds, machineIds, lineIds, from, to, sort, cursor, limit } = query;
  const order = sort === "openedAt" ? asc : desc;
  const after = sql.raw(sort === "openedAt" ? ">" : "<");
  const about = (isOne: SQL | undefined) =>
    isOne &&
    sql`(${incidents.machineId} IN (SELECT ${machines.id} FROM ${machines} WHERE ${isOne}) OR EXISTS (SELECT 1 FROM ${alertConditions}
      WHERE ${alertConditions.incidentId} = ${incidents.id}
      AND ${alertConditions.machineId} IN (SELECT ${machines.id} FROM ${machines} WHERE ${isOne})))`;
  return selectIncidents(db)
    .where(
      and(
        ifGiven(incidents.companyId, companyId),
        isOpen === undefined ? undefined : (isOpen ? isNull : isNotNull)(incidents.resolvedAt),
        ifListed(sql`+${incidents.ruleId}`, ruleIds),
        about(ifListed(machines.id, machineIds)),
        about(ifListed(machines.lineId, lineIds)),
        ifBetween(incidents.openedAt, from, to),
        cursor && sql`(${incidents.openedAt}, ${incidents.id}) ${after} (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(order(incidents.openedAt), order(incidents.id))
    .limit(limit + 1);
}

/** Condition: the incident is unchanged since it was read. */
export function isSameIncident(incident: Pick<IncidentRow, "id" | "updatedAt">): SQL {
  return isUnchanged(incidents, incident);
}

/** The statement that updates columns of an incident. */
export function updateIncident(db: CompanyDb, id: string, values: Partial<IncidentRow>) {
  return db.update(incidents).set(values).where(eq(incidents.id, id));
}

export type OpenIncident = Awaited<ReturnType<typeof selectOpenIncidents>>[number];

/** The statement that reads a company's open incidents that have unhandled conditions, or whose next level is due. */
export function selectOpenIncidents(db: CompanyDb, companyId: number, now: number) {
  const isAbout = sql`EXISTS (SELECT 1 FROM ${alertConditions} WHERE ${alertConditions.companyId} = ${companyId} AND ${isUnhandled}
    AND ${alertConditions.ruleId} = ${incidents.ruleId} AND ${alertConditions.subject} = ${incidents.subject})`;
  const isOpen = and(eq(incidents.companyId, companyId), isNull(incidents.resolvedAt));
  return selectIncidents(db).where(and(isOpen, sql`(${isAbout} OR ${incidents.nextLevelAt} <= ${now})`));
}

/** The statement that reads the personas that chose rules to be notified of, with these rules. */
export function selectSubscribers(db: CompanyDb, companyId: number) {
  return db
    .select({ id: personas.id, alertIds: personas.alertIds })
    .from(personas)
    .where(and(eq(personas.companyId, companyId), eq(personas.isActive, true), sql`json_array_length(${personas.alertIds}) > 0`));
}

/** Conditions: these conditions and incidents are unchanged since they were read. */
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

/** The statement that marks conditions as handled in their present state, with their incidents (null: none). */
export function markHandled(db: CompanyDb, handled: readonly { id: string; incidentId: string | null }[]) {
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

/** The statement that stores incidents, or updates stored ones. */
export function saveIncidents(db: CompanyDb, rows: readonly IncidentRow[]) {
  const changing = ["level", "nextLevelAt", "resolvedAt", "notified", "updatedAt"] as const;
  return db
    .insert(incidents)
    .select(jsonRows(incidents, rows))
    .onConflictDoUpdate({
      target: incidents.id,
      set: Object.fromEntries(changing.map((member) => [member, sql.raw(`excluded.${incidents[member].name}`)])),
    });
}

/** The statements that read the companies with conditions that were due by `until`, or with a level that is due. */
export function selectCompaniesToAlert(db: CompanyDb, until: number, now: number) {
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

/** True if a rule covers a machine. */
const concerns = (machineId: number) => sql`((${alertRules.machineIds} IS NULL AND ${alertRules.lineIds} IS NULL)
  OR ${machineId} IN (SELECT value FROM json_each(${alertRules.machineIds}))
  OR (SELECT ${machines.lineId} FROM ${machines} WHERE ${machines.id} = ${machineId}) IN (SELECT value FROM json_each(${alertRules.lineIds})))`;

/** The statement that stores the conditions of a help call, one for each help rule that covers its machine. */
export function insertHelpConditions(
  db: CompanyDb,
  call: { id: number; companyId: number; machineId: number; message: string | null; createdAt: number },
) {
  const { id, companyId, machineId, message, createdAt: at } = call;
  const facts = JSON.stringify(message === null ? {} : { message });
  const isWanted = sql`${alertRules.companyId} = ${companyId} AND ${alertRules.kind} = 'help' AND ${alertRules.isActive}
    AND ${alertRules.deletedAt} IS NULL AND ${concerns(machineId)}`;
  return db.insert(alertConditions).select(
    sql`SELECT ${`help:${id}:`} || ${alertRules.id}, ${companyId}, ${alertRules.id}, ${machineId}, ${`help:${id}`}, ${at}, ${at}, NULL, ${facts},
      1, 0, NULL, ${at}, ${at} FROM ${alertRules} WHERE ${isWanted}`,
  );
}

/** The statement that ends the conditions of a help call. */
export function endHelpConditions(db: CompanyDb, callId: number, now: number) {
  // By id range, which has an index.
  const { id, until, revision } = alertConditions;
  return db
    .update(alertConditions)
    .set({ until: now, revision: sql`${revision} + 1`, updatedAt: now })
    .where(and(sql`${id} >= ${`help:${callId}:`} AND ${id} < ${`help:${callId};`}`, isNull(until)));
}

const isOrderRule = sql`${alertRules.kind} = 'order_late' AND ${alertRules.isActive} AND ${alertRules.deletedAt} IS NULL`;

/** The statement that reads the companies that have rules for late orders, and whether (1) conditions of these rules apply or not (0). */
export function selectCompaniesToWatch(db: CompanyDb) {
  const applies = sql`EXISTS (SELECT 1 FROM ${alertConditions} WHERE ${alertConditions.ruleId} = ${alertRules.id}
    AND ${alertConditions.until} IS NULL)`;
  return db
    .select({ companyId: alertRules.companyId, hasConditions: sql<number>`max(${applies})`.as("has_conditions") })
    .from(alertRules)
    .where(isOrderRule)
    .groupBy(alertRules.companyId);
}

/** A late order. */
export interface LateOrder {
  id: string;
  /** The order's machine if it has only one, else null. */
  machineId: number | null;
  machineIds: readonly number[];
  facts: Record<string, unknown>;
}

/** The statement that stores conditions of late orders for a company's rules, unless they are stored already. Returns the new ones. */
export function insertOrderConditions(db: CompanyDb, companyId: number, late: readonly LateOrder[], now: number) {
  const isAbout = sql`((${alertRules.machineIds} IS NULL AND ${alertRules.lineIds} IS NULL) OR EXISTS (
    SELECT 1 FROM json_each(late.value->'machineIds') AS made JOIN ${machines} ON ${machines.id} = made.value
    WHERE ${machines.id} IN (SELECT value FROM json_each(${alertRules.machineIds}))
      OR ${machines.lineId} IN (SELECT value FROM json_each(${alertRules.lineIds}))))`;
  const key = sql`'order:' || (late.value->>'id') || ':' || ${alertRules.id}`;
  const isKnown = sql`EXISTS (SELECT 1 FROM ${alertConditions} AS known WHERE known.id >= ${key} || ':' AND known.id < ${key} || ';'
    AND known."until" IS NULL)`;
  return db
    .insert(alertConditions)
    .select(
      sql`SELECT ${key} || ':' || ${now}, ${companyId}, ${alertRules.id}, late.value->>'machineId', 'order:' || (late.value->>'id'),
        ${now}, ${now}, NULL, late.value->>'facts', 1, 0, NULL, ${now}, ${now}
        FROM json_each(${JSON.stringify(late)}) AS late CROSS JOIN ${alertRules}
        WHERE ${alertRules.companyId} = ${companyId} AND ${isOrderRule} AND ${isAbout} AND NOT ${isKnown}`,
    )
    .returning({ id: alertConditions.id });
}

/**
 * The statement that ends the conditions of a company's orders that are no longer late: at once for orders that are done, otherwise only if the
 * condition was found before `foundBefore`. Returns the ended conditions.
 */
export function endOrderConditions(
  db: CompanyDb,
  companyId: number,
  late: readonly LateOrder[],
  foundBefore: number,
  now: number,
) {
  const { id, until, revision, subject, dueAt } = alertConditions;
  const isOpenOrder = sql`EXISTS (SELECT 1 FROM ${workOrders} WHERE 'order:' || ${workOrders.id} = ${subject} AND ${workOrders.deletedAt} IS NULL
    AND ${inList(workOrders.status, openStatuses)})`;
  return db
    .update(alertConditions)
    .set({ until: now, revision: sql`${revision} + 1`, updatedAt: now })
    .where(
      and(
        // By rule, for which there is an index of conditions that apply: a search by order would read the many ended conditions, which are kept.
        sql`${alertConditions.ruleId} IN (SELECT ${alertRules.id} FROM ${alertRules} WHERE ${alertRules.companyId} = ${companyId}
          AND ${alertRules.kind} = 'order_late')`,
        isNull(until),
        sql`NOT ${inList(
          subject,
          late.map((order) => `order:${order.id}`),
        )}`,
        sql`(${dueAt} <= ${foundBefore} OR NOT ${isOpenOrder})`,
      ),
    )
    .returning({ id });
}

const isGatewayRule = sql`${inList(alertRules.kind, gatewayAlertKinds)} AND ${alertRules.isActive} AND ${alertRules.deletedAt} IS NULL`;

/** The statement that reads the companies that have rules about gateways. */
export function selectCompaniesWithGatewayRules(db: CompanyDb) {
  return db.selectDistinct({ companyId: alertRules.companyId }).from(alertRules).where(isGatewayRule);
}

/** The statement that reads a company's rules about gateways. */
export function selectGatewayRules(db: CompanyDb, companyId: number) {
  const { id, kind } = alertRules;
  const params = sql<{ seconds?: number; minutes?: number }>`${alertRules.params}`
    .mapWith((text: string) => JSON.parse(text))
    .as("params");
  return db
    .select({ id, kind, params })
    .from(alertRules)
    .where(and(eq(alertRules.companyId, companyId), isGatewayRule));
}

export type GatewayRule = Awaited<ReturnType<typeof selectGatewayRules>>[number];

/** The statement that reads the names of these gateway tokens, without deleted ones. */
export function selectNamedTokens(db: CompanyDb, companyId: number, ids: readonly number[]) {
  const { id, name, revokedAt } = gatewayTokens;
  return db
    .select({ id, name })
    .from(gatewayTokens)
    .where(and(inList(id, ids), eq(gatewayTokens.companyId, companyId), isNull(revokedAt)));
}

/** A gateway that a rule looks for. */
export interface FoundGateway {
  ruleId: string;
  since: number;
  /** False: not beyond the limit, but near it. A condition goes on, and none begins. */
  isBad: boolean;
  facts: { gatewayTokenId: number; gatewayName: string };
}

/** The statement that stores conditions of gateways, unless they are stored already. Returns the new ones. */
export function insertGatewayConditions(db: CompanyDb, companyId: number, found: readonly FoundGateway[], now: number) {
  const bad = found.filter(({ isBad }) => isBad);
  const subject = sql`'gateway-token:' || (found.value->'facts'->>'gatewayTokenId')`;
  const isKnown = sql`EXISTS (SELECT 1 FROM ${alertConditions} AS known WHERE known.rule_id = ${alertRules.id}
    AND known."until" IS NULL AND known.subject = ${subject})`;
  return db
    .insert(alertConditions)
    .select(
      sql`SELECT ${subject} || ':' || ${alertRules.id} || ':' || ${now}, ${companyId}, ${alertRules.id}, NULL, ${subject},
        found.value->>'since', ${now}, NULL, found.value->>'facts', 1, 0, NULL, ${now}, ${now}
        FROM json_each(${JSON.stringify(bad)}) AS found CROSS JOIN ${alertRules} ON ${alertRules.id} = found.value->>'ruleId'
        WHERE ${alertRules.companyId} = ${companyId} AND ${isGatewayRule} AND NOT ${isKnown}`,
    )
    .returning({ id: alertConditions.id });
}

/** The statement that ends the conditions of a company's gateways that are not found any more. Returns the ended ones. */
export function endGatewayConditions(db: CompanyDb, companyId: number, found: readonly FoundGateway[], now: number) {
  const { id, ruleId, subject, until, revision } = alertConditions;
  const stays = JSON.stringify(found.map((one) => [one.ruleId, `gateway-token:${one.facts.gatewayTokenId}`]));
  return db
    .update(alertConditions)
    .set({ until: now, revision: sql`${revision} + 1`, updatedAt: now })
    .where(
      and(
        sql`${ruleId} IN (SELECT ${alertRules.id} FROM ${alertRules} WHERE ${alertRules.companyId} = ${companyId}
          AND ${inList(alertRules.kind, gatewayAlertKinds)})`,
        isNull(until),
        sql`(${ruleId}, ${subject}) NOT IN (SELECT value->>0, value->>1 FROM json_each(${stays}))`,
      ),
    )
    .returning({ id });
}
