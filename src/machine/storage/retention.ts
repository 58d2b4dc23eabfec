import { LATE_LIMIT_MS } from "../../objects/machine-protocol.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import { coverableFrom, undecidedFrom } from "../../oee/signal.ts";
import { HOUR_MS } from "../../oee/time.ts";
import { startOf, timeOf } from "../inputs/ledger-position.ts";
import { progressOf } from "../ledger/progress.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "./machine-storage.ts";

const KEY = "forgotten to";

/** The events before this instant are deleted or will be, because their results cannot change any more. */
export function forgottenTo(storage: MachineStorage): number {
  return storage.value<number>(KEY) ?? 0;
}

/** Settings that ended before this instant are needed only for what people do to shifts of the past. */
export function settingsNeededFrom(storage: MachineStorage): number {
  return Math.max(0, forgottenTo(storage) - MAX_SHIFT_MS);
}

/** Deletes everything before the oldest checkpoint that a late event could still need. Runs inside a transaction. */
export function forgetUnneeded(storage: MachineStorage, { calendar }: Configuration): void {
  const newest = storage.events.newestAt();
  const oldest = newest === null ? null : storage.ledger.checkpointBefore(startOf(newest - LATE_LIMIT_MS));
  if (!oldest || progressOf(storage).dirtyFrom !== null) return;
  const certain = coverableFrom(oldest.ledger.signal);
  const boundary = calendar.at(certain)?.start ?? certain;
  if (boundary - forgottenTo(storage) < HOUR_MS) return;
  // What the readings after the boundary count depends on those before it: a checkpoint and the events since then know them.
  const hasReadings = oldest.ledger.counters !== undefined;
  const checkpoints = (hasReadings && storage.ledger.checkpointBefore(startOf(boundary))?.pos) || oldest.pos;
  const events = Math.min(boundary, timeOf(checkpoints));
  storage.forget({ events, checkpoints, rows: Math.min(boundary, undecidedFrom(oldest.ledger.signal)) });
  const neededFrom = settingsNeededFrom(storage);
  storage.saveValue(KEY, boundary);
  storage.settings.forget(neededFrom, settingsNeededFrom(storage));
}
