import type { AnyDb, CompanyDb } from "../../db/client.ts";
import { type AgedRows, deleteStep, ROWS_PER_STEP } from "./queries.ts";

/** Deletes the rows whose period ended at `until` or before, step by step, until none is left or the run is at its end. Returns how many. */
export async function deleteDue(db: AnyDb, rows: AgedRows, until: number, isAtEnd: () => boolean): Promise<number> {
  return await inSteps(rows, isAtEnd, () => deleteStep(db, rows, until));
}

/** Like `deleteDue`, of one company. */
export async function deleteDueOf(
  db: CompanyDb,
  rows: AgedRows,
  until: number,
  isAtEnd: () => boolean,
  companyId: number,
): Promise<number> {
  return await inSteps(rows, isAtEnd, () => rows.deleteStep?.(db, until, companyId) ?? deleteStep(db, rows, until, companyId));
}

async function inSteps(
  { perStep = ROWS_PER_STEP }: AgedRows,
  isAtEnd: () => boolean,
  step: () => Promise<number>,
): Promise<number> {
  let deleted = 0;
  // One step at least, so that every run comes further.
  do {
    const ofStep = await step();
    deleted += ofStep;
    if (ofStep < perStep) break;
  } while (!isAtEnd());
  return deleted;
}
