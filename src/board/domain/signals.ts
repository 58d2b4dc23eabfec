import type { ApiSchema } from "../../client/client.ts";
import { SECOND_MS } from "./time.ts";

type Signal = ApiSchema<"Signal">;
type Sensors = ApiSchema<"CountSensors">;

/** The time that the dots of a signal show. */
const SHOWN_MS = 60 * SECOND_MS;

/** Where the dots of a signal are, from 0 (the oldest shown) to 1 (now). */
export function dotsOf({ recent }: Pick<Signal, "recent">, asOf: string): number[] {
  const now = Date.parse(asOf);
  return recent.flatMap((at) => {
    const place = 1 - (now - Date.parse(at)) / SHOWN_MS;
    return place < 0 ? [] : [Math.min(1, place)];
  });
}

/** How a machine takes a channel that nothing took so far. */
export interface Adoption {
  configs: Sensors["configs"];
  /** What the machine's commissioning has to be for the kept counts; null: as it is. */
  commissionedAt: string | null;
  /** From when the channel feeds it; null: as is usual, which for a machine without events is its commissioning. */
  effectiveFrom: string | null;
}

/**
 * How a machine takes a channel as its total, so that the kept counts count. A machine that was never heard loses the channels of its total, which nobody
 * uses; others keep them.
 */
export function adoptionOf(
  { nodeId, channel, kept }: Pick<Signal, "nodeId" | "channel" | "kept">,
  machine: { commissionedAt: string; isHeard: boolean },
  sensors: Pick<Sensors, "configs"> | undefined,
  countingFactor: number,
): Adoption {
  const { commissionedAt, isHeard } = machine;
  const staying = (sensors?.configs ?? []).filter(({ type }) => isHeard || type !== "total");
  const from = kept === null ? null : kept.from;
  const isEarlier = from !== null && from < commissionedAt;
  return {
    configs: [...staying, { type: "total", channel, nodeId, countingFactor, wrapsAt: null }],
    commissionedAt: isEarlier && !isHeard ? from : null,
    effectiveFrom: from === null || !isHeard ? null : isEarlier ? commissionedAt : from,
  };
}

/** A channel, and the times of its pulses. */
export interface Pulses {
  nodeId: number;
  channel: number;
  times: ReadonlySet<string>;
}

/**
 * The pulses of each channel that are not in an earlier answer: whatever the clock of a gateway says, they came since then.
 * @param seen those that were found so far, which an answer no longer has if many came
 */
export function newPulses(before: readonly Signal[], signals: readonly Signal[], seen: readonly Pulses[]): Pulses[] {
  const channels = new Map(seen.map((one) => [keyOf(one), one]));
  const known = new Set(before.flatMap((one) => one.recent.map((at) => `${keyOf(one)} ${at}`)));
  for (const { nodeId, channel, recent } of signals) {
    const key = keyOf({ nodeId, channel });
    const added = recent.filter((at) => !known.has(`${key} ${at}`));
    if (added.length === 0) continue;
    channels.set(key, { nodeId, channel, times: new Set([...(channels.get(key)?.times ?? []), ...added]) });
  }
  return [...channels.values()];
}

function keyOf({ nodeId, channel }: { nodeId: number; channel: number }): string {
  return `${nodeId} ${channel}`;
}
