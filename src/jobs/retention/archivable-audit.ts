import { entryOf } from "../../api/audit/audit.ts";
import { deleteEntries, selectEntriesOfDay } from "../../api/audit/queries.ts";
import { numbersOfId } from "../../core/audit-entries.ts";
import { boundedRows, rowsOfBounded } from "../../db/bounded-rows.ts";
import type { Archivable } from "./archivable.ts";
import { agedRows, ROWS_PER_STEP, selectOldest } from "./queries.ts";

/** The most bytes of rows that are read at once. */
const MAX_BYTES = 1024 * 1024;

/** Audit entries in the archive. */
export const archivableAudit: Archivable = {
  ...{ kind: "audit", rowsPerPart: 50_000, keysPerStep: ROWS_PER_STEP },
  readRows: async (db, of, limit) => {
    const { rows } = rowsOfBounded(await boundedRows(db, selectEntriesOfDay(db, of, limit), MAX_BYTES));
    return rows.map((row) => ({ key: [row.at, row.nr], at: row.at, item: entryOf(row) }));
  },
  selectOldest: (db, companyId) => selectOldest(db, agedRows.audit, companyId),
  deleteKeys: deleteEntries,
  keyOfLine: (line) => numbersOfId((JSON.parse(line) as { id: string }).id),
};
