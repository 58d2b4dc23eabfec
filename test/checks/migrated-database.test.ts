import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { asOneMigration } from "../migrated-database.ts";

const folder = resolve(import.meta.dirname, "../../drizzle");
const migrations = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => ({ name, queries: readFileSync(`${folder}/${name}`, "utf8").split("--> statement-breakpoint") }));

/** The tables, indexes and triggers of a database, and its rows. */
function contentOf(queries: readonly string[]) {
  const database = new DatabaseSync(":memory:");
  for (const query of queries) database.exec(query);
  const objects = database
    .prepare(
      // Kept after the last table that numbers its rows by it is gone.
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name <> 'sqlite_sequence' ORDER BY type, name",
    )
    .all();
  const tables = objects.filter(({ type }) => type === "table").map(({ name }) => name as string);
  const rows = tables.map((name) => [
    name,
    database
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map((row) => JSON.stringify(row))
      .sort(),
  ]);
  return { objects, rows: Object.fromEntries(rows) as Record<string, string[]> };
}

test("the database that tests begin with is the one that all migrations make", () => {
  const one = asOneMigration(migrations);
  expect(one.name).toBe(migrations.at(-1)?.name);
  const all = contentOf(migrations.flatMap(({ queries }) => queries));
  expect(all.rows.common_passwords?.length).toBeGreaterThan(5000);
  expect(contentOf(one.queries)).toEqual(all);
}, 30_000);
