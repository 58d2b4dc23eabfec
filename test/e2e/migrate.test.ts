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

test("each migration runs once, in order, and one that fails is named and not recorded", async () => {
  const [first, ...others] = files.sort().map((name) => ({ name }));
  await migrate(stateFolder);
  expect(await noted()).toEqual([first, ...others]);
  await inDatabase(stateFolder, ({ run }) => run([`DELETE FROM d1_migrations WHERE name = '${first?.name}'`]));
  await expect(migrate(stateFolder)).rejects.toThrow(/^The migration 0000_first_stone\.sql failed: .* already exists/);
  expect(await noted()).toEqual(others);
});

/** A database before a migration, and the migration. */
function before(migration: string): { database: DatabaseSync; take(): void } {
  const database = new DatabaseSync(":memory:");
  const take = (name: string) => {
    for (const statement of readFileSync(resolve(folder, name), "utf8").split("--> statement-breakpoint"))
      database.exec(statement);
  };
  const at = files.sort().findIndex((name) => name.endsWith(migration));
  for (const name of files.slice(0, at)) take(name);
  return { database, take: () => take(files[at] ?? "") };
}

test("causes with the same name and parent are renamed, and unset flags of a specific cause are inherited", () => {
  const { database, take } = before("_orders_and_causes.sql");
  database.exec(`
    INSERT INTO companies (id, name, timezone, created_at, updated_at) VALUES (1, 'One', 'UTC', 0, 0), (2, 'Two', 'UTC', 0, 0);
    INSERT INTO stop_causes (id, company_id, level, parent_id, name, is_programmed, is_included_in_availability, created_at, updated_at, deleted_at)
    VALUES (1, 1, 'general', NULL, 'Planned', 1, 0, 0, 0, NULL), (2, 1, 'general', NULL, 'Planned', 0, 1, 0, 0, NULL),
      (3, 1, 'specific', 1, 'Jam', 0, 1, 0, 0, NULL), (4, 1, 'specific', 1, 'Jam', 1, 0, 0, 0, NULL),
      (5, 1, 'specific', 1, 'Jam', 0, 1, 0, 0, 9), (6, 1, 'specific', 2, 'Jam', 0, 1, 0, 0, NULL),
      (7, 2, 'general', NULL, 'Planned', 0, 1, 0, 0, NULL), (8, 1, 'component', NULL, 'Planned', 0, 1, 0, 0, NULL);
  `);
  take();
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

test("a shift record of the old version gets one part with its numbers, and its operators are kept", () => {
  const { database, take } = before("_shift_parts.sql");
  database.exec(`
    INSERT INTO companies (id, name, timezone, created_at, updated_at) VALUES (1, 'One', 'UTC', 0, 0);
    INSERT INTO machines (id, company_id, name, ref, node_id, signal, commissioned_at, created_at, updated_at) VALUES (7, 1, 'M', 'M', 1, 'counts', 400, 0, 0);
    INSERT INTO shift_records (id, revision, company_id, machine_id, shift_id, start_at, end_at, as_of, open_bucket, open_is_annotated, available_ms, no_data_ms,
      programmed_ms, non_programmed_ms, other_ms, late_start_ms, non_programmed_since_available_ms, annotated_ms, cycles, total_units, defect_units, ideal_ms,
      cycles_with_standard, lost_by_defects_ms, standard_cycle_ms, recent_units, recent_ms, created_at, updated_at, no_data_spans)
    VALUES (1, 3, 1, 7, 5, 100, 1000, 1000, NULL, 0, 600, 0, 0, 0, 0, 0, 0, 0, 10, 20, 1, 300, 10, 15, 30, 0, 0, 0, 0, '[]'),
      (2, 4, 1, 7, 6, 1000, 2000, 1700, 'programmed', 1, 0, 0, 700, 0, 0, 0, 0, 700, 0, 0, 0, 0, 0, 0, 30, 0, 0, 0, 0, '[]');
    INSERT INTO roster (machine_id, operator_id, shift_start, revision, shift_id, shift_end, uptime_ms, downtime_ms, units, sku_id)
    VALUES (7, 9, 1000, 4, 6, 2000, 0, 700, 0, NULL);
  `);
  take();
  const parts = database
    .prepare(
      `SELECT start_at, end_at, shift_start, shift_end, as_of, open_bucket, open_is_annotated, available_ms, programmed_ms, total_units,
       unit_standard_ms, five_minutes FROM shift_parts ORDER BY start_at`,
    )
    .all();
  expect(parts.map(Object.values)).toEqual([
    [400, 1000, 100, 1000, null, null, 0, 600, 0, 20, 15, "[]"],
    [1000, 2000, 1000, 2000, 1700, "programmed", 1, 0, 700, 0, 30, "[]"],
  ]);
  expect(database.prepare("SELECT company_id, operator_id, downtime_ms FROM operator_shifts").all().map(Object.values)).toEqual([
    [1, 9, 700],
  ]);
});

test("rules about short stops and messages in digests get their standard names, and their machines a newer set-up", () => {
  const { database, take } = before("_standard_words.sql");
  database.exec(`
    INSERT INTO companies (id, name, timezone, created_at, updated_at) VALUES (1, 'One', 'UTC', 0, 0), (2, 'Two', 'UTC', 0, 0);
    INSERT INTO machines (id, company_id, name, ref, node_id, signal, stop_after_seconds, commissioned_at, config_version, created_at, updated_at)
      VALUES (1, 1, 'A', 'A', 1, 'counts', 120, 0, 5, 0, 0), (2, 2, 'B', 'B', 2, 'counts', 120, 0, 5, 0, 0);
    INSERT INTO alert_rules (id, company_id, name, kind, params, levels, is_active, created_at, updated_at)
      VALUES ('r', 1, 'Jerky', 'micro_stops', '{"count":3}', '[]', 1, 0, 0), ('s', 2, 'Still', 'stop', '{"minutes":3}', '[]', 1, 0, 0);
  `);
  const params = '{"kind":"micro_stops","value":3}';
  database.exec(`
    INSERT INTO messages (id, company_id, channel, kind, params, status, attempts, created_at, updated_at)
      VALUES ('a', 1, 'in_app', 'alert_opened', '${params}', 'pending', 0, 0, 0), ('b', 1, 'in_app', 'alert_opened', '${params}', 'folded', 1, 0, 0);
  `);
  take();
  expect(database.prepare("SELECT status, params FROM messages ORDER BY id").all()).toEqual([
    { status: "pending", params: '{"kind":"short_stops","value":3}' },
    { status: "digested", params },
  ]);
  expect(database.prepare("SELECT id, kind FROM alert_rules ORDER BY id").all()).toEqual([
    { id: "r", kind: "short_stops" },
    { id: "s", kind: "stop" },
  ]);
  expect(database.prepare("SELECT id, config_version AS version FROM machines ORDER BY id").all()).toEqual([
    { id: 1, version: 6 },
    { id: 2, version: 5 },
  ]);
});
