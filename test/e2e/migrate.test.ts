import { readdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { inDatabase, migrate } from "../../scripts/service.ts";
import { migratedFolder } from "./built-service.ts";

const stateFolder = migratedFolder();
const folder = resolve(import.meta.dirname, "../../drizzle");
const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));

afterAll(() => rmSync(stateFolder, { recursive: true, force: true }));

const noted = () => inDatabase(stateFolder, async ({ rows }) => await rows("SELECT name FROM d1_migrations ORDER BY id"));

test("each migration is done once, in order, and one that fails is named and not noted down", async () => {
  const [first, ...others] = files.sort().map((name) => ({ name }));
  await migrate(stateFolder);
  expect(await noted()).toEqual([first, ...others]);
  await inDatabase(stateFolder, ({ run }) => run([`DELETE FROM d1_migrations WHERE name = '${first?.name}'`]));
  await expect(migrate(stateFolder)).rejects.toThrow(/^The migration 0000_first_stone\.sql failed: .* already exists/);
  expect(await noted()).toEqual(others);
});

test("causes of one name under one parent are told apart, and what nobody said of a specific cause is inherited", () => {
  const database = new DatabaseSync(":memory:");
  const take = (name: string) => {
    for (const statement of readFileSync(resolve(folder, name), "utf8").split("--> statement-breakpoint"))
      database.exec(statement);
  };
  const at = files.sort().findIndex((name) => name.endsWith("_orders_and_causes.sql"));
  for (const name of files.slice(0, at)) take(name);
  database.exec(`
    INSERT INTO companies (id, name, timezone, created_at, updated_at) VALUES (1, 'One', 'UTC', 0, 0), (2, 'Two', 'UTC', 0, 0);
    INSERT INTO stop_causes (id, company_id, level, parent_id, name, is_programmed, is_included_in_availability, created_at, updated_at, deleted_at)
    VALUES (1, 1, 'general', NULL, 'Planned', 1, 0, 0, 0, NULL), (2, 1, 'general', NULL, 'Planned', 0, 1, 0, 0, NULL),
      (3, 1, 'specific', 1, 'Jam', 0, 1, 0, 0, NULL), (4, 1, 'specific', 1, 'Jam', 1, 0, 0, 0, NULL),
      (5, 1, 'specific', 1, 'Jam', 0, 1, 0, 0, 9), (6, 1, 'specific', 2, 'Jam', 0, 1, 0, 0, NULL),
      (7, 2, 'general', NULL, 'Planned', 0, 1, 0, 0, NULL), (8, 1, 'component', NULL, 'Planned', 0, 1, 0, 0, NULL);
  `);
  take(files[at] ?? "");
  const causes = database
    .prepare("SELECT id, name, is_programmed, is_included_in_availability FROM stop_causes ORDER BY id")
    .all();
  expect(causes.map(Object.values)).toEqual([
    [1, "Planned", 1, 0],
    [2, "Planned (2)", 0, 1],
    [3, "Jam", null, null],
    [4, "Jam (4)", 1, 0],
    [5, "Jam", null, null],
    [6, "Jam", null, null],
    [7, "Planned", 0, 1],
    [8, "Planned", 0, 1],
  ]);
});
