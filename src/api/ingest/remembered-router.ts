import { ShortCache } from "../../core/short-cache.ts";
import type { NamedInEvents } from "./queries.ts";
import type { EventRouter } from "./route-events.ts";

/**
 * Which machines the channels of a gateway's node feed, as it was up to 30 s ago: counts come day and night, and count sensors hardly
 * ever change. That it may be old does no harm: each machine refuses counts that are not its own, and what is not found is looked up.
 */
const routers = new ShortCache<EventRouter>(30_000, 1_000);

/** Knows the machines of a batch of counts of one node, if they were found lately; null: D1 has to be asked. */
export function rememberedRouter(companyId: number, named: NamedInEvents): EventRouter | null {
  const key = keyOf(companyId, named);
  return (key !== null && routers.get(key)?.value) || null;
}

/** Remembers what knows the machines of a batch, as D1 was asked for at `readAt`, if it is one of counts of one node. */
export function rememberRouter(companyId: number, named: NamedInEvents, router: EventRouter, readAt: number): void {
  const key = keyOf(companyId, named);
  if (key !== null) routers.set(key, router, readAt);
}

function keyOf(companyId: number, { channelNodeIds, ...others }: NamedInEvents): string | null {
  const isOfOneNode = channelNodeIds.length === 1 && Object.values(others).every((list) => list.length === 0);
  return isOfOneNode ? `${companyId}:${channelNodeIds[0]}` : null;
}
