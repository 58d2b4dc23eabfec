import type { ArchivedKind } from "../../core/archive/parts.ts";
import type { CompanyDb } from "../../db/client.ts";

type Key = readonly number[];

/** A kind whose rows go to the archive before they are deleted. */
export interface Archivable {
  kind: ArchivedKind;
  /** The most rows of a part: all of them are in memory at once, and a run that begins a part ends it. */
  rowsPerPart: number;
  /** The most keys that are deleted at once. */
  keysPerStep: number;
  /** The first rows of a company and UTC day after a key, in the order of their keys: as many as fit into a page. */
  readRows(
    db: CompanyDb,
    of: { companyId: number; day: number; after: Key | undefined },
    limit: number,
  ): Promise<{ key: Key; at: number; item: object }[]>;
  /** A time in the day that the company's oldest row belongs to (epoch ms). */
  selectOldest(db: CompanyDb, companyId: number): PromiseLike<{ at: number }[]>;
  /** Deletes the rows with these keys, and returns one for each. */
  deleteKeys(db: CompanyDb, companyId: number, keys: readonly Key[]): PromiseLike<unknown[]>;
  keyOfLine(line: string): Key;
}
