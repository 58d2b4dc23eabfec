import { recordId } from "../../core/record-id.ts";
import type {
  EditedBy,
  EventFilter,
  KeyedRequest,
  MatchingEvents,
  WithdrawalRefusal,
  WithdrawalState,
} from "../../objects/machine-protocol.ts";
import { isoOf } from "../../oee/time.ts";
import { forgetCountedTo } from "../inputs/hold.ts";
import { foldAgain } from "../inputs/input-log.ts";
import { refusalOfPast } from "../ledger/books-door.ts";
import { hastenRecalculation } from "../ledger/recalculation.ts";
import { putAudit, putWithdrawal } from "../publish/projection.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { recalculableFrom } from "../storage/retention.ts";
import { DamagedDay } from "../storage/stored-days.ts";
import { isMatch, type StoredWithdrawal } from "../storage/stored-withdrawals.ts";
import { once } from "./once.ts";

/** The most withdrawals of a machine that hold: each event is held against them. */
const MOST_HOLDING = 200;

/** Who withdraws, with which request, and when. */
interface Withdrawing {
  by: EditedBy;
  request: KeyedRequest | null;
  now: number;
}

type Outcome = { withdrawal: WithdrawalState } | WithdrawalRefusal;

/**
 * Withdraws the events that match a filter: they are kept, but count for nothing. The numbers become what they would be without these events.
 * A request with a key is carried out once. Runs inside a transaction.
 */
export function withdrawEvents(
  storage: MachineStorage,
  configuration: Configuration,
  { reason, ...filter }: EventFilter & { reason: string },
  withdrawing: Withdrawing,
): Outcome {
  return onceOf(storage, configuration, withdrawing, () => {
    const { by, now } = withdrawing;
    const found = matchingEvents(storage, filter);
    if ("refused" in found) return found;
    const { events, firstAt, lastAt } = found;
    if (firstAt === null || lastAt === null)
      return { refused: "no_match", member: "", message: "names no event that counts: nothing was withdrawn" };
    if (storage.withdrawals.holding().length >= MOST_HOLDING)
      return {
        refused: "too_many_withdrawals",
        member: "",
        message: `the machine has ${MOST_HOLDING} withdrawals: restore some of them`,
      };
    const { userId, apiTokenId } = by;
    const seq = storage.withdrawals.add({ ...filter, reason, events, userId, apiTokenId, restored: null });
    computeAgain(storage, configuration, { from: firstAt, until: lastAt }, withdrawing);
    const state = stateOf(storage, configuration, seq, now);
    putEntry(storage, configuration, withdrawing, "create", null, state);
    return { withdrawal: state };
  });
}

/** Takes a withdrawal back: its events count again. Otherwise as `withdrawEvents`. */
export function restoreEvents(
  storage: MachineStorage,
  configuration: Configuration,
  seq: number,
  withdrawing: Withdrawing,
): Outcome {
  return onceOf(storage, configuration, withdrawing, () => {
    const { by, now } = withdrawing;
    const known = storage.withdrawals.get(seq);
    if (!known || known.restored) return noWithdrawal;
    const closed = refusalOfPast(storage, known.from);
    if (closed) return closed;
    const before = stateOf(storage, configuration, seq, now);
    storage.withdrawals.save({ ...known, restored: { at: now, userId: by.userId } });
    // Events that arrived since may be among them.
    computeAgain(storage, configuration, { from: known.from, until: Math.min(known.to - 1, now) }, withdrawing);
    const state = stateOf(storage, configuration, seq, now);
    putEntry(storage, configuration, withdrawing, "undo", before, state);
    return { withdrawal: state };
  });
}

/** What a filter names, of the events that count: those that were withdrawn already are left out. */
export function matchingEvents(storage: MachineStorage, filter: EventFilter): MatchingEvents | WithdrawalRefusal {
  const closed = refusalOfPast(storage, filter.from);
  if (closed) return closed;
  const completeFrom = recalculableFrom(storage);
  if (filter.from < completeFrom) {
    const message = `is before ${isoOf(completeFrom)}: events of this machine are only kept since then`;
    return { refused: "too_late", member: "from", message };
  }
  const matching: MatchingEvents = { events: 0, firstAt: null, lastAt: null };
  try {
    for (const stored of storage.events.sent({ start: filter.from, end: filter.to })) {
      if (!isMatch(filter, stored) || storage.events.isWithdrawn(stored)) continue;
      matching.events++;
      matching.firstAt ??= stored.event.at;
      matching.lastAt = stored.event.at;
    }
  } catch (error) {
    if (!(error instanceof DamagedDay)) throw error;
    return {
      refused: "too_late",
      member: "from",
      message: "names a time with events that cannot be read: see the machine's events",
    };
  }
  return matching;
}

const noWithdrawal = { refused: "not_found", message: "There is no such withdrawal." } as const;

function onceOf(
  storage: MachineStorage,
  configuration: Configuration,
  { by, request, now }: Withdrawing,
  run: () => Outcome,
): Outcome {
  return once<{ withdrawal: WithdrawalState }, WithdrawalRefusal>(
    storage,
    { request, by, now },
    {
      run,
      numbersOf: ({ withdrawal }) => [withdrawal.id - recordId(configuration.identity.machineId, 0)],
      again: ([seq = 0]) =>
        storage.withdrawals.get(seq) ? { withdrawal: stateOf(storage, configuration, seq, now) } : noWithdrawal,
    },
  );
}

/** Has what the events changed computed again, as if it had always been so. */
function computeAgain(
  storage: MachineStorage,
  configuration: Configuration,
  touched: { from: number; until: number },
  { by, now }: Withdrawing,
): void {
  storage.events.findNewest();
  // What was counted from them is in memory.
  storage.ledger.reload();
  forgetCountedTo(storage);
  foldAgain(storage, configuration, touched, now, { reasons: ["withdrawal"], by });
  hastenRecalculation(storage, now);
}

function stateOf(storage: MachineStorage, { identity }: Configuration, seq: number, now: number): WithdrawalState {
  return putWithdrawal({ storage, identity, now }, storage.withdrawals.get(seq) as StoredWithdrawal);
}

function putEntry(
  storage: MachineStorage,
  { identity }: Configuration,
  { by, now }: Withdrawing,
  verb: "create" | "undo",
  before: WithdrawalState | null,
  after: WithdrawalState,
): void {
  const entry = {
    ...{ id: crypto.randomUUID(), at: now, companyId: identity.companyId, ...by, action: `event-withdrawal.${verb}` },
    ...{ objectType: "event-withdrawal", objectId: String(after.id), before: before && shown(before), after: shown(after) },
  };
  putAudit({ storage, identity, now }, entry);
}

/** A withdrawal as the audit shows it: as answers do, without names. */
function shown({
  id,
  machineId,
  fromAt,
  toAt,
  filter,
  reason,
  events,
  userId,
  createdAt,
  restoredAt,
  restoredBy,
}: WithdrawalState) {
  return {
    ...{ id, machine: { id: machineId }, from: isoOf(fromAt), to: isoOf(toAt), ...filter, reason, events, userId },
    ...{ createdAt: isoOf(createdAt), restoredAt: isoOf(restoredAt), restoredBy },
  };
}
