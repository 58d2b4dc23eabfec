import { DatabaseSync } from "node:sqlite";
import { differencesOf, shapesOf } from "./table-shapes.ts";

// The rule of migrations after a release: the released version works with the database afterwards, because a deployment migrates first, and
// because it may be rolled back. So they only add: tables, columns that are nullable or have a default, and indexes that are not unique. What
// the released version does not use any more may go, in a migration with the line `-- contract: unused since <release>`.

export interface Migration {
  name: string;
  sql: string;
}

/** A release whose version may run on the migrated database. */
export interface Release {
  /** As in package.json. */
  version: string;
  migrations: readonly Migration[];
  /** The source of its tables (src/db/schema), to see what it names. */
  schema: string;
}

/** Returns what is wrong with migrations that come after a release. */
export function checkMigrations(released: Release, present: readonly Migration[]): string[] {
  const changed = released.migrations.flatMap(({ name, sql }, i) =>
    present[i]?.name === name && present[i].sql === sql ? [] : [`${name} is released, and was edited, removed or moved.`],
  );
  if (changed.length > 0) return changed;
  const database = new DatabaseSync(":memory:");
  try {
    for (const { sql } of released.migrations) database.exec(sql);
    const tables = [...shapesOf(database).keys()];
    return present.slice(released.migrations.length).flatMap(({ name, sql }) => {
      const before = shapesOf(database);
      database.exec(sql);
      const differences = differencesOf(tables, before, shapesOf(database));
      if (differences.length === 0) return [];
      const since = /^-- contract: unused since v?(\S+)$/m.exec(sql)?.[1];
      if (since === undefined) {
        const how = "Versions before it would fail: see scripts/checks/migration-rules.ts.";
        return differences.map(({ what }) => `${name} ${what}. ${how}`);
      }
      if (isAfter(since, released.version)) {
        return [`${name} says \`unused since ${since}\`, but the released version is ${released.version}.`];
      }
      return differences
        .filter(({ lost }) => lost !== null && isNamed(released.schema, lost.table, lost.column))
        .map(({ what }) => `${name} ${what}, which the released version ${released.version} still names.`);
    });
  } finally {
    database.close();
  }
}

/** Whether the source of a schema has a table, or a column of it. */
function isNamed(schema: string, table: string, column: string | null): boolean {
  const definitions = schema.split("sqliteTable(").slice(1);
  const definition = definitions.find((text) => text.trimStart().startsWith(`"${table}"`));
  return definition !== undefined && (column === null || definition.includes(`"${column}"`));
}

function isAfter(version: string, other: string): boolean {
  const [mine, theirs] = [version, other].map((text) => text.split(".").map(Number));
  const differs = [0, 1, 2].find((i) => mine?.[i] !== theirs?.[i]);
  return differs !== undefined && !((mine?.[differs] ?? Number.NaN) < (theirs?.[differs] ?? Number.NaN));
}
