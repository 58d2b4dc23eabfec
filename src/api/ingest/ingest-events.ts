import type { Sender } from "../../core/caller.ts";
import { isTransient } from "../../core/fault-codes.ts";
import { forbidden } from "../../core/problem.ts";
import { isoOf } from "../../oee/time.ts";
import { keepRefused } from "./keep-refused.ts";
import type { Refusal } from "./route-events.ts";
import { takeEvents } from "./take-events.ts";

/** A refused event: its index in the batch, and whether it is to be sent again as it is. */
interface Rejection extends Refusal {
  index: number;
  isTransient: boolean;
}

interface SentBatch {
  events: readonly unknown[];
  /** Undefined: the sender's own. */
  companyId?: number | undefined;
}

/**
 * Sends events to the machines of a company. Returns how many were stored, which ones were refused, warnings, and the service's time.
 * @throws Problem 403 unless the company is the sender's, or the sender is a superuser
 */
export async function ingestEvents(sender: Sender, { events, companyId = sender.actor.companyId }: SentBatch) {
  const { actor } = sender;
  const isSuperuser = actor.kind === "user" && actor.role === "superuser";
  if (companyId !== actor.companyId && !isSuperuser) throw forbidden("Only a superuser may send for another company.");
  const { results, warnings } = await takeEvents(sender, companyId, events);
  keepRefused(sender, companyId, events, results);
  const counts = { accepted: 0, duplicates: 0 };
  const rejected: Rejection[] = [];
  for (const [index, result] of results.entries()) {
    if (result === "accepted") counts.accepted += 1;
    else if (result === "duplicate") counts.duplicates += 1;
    else rejected.push({ index, code: result.code, message: result.message, isTransient: isTransient[result.code] });
  }
  return { ...counts, rejected, warnings, now: isoOf(Date.now()) };
}
