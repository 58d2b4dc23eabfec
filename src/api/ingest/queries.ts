import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { countChannels, countSensors, machines, operators, skus, workOrderMachines, workOrderTargets } from "../../db/schema.ts";
import type { ChannelType } from "../../oee/events.ts";

/** What a batch of events names, each list without repeats. */
export interface NamedInEvents {
  /** Of counts: the nodes whose channels feed machines. */
  channelNodeIds: number[];
  /** Of heartbeats of whole nodes. */
  nodeIds: number[];
  machineIds: number[];
  operatorIds: number[];
  skuIds: string[];
  workOrderIds: string[];
}

/** A channel that feeds a machine; one pulse is `countingFactor` units. */
export interface Channel {
  nodeId: number;
  channel: number;
  type: ChannelType;
  countingFactor: number;
}

export type IngestTargets = Awaited<ReturnType<typeof findTargets>>;

/** The company's machines with their channels, operators, SKUs and work orders that the events name; what is missing is not there. One round trip. */
export async function findTargets(db: Db, companyId: number, named: NamedInEvents) {
  const isIn = (column: unknown, values: readonly (number | string)[]) =>
    sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
  const { nodeId, channel, type, countingFactor } = countChannels;
  const ofMachine = sql`(SELECT json_group_array(json_array(${nodeId}, ${channel}, ${type}, ${countingFactor})) FROM ${countChannels}
    WHERE ${countChannels.machineId} = ${machines.id})`;
  // Only what the events name is looked for: most batches are counts and nothing else.
  const sources = [
    named.machineIds.length > 0 ? sql`SELECT value FROM json_each(${JSON.stringify(named.machineIds)})` : undefined,
    named.nodeIds.length > 0
      ? sql`SELECT own.id FROM ${machines} AS own WHERE own.company_id = ${companyId} AND ${isIn(sql`own.node_id`, named.nodeIds)}`
      : undefined,
    sql`SELECT ${countChannels.machineId} FROM ${countChannels}
      WHERE ${and(eq(countChannels.companyId, companyId), isIn(nodeId, named.channelNodeIds))}`,
  ].filter((source) => source !== undefined);
  const feeding = db
    .select({
      id: machines.id,
      nodeId: machines.nodeId,
      signal: machines.signal,
      configVersion: machines.configVersion,
      isCountEnabled: sql<number>`coalesce(${countSensors.isCountEnabled}, 0)`.as("is_count_enabled"),
      channels: ofMachine.mapWith(channelsOf).as("channels"),
    })
    .from(machines)
    .leftJoin(countSensors, eq(countSensors.machineId, machines.id))
    .where(
      and(
        // The plus keeps to the sources' indices: by that of the company all of its machines would be read.
        sql`+${machines.companyId} = ${companyId}`,
        isNull(machines.deletedAt),
        sql`${machines.id} IN (${sql.join(sources, sql` UNION ALL `)})`,
      ),
    );
  if (named.operatorIds.length + named.skuIds.length === 0) {
    return { machines: await feeding, operators: [], skus: [], orderMachines: [], orderTargets: [] };
  }
  const [machineRows, operatorRows, skuRows, orderMachineRows, orderTargetRows] = await db.batch([
    feeding,
    db
      .select({ id: operators.id })
      .from(operators)
      .where(and(eq(operators.companyId, companyId), isNull(operators.deletedAt), isIn(operators.id, named.operatorIds))),
    db
      .select({ id: skus.id })
      .from(skus)
      .where(and(eq(skus.companyId, companyId), isNull(skus.deletedAt), isIn(skus.id, named.skuIds))),
    db
      .select({ workOrderId: workOrderMachines.workOrderId, machineId: workOrderMachines.machineId })
      .from(workOrderMachines)
      .where(and(isIn(workOrderMachines.workOrderId, named.workOrderIds), isIn(workOrderMachines.machineId, named.machineIds))),
    db
      .select({ workOrderId: workOrderTargets.workOrderId, skuId: workOrderTargets.skuId })
      .from(workOrderTargets)
      .where(and(isIn(workOrderTargets.workOrderId, named.workOrderIds), isIn(workOrderTargets.skuId, named.skuIds))),
  ]);
  return {
    machines: machineRows,
    operators: operatorRows,
    skus: skuRows,
    orderMachines: orderMachineRows,
    orderTargets: orderTargetRows,
  };
}

function channelsOf(json: string): Channel[] {
  const rows: [number, number, ChannelType, number][] = JSON.parse(json);
  return rows.map(([nodeId, channel, type, countingFactor]) => ({ nodeId, channel, type, countingFactor }));
}
