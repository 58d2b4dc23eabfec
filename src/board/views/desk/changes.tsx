import { user } from "../../session.ts";
import { BulkClassifications } from "./bulk-classifications.tsx";
import { Imports } from "./imports.tsx";
import { OrphanedEdits } from "./orphaned-edits.tsx";
import { mayAdmin } from "./plant-data.ts";
import { Recalculations } from "./recalculations.tsx";

/** What people do about the past of many machines or stops at once, and how far it has come. */
export function ChangesView() {
  return (
    <div class="desk-column">
      <Recalculations />
      <OrphanedEdits />
      <BulkClassifications />
      {mayAdmin(user.value?.role) && <Imports />}
    </div>
  );
}
