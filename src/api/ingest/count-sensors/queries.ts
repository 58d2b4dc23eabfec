import { and, asc, eq, gt, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven, inList } from "../../../db/conditions.ts";
import { companies, countChannels, countSensors, machines } from "../../../db/schema.ts";
import type { ChannelType } from "../../../db/values.ts";
import { raiseVersions } from "../../../objects/notify-machines.ts";

/** A channel of a gateway and what it counts; one pulse is `countingFactor` units. */
export interface ChannelConfig {
  type: ChannelType;
  countingFactor: number;
  channel: number;
  nodeId: number;
  /** The total at which the counter starts again at 0. Null: it does not wrap. */
  wrapsAt: number | null;
}

/** A channel as a change names it. Without `wrapsAt`, a channel of the machine keeps the one it has. */
export type SentChannel = Omit<ChannelConfig, "wrapsAt"> & Partial<Pick<ChannelConfig, "wrapsAt">>;

/** The count sensors of a machine. */
export interface Sensors {
  isCountEnabled: boolean;
  configs: readonly ChannelConfig[];
}

/** A row of `count_channels`: what a channel was used for, and when. */
export interface ChannelRow extends ChannelConfig {
  machineId: number;
  /** Epoch ms; 0: from the beginning. */
  since: number;
  /** Null: in force. */
  until: number | null;
  isCounted: boolean;
}

/** The rows that a change deletes, ends and adds. */
export interface SensorRows {
  deleted: ChannelRow[];
  ended: ChannelRow[];
  added: ChannelRow[];
}

/** The machines whose count sensors are changed: those of a company with certain refs, or one machine (of a company; undefined: any). */
export type SensorScope = { companyId: number; refs: readonly string[] } | { machineId: number; companyId: number | undefined };

export type CurrentSensors = NonNullable<ReturnType<typeof currentOf>>;

/**
 * The statements that read what a change of count sensors depends on: the company with the version of its count sensors (no row if there
 * is no such company), the machines of the scope, all of their rows in force, and the newest row of each wanted channel.
 */
export function selectCurrent(db: CompanyDb, scope: SensorScope, wanted: readonly SentChannel[]) {
  const isNamed = "refs" in scope ? inList(machines.ref, scope.refs) : eq(machines.id, scope.machineId);
  const ownCompany = "refs" in scope ? undefined : ifGiven(machines.companyId, scope.companyId);
  const ofMachine = (id: number) =>
    sql`(SELECT machines.company_id FROM ${machines} WHERE ${and(sql`machines.id = ${id}`, isNull(machines.deletedAt), ownCompany)})`;
  const companyId = "refs" in scope ? sql`${scope.companyId}` : ofMachine(scope.machineId);
  const isOfScope = and(sql`${machines.companyId} = ${companyId}`, isNull(machines.deletedAt), isNamed);
  const keys = JSON.stringify(wanted.map(({ nodeId, channel }) => [nodeId, channel]));
  return [
    db
      .select({ companyId: companies.id, version: companies.sensorsVersion })
      .from(companies)
      .where(sql`${companies.id} = ${companyId}`),
    db
      .select({
        ref: sql<string>`${machines.ref}`.as("ref"),
        machineId: sql<number>`${machines.id}`.as("machine_id"),
        commissionedAt: machines.commissionedAt,
        isCountEnabled: sql<number | null>`${countSensors.isCountEnabled}`.as("is_count_enabled"),
        hadChannels: sql<number>`EXISTS (SELECT 1 FROM count_channels AS had WHERE had.machine_id = ${machines.id})`.as(
          "had_channels",
        ),
      })
      .from(machines)
      .leftJoin(countSensors, eq(countSensors.machineId, machines.id))
      .where(isOfScope),
    selectRows(
      db,
      and(inArray(countChannels.machineId, db.select({ id: machines.id }).from(machines).where(isOfScope)), isInForce),
    ),
    selectRows(
      db,
      sql`(${countChannels.companyId}, ${countChannels.nodeId}, ${countChannels.channel}, ${countChannels.since}) IN
        (SELECT ${companyId}, value->>0, value->>1, (SELECT max(one.since) FROM count_channels AS one
          WHERE one.company_id = ${companyId} AND one.node_id = value->>0 AND one.channel = value->>1) FROM json_each(${keys}))`,
    ),
  ] as const;
}

type Found = { [I in keyof ReturnType<typeof selectCurrent>]: Awaited<ReturnType<typeof selectCurrent>[I]> };

/** Shapes the rows of `selectCurrent`. Returns undefined if the company does not exist. */
export function currentOf([company]: Found[0], found: Found[1], open: Found[2], newest: Found[3]) {
  if (!company) return undefined;
  // A wanted channel that already belongs to one of the machines is in both lists.
  const channels = new Map(
    [...open, ...newest].map((row) => [`${row.nodeId} ${row.channel}`, { ...row, isCounted: row.isCounted === 1 }]),
  );
  return {
    ...company,
    machines: found.map(({ isCountEnabled, hadChannels, ...machine }) => ({
      ...machine,
      /** Null: it has no count sensors. */
      isCountEnabled: isCountEnabled === null ? null : isCountEnabled === 1,
      /** True if it ever had channels. */
      hadChannels: hadChannels === 1,
    })),
    channels: [...channels.values()],
  };
}

