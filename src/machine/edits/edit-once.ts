import { recordOf } from "../../core/record-id.ts";
import type { EditedBy, KeyedRequest, OrphanEdit, StopEdit } from "../../objects/machine-protocol.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { type EditOutcome, editStops, slicesOf } from "./edit-stops.ts";
import { once } from "./once.ts";

/** Like `editStops`, but applies an edit whose request has a key only once. A repeat returns the stops that resulted from it, as they are now. */
export function editOnce(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  edit: StopEdit | OrphanEdit,
  by: EditedBy,
  request: KeyedRequest | null,
  now: number,
): EditOutcome {
  const { identity, history, calendar } = configuration;
  const context = { storage, identity, history, now };
  return once<Extract<EditOutcome, { stops: unknown }>, Extract<EditOutcome, { refused: unknown }>>(
    storage,
    { request, by, now },
    {
      run: () => editStops(storage, configuration, head, edit, by, now),
      numbersOf: ({ stops }) => stops.flatMap(([first]) => (first ? recordOf(first.id).seq : [])),
      again: (seqs) => ({ stops: seqs.map((seq) => slicesOf(context, calendar, seq)) }),
    },
  );
}
