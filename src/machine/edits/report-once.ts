import type { AuditRow } from "../../db/audit-row.ts";
import type { FloorNow, IncomingEvent, Reported } from "../../objects/machine-protocol.ts";
import { signedInAt } from "../../oee/machine.ts";
import { acceptEvents, advanceTo } from "../inputs/input-log.ts";
import { refusalOfPast } from "../ledger/books-door.ts";
import { putAudit } from "../publish/projection.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { REMEMBERED_MS } from "./once.ts";

/**
 * Stores the event that a person at the machine reported. An event with an id is stored once, whatever time its repeats have, and a
 * repeat gets the same `isChanged`. Runs inside a transaction.
 * @param entry the audit entry, stored if the event is new
 */
export function reportOnce(
  storage: MachineStorage,
  configuration: Configuration,
  incoming: IncomingEvent,
  entry: AuditRow,
  now: number,
): Reported {
  const before = floorAt(storage, configuration, now);
  storage.forgetReports(now - REMEMBERED_MS);
  const known = incoming.id === null ? null : storage.rememberedReport(incoming.id);
  if (known) return { ...before, isChanged: known.isChanged };
  const closed = refusalOfPast(storage, incoming.event.at);
  if (closed) return { code: "too_late", message: closed.message, closedTo: closed.closedTo };
  const [result] = acceptEvents(storage, configuration, [incoming], now);
  if (typeof result === "object") return result;
  if (result === "accepted") putAudit({ storage, identity: configuration.identity, now }, entry);
  const after = floorAt(storage, configuration, now);
  const isChanged = JSON.stringify(after) !== JSON.stringify(before);
  if (incoming.id !== null) storage.rememberReport(incoming.id, isChanged, now);
  return { ...after, isChanged };
}

function floorAt(storage: MachineStorage, configuration: Configuration, now: number): FloorNow {
  const { ledger } = advanceTo(storage, configuration, now);
  const signedIn = signedInAt(ledger, now, configuration.calendar).map(({ operatorId, start }) => ({ operatorId, since: start }));
  signedIn.sort((a, b) => a.operatorId - b.operatorId);
  return { skuId: ledger.skuId, workOrderId: ledger.run?.workOrderId ?? null, signedIn };
}
