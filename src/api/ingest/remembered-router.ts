import { ShortCache } from "../../core/short-cache.ts";
import type { NamedInEvents } from "./queries.ts";
import type { EventRouter } from "./route-events.ts";

/**
 * The machines that the channels of a gateway's node feed, up to 30 s old: counts are frequent, and count sensors rarely change. A stale entry
 * does no harm: machines refuse counts that are not their own, and unknown channels are looked up.
 */
const routers = new ShortCache<EventRouter>(30_000, 1_000);

/** The cached router for a batch of counts of one node; null if D1 has to be queried. */
export function rememberedRouter(companyId: number, named: NamedInEvents): EventRouter | null {
  const key = keyOf(companyId, named);
  return (key !== null && routers.get(key)?.value) || null;
}

/** Caches the router of a batch, as read from D1 at `readAt`, if the batch consists of counts of one node. */
export function rememberRouter(companyId: number, named: NamedInEvents, router: EventRouter, readAt: number): void {
  const key = keyOf(companyId, named);
  if (key !== null) routers.set(key, router, readAt);
}

function keyOf(companyId: number, { channelNodeIds, ...others }: NamedInEvents): string | null {
  const isOfOneNode = channelNodeIds.length === 1 && Object.values(others).every((list) => list.length === 0);
  return isOfOneNode ? `${companyId}:${channelNodeIds[0]}` : null;
}
