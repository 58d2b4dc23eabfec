import { aliasedTable, and, desc, eq, getTableColumns, gte, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { kindNumber } from "../../db/audit-columns.ts";
import type { CompanyDb } from "../../db/client.ts";
import { byIndex, columnsByIndex, ifBetween, ifGiven, ifListed, ifPresent, inList } from "../../db/conditions.ts";
import { audit, machines, stopCauses, stops, users } from "../../db/schema.ts";
import { stopColumns } from "../../db/slim-rows.ts";
import { scheduledMsOf } from "../../db/spread.ts";
import { MINUTE_MS } from "../../oee/time.ts";
import { effectiveFlags } from "../plant/stop-causes/queries.ts";
import type { StopQuery } from "./query.ts";

/** A slice of a stop, with the names of its machine and causes. */
export type StopRow = Omit<Awaited<ReturnType<typeof findStop>>[number], "revision">;
export type StopCause = Awaited<ReturnType<typeof findCauses>>[number];
export type ChangeRow = Awaited<ReturnType<typeof selectChangesOf>>[number];

const generalCauses = aliasedTable(stopCauses, "general_causes");
const specificCauses = aliasedTable(stopCauses, "specific_causes");
const components = aliasedTable(stopCauses, "components");

// Each column has an alias: selected columns of a batch must have different names, and a union is sorted by the names of its columns.
const columns = {
  ...stopColumns,
  id: sql<number>`${stops.id}`.as("stop_id"),
  machineName: sql<string>`${machines.name}`.as("machine_name"),
  generalCauseName: sql<string | null>`${generalCauses.name}`.as("general_cause_name"),
  specificCauseName: sql<string | null>`${specificCauses.name}`.as("specific_cause_name"),
  componentName: sql<string | null>`${components.name}`.as("component_name"),
};

/** The statement that reads slices of stops with their names; the caller adds a condition. */
export function selectStops(db: CompanyDb) {
  return db
    .select(columns)
    .from(stops)
    .innerJoin(machines, eq(machines.id, stops.machineId))
    .leftJoin(generalCauses, eq(generalCauses.id, stops.generalCauseId))
    .leftJoin(specificCauses, eq(specificCauses.id, stops.specificCauseId))
    .leftJoin(components, eq(components.id, stops.componentId))
    .$dynamic();
}

/** The slices of a stop in order; empty if the company (undefined: any) has no such stop. */
export function findStop(db: CompanyDb, id: number, companyId: number | undefined) {
  return selectStops(db)
    .where(and(eq(stops.id, id), ifGiven(stops.companyId, companyId), isNull(stops.deletedAt)))
    .orderBy(stops.shiftStart);
}

/** The audit entries of a company's stop (undefined: of any), newest first, one more than the limit; empty if there is no such stop. */
export function selectChangesOf(
  db: CompanyDb,
  id: number,
  companyId: number | undefined,
  { cursor, limit }: { cursor?: readonly [number, number] | undefined; limit: number },
) {
  const owner = sql`(SELECT company_id FROM ${stops} WHERE id = ${id} LIMIT 1)`;
  const { at, nr, action, userId, apiTokenId, form, changes } = audit;
  return db
    .select({
      ...columnsByIndex({ at, nr, action, userId, apiTokenId, form, changes }),
      userName: sql<string | null>`coalesce(${audit.userName}, ${users.name})`.as("shown_name"),
    })
    .from(byIndex(audit, "audit_object"))
    .leftJoin(users, eq(users.id, userId))
    .where(
      and(
        eq(audit.companyId, owner),
        ifGiven(audit.companyId, companyId),
        eq(audit.kind, kindNumber("stop")),
        eq(audit.objectId, String(id)),
        cursor && sql`(${at}, ${nr}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(at), desc(nr))
    .limit(limit + 1);
}

/** The first slice represents the stop; deleted slices come after all others. */
const isFirstSlice = sql`NOT EXISTS (SELECT 1 FROM ${stops} AS other WHERE other.id = ${stops.id}
    AND (other.deleted_at IS NOT NULL, other.shift_start) < (${stops.deletedAt} IS NOT NULL, ${stops.shiftStart}))`;

/** The first slice of each stop that matches a query, newest first. Reads one more than the limit. */
export function selectStopsInOrder(db: CompanyDb, query: StopQuery, now: number) {
  const [sliceStart, id] = query.cursor ?? [];
  const isAfter = query.cursor && sql`(${stops.sliceStart}, ${stops.id}) < (${sliceStart}, ${id})`;
  const listed = { ...columns, scheduledMs: sql<number>`${scheduledMsOf(now)}`.as("scheduled_ms") };
  const select = () =>
    db
      .select(listed)
      .from(stops)
      .innerJoin(machines, eq(machines.id, stops.machineId))
      .leftJoin(generalCauses, eq(generalCauses.id, stops.generalCauseId))
      .leftJoin(specificCauses, eq(specificCauses.id, stops.specificCauseId))
      .leftJoin(components, eq(components.id, stops.componentId))
      .$dynamic();
  const [first = select().where(sql`0`), second, ...others] = ofMachines(query.machineIds).map((isOfMachine) =>
    select().where(and(isOfMachine, selectedStops(query, now), isAfter, isFirstSlice)),
  );
  const all = second ? unionAll(first, second, ...others) : first;
  return all.orderBy(desc(stops.sliceStart), sql`stop_id DESC`).limit(query.limit + 1);
}

/** Which stops of a company: those with these ids, or those that match the filters of the list. */
export interface ChosenStops extends StopFilter {
  companyId: number;
  ids?: readonly number[] | undefined;
}

/** The id, version and causes of up to `limit` stops, each once. */
export function selectChosenStops(db: CompanyDb, { ids, machineIds, ...filter }: ChosenStops, limit: number, now: number) {
  const { id, version, generalCauseId, specificCauseId, componentId, description } = stopColumns;
  const { companyId, ...others } = filter;
  // The plus rules out the index by company: the ids find the rows.
  const chosen = ids
    ? and(inList(stops.id, ids), sql`+${stops.companyId} = ${companyId}`, selectedStops(others, now))
    : and(ifListed(stops.machineId, machineIds), selectedStops(filter, now));
  return db
    .select({ id: sql<number>`${id}`.as("stop_id"), version, generalCauseId, specificCauseId, componentId, description })
    .from(stops)
    .where(and(chosen, isFirstSlice))
    .limit(limit);
}

/** The maximum number of terms that D1 accepts in a union. */
const mostMerged = 5;

/**
 * The conditions of the terms of a union. A few machines get one term each: the index has the stops of each machine in order, and the
 * terms are merged as they are read. The stops of many machines, or of all (undefined), are read in order of time; the plus rules out the
 * index by machine.
 */
function ofMachines(ids: readonly number[] | undefined): (SQL | undefined)[] {
  if (ids === undefined) return [undefined];
  const distinct = [...new Set(ids)];
  if (distinct.length > mostMerged) return [sql`+${ifListed(stops.machineId, distinct)}`];
  return distinct.map((id) => eq(stops.machineId, id));
}

/** The filters of the list of stops. */
type StopFilter = Partial<Omit<StopQuery, "limit" | "cursor" | "total" | "machineRefs">>;

function selectedStops(query: StopFilter, now: number): SQL | undefined {
  const { companyId, from, to, isOpen, minDurationInMinutes } = query;
  return and(
    ifGiven(stops.companyId, companyId),
    ifListed(stops.shiftId, query.shiftIds),
    ifBetween(stops.sliceStart, from, to),
    ifGiven(stops.isProgrammed, query.isProgrammed),
    ifGiven(stops.isManual, query.isManual),
    ifGiven(stops.isIncludedInStops, query.isIncludedInStops),
    ifGiven(stops.isIncludedInAvailability, query.isIncludedInAvailability),
    ifPresent(stops.classificationId, query.isClassified),
    isOpen === undefined ? undefined : (isOpen ? isNull : isNotNull)(stops.endAt),
    minDurationInMinutes === undefined ? undefined : gte(scheduledMsOf(now), minDurationInMinutes * MINUTE_MS),
    ifListed(stops.generalCauseId, query.generalCauseIds),
    ifListed(stops.specificCauseId, query.specificCauseIds),
    ifPresent(stops.generalCauseId, query.hasGeneralCause),
    ifPresent(stops.specificCauseId, query.hasSpecificCause),
    ifListed(stops.componentId, query.componentIds),
    query.includeDeleted ? undefined : isNull(stops.deletedAt),
  );
}

/** A cause with the flags of its stops. */
const causeColumns = {
  ...getTableColumns(stopCauses),
  isProgrammed: flagOf("effective_is_programmed", effectiveFlags.isProgrammed),
  isIncludedInAvailability: flagOf("effective_is_included", effectiveFlags.isIncludedInAvailability),
};

function flagOf(name: string, flag: SQL) {
  return sql`${flag}`.mapWith((json: string) => json === "true").as(name);
}

/** A machine of a company (undefined: any; deleted ones too), and the named causes that belong to its company. One trip. */
export async function findMachineAndCauses(
  db: CompanyDb,
  machineId: number,
  companyId: number | undefined,
  causeIds: readonly number[],
) {
  const isMachine = and(eq(machines.id, machineId), ifGiven(machines.companyId, companyId));
  const ofMachine = sql`${stopCauses.companyId} = (SELECT company_id FROM ${machines} WHERE id = ${machineId})`;
  const [[machine], causes] = await db.batch([
    db
      .select({
        companyId: machines.companyId,
        name: machines.name,
        deletedAt: machines.deletedAt,
        configVersion: machines.configVersion,
      })
      .from(machines)
      .where(isMachine),
    db
      .select(causeColumns)
      .from(stopCauses)
      .where(and(ifListed(stopCauses.id, causeIds), ofMachine, isNull(stopCauses.deletedAt))),
  ]);
  return { machine, causes };
}

/** The statement that reads those of the named causes that a company has. */
export function selectCausesOf(db: CompanyDb, companyId: number, ids: readonly number[]) {
  return db
    .select(causeColumns)
    .from(stopCauses)
    .where(and(ifListed(stopCauses.id, ids), eq(stopCauses.companyId, companyId), isNull(stopCauses.deletedAt)));
}

/**
 * The statement that reads the causes of a company that stops may keep when they get others, deleted ones too: those below a general cause (`below`),
 * or all general ones.
 */
export function selectCausesToKeep(db: CompanyDb, companyId: number, which: { below: number } | "general" | "none") {
  const isSuch =
    typeof which === "object" ? eq(stopCauses.parentId, which.below) : which === "general" ? eq(stopCauses.level, which) : sql`0`;
  return db
    .select(causeColumns)
    .from(stopCauses)
    .where(and(eq(stopCauses.companyId, companyId), isSuch));
}

/** Causes by their ids, deleted ones too. */
export function findCauses(db: CompanyDb, ids: readonly number[]) {
  return db.select(causeColumns).from(stopCauses).where(ifListed(stopCauses.id, ids));
}