function selectRows(db: CompanyDb, where: SQL | undefined) {
  return db
    .select({
      nodeId: sql<number>`${countChannels.nodeId}`.as("node_id"),
      channel: sql<number>`${countChannels.channel}`.as("channel"),
      since: sql<number>`${countChannels.since}`.as("since"),
      until: sql<number | null>`${countChannels.until}`.as("until"),
      machineId: sql<number>`${countChannels.machineId}`.as("machine_id"),
      machineRef: sql<string>`${machines.ref}`.as("ref"),
      type: sql<ChannelConfig["type"]>`${countChannels.type}`.as("type"),
      countingFactor: sql<number>`${countChannels.countingFactor}`.as("counting_factor"),
      wrapsAt: sql<number | null>`${countChannels.wrapsAt}`.as("wraps_at"),
      isCounted: sql<number>`${countChannels.isCounted}`.as("is_counted"),
    })
    .from(countChannels)
    .innerJoin(machines, eq(machines.id, countChannels.machineId))
    .where(where);
}

/** Condition: no count sensor of the company has changed since they were read. */
export function isSameVersion({ companyId, version }: CurrentSensors): SQL {
  return sql`EXISTS (SELECT 1 FROM ${companies} WHERE ${companies.id} = ${companyId} AND ${companies.sensorsVersion} = ${version})`;
}

/** The statement that raises the version of a company's count sensors. */
export function raiseSensorsVersion(db: CompanyDb, { companyId, version }: CurrentSensors) {
  return db
    .update(companies)
    .set({ sensorsVersion: version + 1 })
    .where(eq(companies.id, companyId));
}

/** The statement that raises the set-up versions of these machines. `configureMachines` notifies them. */
export function raiseMachineVersions(db: CompanyDb, machineIds: readonly number[]) {
  return raiseVersions(db, inList(machines.id, machineIds));
}

/** The statements that replace the count sensors of machines, except their channels. */
export function replaceSensors(
  db: CompanyDb,
  machineIds: readonly number[],
  sensors: readonly (Sensors & { machineId: number })[],
  now: number,
) {
  const rows = sensors.map(({ machineId, isCountEnabled }) => ({ machineId, isCountEnabled }));
  return [
    db.delete(countSensors).where(inList(countSensors.machineId, machineIds)),
    db
      .insert(countSensors)
      .select(sql`SELECT value->>'machineId', value->>'isCountEnabled', ${now} FROM json_each(${JSON.stringify(rows)})`),
  ];
}

/** The statements that change the history of a company's channels. */
export function changeChannels(db: CompanyDb, companyId: number, { deleted, ended, added }: SensorRows) {
  const { nodeId, channel, since } = countChannels;
  const isDeleted = sql`(${nodeId}, ${channel}, ${since}) IN
    (SELECT value->>'nodeId', value->>'channel', value->>'since' FROM json_each(${JSON.stringify(deleted)}))`;
  const isOwn = eq(countChannels.companyId, companyId);
  const insert = (rows: readonly ChannelRow[]) =>
    db
      .insert(countChannels)
      .select(sql`SELECT ${companyId}, value->>'nodeId', value->>'channel', value->>'since', value->>'until',
      value->>'machineId', value->>'type', value->>'countingFactor', value->>'wrapsAt', value->>'isCounted' FROM json_each(${JSON.stringify(rows)}) WHERE true`);
  const target = [countChannels.companyId, nodeId, channel, since];
  return [
    ...(deleted.length > 0 ? [db.delete(countChannels).where(and(isOwn, isDeleted))] : []),
    // The upsert looks up each row by its key. An UPDATE ... FROM a list would read all channels of the company.
    ...(ended.length > 0 ? [insert(ended).onConflictDoUpdate({ target, set: { until: sql`excluded.until` } })] : []),
    ...(added.length > 0 ? [insert(added)] : []),
  ];
}

/** A page of the company's machines that have count sensors, ordered by id. */
export function selectSensors(db: CompanyDb, companyId: number, page: { after: number | undefined; limit: number }) {
  return db
    .select({
      machineId: sql<number>`${machines.id}`.as("machine_id"),
      machineRef: sql<string>`${machines.ref}`.as("ref"),
      isCountEnabled: sql<number>`${countSensors.isCountEnabled}`.as("is_count_enabled"),
      configs: sensorsInForce(),
    })
    .from(machines)
    .innerJoin(countSensors, eq(countSensors.machineId, machines.id))
    .where(
      and(
        eq(machines.companyId, companyId),
        isNull(machines.deletedAt),
        page.after === undefined ? undefined : gt(machines.id, page.after),
      ),
    )
    .orderBy(asc(machines.id))
    .limit(page.limit);
}

const isInForce = isNull(countChannels.until);
const configOf = sql`json_object('type', ${countChannels.type}, 'countingFactor', ${countChannels.countingFactor},
  'channel', ${countChannels.channel}, 'nodeId', ${countChannels.nodeId}, 'wrapsAt', ${countChannels.wrapsAt})`;

/** The column with the channels in force of a machine of `machines`. */
export function sensorsInForce() {
  return sql`(SELECT json_group_array(json(${configOf})) FROM ${countChannels}
    WHERE ${countChannels.machineId} = ${machines.id} AND ${isInForce})`
    .mapWith((json: string): ChannelConfig[] => JSON.parse(json))
    .as("configs");
}
