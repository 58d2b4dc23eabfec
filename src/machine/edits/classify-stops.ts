import { causesAfter } from "../../core/kept-causes.ts";
import type { BulkEdit, BulkOutcome, BulkUndone, EditedBy, StopResult } from "../../objects/machine-protocol.ts";
import { isOpenFrom } from "../ledger/books-door.ts";
import { putOrphan } from "../publish/projection.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { apply, computeTimes, computeTouched, editorOf, firstTouched, UNCHANGED, undo } from "./edit-stops.ts";
import { once } from "./once.ts";

/** The results by the numbers that are remembered of them. The order stays: only add to it. */
const results: readonly StopResult[] = ["classified", "unchanged", "changed", "gone", "closed"];

/**
 * Gives stops the same causes, each by itself: a stop that was changed since it was read, or that is not there, is left as it is.
 * The shifts are computed once, however many stops of them change. Makes no audit entries: the one of the request is in D1. A repeated
 * part of a request changes nothing and has the results of the first time. Runs inside a transaction, after `computeChangedShifts`.
 */
export function classifyStops(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  { key, bulkId, stops, ...given }: BulkEdit,
  by: EditedBy,
  now: number,
): BulkOutcome {
  const request = { operation: "classifyStops", key, requestHash: "" };
  return once<BulkOutcome, never>(
    storage,
    { request, by, now },
    {
      run() {
        const editor = editorOf(storage, configuration, head, by, now, bulkId ?? null);
        const touched: Parameters<typeof computeTouched>[1][number][] = [];
        const outcome = stops.map(({ seq, version }): StopResult => {
          const after = causesAfter(storage.stop(seq)?.mark?.classification ?? null, given);
          const edit = { action: "classify" as const, seq, version, ...after };
          if (!isOpenFrom(storage, firstTouched(storage, edit))) return "closed";
          const applied = apply(editor, edit);
          if (applied === UNCHANGED) return "unchanged";
          if ("refused" in applied) return applied.refused === "not_found" ? "gone" : "changed";
          touched.push(applied);
          return "classified";
        });
        computeTouched(editor, touched);
        return { results: outcome };
      },
      numbersOf: (outcome) => outcome.results.map((result) => results.indexOf(result)),
      again: (numbers) => ({ results: numbers.flatMap((number) => results[number] ?? []) }),
    },
  ) as BulkOutcome;
}

/**
 * Takes a bulk classification back: what was said of each stop before counts again. A stop that a person changed afterwards stays as it is, and so does
 * one whose books are closed. A repeat changes nothing and has the result of the first time. Runs inside a transaction, after `computeChangedShifts`.
 */
export function undoClassification(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  bulkId: string,
  by: EditedBy,
  now: number,
): BulkUndone {
  const request = { operation: "undoClassification", key: bulkId, requestHash: "" };
  return once<BulkUndone, never>(
    storage,
    { request, by, now },
    {
      run() {
        const editor = editorOf(storage, configuration, head, by, now);
        const edits = storage.edits.ofBulk(bulkId);
        const open = edits.filter(({ start }) => isOpenFrom(storage, start));
        for (const { n, orphan } of open) {
          undo(storage, n, by);
          if (orphan) putOrphan(editor.context, n, null);
        }
        const undone = open.filter(({ isReplaced }) => !isReplaced);
        computeTimes(editor, undone);
        return { undone: undone.length, kept: edits.length - undone.length };
      },
      numbersOf: ({ undone, kept }) => [undone, kept],
      again: ([undone = 0, kept = 0]) => ({ undone, kept }),
    },
  ) as BulkUndone;
}
