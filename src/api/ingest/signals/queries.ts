import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import { isUnchanged } from "../../../db/expect.ts";
import { companies, countChannels, gatewayTokens, machines } from "../../../db/schema.ts";
import type { ChannelType, IgnoredChannel } from "../../../db/values.ts";

/** A channel in force and the machine that it feeds. */
export interface FedChannel {
  nodeId: number;
  channel: number;
  type: ChannelType;
  countingFactor: number;
  machineId: number;
  machineName: string;
}

/** The statement that reads the channels that feed machines: the named ones, or else those that were made last. */
export function selectChannelsOf(db: CompanyDb, companyId: number, machineIds: readonly number[] | undefined, limit: number) {
  const newest = db
    .select({ id: machines.id })
    .from(machines)
    .where(and(eq(machines.companyId, companyId), isNull(machines.deletedAt)))
    .orderBy(desc(machines.id))
    .limit(limit);
  return selectFed(db, machineIds ? inList(countChannels.machineId, machineIds) : inArray(countChannels.machineId, newest));
}

/** The statement that reads which of these channels (node and channel) feed a machine. */
export function selectFedOf(db: CompanyDb, companyId: number, channels: readonly { nodeId: number; channel: number }[]) {
  const keys = JSON.stringify(channels.map(({ nodeId, channel }) => [nodeId, channel]));
  return selectFed(
    db,
    sql`(${countChannels.companyId}, ${countChannels.nodeId}, ${countChannels.channel}) IN
      (SELECT ${companyId}, value->>0, value->>1 FROM json_each(${keys}))`,
  );
}

/** The statement that reads the channels that a company ignores: one row, none if there is no such company. */
export function selectIgnored(db: CompanyDb, companyId: number) {
  const { id, ignoredChannels, updatedAt, deletedAt } = companies;
  return db
    .select({ id, ignored: ignoredChannels, updatedAt })
    .from(companies)
    .where(and(eq(id, companyId), isNull(deletedAt)));
}

/** Condition: a company is unchanged since it was read. */
export function isSameCompany(company: { id: number; updatedAt: number }): SQL {
  return isUnchanged(companies, company);
}

/** The statement that stores the channels that a company ignores. */
export function updateIgnored(db: CompanyDb, companyId: number, ignoredChannels: IgnoredChannel[], updatedAt: number) {
  return db.update(companies).set({ ignoredChannels, updatedAt }).where(eq(companies.id, companyId));
}

/** The statement that reads the names of a company's gateway tokens. */
export function selectTokenNames(db: CompanyDb, companyId: number, ids: readonly number[]) {
  return db
    .select({ id: gatewayTokens.id, name: gatewayTokens.name })
    .from(gatewayTokens)
    .where(and(inList(gatewayTokens.id, ids), eq(gatewayTokens.companyId, companyId)));
}

function selectFed(db: CompanyDb, where: SQL | undefined) {
  return db
    .select({
      nodeId: sql<number>`${countChannels.nodeId}`.as("node_id"),
      channel: sql<number>`${countChannels.channel}`.as("channel"),
      type: sql<ChannelType>`${countChannels.type}`.as("type"),
      countingFactor: sql<number>`${countChannels.countingFactor}`.as("counting_factor"),
      machineId: sql<number>`${machines.id}`.as("machine_id"),
      machineName: sql<string>`${machines.name}`.as("machine_name"),
    })
    .from(countChannels)
    .innerJoin(machines, eq(machines.id, countChannels.machineId))
    .where(and(where, isNull(countChannels.until), isNull(machines.deletedAt)))
    .orderBy(asc(countChannels.nodeId), asc(countChannels.channel));
}
