import type { CauseChoice } from "../../domain/causes.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";
import { SheetDialog } from "./sheet-dialog.tsx";

interface AllCauses {
  store: MachineStore;
  choose(choice: CauseChoice): void;
  onClose(): void;
}

/** All causes, so that none is more than two taps away. */
export function AllCausesDialog({ store, choose, onClose }: AllCauses) {
  const button = (choice: CauseChoice, name = choice.name) => (
    <li key={choice.key}>
      <button
        type="button"
        class={`act floor-cause ${choice.isProgrammed ? "floor-programmed" : ""}`}
        onClick={() => choose(choice)}
      >
        {name}
      </button>
    </li>
  );
  return (
    <SheetDialog title={floor.allCauses} onClose={onClose}>
      {store.tree.value?.map(({ general, specifics }) => (
        <section key={general?.key ?? "none"} class="floor-group">
          {general && specifics.length > 0 && <h3>{general.name}</h3>}
          <ul class="floor-causes">
            {specifics.map((choice) => button(choice))}
            {general && button(general, specifics.length > 0 ? floor.onlyGeneral(general.name) : general.name)}
          </ul>
        </section>
      ))}
    </SheetDialog>
  );
}
