import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/client.ts";
import { type channelTypes, companies, countChannels, countSensors, machines } from "../../db/schema.ts";
import { type Audit, briefList } from "../../http/audit.ts";
import type { keepAnswer } from "../../http/idempotency.ts";
import { raiseVersions } from "../../machine/tell-machines.ts";

/** What a gateway's channel counts for its machine; one pulse is `countingFactor` units. */
export interface ChannelConfig {
  type: (typeof channelTypes)[number];
  countingFactor: number;
  channel: number;
  nodeId: number;
}

/** The count sensors that a machine is to have. */
export interface MachineSensors {
  machineId: number;
  isCountEnabled: boolean;
  configs: ChannelConfig[];
}

export type CurrentSensors = NonNullable<Awaited<ReturnType<typeof findSensors>>>;

/** The machines of these refs and the machines fed by these channels, with the version read; null: no such company. One trip. */
export async function findSensors(db: Db, companyId: number, refs: readonly string[], channels: readonly ChannelConfig[]) {
  const keys = JSON.stringify(channels.map(({ nodeId, channel }) => [nodeId, channel]));
  const [[company], found, fed] = await db.batch([
    db.select({ version: companies.sensorsVersion }).from(companies).where(eq(companies.id, companyId)),
    db
      .select({
        ref: sql<string>`${machines.ref}`.as("ref"),
        machineId: sql<number>`${machines.id}`.as("machine_id"),
        configuredId: sql<number | null>`${countSensors.machineId}`.as("configured_id"),
      })
      .from(machines)
      .leftJoin(countSensors, eq(countSensors.machineId, machines.id))
      .where(and(eq(machines.companyId, companyId), isNull(machines.deletedAt), isIn(machines.ref, refs))),
    db
      .select({
        nodeId: sql<number>`${countChannels.nodeId}`.as("node_id"),
        channel: sql<number>`${countChannels.channel}`.as("channel"),
        ref: sql<string>`${machines.ref}`.as("ref"),
      })
      .from(countChannels)
      .innerJoin(machines, eq(machines.id, countChannels.machineId))
      .where(
        and(
          eq(countChannels.companyId, companyId),
          sql`(${countChannels.nodeId}, ${countChannels.channel}) IN (SELECT value->>0, value->>1 FROM json_each(${keys}))`,
        ),
      ),
  ]);
  return company && { version: company.version, machines: found, channels: fed };
}

/**
 * Takes away the count sensors of the machines in `removed`, then stores `saved` and what is `kept`, all or nothing. One trip.
 * @returns the machines in `removed`, whose set-up is a new version now; null, with nothing changed, when the company's sensors are not at
 *   `version` any more
 */
export async function saveSensors(
  db: Db,
  { companyId, version }: { companyId: number; version: number },
  { removed, saved }: { removed: readonly number[]; saved: readonly MachineSensors[] },
  audit: Audit,
  kept: ReturnType<typeof keepAnswer>,
  now: number,
): Promise<{ machineId: number; configVersion: number }[] | null> {
  const sensors = JSON.stringify(saved);
  const current = companies.sensorsVersion;
  const machineIds = [...new Set([...removed, ...saved.map(({ machineId }) => machineId)])];
  const before = sql`json_object('sensors', json(${sensorList(machineIds)}))`;
  try {
    const [, outdated] = await db.batch([
      // A version that moved becomes null, which the column refuses: that takes the whole batch back.
      db
        .update(companies)
        .set({ sensorsVersion: sql`CASE WHEN ${current} = ${version} THEN ${current} + 1 END` })
        .where(eq(companies.id, companyId)),
      raiseVersions(db, isIn(machines.id, removed)),
      audit({ action: "count-sensors.change", companyId, objectId: companyId, before, after: { sensors: saved } }),
      ...kept,
      db.delete(countSensors).where(isIn(countSensors.machineId, removed)),
      db
        .insert(countSensors)
        .select(sql`SELECT value->>'machineId', value->>'isCountEnabled', ${now} FROM json_each(${sensors})`),
      db
        .insert(countChannels)
        .select(sql`SELECT ${companyId}, config.value->>'nodeId', config.value->>'channel', entry.value->>'machineId',
          config.value->>'type', config.value->>'countingFactor'
          FROM json_each(${sensors}) AS entry, json_each(entry.value, '$.configs') AS config`),
    ]);
    return outdated;
  } catch (error) {
    if (error instanceof Error && error.message.includes("companies.sensors_version")) return null;
    throw error;
  }
}

/** The count sensors of these machines, as JSON. */
function sensorList(machineIds: readonly number[]) {
  const { type, countingFactor, channel, nodeId } = countChannels;
  const config = sql`json_object('type', ${type}, 'countingFactor', ${countingFactor}, 'channel', ${channel}, 'nodeId', ${nodeId})`;
  const configs = sql`(SELECT json_group_array(json(${config})) FROM ${countChannels}
    WHERE ${countChannels.machineId} = ${countSensors.machineId})`;
  const isCountEnabled = sql`json(iif(${countSensors.isCountEnabled}, 'true', 'false'))`;
  return briefList(
    sql`json_object('machineId', ${countSensors.machineId}, 'isCountEnabled', ${isCountEnabled}, 'configs', json(${configs}))`,
    sql`FROM ${countSensors} WHERE ${isIn(countSensors.machineId, machineIds)}`,
  );
}

function isIn(column: SQLiteColumn, values: readonly (string | number)[]) {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
