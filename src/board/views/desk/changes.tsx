import { isAdmin } from "../../data/may.ts";
import { changesParts } from "../../domain/desk-state.ts";
import { past } from "../../texts/past.ts";
import { Books } from "./books.tsx";
import { BulkClassifications } from "./bulk-classifications.tsx";
import { Corrections } from "./corrections.tsx";
import { useDesk } from "./desk-state.ts";
import { EventWithdrawals } from "./event-withdrawals.tsx";
import { Imports } from "./imports.tsx";
import { OrphanedEdits } from "./orphaned-edits.tsx";
import { Part } from "./part.tsx";
import { Recalculations } from "./recalculations.tsx";

/** What people do about the past, and how far it has come. */
export function ChangesView() {
  const { state, hrefWith } = useDesk();
  return (
    <div class="desk-column">
      <nav class="chips desk-parts" aria-label={past.partsLabel}>
        {changesParts.map((part) => (
          <a
            key={part}
            class="tool"
            href={hrefWith({ part, recalculationId: null })}
            aria-current={part === state.part ? "true" : undefined}
          >
            {past.parts[part]}
          </a>
        ))}
      </nav>
      {state.part === "all" && (
        <>
          <Part>
            <Recalculations />
          </Part>
          <Part>
            <OrphanedEdits />
          </Part>
          <Part>
            <BulkClassifications />
          </Part>
          {isAdmin() && (
            <Part>
              <Imports />
            </Part>
          )}
        </>
      )}
      {state.part === "corrections" && (
        <Part>
          <Corrections />
        </Part>
      )}
      {state.part === "withdrawals" && (
        <Part>
          <EventWithdrawals />
        </Part>
      )}
      {state.part === "books" && (
        <Part>
          <Books />
        </Part>
      )}
    </div>
  );
}
