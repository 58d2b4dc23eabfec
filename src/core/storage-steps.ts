/** A step of the storage of a Durable Object. Its id begins with its number, and ends in `!` if it is breaking. */
export interface Step {
  id: string;
  sql: string;
  /** The part that SQL cannot do. Runs after the SQL, in the same transaction. */
  run?: (storage: DurableObjectStorage) => void;
}

/**
 * Takes the steps that a storage lacks, in their order, with one transaction per step. A storage that a later version has used has steps that
 * this version does not know: they are left alone, because a step keeps the version before it working, unless it is breaking.
 * @throws if the storage has an unknown step that is breaking. Nothing is changed then
 */
export function migrate(storage: DurableObjectStorage, steps: readonly Step[]): void {
  const { sql } = storage;
  const taken = takenSteps(sql);
  const known = new Set(steps.map(({ id }) => id));
  const breaking = taken.find((id) => id.endsWith("!") && !known.has(id));
  if (breaking !== undefined) {
    throw new Error(
      `The storage has step ${breaking} of a later version, and this version cannot work with it: run that version`,
    );
  }
  const missing = steps.filter(({ id }) => !taken.includes(id));
  // Nothing is written to the storage of an object without steps.
  if (missing.length === 0) return;
  // No version compares `sql` any more. The column is filled because it is NOT NULL, and shows what was done.
  sql.exec("CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY, sql TEXT NOT NULL) WITHOUT ROWID");
  for (const step of missing) {
    storage.transactionSync(() => {
      if (step.sql !== "") sql.exec(step.sql);
      step.run?.(storage);
      sql.exec("INSERT INTO migrations (id, sql) VALUES (?, ?)", step.id, step.sql);
    });
  }
}

function takenSteps(sql: SqlStorage): string[] {
  const isThere = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").toArray().length > 0;
  if (!isThere) return [];
  return sql
    .exec<{ id: string }>("SELECT id FROM migrations ORDER BY id")
    .toArray()
    .map(({ id }) => id);
}
