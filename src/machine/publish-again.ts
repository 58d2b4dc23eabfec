import type { Identity } from "./configuration.ts";
import type { MachineStorage } from "./storage.ts";

/**
 * Has everything that the object holds for D1 sent once more, over whatever D1 has of it: for a D1 that is older than the
 * object, or lost rows. The version that asked for it is a time in seconds, more than an object has flushes: nothing that
 * was sent before counts as newer. Runs inside a transaction.
 */
export function publishAgain(storage: MachineStorage, { configVersion }: Identity): void {
  const progress = storage.progress();
  storage.saveProgress({ ...progress, revision: Math.max(progress.revision, configVersion) });
  storage.makeDue();
}
