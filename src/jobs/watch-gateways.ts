import {
  endGatewayConditions,
  type FoundGateway,
  type GatewayRule,
  insertGatewayConditions,
  selectCompaniesWithGatewayRules,
  selectGatewayRules,
  selectNamedTokens,
} from "../api/alerting/incidents/queries.ts";
import { companyDb } from "../db/client.ts";
import { sendQueueMessages } from "../events/queues.ts";
import { OBJECT_MS, within } from "../limits/load.ts";
import type { GatewayCondition } from "../objects/gateways.ts";
import { hubOf } from "../objects/hubs.ts";
import { MINUTE_MS, SECOND_MS } from "../oee/time.ts";
import { doForEach, jobMessages } from "./each-company.ts";

const jobAt = (at: number) => ({ job: "orderRules" as const, about: "gateways" as const, at });

/** The companies that have rules about gateways: messages have them looked at, a few at a time. */
export async function watchGateways(env: Env, now: number): Promise<void> {
  const companies = await selectCompaniesWithGatewayRules(companyDb(env, "first-primary"));
  await sendQueueMessages(env, jobMessages(jobAt(now), companies));
}

/** Begins and ends the conditions of these companies' rules about gateways, by what gateways reported last. */
export async function watchGatewaysOf(env: Env, companyIds: readonly number[], now: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  await doForEach(env, jobAt(now), companyIds, async (companyId) => {
    const heard = await within(OBJECT_MS, "the hub", hubOf(env, companyId).gatewayConditions());
    const ids = heard.map(({ gatewayTokenId }) => gatewayTokenId);
    const [rules, tokens] = await db.batch([selectGatewayRules(db, companyId), selectNamedTokens(db, companyId, ids)]);
    // The hub also knows gateways whose tokens were deleted.
    const names = new Map(tokens.map(({ id, name }) => [id, name]));
    const found = rules.flatMap((rule) =>
      heard.flatMap((gateway): FoundGateway[] => {
        const gatewayName = names.get(gateway.gatewayTokenId);
        const since = gatewayName === undefined ? null : troubleOf(rule, gateway, now);
        if (gatewayName === undefined || since === null) return [];
        const { gatewayTokenId } = gateway;
        return [{ ruleId: rule.id, ...since, facts: { gatewayTokenId, gatewayName } }];
      }),
    );
    const changed = await db.batch([
      endGatewayConditions(db, companyId, found, now),
      insertGatewayConditions(db, companyId, found, now),
    ]);
    return changed.flat().length > 0;
  });
}

/**
 * Whether a gateway is as a rule looks for, and since when; null: it is not. Once it is, it stays so down to half of the limit (`isBad` false), so that an
 * alert does not come and go.
 */
function troubleOf(
  { kind, params }: GatewayRule,
  { heardAt, oldestAt, clockSkewMs }: GatewayCondition,
  now: number,
): Pick<FoundGateway, "since" | "isBad"> | null {
  if (kind === "gateway_silent") {
    const isSilent = now - heardAt > (params.seconds ?? 0) * SECOND_MS;
    return isSilent ? { since: heardAt, isBad: true } : null;
  }
  const limitMs = (params.minutes ?? 0) * MINUTE_MS;
  // As of the report: what a silent gateway has is not known.
  const [ms, since] =
    kind === "gateway_queue" ? [heardAt - (oldestAt ?? heardAt), oldestAt ?? heardAt] : [Math.abs(clockSkewMs ?? 0), heardAt];
  return ms > limitMs / 2 ? { since, isBad: ms > limitMs } : null;
}
