import { recordId } from "../../core/record-id.ts";
import type {
  EditedBy,
  HeldCount,
  HeldDecided,
  HeldDecision,
  HeldRefusal,
  KeyedRequest,
} from "../../objects/machine-protocol.ts";
import { maxOf, minOf } from "../../oee/extremes.ts";
import { HOUR_MS, isoOf } from "../../oee/time.ts";
import { dayAndReasonOf, type HeldSums, MOST_HELD, sumsOf } from "../inputs/held-counts.ts";
import { acceptEvents, foldAgain, ofFewDays } from "../inputs/input-log.ts";
import { refusalOfPast } from "../ledger/books-door.ts";
import { markUrgent } from "../ledger/progress.ts";
import { heldSums, type ProjectionContext, putAudit, putHeld } from "../publish/projection.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { forgottenTo, recalculableFrom } from "../storage/retention.ts";
import { once } from "./once.ts";

/** How long counts are held. Long before that they are too old to be accepted. */
const HELD_MS = 30 * 24 * HOUR_MS;
/**
 * Accepts held counts, which then count at their own times, or drops them: then they stay samples. Either way an event that is sent again
 * is a duplicate. A request with a key is carried out once. Runs inside a transaction.
 */
export function decideHeld(
  storage: MachineStorage,
  configuration: Configuration,
  decision: HeldDecision,
  by: EditedBy,
  request: KeyedRequest | null,
  now: number,
): HeldDecided | HeldRefusal {
  return once<HeldDecided, HeldRefusal>(
    storage,
    { request, by, now },
    {
      run: () => decide(storage, configuration, decision, by, now),
      numbersOf: ({ decided, units, left }) => [decided, units, left],
      again: ([decided = 0, units = 0, left = 0]) => ({ decided, units, left }),
    },
  );
}

function decide(
  storage: MachineStorage,
  configuration: Configuration,
  { action, entry, seqs }: HeldDecision,
  by: EditedBy,
  now: number,
): HeldDecided | HeldRefusal {
  const { identity } = configuration;
  const context = { storage, identity, now };
  const all = storage.held.of(entry, 0, MOST_HELD);
  if (all.length === 0) {
    // Its rows cannot be read any more: the list forgets it.
    if (heldSums(context, entry)) release(context, entry, []);
    return { refused: "not_found", message: "Nothing of this entry is held." };
  }
  const wanted = seqs && new Set(seqs);
  const chosen = wanted ? all.filter(({ seq }) => wanted.has(seq)) : all;
  if (wanted && chosen.length < wanted.size)
    return { refused: "conflict", message: "ids: not all of these events are held in this entry. Read the list again." };
  if (action === "accept") {
    const refusal = accept(storage, configuration, chosen, by, now);
    if (refusal) return refusal;
  }
  const { units = 0 } = sumsOf(chosen) ?? {};
  const left = release(context, entry, chosen);
  putAudit(context, {
    id: crypto.randomUUID(),
    at: now,
    companyId: identity.companyId,
    ...by,
    action: `held-events.${action}`,
    objectType: "held-events",
    objectId: String(recordId(identity.machineId, entry)),
    before: shown(entry, sumsOf(all)),
    after: { ...shown(entry, left), decided: { count: chosen.length, units } },
  });
  return { decided: chosen.length, units, left: left?.count ?? 0 };
}

/** Forgets counts of an entry that are not held any more, and returns the sums of the others. */
function release(context: ProjectionContext, entry: number, counts: readonly HeldCount[]): HeldSums | null {
  const { storage } = context;
  storage.held.remove(counts);
  const left = sumsOf(storage.held.of(entry, 0, MOST_HELD));
  putHeld(context, entry, left);
  return left;
}

/** An entry as the audit shows it. */
function shown(entry: number, sums: HeldSums | null) {
  const { day, reason } = dayAndReasonOf(entry);
  return { day: isoOf(day).slice(0, 10), reason, count: sums?.count ?? 0, units: sums?.units ?? 0 };
}

/** Accepts the events that were held because their books were closed, and that are open again. */
export function acceptClosed(storage: MachineStorage, configuration: Configuration, now: number): void {
  const counts = storage.held.closedFrom(storage.floor().at);
  take(storage, configuration, counts, now);
  const context = { storage, identity: configuration.identity, now };
  for (const [entry, ofEntry] of Map.groupBy(counts, (count) => count.entry)) release(context, entry, ofEntry);
}

/** Takes events as if they arrived now. */
function take(storage: MachineStorage, configuration: Configuration, counts: readonly HeldCount[], now: number): void {
  const taken = counts.flatMap((count) => count.taken ?? []);
  if (taken.length === 0) return;
  // First, because one that is implausible is held again.
  storage.held.remove(counts.filter((count) => count.taken));
  for (const some of ofFewDays(taken, forgottenTo(storage))) acceptEvents(storage, configuration, some, now);
}

/** Drops what came with an import. */
export function dropHeldOfImport(context: ProjectionContext, importId: number): void {
  for (const [entry, counts] of Map.groupBy(context.storage.held.ofImport(importId), (count) => count.entry))
    release(context, entry, counts);
}

/** Drops what nobody decided about for a long time. */
export function dropOldHeld(context: ProjectionContext): void {
  const { storage, now } = context;
  const { oldestAt } = storage.held.totals();
  if (oldestAt === null || oldestAt >= now - HELD_MS) return;
  for (const [entry, counts] of Map.groupBy(storage.held.before(now - HELD_MS), (count) => count.entry))
    release(context, entry, counts);
}

/** Lets counts count. Returns why not, if the books of one of them are closed, or it is older than the events that are kept. */
function accept(
  storage: MachineStorage,
  configuration: Configuration,
  counts: readonly HeldCount[],
  by: EditedBy,
  now: number,
): HeldRefusal | null {
  const times = counts.map(({ event }) => event.at);
  const touched = { from: minOf(times), until: maxOf(times) };
  const closed = refusalOfPast(storage, touched.from);
  if (closed) return closed;
  if (touched.from < recalculableFrom(storage)) {
    const message = `The machine's events are only kept since ${isoOf(recalculableFrom(storage))}: older ones can only be dropped.`;
    return { refused: "conflict", message };
  }
  take(storage, configuration, counts, now);
  const implausible = counts.filter((count) => !count.taken);
  markUrgent(storage);
  if (implausible.length === 0) return null;
  storage.events.replace(new Map(implausible.map((count) => [count.pos, count.sent ?? count.reading ?? count.event])));
  foldAgain(storage, configuration, touched, now, { reasons: ["edit"], by });
  return null;
}
