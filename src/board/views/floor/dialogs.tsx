import type { CauseChoice } from "../../domain/causes.ts";
import type { FloorStop } from "../../domain/floor-stops.ts";
import { floor } from "../../texts/floor.ts";
import { AllCausesDialog } from "./all-causes-dialog.tsx";
import { DialogPart } from "./dialog-part.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import type { MachineStore } from "./machine-store.ts";
import { NoteDialog } from "./note-dialog.tsx";
import { PeopleDialog } from "./people-dialog.tsx";
import { ProgressDialog } from "./progress-dialog.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { ScrapDialog } from "./scrap-dialog.tsx";
import { SplitDialog } from "./split-dialog.tsx";
import { StopsDialog } from "./stops-dialog.tsx";

/** The dialog that is open. */
export type Opened =
  | { what: "people" | "run" | "scrap" | "good" | "help" | "stops" }
  | { what: "split" | "note"; stop: FloorStop }
  | { what: "causes"; choose(choice: CauseChoice): void };

/** The titles of dialogs that cannot be shown. */
const titleOf = () => ({
  people: floor.peopleTitle,
  run: floor.runTitle,
  scrap: floor.scrapTitle,
  good: floor.progress,
  help: floor.helpTitle,
  stops: floor.stopsTitle,
  split: floor.splitTitle,
  note: floor.noteTitle,
  causes: floor.allCauses,
});

/** All dialogs of a terminal. */
export function Dialogs({ store, opened, onClose }: { store: MachineStore; opened: Opened; onClose(): void }) {
  return (
    <DialogPart key={opened.what} title={titleOf()[opened.what]} onClose={onClose}>
      {opened.what === "people" && <PeopleDialog store={store} onClose={onClose} />}
      {opened.what === "run" && <RunDialog store={store} onClose={onClose} />}
      {opened.what === "scrap" && <ScrapDialog store={store} onClose={onClose} />}
      {opened.what === "good" && <ProgressDialog store={store} onClose={onClose} />}
      {opened.what === "help" && <HelpDialog store={store} onClose={onClose} />}
      {opened.what === "stops" && <StopsDialog store={store} onClose={onClose} />}
      {opened.what === "split" && <SplitDialog store={store} stop={newestOf(store, opened.stop)} onClose={onClose} />}
      {opened.what === "note" && <NoteDialog store={store} stop={newestOf(store, opened.stop)} onClose={onClose} />}
      {opened.what === "causes" && (
        <AllCausesDialog
          store={store}
          choose={(choice) => {
            onClose();
            opened.choose(choice);
          }}
          onClose={onClose}
        />
      )}
    </DialogPart>
  );
}

/** A stop as it is now: it may have been changed since its dialog was opened. */
function newestOf(store: MachineStore, stop: FloorStop): FloorStop {
  return store.stops.value?.find(({ id }) => id === stop.id) ?? stop;
}
