import { and, asc, eq, getTableColumns, gte, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import {
  alertConditions,
  alertRules,
  countChannels,
  helpCalls,
  machines,
  shiftParts,
  shiftRecords,
  stops,
} from "../../../db/schema.ts";
import type { Owner, SetUpTable } from "../../../resource/queries.ts";

export type AlertRuleRow = typeof alertRules.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = alertRules;

export const alertRuleTable: SetUpTable = {
  ...{ table: alertRules, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(alertRules),
};

/** The lists in a request that select the machines of a rule; for an undefined list, that of the stored rule is used. */
export interface SentScope {
  machineIds?: readonly number[] | null;
  lineIds?: readonly number[] | null;
}

/**
 * The statement that reads the number of machines that a rule covers, and the shortest limits among them: null if there is none.
 * @param ruleId the stored rule; undefined: it is new
 */
export function selectConcerned(db: CompanyDb, owner: Owner, ruleId: number | string | undefined, sent: SentScope) {
  const listOf = (list: readonly number[] | null | undefined, stored: SQL) => {
    if (list !== undefined) return sql`${list && JSON.stringify(list)}`;
    return sql`(SELECT ${stored} FROM ${alertRules} WHERE ${eq(id, String(ruleId ?? ""))})`;
  };
  const named = listOf(sent.machineIds, sql`${alertRules.machineIds}`);
  const inLines = listOf(sent.lineIds, sql`${alertRules.lineIds}`);
  const isConcerned = sql`((${named} IS NULL AND ${inLines} IS NULL) OR ${machines.id} IN (SELECT value FROM json_each(${named}))
    OR ${machines.lineId} IN (SELECT value FROM json_each(${inLines})))`;
  // With lists in the request, machines are found by their ids and lines; else all machines of the company are searched.
  const { machineIds, lineIds } = sent;
  const isSent = machineIds !== undefined && lineIds !== undefined && (machineIds ?? lineIds) !== null;
  const isChosen = isSent
    ? or(machineIds ? inList(machines.id, machineIds) : undefined, lineIds ? inList(machines.lineId, lineIds) : undefined)
    : undefined;
  const all = and(eq(machines.companyId, owner), isConcerned);
  return db
    .select({
      count: sql<number>`count(*)`.as("machine_count"),
      stopAfterSeconds: sql<number | null>`min(${machines.stopAfterSeconds})`.as("least_stop_after"),
      noDataAfterSeconds: sql<number | null>`min(${machines.noDataAfterSeconds})`.as("least_no_data_after"),
    })
    .from(machines)
    .where(and(isNull(machines.deletedAt), isChosen ? and(sql`+${machines.companyId} = ${owner}`, isChosen) : all));
}

/** The statement that ends the conditions of a rule that still apply. */
export function endConditionsOf(db: CompanyDb, ruleId: string, now: number) {
  return db
    .update(alertConditions)
    .set({ until: now, revision: sql`${alertConditions.revision} + 1`, updatedAt: now })
    .where(and(eq(alertConditions.ruleId, ruleId), isNull(alertConditions.until)));
}

export type PastMachine = Awaited<ReturnType<typeof selectPastMachines>>[number];
export type PastRecord = Awaited<ReturnType<typeof selectPastRecords>>[number];
export type PastStop = Awaited<ReturnType<typeof selectPastStops>>[number];
export type PastPart = Awaited<ReturnType<typeof selectPastParts>>[number];

/** The statement that reads the machines of a company that a rule would cover, one more than a limit. */
export function selectPastMachines(db: CompanyDb, owner: Owner, { machineIds, lineIds }: SentScope, limit: number) {
  const isNamed = machineIds ? inList(machines.id, machineIds) : undefined;
  const isInLine = lineIds ? inList(machines.lineId, lineIds) : undefined;
  return db
    .select({
      id: machines.id,
      name: machines.name,
      nodeId: machines.nodeId,
      stopAfterSeconds: machines.stopAfterSeconds,
      noDataAfterSeconds: machines.noDataAfterSeconds,
    })
    .from(machines)
    .where(and(eq(machines.companyId, owner), isNull(machines.deletedAt), or(isNamed, isInLine)))
    .orderBy(asc(machines.id))
    .limit(limit + 1);
}

/** A time range of some machines. */
export interface PastRange {
  machineIds: readonly number[];
  start: number;
  end: number;
}

/** The statement that reads the records of the shifts that start in a range, one more than a limit. */
export function selectPastRecords(db: CompanyDb, { machineIds, start, end }: PastRange, limit: number) {
  const { machineId, shiftId, startAt, endAt, noDataSpans, standardCycleMs, cyclesWithStandard } = shiftRecords;
  return db
    .select({ machineId, shiftId, startAt, endAt, noDataSpans, standardCycleMs, cyclesWithStandard })
    .from(shiftRecords)
    .where(and(inList(machineId, machineIds), gte(startAt, start), lt(startAt, end)))
    .orderBy(asc(machineId), asc(startAt))
    .limit(limit + 1);
}

/** The statement that reads the stops in these shifts, one more than a limit. */
export function selectPastStops(db: CompanyDb, { machineIds, start, end }: PastRange, limit: number) {
  const { id, machineId, startAt, endAt, isManual, isProgrammed, isIncludedInAvailability, breakName } = stops;
  const { generalCauseId, specificCauseId, componentId } = stops;
  const flags = { isManual, isProgrammed, isIncludedInAvailability, breakName };
  return db
    .select({ id, machineId, startAt, endAt, ...flags, generalCauseId, specificCauseId, componentId })
    .from(stops)
    .where(and(inList(machineId, machineIds), gte(stops.sliceStart, start), lt(stops.sliceStart, end), isNull(stops.deletedAt)))
    .limit(limit + 1);
}

/** The statement that reads the parts of these shifts, one more than a limit. */
export function selectPastParts(db: CompanyDb, { machineIds, start, end }: PastRange, limit: number) {
  const { machineId, shiftStart, hourStart, totalUnits, idealMs, fiveMinutes, startAt } = shiftParts;
  return db
    .select({ machineId, shiftStart, hourStart, totalUnits, idealMs, fiveMinutes })
    .from(shiftParts)
    .where(and(inList(machineId, machineIds), gte(startAt, start), lt(startAt, end)))
    .limit(limit + 1);
}

/** The statement that reads the gateways of machines' channels. */
export function selectGateways(db: CompanyDb, machineIds: readonly number[]) {
  const { machineId, nodeId, until } = countChannels;
  return db
    .select({ machineId, nodeId, until })
    .from(countChannels)
    .where(and(inList(machineId, machineIds), isNull(until)));
}

/** The statement that reads the help calls at machines in a range, one more than a limit. */
export function selectPastCalls(db: CompanyDb, companyId: number, { machineIds, start, end }: PastRange, limit: number) {
  const { machineId, createdAt, answeredAt } = helpCalls;
  return db
    .select({ machineId, createdAt, answeredAt })
    .from(helpCalls)
    .where(
      and(eq(helpCalls.companyId, companyId), inList(sql`+${machineId}`, machineIds), gte(createdAt, start), lt(createdAt, end)),
    )
    .orderBy(asc(createdAt))
    .limit(limit + 1);
}
