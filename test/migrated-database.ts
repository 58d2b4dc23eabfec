import { DatabaseSync } from "node:sqlite";

/** A migration as `applyD1Migrations` takes it. */
type Migration = {
  name: string;
  queries: string[];
};

const ROWS_PER_INSERT = 500;

/** Tables of the directory that the companies' database had before there were two. */
export const tablesOfDirectory = ["role_permissions", "login_attempts", "wall_pairings", "dead_letters"];

/**
 * One migration that makes an empty database what all of `migrations` make of it, under the name of the newest: applying them one by one takes
 * two seconds of each process that has a database of its own. test/checks/migrated-database.test.ts compares the two.
 * @param without tables that it leaves out
 */
export function asOneMigration(migrations: readonly Migration[], without: readonly string[] = []): Migration {
  const database = new DatabaseSync(":memory:");
  try {
    for (const { queries } of migrations) for (const query of queries) database.exec(query);
    for (const table of without) database.exec(`DROP TABLE "${table}"`);
    const objects = database
      .prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
      .all() as { type: string; name: string; sql: string }[];
    const ofType = (type: string) => objects.filter((object) => object.type === type);
    // Triggers last: the rows are those that they have made.
    const queries = [
      ...ofType("table").map(({ sql }) => sql),
      ...ofType("table").flatMap(({ name }) => insertsOf(database, name)),
      ...["index", "view", "trigger"].flatMap(ofType).map(({ sql }) => sql),
    ];
    return { name: migrations.at(-1)?.name ?? "", queries };
  } finally {
    database.close();
  }
}

function insertsOf(database: DatabaseSync, table: string): string[] {
  const columns = database.prepare(`PRAGMA table_info("${table}")`).all() as { name: string }[];
  const values = columns.map(({ name }) => `quote("${name}")`).join(" || ',' || ");
  const rows = database.prepare(`SELECT ${values} AS row FROM "${table}"`).all() as { row: string }[];
  return Array.from({ length: Math.ceil(rows.length / ROWS_PER_INSERT) }, (_, i) => {
    const part = rows.slice(i * ROWS_PER_INSERT, (i + 1) * ROWS_PER_INSERT);
    return `INSERT INTO "${table}" VALUES ${part.map(({ row }) => `(${row})`).join(",")}`;
  });
}
