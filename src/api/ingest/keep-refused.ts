import type { Sender } from "../../core/caller.ts";
import { OBJECT_MS, within } from "../../limits/load.ts";
import { hubOf } from "../../objects/hubs.ts";
import { CHANNELS_PER_CALL, type RefusedChannel, type SignalSource, type UnknownCount } from "../../objects/signals.ts";
import type { Result } from "./deliver.ts";
import { sentEvent } from "./event.ts";

/**
 * Has the company's hub keep refused counts, after the answer: whoever connects a machine sees what arrives, and counts of channels that feed no machine
 * yet count once one does. Nothing is sent to the hub if nothing was refused. If the hub does not answer, they are not kept, and the gateway
 * has been told that they were refused.
 */
export function keepRefused(
  { env, actor, afterwards }: Pick<Sender, "env" | "actor" | "afterwards">,
  companyId: number,
  sent: readonly unknown[],
  results: readonly Result[],
): void {
  const channels = refusedChannels(sent, results);
  if (channels.length === 0) return;
  const source: SignalSource = actor.kind === "user" ? `user:${actor.userId}` : `gateway:${actor.gatewayTokenId}`;
  const hear = async () => await within(OBJECT_MS, "the hub", hubOf(env, companyId).hear(source, channels));
  afterwards(hear().catch(() => undefined));
}

/** The refused counts, by channel. */
function refusedChannels(sent: readonly unknown[], results: readonly Result[]): RefusedChannel[] {
  const channels = new Map<string, RefusedChannel>();
  for (const [i, result] of results.entries()) {
    const event = sent[i];
    if (typeof result !== "object" || !isCount(event)) continue;
    const { nodeId, channel } = event;
    const key = `${nodeId} ${channel}`;
    const known = channels.get(key);
    if (!known && channels.size >= CHANNELS_PER_CALL) continue;
    const unknown: UnknownCount[] = known?.unknown ?? [];
    const count = result.code === "unknown_channel" ? unknownCount(event) : null;
    if (count) unknown.push(count);
    channels.set(key, {
      ...{ nodeId, channel, code: result.code, message: result.message, unknown },
      sentAt: timeOf(event.at),
      refused: (known?.refused ?? 0) + (count ? 0 : 1),
    });
  }
  return [...channels.values()];
}

interface Count {
  nodeId: number;
  channel: number;
  at?: unknown;
}

/** Whether something that was sent is a count of a channel, whatever is wrong with it otherwise. */
function isCount(event: unknown): event is Count {
  if (typeof event !== "object" || event === null) return false;
  const { type, nodeId, channel } = event as Record<string, unknown>;
  return type === "count" && isNumber(nodeId) && isNumber(channel);
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function timeOf(at: unknown): number | null {
  const time = typeof at === "string" && at.length < 40 ? Date.parse(at) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

function unknownCount(event: Count): UnknownCount | null {
  const { data } = sentEvent.safeParse(event);
  if (data?.type !== "count") return null;
  const { id = null, at, since, value, reading } = data;
  return {
    ...{ id, at: Date.parse(at) },
    ...(since !== undefined && { since: Date.parse(since) }),
    ...(reading === undefined ? { value: value ?? 0 } : { reading }),
  };
}
