import type { Settings } from "../oee/settings.ts";
import type { Identity } from "./configuration.ts";
import { markDirty } from "./journal.ts";
import type { MachineStorage } from "./storage.ts";

/**
 * Takes a machine's set-up over from `now` on: what was before keeps the settings that it had. Until the machine is heard
 * of it is still being set up, and what it is measured by holds from its commissioning. Runs inside a transaction.
 */
export function takeOver(storage: MachineStorage, identity: Identity, read: Omit<Settings, "since">, now: number): void {
  const owner = storage.identity()?.companyId ?? identity.companyId;
  // After a restore of D1 an id may be given a second time.
  if (owner !== identity.companyId)
    throw new Error(`Machine ${identity.machineId} was another company's: its object is not free`);
  const history = storage.settings();
  if (history && storage.newestAt() === null) {
    const { signal, stopAfterMs, noDataAfterMs, standardCycleMs, skuStandardsMs } = read;
    const measures = { signal, stopAfterMs, noDataAfterMs, standardCycleMs, skuStandardsMs };
    for (const settings of history) storage.saveSettings({ ...settings, ...measures });
    markDirty(storage, history[0].commissionedAt);
  }
  const latest = storage.settings()?.at(-1);
  const settings = { since: latest ? now : 0, ...read };
  const isNews = !latest || JSON.stringify({ ...latest, since: settings.since }) !== JSON.stringify(settings);
  if (isNews) storage.saveSettings(settings);
  storage.saveIdentity(identity);
}
