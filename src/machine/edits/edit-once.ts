import { recordOf } from "../../core/record-id.ts";
import type { EditedBy, KeyedRequest, StopEdit } from "../../objects/machine-protocol.ts";
import { HOUR_MS } from "../../oee/time.ts";
import { stopSlices } from "../publish/projection.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head, MachineStorage } from "../storage/machine-storage.ts";
import { type EditOutcome, editStops } from "./edit-stops.ts";

/** The same as for the first response to any request with an Idempotency-Key. */
const REMEMBERED_MS = 24 * HOUR_MS;

/**
 * Like `editStops`, but applies an edit whose request has a key only once. A repeat returns the stops that resulted from it, as they are
 * now. Runs inside a transaction, so that an edit and its key are stored together.
 */
export function editOnce(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  edit: StopEdit,
  by: EditedBy,
  request: KeyedRequest | null,
  now: number,
): EditOutcome {
  if (!request) return editStops(storage, configuration, head, edit, by, now);
  const id = JSON.stringify([by.userId, request.operation, request.key]);
  storage.forgetEdits(now - REMEMBERED_MS);
  const known = storage.rememberedEdit(id);
  if (known) {
    if (known.requestHash !== request.requestHash) return otherBody;
    const context = { storage, identity: configuration.identity, now };
    return { stops: known.seqs.map((seq) => stopSlices(context, seq)) };
  }
  const outcome = editStops(storage, configuration, head, edit, by, now);
  if ("refused" in outcome) return outcome;
  const seqs = outcome.stops.flatMap(([first]) => (first ? recordOf(first.id).seq : []));
  storage.rememberEdit({ id, requestHash: request.requestHash, seqs, at: now });
  return outcome;
}

const otherBody: EditOutcome = { refused: "conflict", message: "The Idempotency-Key was used with another body." };
