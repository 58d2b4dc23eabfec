import { type ArchivedPart, DamagedPart, linesOf, storePart } from "../../core/archive/parts.ts";
import { type ArchivedDay, insertPart, selectParts } from "../../core/archive/queries.ts";
import type { CompanyDb } from "../../db/client.ts";
import { chunksOf } from "../../limits/load.ts";
import { maxOf, minOf } from "../../oee/extremes.ts";
import { dayStartOf } from "../../oee/time.ts";
import type { Archivable } from "./archivable.ts";
import { ROWS_PER_STEP } from "./queries.ts";

/** The most characters of a part: all of them are in memory at once. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/**
 * Moves the rows of a company up to `until` (the end of a UTC day, epoch ms) to the archive, the oldest day first, until none is left or the run is at its
 * end. Returns how many.
 *
 * A part is stored, then looked for, then recorded, and then exactly its rows are deleted. A run that is killed in between is repeated: before it is
 * recorded, the part is stored again; afterwards its rows are deleted. A row that arrives later is in a further part.
 */
export async function archiveDue(
  env: Env,
  db: CompanyDb,
  of: Archivable,
  { companyId, until }: { companyId: number; until: number },
  isAtEnd: () => boolean,
): Promise<number> {
  let moved = 0;
  // One part at least, so that every run comes further.
  do {
    const [oldest] = await of.selectOldest(db, companyId);
    if (!oldest || oldest.at > until) break;
    const day = dayStartOf(oldest.at);
    moved += await archivePart(env, db, of, { companyId, day });
  } while (!isAtEnd());
  return moved;
}

async function archivePart(
  env: Env,
  db: CompanyDb,
  of: Archivable,
  { companyId, day }: { companyId: number; day: number },
): Promise<number> {
  const { kind } = of;
  const [last] = await selectParts(db, { companyId, kind, from: day, to: day }, 1);
  const left = last && (await mayHaveLeft(db, of, last)) ? await deleteArchived(env, db, of, last) : 0;
  if (left > 0) return left;

  const { rows, lines } = await readRows(db, of, { companyId, day });
  const [first, end] = [rows[0], rows.at(-1)];
  if (!first || !end) return 0;
  const part: ArchivedPart = { companyId, kind, day, part: (last?.part ?? 0) + 1 };
  const times = rows.map(({ at }) => at);
  const [from, to] = [minOf(times), maxOf(times)];
  const bytes = await storePart(env, part, { lines, from, to });
  const keys = { firstKey: JSON.stringify(first.key), lastKey: JSON.stringify(end.key) };
  await insertPart(db, { ...part, rows: rows.length, bytes, ...keys, fromAt: from, toAt: to });
  await deleteKeys(
    db,
    of,
    companyId,
    rows.map(({ key }) => key),
  );
  return rows.length;
}

/** Whether rows of a recorded part may still be in the database, because a run was killed: then the oldest row of its day is one of them. */
async function mayHaveLeft(db: CompanyDb, of: Archivable, { companyId, day, lastKey }: ArchivedDay): Promise<boolean> {
  const [oldest] = await of.readRows(db, { companyId, day, after: undefined }, 1);
  return oldest !== undefined && !isAfter(oldest.key, JSON.parse(lastKey) as number[]);
}

function isAfter(key: readonly number[], other: readonly number[]): boolean {
  const place = key.findIndex((number, i) => number !== other[i]);
  return place >= 0 && Number(key[place]) > Number(other[place]);
}

/** Deletes what is left of the rows of a part, after a run that was killed. Returns how many there were. */
async function deleteArchived(env: Env, db: CompanyDb, of: Archivable, part: ArchivedPart): Promise<number> {
  const keys: (readonly number[])[] = [];
  try {
    for await (const line of linesOf(env, part)) keys.push(of.keyOfLine(line));
  } catch (error) {
    // Its rows that are left are archived once more.
    if (error instanceof DamagedPart) return 0;
    throw error;
  }
  return await deleteKeys(db, of, part.companyId, keys);
}

async function deleteKeys(
  db: CompanyDb,
  of: Archivable,
  companyId: number,
  keys: readonly (readonly number[])[],
): Promise<number> {
  let deleted = 0;
  for (const some of chunksOf(keys, of.keysPerStep)) deleted += (await of.deleteKeys(db, companyId, some)).length;
  return deleted;
}

/** The first rows of a day, as many as a part has, and their lines. */
async function readRows(db: CompanyDb, of: Archivable, { companyId, day }: { companyId: number; day: number }) {
  const rows: { key: readonly number[]; at: number }[] = [];
  const lines: string[] = [];
  let characters = 0;
  while (rows.length < of.rowsPerPart && characters < MAX_CHARACTERS) {
    const limit = Math.min(ROWS_PER_STEP, of.rowsPerPart - rows.length);
    const read = await of.readRows(db, { companyId, day, after: rows.at(-1)?.key }, limit);
    if (read.length === 0) break;
    for (const { key, at, item } of read) {
      const line = `${JSON.stringify(item)}\n`;
      characters += line.length;
      rows.push({ key, at });
      lines.push(line);
    }
  }
  return { rows, lines };
}
