import { endHistory } from "../inputs/add-history.ts";
import { forgetCountedTo } from "../inputs/hold.ts";
import { foldAgain } from "../inputs/input-log.ts";
import { refusalOfPast } from "../ledger/books-door.ts";
import { ofImport } from "../ledger/why.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { dropHeldOfImport } from "./decide-held.ts";

/**
 * Has the events of an import count for nothing any more: they stay where they are, marked by its number. What they changed is computed again as
 * if they had never come. Runs inside a transaction.
 */
export function withdrawHistory(storage: MachineStorage, configuration: Configuration, importId: number, now: number): void {
  const known = storage.imports.get(importId);
  if (known?.isWithdrawn) return;
  const closed = known && refusalOfPast(storage, known.from);
  // Whoever takes an import back has asked before: the books were closed meanwhile.
  if (closed) throw new Error(closed.message);
  // Also if it has no event of this import: a piece may be on its way.
  storage.imports.save(importId, { ...(known ?? { from: 0, until: 0 }), isWithdrawn: true });
  if (known) {
    storage.events.findNewest();
    // What was counted from them is in memory.
    storage.ledger.reload();
    forgetCountedTo(storage);
    dropHeldOfImport({ storage, identity: configuration.identity, now }, importId);
    foldAgain(storage, configuration, known, now, ofImport);
  }
  endHistory(storage, importId, now);
}
