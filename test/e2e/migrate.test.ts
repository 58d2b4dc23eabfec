import { readdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { inDatabase, migrate } from "../../scripts/service.ts";
import { type EventRow, eventOf } from "../../src/events/stored.ts";
import { migratedFolder } from "./built-service.ts";

const stateFolder = migratedFolder();
const folder = resolve(import.meta.dirname, "../../drizzle");
const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));

afterAll(() => rmSync(stateFolder, { recursive: true, force: true }));

const noted = () => inDatabase(stateFolder, async ({ rows }) => await rows("SELECT name FROM d1_migrations ORDER BY id"));

test("each migration runs once, in order, and one that fails is named and not recorded", async () => {
  const ofDirectory = readdirSync(`${folder}/directory`).filter((name) => name.endsWith(".sql"));
  const [first, ...others] = [...files.sort(), ...ofDirectory.sort()].map((name) => ({ name }));
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

test("parts of shifts keep all their numbers when they are stored in less space", () => {
  const { database, take } = before("_slim_parts.sql");
  database.exec("INSERT INTO companies (id, name, timezone, created_at, updated_at) VALUES (1, 'One', 'UTC', 0, 0)");
  const insert = database.prepare(
    `INSERT INTO shift_parts (machine_id, start_at, end_at, revision, company_id, shift_id, shift_start, shift_end, hour_start, sku_id, work_order_id, as_of,
      open_bucket, open_is_annotated, available_ms, no_data_ms, programmed_ms, non_programmed_ms, other_ms, annotated_ms, cycles, total_units, defect_units,
      units_without_time, ideal_ms, cycles_with_standard, lost_by_defects_ms, unit_standard_ms, five_minutes)
     VALUES (?, ?, ?, 3, 1, 5, 7200000, 36000000, ?, ?, ?, ?, ?, 1, 11, 12, 13, 14, 15, 16, 17, 18.5, 1, 0.5, 20.25, 21, 22, 23, ?)`,
  );
  const minutes = [
    [27, 0, 300000],
    [30, 1, 300000],
    [0, 0, 0],
    [0.123457, 1.5, 120000],
    [1e-7, 0, 299999],
  ];
  insert.run(7, 9000000, 10800000, 7200000, "S", "order", null, null, JSON.stringify(minutes));
  insert.run(7, 10800000, 14400000, 10800000, null, null, 11000000, "available", "[]");
  insert.run(2, 7200000, 36000000, 7200000, "S", null, null, null, "[[0,0,300000]]");
  const { five_minutes: _, ...others } = (database.prepare("SELECT * FROM shift_parts").all()[0] ?? {}) as Record<
    string,
    unknown
  >;
  const names = Object.keys(others).join(", ");
  const all = () => database.prepare(`SELECT ${names} FROM shift_parts ORDER BY machine_id, start_at`).all();
  const were = all();
  take();
  expect(all()).toEqual(were);
  expect(database.prepare("SELECT five_minutes FROM shift_parts ORDER BY machine_id, start_at").all().map(Object.values)).toEqual(
    [["0"], ["27 30:1 0/0 0.123457:1.5/120000 1e-7/299999"], [""]],
  );
  // With a record still go its parts.
  database.exec(`
    INSERT INTO shift_records (id, revision, company_id, machine_id, shift_id, start_at, end_at, as_of, open_is_annotated, available_ms, no_data_ms,
      programmed_ms, non_programmed_ms, other_ms, late_start_ms, non_programmed_since_available_ms, annotated_ms, cycles, total_units, defect_units, ideal_ms,
      cycles_with_standard, lost_by_defects_ms, recent_units, recent_ms, created_at, updated_at, no_data_spans)
    VALUES (1, 3, 1, 7, 5, 7200000, 36000000, 0, 0, 600, 0, 0, 0, 0, 0, 0, 0, 10, 20, 1, 300, 10, 15, 0, 0, 0, 0, '[]');
    DELETE FROM shift_records;
  `);
  expect(all()).toEqual(were.slice(0, 1));
});

test("stops keep all their numbers and their counts when they are stored in less space", () => {
  const { database, take } = before("_slim_stops.sql");
  const insert = database.prepare(
    `INSERT INTO stops (id, shift_start, revision, company_id, machine_id, shift_id, shift_end, start_at, end_at, slice_start, slice_end, version, name,
      break_name, is_manual, is_programmed, is_included_in_stops, is_included_in_availability, classification_id, description, general_cause_id,
      specific_cause_id, component_id, classified_at, reclassified_at, created_at, updated_at, deleted_at)
     VALUES (?, ?, 3, 1, 7, 5, ?, ?, ?, ?, ?, 2, 'Named', NULL, 1, 0, 1, 0, 9, 'Belt', 4, 5, NULL, ?, ?, ?, ?, ?)`,
  );
  const hour = 3_600_000;
  insert.run(
    8,
    8 * hour,
    16 * hour,
    9 * hour,
    10 * hour,
    9 * hour,
    10 * hour,
    11 * hour,
    12 * hour,
    9 * hour + 1,
    9 * hour + 2,
    null,
  );
  // Over the edge of a shift, and it lasts.
  insert.run(9, 8 * hour, 16 * hour, 15 * hour, null, 15 * hour, 16 * hour, null, null, 7 * hour, 40 * hour, null);
  insert.run(9, 16 * hour, 24 * hour, 15 * hour, null, 16 * hour, null, null, null, 16 * hour, 16 * hour, 17 * hour);
  const names = Object.keys((database.prepare("SELECT * FROM stops").all()[0] ?? {}) as object).join(", ");
  const all = () => database.prepare(`SELECT ${names} FROM stops ORDER BY id, shift_start`).all();
  const counts = () => database.prepare("SELECT * FROM report_counts WHERE kept <> 0 OR deleted <> 0").all();
  const triggers = () => database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name").all();
  const were = [all(), counts(), triggers()];
  take();
  expect([all(), counts(), triggers()]).toEqual(were);
  database.exec("UPDATE stops SET deleted_at = 1 WHERE id = 8");
  expect(counts()).not.toEqual(were[1]);
  database.exec("DELETE FROM stops");
  expect(counts()).toEqual([]);
});

test("audit entries are kept when later ones take less space", () => {
  const { database, take } = before("_slim_audit.sql");
  const insert = database.prepare(
    "INSERT INTO audit (id, at, company_id, user_id, api_token_id, request_id, action, object_type, object_id, before, after) VALUES (?, ?, 1, 2, ?, ?, ?, ?, ?, ?, ?)",
  );
  const requestId = "0123abcd-4567-89ab-8def-0123456789ab";
  insert.run("0123456789abcdef-0000", 5, null, "ray-7", "retired.verb", "retired", "007", null, null);
  insert.run(
    "ffffffff-ffff-4fff-8fff-ffffffffffff",
    6,
    3,
    requestId,
    "stop.classify",
    "stop",
    "469762049",
    '{"name":null}',
    '{"name":"Belt"}',
  );
  insert.run(
    "00000000-0001-4fff-8fff-ffffffffffff",
    6,
    null,
    null,
    "sku.create",
    "sku",
    "9007199254740993",
    null,
    '{"units":0.1}',
  );
  take();
  const rows = database.prepare("SELECT *, kind, hex(request_id) AS hex FROM audit ORDER BY at, nr").all();
  const own = { company_id: 1, user_id: 2, form: 0 };
  expect(rows).toEqual([
    expect.objectContaining({
      ...own,
      at: 5,
      nr: 0x0123456789ab,
      request_id: "ray-7",
      action: "retired.verb",
      object_id: "007",
      changes: "[null,null]",
    }),
    expect.objectContaining({
      ...own,
      at: 6,
      nr: 1,
      api_token_id: null,
      request_id: null,
      kind: 7,
      object_id: "9007199254740993",
      changes: '[null,{"units":0.1}]',
    }),
    expect.objectContaining({
      ...{
        ...own,
        at: 6,
        nr: 2 ** 48 - 1,
        api_token_id: 3,
        hex: requestId.replaceAll("-", "").toUpperCase(),
        action: 18 * 256 + 16,
        kind: 18,
      },
      ...{ object_id: 469762049, changes: '[{"name":null},{"name":"Belt"}]' },
    }),
  ]);
  expect(() => database.exec("UPDATE audit SET user_id = 3")).toThrow("append only");
  database.exec("DELETE FROM audit WHERE at = 5");
});

test("parts of shifts keep their work orders, by number", () => {
  const { database, take } = before("_order_numbers.sql");
  const order = (id: string, createdAt: number) => `
    INSERT INTO work_orders (id, company_id, code, name, status, priority, source, created_at, updated_at) VALUES ('${id}', 1, '${id}', 'x', 'Planned', 1, '', ${createdAt}, 0);`;
  const part = (startAt: number, workOrderId: string) => `
    INSERT INTO shift_parts (machine_id, start_at, duration_ms, into_shift_ms, shift_left_ms, into_hour_ms, revision, company_id, shift_id, work_order_id,
      open_is_annotated, available_ms, no_data_ms, programmed_ms, non_programmed_ms, other_ms, annotated_ms, cycles, total_units, defect_units, ideal_ms,
      cycles_with_standard, lost_by_defects_ms, five_minutes)
    VALUES (7, ${startAt}, 1, 0, 1, 0, 1, 1, 5, ${workOrderId}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '');`;
  database.exec("INSERT INTO companies (id, name, timezone, created_at, updated_at) VALUES (1, 'One', 'UTC', 0, 0)");
  database.exec(
    `${order("late", 9)}${order("early", 5)}${part(1, "'late'")}${part(2, "'early'")}${part(3, "NULL")}${part(4, "'gone'")}`,
  );
  take();
  database.exec(order("new", 1));
  const numbers = "SELECT id, number FROM work_orders ORDER BY number";
  expect(database.prepare(numbers).all().map(Object.values)).toEqual([
    ["early", 1],
    ["late", 2],
    ["new", 3],
  ]);
  const orders =
    "SELECT start_at, (SELECT id FROM work_orders WHERE number = work_order_number) FROM shift_parts ORDER BY start_at";
  expect(database.prepare(orders).all().map(Object.values)).toEqual([
    [1, "late"],
    [2, "early"],
    [3, null],
    [4, null],
  ]);
});

test("rows of a company keep everything but the foreign keys to users of other companies", () => {
  const { database, take } = before("_keys_within_companies.sql");
  database.exec(`
    PRAGMA foreign_keys = ON;
    INSERT INTO companies (id, name, timezone, created_at, updated_at) VALUES (1, 'One', 'UTC', 0, 0), (2, 'Two', 'UTC', 0, 0);
    INSERT INTO users (id, company_id, name, email, password_hash, role, created_at, updated_at) VALUES (3, 1, 'Ann', 'a@b.test', '', 'superuser', 0, 0);
    INSERT INTO machines (id, company_id, name, ref, node_id, signal, commissioned_at, created_at, updated_at) VALUES (7, 2, 'M', 'M', 1, 'counts', 0, 0, 0);
    INSERT INTO alert_rules (id, company_id, name, kind, params, levels, is_active, created_at, updated_at) VALUES ('r', 2, 'R', 'stop', '{}', '[]', 1, 0, 0);
    INSERT INTO incidents (id, company_id, rule_id, subject, since, opened_at, level, acknowledged_by, facts, created_at, updated_at)
      VALUES ('i', 2, 'r', 's', 1, 2, 1, 3, '{"a":1}', 4, 5);
    INSERT INTO help_calls (id, company_id, machine_id, message, called_by, created_at, updated_at, answered_by) VALUES (9, 2, 7, 'Jam', 3, 4, 5, 3);
    INSERT INTO api_tokens (id, company_id, created_by, name, role, is_read_only, token_hash, created_at, updated_at) VALUES (4, 2, 3, 'ERP', 'admin', 0, 'h', 4, 5);
    INSERT INTO user_configs (user_id, company_id, config, created_at, updated_at) VALUES (3, 2, '{"a":1}', 4, 5);
  `);
  const tables = ["incidents", "help_calls", "api_tokens", "user_configs"];
  const rows = () => tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all());
  const others = () =>
    database.prepare("SELECT name, tbl_name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') ORDER BY name").all();
  const usage = () => database.prepare("SELECT * FROM usage ORDER BY company_id, kind").all();
  const keys = () =>
    tables.map((table) =>
      database
        .prepare(`SELECT "from" FROM pragma_foreign_key_list('${table}') ORDER BY 1`)
        .all()
        .map(({ from }) => from),
    );
  const were = [rows(), others(), usage()];
  take();
  expect([rows(), others(), usage()]).toEqual(were);
  expect(keys()).toEqual([["company_id", "rule_id"], ["company_id", "machine_id"], ["company_id"], ["user_id"]]);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
});

test("events keep their numbers, ids and data, and a repetition of one still adds nothing", () => {
  const { database, take } = before("_slim_events.sql");
  const data = (more: object) =>
    JSON.stringify({ machineId: 12, machineName: "Press 1", lineId: 3, lineName: "Bottling", ...more });
  const stop = data({ stopId: 805306375, since: "2026-03-02T09:14:05.000Z", until: null });
  const old = [
    [3, "stop.opened:805306375:12-318", 1, 12, "stop.opened", stop, 900],
    [4, "alert.opened:12-318", 1, 12, "alert.opened", data({ incidentId: "12-318" }), 900],
    [6, "work_order.created:order", 1, null, "work_order.created", "{}", 900],
    // The object of machine 13 began to number anew.
    [7, "operator.signed_in:8:13-1", 1, 13, "operator.signed_in", data({ operatorId: 8 }), 900],
    [9, "operator.signed_in:9:13-1", 1, 13, "operator.signed_in", data({ operatorId: 9 }), null],
    [11, "machine.no_data:14:14-2", 2, 14, "machine.no_data", data({ machineId: 14 }), 900],
  ];
  database.exec(`INSERT INTO companies (id, name, timezone, created_at, updated_at)
    VALUES (1, 'One', 'UTC', 0, 0), (2, 'Two', 'UTC', 0, 0), (3, 'Three', 'UTC', 0, 0)`);
  const insert = database.prepare(
    `INSERT INTO events (seq, id, company_id, machine_id, type, data, dispatched_at, at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, 800, 850)`,
  );
  for (const row of old) insert.run(...row);
  take();
  const columns =
    "company_id AS companyId, seq, machine_id AS machineId, n, key, type, line_id AS lineId, at, created_at AS createdAt, form, data";
  const rows = database.prepare(`SELECT ${columns} FROM events ORDER BY seq`).all() as unknown as EventRow[];
  expect(rows.map(eventOf)).toEqual(
    old.map(([seq, id, companyId, machineId, type, text]) => ({
      ...{ companyId, seq, machineId, id, type, at: 800, data: JSON.parse(String(text)) },
    })),
  );
  expect(rows.map(({ n }) => n)).toEqual([318, null, null, null, 1, 2]);
  // The next numbers of all companies are higher than any that was given.
  expect(database.prepare("SELECT company_id, dispatched_seq FROM event_counters ORDER BY 1").all().map(Object.values)).toEqual([
    [1, 8],
    [2, 11],
    [3, 11],
  ]);
  const repeated = `INSERT INTO events SELECT company_id, 20, machine_id, n, NULL, type, line_id, at, created_at, 1, '[]' FROM events WHERE seq = 3`;
  expect(database.prepare(`${repeated} ON CONFLICT DO NOTHING RETURNING seq`).all()).toEqual([]);
});

test("deliveries that wait go on waiting, and those that are done keep their calls", () => {
  const { database, take } = before("_slim_deliveries.sql");
  database.exec(
    "INSERT INTO companies (id, name, timezone, created_at, updated_at) VALUES (1, 'One', 'UTC', 0, 0), (2, 'Two', 'UTC', 0, 0)",
  );
  const subscribe = (id: string, companyId: number) =>
    database.exec(`INSERT INTO webhook_subscriptions (id, company_id, url, is_active, description, created_at, updated_at)
      VALUES ('${id}', ${companyId}, 'https://example.com', 1, '', 0, 0)`);
  for (const [id, companyId] of [
    ["z", 1],
    ["b", 2],
    ["a", 1],
  ] as const)
    subscribe(id, companyId);
  const insert =
    database.prepare(`INSERT INTO webhook_deliveries (subscription_id, event_seq, company_id, machine_id, status, attempts, next_attempt_at,
    created_at, updated_at) VALUES (?, ?, ?, 7, ?, ?, ?, 100, 900)`);
  insert.run("z", 3, 1, "succeeded", 2, null);
  insert.run("z", 4, 1, "pending", 1, 950);
  insert.run("a", 4, 1, "failed", 9, null);
  insert.run("b", 5, 2, "pending", 0, 120);
  insert.run("b", 6, 2, "cancelled", 0, null);
  const call = database.prepare(
    "INSERT INTO webhook_attempts (subscription_id, event_seq, at, duration_ms, status, answer, error) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  call.run("z", 3, 500, 30, 500, "oops", "the answer was 500");
  call.run("z", 3, 880, 15, 204, "", null);
  call.run("z", 4, 860, 10, null, "", "no answer");
  take();
  const all = (sql: string) => database.prepare(sql).all().map(Object.values);
  expect(all("SELECT id, nr FROM webhook_subscriptions ORDER BY id")).toEqual([
    ["a", 2],
    ["b", 1],
    ["z", 1],
  ]);
  expect(
    all(`SELECT company_id, subscription_nr, event_seq, machine_id, status, attempts, next_attempt_at, updated_at, called_ms, duration_ms, answer_status
      FROM webhook_deliveries ORDER BY 1, 2, 3`),
  ).toEqual([
    [1, 1, 3, 7, 1, 2, null, 900, 20, 15, 204],
    [1, 1, 4, 7, 0, 1, 950, 900, null, null, null],
    [1, 2, 4, 7, 2, 9, null, 900, null, null, null],
    [2, 1, 5, 7, 0, 0, 120, 900, null, null, null],
    [2, 1, 6, 7, 3, 0, null, 900, null, null, null],
  ]);
  expect(
    all("SELECT subscription_nr, event_seq, at, duration_ms, status, answer, error FROM webhook_attempts ORDER BY 3"),
  ).toEqual([
    [1, 3, 500, 30, 500, "oops", "the answer was 500"],
    [1, 4, 860, 10, null, "", "no answer"],
  ]);
  // A new subscription gets the next number of its company.
  subscribe("new", 1);
  expect(all("SELECT nr FROM webhook_subscriptions WHERE id = 'new'")).toEqual([[3]]);
});
