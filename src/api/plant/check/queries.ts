import { and, asc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { choosing, references, selectBroken, selectIdle, selectPartlySearched } from "../../../core/references.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { wordsOf } from "../../../db/five-minutes.ts";
import {
  chatRooms,
  companies,
  countChannels,
  countSensors,
  gatewayTokens,
  heldEntries,
  machines,
  operators,
  shiftParts,
  shiftRecords,
  shifts,
  skuStandards,
  skus,
  stopCauses,
  stops,
  webhookSecrets,
  webhookSubscriptions,
} from "../../../db/schema.ts";
import { MOST_EFFECTIVENESS } from "../../../oee/reporting.ts";
import { DAY_MS } from "../../../oee/time.ts";
import type { RecentShifts } from "./implausible.ts";

/** The maximum number of SKUs without a standard that are listed; all are counted. */
const maxSkus = 100;

/** The maximum number of encrypted texts of a kind that are tried. */
export const maxSealed = 100;
/** The maximum number of broken references, and of idle rows, that are listed of a kind. */
export const maxBroken = 20;

/** The set-up of a company, as far as it can have gaps. */
export type PlantSetUp = NonNullable<Awaited<ReturnType<typeof findSetUp>>>;

/** What is held of a machine's counts; null: nothing. */
function heldOfMachine() {
  const { machineId, count, units } = heldEntries;
  const sums = sql`SELECT json_object('count', sum(${count}), 'units', sum(${units})) FROM ${heldEntries}
    WHERE ${machineId} = ${machines.id} AND ${heldEntries.reason} = 'implausible' HAVING count(*) > 0`;
  // Inside another statement: Drizzle takes the table's name from the columns of the outer one.
  return sql`(${sums})`
    .mapWith((json: string | null): { count: number; units: number } | null => (json === null ? null : JSON.parse(json)))
    .as("held");
}

/** The last closed shifts that are checked: at most so many with counts, and none that began earlier. */
const CHECKED_SHIFTS = 3;
const CHECKED_MS = 7 * DAY_MS;

/**
 * Sums over the last closed shifts of each machine. Reads a row for each shift that began in the last week, at most until it has three; and the
 * stops and parts of these shifts only if the machine made more than fits into its running time.
 */
function recentShifts(now: number) {
  const record = shiftRecords;
  const part = shiftParts;
  const checked = sql`SELECT * FROM ${record} WHERE ${record.machineId} = ${machines.id} AND ${record.startAt} > ${now - CHECKED_MS}
    AND ${record.endAt} <= ${now} AND (${record.totalUnits} > 0 OR ${record.cycles} > 0)
    ORDER BY ${record.startAt} DESC LIMIT ${sql.raw(String(CHECKED_SHIFTS))}`;
  const stopped = (
    what: SQL,
  ) => sql`CASE WHEN sum(ideal_ms) > ${sql.raw(String(MOST_EFFECTIVENESS))} * sum(available_ms) THEN (SELECT ${what} FROM ${stops}
    WHERE ${stops.machineId} = ${machines.id} AND ${stops.sliceStart} >= min(shift.start_at) AND ${stops.sliceStart} < max(shift.end_at)
    AND ${stops.deletedAt} IS NULL AND ${stops.isManual} = 0 AND ${stops.sliceEnd} IS NOT NULL) END`;
  // A device that reports less often than every five minutes has at most one report in each.
  const reports = sql`CASE WHEN sum(units_without_time) * 2 > sum(total_units) THEN (SELECT count(*) FROM ${part}, ${wordsOf(part.fiveMinutes)}
    WHERE ${part.machineId} = ${machines.id} AND ${part.startAt} >= min(shift.start_at) AND ${part.startAt} < max(shift.end_at)
    AND CAST(value AS REAL) > 0) END`;
  const channels = sql`(SELECT json_group_array(json_object('type', ${countChannels.type}, 'nodeId', ${countChannels.nodeId},
    'channel', ${countChannels.channel})) FROM ${countChannels}
    WHERE ${countChannels.machineId} = ${machines.id} AND ${countChannels.until} IS NULL)`;
  return sql`(SELECT json_object('shifts', count(*), 'availableMs', sum(available_ms), 'idealMs', sum(ideal_ms), 'cycles', sum(cycles),
    'totalUnits', sum(total_units), 'defectUnits', sum(defect_units), 'unitsWithoutTime', sum(units_without_time),
    'stops', coalesce(${stopped(sql`count(*)`)}, 0), 'stopMs', ${stopped(sql`avg(${stops.sliceEnd} - ${stops.sliceStart})`)},
    'noDataMs', sum(no_data_ms), 'reports', coalesce(${reports}, 0),
    'channels', json(${channels})) FROM (${checked}) AS shift HAVING count(*) > 0)`
    .mapWith((json: string | null): RecentShifts | null => (json === null ? null : JSON.parse(json)))
    .as("recent");
}

/** The set-up of a company; undefined if there is no such company. One trip. */
export async function findSetUp(db: CompanyDb, companyId: number, now: number, maxMachines: number) {
  const flag = (name: string, found: ReturnType<typeof sql>) => sql<number>`EXISTS (${found})`.as(name);
  const livingOf = ({ companyId: owner, deletedAt }: typeof shifts | typeof operators | typeof stopCauses) =>
    sql`${owner} = ${companyId} AND ${deletedAt} IS NULL`;
  const inService = and(
    eq(machines.companyId, companyId),
    isNull(machines.deletedAt),
    or(isNull(machines.decommissionedAt), gt(machines.decommissionedAt, now)),
  );
  const isForAll = sql`EXISTS (SELECT 1 FROM ${shifts} WHERE ${livingOf(shifts)} AND ${shifts.machineIds} IS NULL)`;
  const named = sql`SELECT value FROM ${shifts}, json_each(${shifts.machineIds}) WHERE ${livingOf(shifts)}`;
  const standards = sql`FROM ${skuStandards} WHERE ${skuStandards.companyId} = ${companyId}`;
  // Machines whose standard depends on the SKU.
  const bySku = sql`FROM ${machines} WHERE ${inService} AND ${machines.standardCycleSeconds} IS NULL`;
  const ofSku = sql`${standards} AND ${skuStandards.skuId} = ${skus.id} AND ${skuStandards.machineId}`;
  const [[company], machineRows, skuRows, companySecrets, hookSecrets, roomAddresses, [searched], ...found] = await db.batch([
    db
      .select({
        machineCount: sql<number>`(SELECT count(*) FROM ${machines} WHERE ${inService})`.as("machine_count"),
        hasShift: flag("has_shift", sql`SELECT 1 FROM ${shifts} WHERE ${livingOf(shifts)}`),
        hasOperator: flag("has_operator", sql`SELECT 1 FROM ${operators} WHERE ${livingOf(operators)}`),
        hasStopCause: flag("has_stop_cause", sql`SELECT 1 FROM ${stopCauses} WHERE ${livingOf(stopCauses)}`),
        hasGatewayToken: flag(
          "has_gateway_token",
          sql`SELECT 1 FROM ${gatewayTokens} WHERE ${gatewayTokens.companyId} = ${companyId} AND ${gatewayTokens.revokedAt} IS NULL`,
        ),
      })
      .from(companies)
      .where(and(eq(companies.id, companyId), isNull(companies.deletedAt))),
    db
      .select({
        id: machines.id,
        name: machines.name,
        signal: machines.signal,
        heardAt: machines.heardAt,
        held: heldOfMachine(),
        isInShift: sql<number>`${isForAll} OR ${machines.id} IN (${named})`.as("is_in_shift"),
        isCountEnabled: sql<number | null>`(SELECT ${countSensors.isCountEnabled} FROM ${countSensors}
          WHERE ${countSensors.machineId} = ${machines.id})`.as("is_count_enabled"),
        hasChannel: flag("has_channel", sql`SELECT 1 FROM ${countChannels} WHERE ${countChannels.machineId} = ${machines.id}`),
        hasStandard: sql<number>`${machines.standardCycleSeconds} IS NOT NULL
          OR EXISTS (SELECT 1 ${standards} AND ${skuStandards.machineId} IN (0, ${machines.id}))`.as("has_standard"),
        recent: recentShifts(now),
      })
      .from(machines)
      .where(inService)
      .orderBy(asc(machines.id))
      .limit(maxMachines),
    db
      .select({ id: skus.id, name: skus.name, count: sql<number>`count(*) OVER ()`.as("sku_count") })
      .from(skus)
      .where(
        and(
          sql`EXISTS (SELECT 1 ${bySku})`,
          eq(skus.companyId, companyId),
          isNull(skus.deletedAt),
          sql`NOT EXISTS (SELECT 1 ${ofSku} = 0)`,
          sql`EXISTS (SELECT 1 ${bySku} AND NOT EXISTS (SELECT 1 ${ofSku} = ${machines.id}))`,
        ),
      )
      // Already in the order of the index; an ORDER BY would sort all rows, because they are counted.
      .limit(maxSkus),
    db
      .select({ sealed: sql<string>`${webhookSecrets.sealedSecret}`.as("company_sealed") })
      .from(webhookSecrets)
      .where(eq(webhookSecrets.companyId, companyId)),
    db
      .select({
        id: sql<string>`${webhookSubscriptions.id}`.as("hook_id"),
        name: sql<string>`${webhookSubscriptions.description}`.as("hook_name"),
        sealed: sql<string>`${webhookSubscriptions.sealedSecret}`.as("hook_sealed"),
      })
      .from(webhookSubscriptions)
      .where(
        and(
          eq(webhookSubscriptions.companyId, companyId),
          isNull(webhookSubscriptions.deletedAt),
          isNotNull(webhookSubscriptions.sealedSecret),
        ),
      )
      .limit(maxSealed + 1),
    db
      .select({
        id: sql<string>`${chatRooms.id}`.as("room_id"),
        name: sql<string>`${chatRooms.name}`.as("room_name"),
        sealed: sql<string>`${chatRooms.sealedUrl}`.as("room_sealed"),
      })
      .from(chatRooms)
      .where(and(eq(chatRooms.companyId, companyId), isNull(chatRooms.deletedAt)))
      .limit(maxSealed + 1),
    selectPartlySearched(db, companyId, now),
    ...choosing.map((kind) => selectIdle(db, kind, companyId, now, maxBroken + 1)),
    ...references.map((reference) => selectBroken(db, reference, companyId, now, maxBroken + 1)),
  ]);
  if (!company) return undefined;
  const listed = found.map((rows) => rows.slice(0, maxBroken));
  const idle = choosing.flatMap((kind, i) => (listed[i] ?? []).map(({ id, name }) => ({ kind, id, name })));
  const broken = references.flatMap(({ from, member, to }, i) =>
    (listed[choosing.length + i] ?? []).map((row) => ({ kind: from, member, to, missing: null, ...row })),
  );
  const partlyChecked = new Set(searched?.large);
  if (hookSecrets.length > maxSealed) partlyChecked.add("webhook subscription");
  if (roomAddresses.length > maxSealed) partlyChecked.add("chat room");
  return {
    ...company,
    machines: machineRows,
    skusWithoutStandard: skuRows,
    idle,
    broken,
    /** The lists of idle rows and of broken references that were cut. */
    cut: found.filter((rows) => rows.length > maxBroken).length,
    partlyChecked: [...partlyChecked],
    companySecrets,
    hookSecrets: hookSecrets.slice(0, maxSealed),
    roomAddresses: roomAddresses.slice(0, maxSealed),
  };
}
