import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { inList } from "../../db/conditions.ts";
import { countChannels, machines, operators, skus, workOrderMachines, workOrders, workOrderTargets } from "../../db/schema.ts";
import type { ChannelType } from "../../db/values.ts";

/** The ids that a batch of events refers to, each list without duplicates. */
export interface NamedInEvents {
  /** The nodes of counts. */
  channelNodeIds: number[];
  /** The machines of counts, by their refs. */
  channelMachineRefs: string[];
  /** The nodes of heartbeats. */
  nodeIds: number[];
  /** The machines of other events, by their ids or refs. */
  machineIds: number[];
  machineRefs: string[];
  operatorIds: number[];
  skuIds: string[];
  workOrderIds: string[];
}

/** A channel that feeds a machine in [since, until). */
interface Feed {
  nodeId: number;
  channel: number;
  type: ChannelType;
  /** Epoch ms; 0: always. */
  since: number;
  /** Null: in force. */
  until: number | null;
}

export type IngestTargets = Awaited<ReturnType<typeof findTargets>>;

/**
 * The company's machines with their channels, and its operators, SKUs and work orders that the events refer to, as far as they exist. Deleted
 * operators are included, and deleted machines if channels fed them. One trip.
 * @param since only channels that were in force at that time or later are included
 */
export async function findTargets(db: CompanyDb, companyId: number, named: NamedInEvents, since: number) {
  const { nodeId, channel, until } = countChannels;
  // Open rows and rows that ended later are selected separately, so that the index skips the older history.
  const sinceThen = (select: SQL, where: SQL) =>
    sql`${select} WHERE ${where} AND ${until} IS NULL UNION ALL ${select} WHERE ${where} AND ${until} > ${since}`;
  const row = sql`json_array(${nodeId}, ${channel}, ${countChannels.since}, ${until}, ${countChannels.type})`;
  const ofRefs = (refs: readonly string[]) =>
    refs.length > 0
      ? sql`SELECT own.id FROM ${machines} AS own WHERE own.company_id = ${companyId} AND ${inList(sql`own.ref`, refs)}
        AND own.deleted_at IS NULL`
      : undefined;
  const ofMachine = sql`(SELECT json_group_array(json(channel)) FROM (${sinceThen(
    sql`SELECT ${row} AS channel FROM ${countChannels}`,
    sql`${countChannels.machineId} = machines.id`,
  )}))`;
  // Most batches contain only counts. Kinds that the events do not refer to are not selected.
  const sources = [
    named.machineIds.length > 0 ? sql`SELECT value FROM json_each(${JSON.stringify(named.machineIds)})` : undefined,
    named.nodeIds.length > 0
      ? sql`SELECT own.id FROM ${machines} AS own WHERE own.company_id = ${companyId} AND ${inList(sql`own.node_id`, named.nodeIds)}
        AND own.deleted_at IS NULL`
      : undefined,
    ofRefs([...new Set([...named.channelMachineRefs, ...named.machineRefs])]),
    sinceThen(
      sql`SELECT ${countChannels.machineId} FROM ${countChannels}`,
      sql`${countChannels.companyId} = ${companyId} AND ${inList(nodeId, named.channelNodeIds)}`,
    ),
  ].filter((source) => source !== undefined);
  const feeding = db
    .select({
      id: machines.id,
      ref: machines.ref,
      nodeId: machines.nodeId,
      signal: machines.signal,
      configVersion: machines.configVersion,
      deletedAt: machines.deletedAt,
      channels: ofMachine.mapWith(feedsOf).as("channels"),
    })
    .from(machines)
    .where(
      and(
        // The plus rules out the index by company, which would read all of its machines.
        sql`+${machines.companyId} = ${companyId}`,
        sql`${machines.id} IN (${sql.join(sources, sql` UNION ALL `)})`,
      ),
    );
  if (named.operatorIds.length + named.skuIds.length === 0) {
    return { machines: await feeding, operators: [], skus: [], orderMachines: [], orderTargets: [] };
  }
  const byRef = ofRefs(named.machineRefs);
  const isOfNamed = or(
    inList(workOrderMachines.machineId, named.machineIds),
    byRef && sql`${workOrderMachines.machineId} IN (${byRef})`,
  );
  const [machineRows, operatorRows, skuRows, orderMachineRows, orderTargetRows] = await db.batch([
    feeding,
    db
      .select({ id: operators.id, operatorDeletedAt: sql<number | null>`${operators.deletedAt}`.as("operator_deleted_at") })
      .from(operators)
      .where(and(eq(operators.companyId, companyId), inList(operators.id, named.operatorIds))),
    db
      .select({ id: skus.id })
      .from(skus)
      .where(and(eq(skus.companyId, companyId), isNull(skus.deletedAt), inList(skus.id, named.skuIds))),
    db
      .select({ workOrderId: workOrderMachines.workOrderId, machineId: workOrderMachines.machineId, status: workOrders.status })
      .from(workOrderMachines)
      .innerJoin(workOrders, and(eq(workOrders.id, workOrderMachines.workOrderId), isNull(workOrders.deletedAt)))
      .where(and(inList(workOrderMachines.workOrderId, named.workOrderIds), isOfNamed)),
    db
      .select({ workOrderId: workOrderTargets.workOrderId, skuId: workOrderTargets.skuId })
      .from(workOrderTargets)
      .where(and(inList(workOrderTargets.workOrderId, named.workOrderIds), inList(workOrderTargets.skuId, named.skuIds))),
  ]);
  return {
    machines: machineRows,
    operators: operatorRows,
    skus: skuRows,
    orderMachines: orderMachineRows,
    orderTargets: orderTargetRows,
  };
}

function feedsOf(json: string): Feed[] {
  const rows: [number, number, number, number | null, ChannelType][] = JSON.parse(json);
  return rows.map(([nodeId, channel, since, until, type]) => ({ nodeId, channel, type, since, until }));
}
