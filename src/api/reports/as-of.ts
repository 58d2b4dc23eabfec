import type { Caller } from "../../core/caller.ts";
import { instant } from "../../core/inputs.ts";
import { type Fault, invalid } from "../../core/problem.ts";
import { isoOf, SECOND_MS } from "../../oee/time.ts";

// Reports as they were at an earlier instant: `asOf`.

/** What changed later than this may still be being written. */
const LATEST_MS = 10 * SECOND_MS;

/** The member of a request. */
export const asOfMember = instant.optional().openapi({
  description:
    "The shifts that were closed at this instant, as they were reported then; running ones are left out. Names are those of now. At least 10 seconds " +
    "ago. A shift counts as closed ten minutes after its end",
});

const fault = (pointer: string, message: string, code: Fault["code"] = "out_of_range") => invalid([{ pointer, code, message }]);

/**
 * Prepares to read what was reported at an instant: reads are answered by the primary from now on.
 * @param pointer that of the member
 * @throws Problem 400 if it is later than ten seconds ago
 */
export function readAsOf(caller: Pick<Caller, "continueAtPrimary">, asOf: number, pointer: string): void {
  if (asOf > Date.now() - LATEST_MS)
    throw fault(pointer, "must be at least 10 seconds ago: what is newer may still be being written");
  caller.continueAtPrimary();
}

/**
 * @param found since when it is known what was reported, as read with `selectKnownFrom`
 * @throws Problem 400 if that is not known of the instant
 */
export function refuseUnknownTime(asOf: number, pointer: string, found: readonly { knownFrom: number | null }[]): void {
  const knownFrom = found[0]?.knownFrom ?? 0;
  if (asOf >= knownFrom) return;
  throw fault(pointer, `must not be before ${isoOf(knownFrom)}: what was reported before is not known`);
}
