import { and, eq, inArray, isNull, sql } from "drizzle-orm";
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

export type IngestTargets = Awaited<ReturnType<typeof findTargets>>;

/** The company's machines, channels, operators, SKUs and work orders that the events name; what is missing is not there. One round trip. */
export async function findTargets(db: Db, companyId: number, named: NamedInEvents) {
  const isIn = (column: unknown, values: readonly (number | string)[]) =>
    sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
  const ofCompany = and(eq(countChannels.companyId, companyId), isIn(countChannels.nodeId, named.channelNodeIds));
  const hasChannel = (...types: ChannelType[]) =>
    sql<number>`EXISTS (SELECT 1 FROM ${countChannels} WHERE ${countChannels.machineId} = ${machines.id} AND ${inArray(countChannels.type, types)})`;
  // Only what the events name is looked for: most batches are counts and nothing else.
  const sources = [
    named.machineIds.length > 0 ? sql`SELECT value FROM json_each(${JSON.stringify(named.machineIds)})` : undefined,
    named.nodeIds.length > 0
      ? sql`SELECT own.id FROM ${machines} AS own WHERE own.company_id = ${companyId} AND ${isIn(sql`own.node_id`, named.nodeIds)}`
      : undefined,
    sql`SELECT ${countChannels.machineId} FROM ${countChannels} WHERE ${ofCompany}`,
  ].filter((source) => source !== undefined);
  const feeding = [
    db
      .select({
        id: machines.id,
        nodeId: machines.nodeId,
        signal: machines.signal,
        configVersion: machines.configVersion,
        isCountEnabled: sql<number>`coalesce(${countSensors.isCountEnabled}, 0)`.as("is_count_enabled"),
        hasTotalChannel: hasChannel("total", "cycle").as("has_total_channel"),
        hasGoodChannel: hasChannel("good").as("has_good_channel"),
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
      ),
    db
      .select({
        nodeId: countChannels.nodeId,
        channel: countChannels.channel,
        machineId: countChannels.machineId,
        type: countChannels.type,
        countingFactor: countChannels.countingFactor,
      })
      .from(countChannels)
      .where(ofCompany),
  ] as const;
  if (named.operatorIds.length + named.skuIds.length === 0) {
    const [machineRows, channelRows] = await db.batch(feeding);
    return { machines: machineRows, channels: channelRows, operators: [], skus: [], orderMachines: [], orderTargets: [] };
  }
  const [machineRows, channelRows, operatorRows, skuRows, orderMachineRows, orderTargetRows] = await db.batch([
    ...feeding,
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
    channels: channelRows,
    operators: operatorRows,
    skus: skuRows,
    orderMachines: orderMachineRows,
    orderTargets: orderTargetRows,
  };
}
