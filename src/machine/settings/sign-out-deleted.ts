import { LATE_LIMIT_MS } from "../../objects/machine-protocol.ts";
import type { DeletedOperator } from "../../objects/set-up.ts";
import { ShiftCalendar } from "../../oee/shifts.ts";
import { acceptEvents } from "../inputs/input-log.ts";
import { openSince } from "../ledger/books-door.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { settingsNeededFrom } from "../storage/retention.ts";

/** The operators who are signed in by event, as far as the ledger goes. */
export function signedInIds(storage: MachineStorage): number[] {
  return Object.keys(storage.head()?.ledger.signedIn ?? {}).map(Number);
}

/**
 * Signs out the operators who were deleted, at that time: nobody else could, and what is made from then on is nobody's. Stored like an event, so that
 * late events are folded around it. Runs inside a transaction, after the new set-up is stored.
 */
export function signOutDeleted(storage: MachineStorage, deleted: readonly DeletedOperator[], now: number): void {
  const identity = storage.identity();
  const history = storage.settings.history(settingsNeededFrom(storage));
  const newest = storage.events.newestAt();
  if (deleted.length === 0 || !identity || !history || newest === null) return;
  const events = deleted.map(({ operatorId, deletedAt }) => ({
    id: null,
    content: `${operatorId} out`,
    // Not in closed books. What is further back would have to be recalculated.
    event: {
      kind: "operator" as const,
      at: openSince(storage, Math.max(deletedAt, newest - LATE_LIMIT_MS)),
      operatorId,
      action: "out" as const,
    },
  }));
  acceptEvents(storage, { identity, history, calendar: new ShiftCalendar(history) }, events, now);
}
