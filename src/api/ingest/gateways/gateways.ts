import type { Caller, OwnGateway } from "../../../core/caller.ts";
import { type Page, type PageQuery, pageOf, readPage } from "../../../core/cursor.ts";
import { aboutCompany, checkOfIds } from "../../../core/named-ids.ts";
import { unauthenticated } from "../../../core/problem.ts";
import { OBJECT_MS, within } from "../../../limits/load.ts";
import type { GatewayStatus } from "../../../objects/gateways.ts";
import { hubOf } from "../../../objects/hubs.ts";
import { isoOf } from "../../../oee/time.ts";
import { gatewayItem, machineItem } from "./gateway.ts";
import { selectFeedableMachines, selectGatewayTokens, selectOwnGateway } from "./queries.ts";

interface GatewayQuery extends PageQuery {
  companyId?: number | undefined;
  cursor?: [number] | undefined;
}

/** A page of the gateways of a company, with what they reported last: the tokens from the database, the reports from the company's hub. */
export async function listGateways(
  { env, db, actor }: Caller,
  query: GatewayQuery,
): Promise<Page<ReturnType<typeof gatewayItem>>> {
  const { companyId, named } = aboutCompany(actor, query, {});
  const keysOf = ({ id }: { id: number }) => [id];
  const {
    data: tokens,
    cursor,
    ...more
  } = await readPage(db, query, {
    select: ({ cursor: after, limit }) => selectGatewayTokens(db, companyId, { after: after?.[0], limit: limit + 1 }),
    keysOf,
    itemOf: (token) => token,
    check: checkOfIds(db, companyId, named),
  });
  const ids = tokens.map(({ id }) => id);
  const heard = ids.length > 0 ? await within(OBJECT_MS, "the hub", hubOf(env, companyId).gateways(ids)) : [];
  const heardOf = new Map(heard.map((one) => [one.gatewayTokenId, one]));
  // The page may end earlier than that of the tokens, because reports are long.
  const itemOf = (token: (typeof tokens)[number]) => gatewayItem(token, heardOf.get(token.id));
  return { ...pageOf(tokens, tokens.length, keysOf, itemOf, cursor !== null), ...more };
}

/** What a gateway gets of itself: its company, and a page of the machines that it may feed. */
export async function getOwnGateway({ db, actor }: OwnGateway, { limit, cursor }: Pick<GatewayQuery, "limit" | "cursor">) {
  const [[own], machines] = await db.batch([
    selectOwnGateway(db, actor.gatewayTokenId),
    selectFeedableMachines(db, actor.companyId, { after: cursor?.[0], limit: limit + 1 }),
  ]);
  // It was deleted a moment ago.
  if (!own) throw unauthenticated("The token is not valid any more.");
  const page = pageOf(machines, limit, (machine) => [machine.id], machineItem);
  const { id, name, companyId, companyName, timezone } = own;
  const company = { name: companyName, id: companyId };
  return { id, name, company, timezone, now: isoOf(Date.now()), machines: page.data, cursor: page.cursor };
}

/** Keeps what a gateway reports of itself, in its company's hub. Returns the service's time. */
export async function reportStatus({ env, actor }: OwnGateway, status: GatewayStatus) {
  await within(OBJECT_MS, "the hub", hubOf(env, actor.companyId).hearGateway(actor.gatewayTokenId, status));
  return { now: isoOf(Date.now()) };
}
