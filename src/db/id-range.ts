// The ids that the service gives to new rows. Each database of companies gives those of a range of its own, so that a company can be moved into
// another one and keeps its ids. Ids that exist keep their value: they are in the range of database 0.

/** More rows of a kind than a database can hold. */
const IDS_PER_DATABASE = 2 ** 22;
/** The ids of stops and shift records have a machine's id times 2^26 (core/record-id.ts), and must stay below 2^53. */
const MOST_DATABASES = 2 ** (53 - 26 - 22);

/** The first and the last id that a database gives. */
export interface IdRange {
  first: number;
  last: number;
}

/** The range of a database, by its number. */
export function idRange(database: number): IdRange {
  if (!(Number.isInteger(database) && database >= 0 && database < MOST_DATABASES)) {
    throw new Error(`There is no database ${database}: there are at most ${MOST_DATABASES}.`);
  }
  const base = database * IDS_PER_DATABASE;
  return { first: base + 1, last: base + IDS_PER_DATABASE - 1 };
}
