import type { AnyDb } from "../../db/client.ts";
import { type AgedRows, deleteStep, ROWS_PER_STEP } from "./queries.ts";

/**
 * Deletes the rows whose period ended at `until` or before, step by step, until none is left or the run is at its end. Returns how many.
 * @param companyId only those of this company
 */
export async function deleteDue(
  db: AnyDb,
  rows: AgedRows,
  until: number,
  isAtEnd: () => boolean,
  companyId?: number,
): Promise<number> {
  const { perStep = ROWS_PER_STEP } = rows;
  let deleted = 0;
  // One step at least, so that every run comes further.
  do {
    const ofStep = await deleteStep(db, rows, until, companyId);
    deleted += ofStep;
    if (ofStep < perStep) break;
  } while (!isAtEnd());
  return deleted;
}
