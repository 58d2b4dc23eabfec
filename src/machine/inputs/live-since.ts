import { MINUTE_MS } from "../../oee/time.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";

// A machine is live from the first event that arrives soon after its time. Until then nobody is notified that it is silent: it has not started, or its
// history is being imported.

const KEY = "live since";

/** How old an event may be to make a machine live where silence is never no data. */
const USUAL_MS = 5 * MINUTE_MS;

/** Since when the machine is live (epoch ms); infinity: not yet. */
export function liveSince(storage: MachineStorage): number {
  const kept = storage.value<{ at: number | null }>(KEY);
  // A machine with events from before this was kept is live.
  if (!kept) return storage.events.newestAt() === null ? Number.POSITIVE_INFINITY : 0;
  return kept.at ?? Number.POSITIVE_INFINITY;
}

/** Notes that a machine without events gets some of long ago, which are no sign of life. Runs inside a transaction. */
export function beginAsNotLive(storage: MachineStorage): void {
  storage.saveValue(KEY, { at: null });
}

/**
 * Notes that events were accepted. Runs inside their transaction.
 * @param newestAt the time of the newest of them
 * @param isFirst whether they are the first of the machine
 * @param noDataAfterMs the machine's limit; null: silence is never no data
 */
export function noteArrival(
  storage: MachineStorage,
  { newestAt, isFirst, noDataAfterMs, now }: { newestAt: number; isFirst: boolean; noDataAfterMs: number | null; now: number },
): void {
  if (!isFirst && liveSince(storage) !== Number.POSITIVE_INFINITY) return;
  const isLive = newestAt >= now - (noDataAfterMs ?? USUAL_MS);
  if (isLive || isFirst) storage.saveValue(KEY, { at: isLive ? newestAt : null });
}
