import { deliver } from "../api/ingest/deliver.ts";
import { findTargets } from "../api/ingest/queries.ts";
import { EventRouter, namedIn } from "../api/ingest/route-events.ts";
import { newObjectUsage } from "../core/object-usage.ts";
import { companyDb } from "../db/client.ts";
import { isoOf } from "../oee/time.ts";
import { type KeptChannel, type KeptCount, type Signals, waitingCodes } from "./signals.ts";

/** As many as a gateway may send at once. */
const COUNTS_AT_ONCE = 1000;

/**
 * Sends kept counts to the machines that their channels feed by now, the same way as those of a gateway, and forgets what the machines have. May be
 * repeated: what a machine has already is a duplicate.
 * @returns whether all is done; otherwise a machine failed, or a channel changed meanwhile
 */
export async function countKept(env: Env, companyId: number, signals: Signals): Promise<boolean> {
  const kept = signals.kept();
  if (kept.length === 0) return true;
  // A replica may not have the change yet.
  const db = companyDb(env, "first-primary");
  const channelNodeIds = [...new Set(kept.map(({ nodeId }) => nodeId))];
  const named = { ...namedIn([]), channelNodeIds };
  const router = new EventRouter(await findTargets(db, companyId, named, signals.earliest()));
  let isSettled = true;
  for (const one of kept) {
    if (!router.feeds(one.nodeId, one.channel)) continue;
    try {
      if (!(await countChannel(env, router, signals, one))) isSettled = false;
    } catch (error) {
      // Other machines are not to wait for this one.
      console.error(JSON.stringify({ event: "kept_counts_failed", companyId, ...one, error: String(error) }));
      isSettled = false;
    }
  }
  return isSettled;
}

async function countChannel(env: Env, router: EventRouter, signals: Signals, channel: KeptChannel): Promise<boolean> {
  let isSettled = true;
  let after: KeptCount | null = null;
  for (;;) {
    const counts: KeptCount[] = signals.countsOf(channel.id, after, COUNTS_AT_ONCE);
    if (counts.length === 0) return isSettled;
    const routed = counts.map((count) => router.route(eventOf(channel, count)));
    const by = { env, objects: newObjectUsage() };
    const { results } = await deliver(by, routed, (machine, batch, version) => machine.ingest(batch, version, null));
    const settled: KeptCount[] = [];
    let refusal: Parameters<Signals["settle"]>[2] = null;
    for (const [i, count] of counts.entries()) {
      const result = results[i];
      const refused = typeof result === "object" ? result : null;
      if (refused?.code === "other_machine") isSettled = false;
      else if (refused) refusal = refused;
      if (!refused || !waitingCodes.includes(refused.code)) settled.push(count);
    }
    signals.settle(channel.id, settled, refusal);
    after = counts.at(-1) ?? null;
  }
}

function eventOf({ nodeId, channel }: KeptChannel, { id, at, since, value, reading }: KeptCount) {
  return {
    ...{ type: "count" as const, at: isoOf(at), nodeId, channel },
    ...(id !== null && { id }),
    ...(since !== undefined && { since: isoOf(since) }),
    ...(value !== undefined && { value }),
    ...(reading !== undefined && { reading }),
  };
}
