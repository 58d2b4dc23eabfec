import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { companies, gatewayTokens, machines } from "../../../db/schema.ts";
import { sensorsInForce } from "../count-sensors/queries.ts";

/** The statement that reads the gateway tokens of a company, by their ids. */
export function selectGatewayTokens(db: CompanyDb, of: number, page: { after: number | undefined; limit: number }) {
  const { id, companyId, name, createdAt, revokedAt } = gatewayTokens;
  return db
    .select({ id, companyId, name, createdAt })
    .from(gatewayTokens)
    .where(and(eq(companyId, of), isNull(revokedAt), page.after === undefined ? undefined : gt(id, page.after)))
    .orderBy(asc(id))
    .limit(page.limit);
}

export type GatewayTokenItem = Awaited<ReturnType<typeof selectGatewayTokens>>[number];

/** The statement that reads a gateway token with its company. */
export function selectOwnGateway(db: CompanyDb, gatewayTokenId: number) {
  return db
    .select({
      id: sql<number>`${gatewayTokens.id}`.as("gateway_id"),
      name: sql<string>`${gatewayTokens.name}`.as("gateway_name"),
      companyId: sql<number>`${companies.id}`.as("of_company"),
      companyName: sql<string>`${companies.name}`.as("company_name"),
      timezone: companies.timezone,
    })
    .from(gatewayTokens)
    .innerJoin(companies, eq(companies.id, gatewayTokens.companyId))
    .where(eq(gatewayTokens.id, gatewayTokenId));
}

/** The statement that reads the machines of a company, by their ids, with their count sensors in force. */
export function selectFeedableMachines(db: CompanyDb, companyId: number, page: { after: number | undefined; limit: number }) {
  const { id, ref, name, signal, nodeId, reportingSeconds, stopAfterSeconds, noDataAfterSeconds, standardCycleSeconds } =
    machines;
  const limits = { reportingSeconds, stopAfterSeconds, noDataAfterSeconds, standardCycleSeconds };
  return db
    .select({ id, ref, name, signal, nodeId, ...limits, configs: sensorsInForce() })
    .from(machines)
    .where(
      and(
        eq(machines.companyId, companyId),
        isNull(machines.deletedAt),
        page.after === undefined ? undefined : gt(id, page.after),
      ),
    )
    .orderBy(asc(id))
    .limit(page.limit);
}

export type FeedableMachine = Awaited<ReturnType<typeof selectFeedableMachines>>[number];
