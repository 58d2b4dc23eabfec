import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import * as directory from "../../src/db/schema/directory.ts";
import * as schema from "../../src/db/schema.ts";
import { createCompany } from "../support/factories.ts";
import type { World } from "./world.ts";

/** The number of rows added to each table: enough to reveal an operation that reads all of them, or half of them. */
export const crowdSize = 2000;

/** Columns of the crowd's rows as SQL of `n`, a row's number. Columns left out are copied from the table's first row, `t`. */
type Values = Record<string, string>;

const id = "1000000 + n";
const label = "printf('crowd-%05d', n)";
const ago = (column: string) => `"usual_${column}" - (n + 1) * 3600000`;
const times = (...columns: string[]): Values => Object.fromEntries(columns.map((column) => [column, ago(column)]));
const now = String(Date.now());
const hoursBefore = `${now} - n * 3600000`;
/** For rows that are numbered as they happen: the last one is now. */
const hoursUntil = `${now} - (${crowdSize} - n) * 3600000`;

/** Parents first. Every fourth row that refers to a parent refers to one of the world's own. */
function valuesOf(world: World): [SQLiteTable, Values][] {
  const quarter = (own: string | number, other: string) =>
    `iif(n % 4 = 1, ${typeof own === "string" ? `'${own}'` : own}, ${other})`;
  const machine_id = quarter(world.machine.id, id);
  const user_id = quarter(world.user.userId, id);
  const sku_id = `'${world.skuId}'`;
  const made = { created_at: "1", updated_at: "1" };
  return [
    [schema.companies, { id, name: label }],
    [schema.users, { id, email: label }],
    [schema.lines, { id, name: label }],
    // A line has some ten machines.
    [
      schema.machines,
      { id, line_id: `iif(n % 200 = 1, ${world.lineId}, ${id})`, ref: label, node_id: id, configured_version: "9" },
    ],
    [schema.countSensors, { machine_id: id }],
    [schema.countChannels, { machine_id: id, node_id: id }],
    // The long history of a channel of the world's own machine.
    [
      schema.countChannels,
      { company_id: "own", machine_id: String(world.machine.id), since: "-10 * n - 20", until: "-10 * n - 10" },
    ],
    // A company has some twenty: overlaps are searched among all of them.
    [schema.shifts, { id, name: label, company_id: "iif(n % 100 = 1, own, other)", machine_ids: `json_array(${id})` }],
    [schema.calendarDays, { id, date: label, machine_id: id }],
    [schema.operators, { id, code: label }],
    [schema.skus, { id: label }],
    [schema.skuStandards, { sku_id: label, machine_id: "0", standard_cycle_seconds: "12" }],
    [schema.defectReasons, { id, name: label }],
    [
      schema.corrections,
      {
        ...{ id, machine_id, revision: "1", total: "1", defects: "1", rework: "0", reason_id: id, applied_total: "1", user_id },
        ...{ applied_defects: "1", undone_at: "NULL", ...times("at") },
      },
    ],
    [
      schema.eventWithdrawals,
      {
        ...{ id, machine_id, revision: "1", filter: "'{}'", reason: label, events: "1", user_id, restored_at: "NULL" },
        ...times("from_at", "to_at"),
      },
    ],
    [schema.stopCauses, { id, name: label, parent_id: `iif(n % 2, NULL, ${id} - n % 100)` }],
    [schema.operatorPlans, { id: label, ...times("since", "until") }],
    [schema.operatorPlanAssignments, { plan_id: label, machine_id: id, shift_id: id, operator_id: id }],
    [schema.gatewayTokens, { id, token_hash: label }],
    [schema.apiTokens, { id, created_by: user_id, token_hash: label }],
    [
      directory.wallPairings,
      {
        id: label,
        code: label,
        token_hash: label,
        confirmed_at: "NULL",
        ...times("expires_at"),
        line_ids: "NULL",
        distance: "NULL",
      },
    ],
    [directory.loginAttempts, { key: `'account|' || ${label}`, failures: "1", window_start: `${now} - n` }],
    [schema.widgets, { id: label, source_widget_id: "NULL" }],
    [schema.dashboards, { id: label, archived_at: "NULL" }],
    [schema.widgetInstances, { id: label, dashboard_id: label, widget_id: label }],
    [schema.favorites, { user_id, favorite_id: label }],
    [schema.forgottenPictures, { key: label, at: `${now} - n` }],
    [
      schema.workOrders,
      {
        id: label,
        code: label,
        number: "NULL",
        ...times("created_at"),
        estimated_delivery_at: `iif(n % 3, ${now} + 3600000 + n * 60000, NULL)`,
      },
    ],
    [schema.workOrderMachines, { work_order_id: label, machine_id }],
    [schema.workOrderTargets, { work_order_id: label, sku_id }],
    [
      schema.workOrderProgress,
      {
        ...{ id: label, work_order_id: label, sku_id, correct: "1", defects: "0", mode: "'delta'", status: "'InProgress'" },
        ...{ user_id, occurred_at: "n", created_at: "n" },
      },
    ],
    // Few of them are open: a report queries their machines first.
    [
      schema.orderRuns,
      {
        ...{ machine_id, start_at: "n", end_at: "iif(n % 100 = 1, NULL, n + 1)", revision: "1", work_order_id: label },
        ...{ sku_id, correct: "1", defects: "0", correct_outside_shifts: "0" },
      },
    ],
    [
      schema.tagKeys,
      {
        ...{ id: label, sort: "1", subject: "'Machines'", tag_key: label, tag_value: "''", description: "''", color: "''" },
        ...{ is_default: "0", ...made },
      },
    ],
    [
      schema.personas,
      {
        ...{
          id: label,
          name: "'Lead'",
          is_active: "1",
          is_user: "0",
          sms: "'{}'",
          whatsapp: "'{}'",
          email: "'{}'",
          push: "'[]'",
        },
        ...{ alert_hours: "'{}'", alert_ids: "'[]'", language: "'spanish'", ...made },
      },
    ],
    [schema.books, { company_id: id, locked_to: "0", closing_to: "NULL" }],
    [
      schema.bookClosings,
      {
        ...{
          id,
          from_at: "0",
          to_at: "1",
          state: "'closed'",
          reason: "NULL",
          is_forced: "0",
          findings: "'[]'",
          created_by: user_id,
        },
        ...{ ended_at: "1", failure: "NULL", sums: "'[]'", reopened_at: "NULL", reopened_by: "NULL", reopen_reason: "NULL" },
        // Only those of the other company are under way.
        ...{ next_at: "iif(n % 200 = 2, 1, NULL)", created_at: "1" },
      },
    ],
    [schema.bookClosingMachines, { closing_id: id, machine_id: id, state: "'closed'", waits_for: "NULL", updated_at: "1" }],
    [
      schema.recalculations,
      {
        id,
        reason: "'Doubts'",
        from_at: "0",
        to_at: "1",
        created_by: user_id,
        // While one of the own company is under way, its books cannot be closed.
        ended_at: "iif(n % 200 = 2, NULL, 1)",
        created_at: "1",
        is_dry_run: "0",
      },
    ],
    [
      schema.recalculationMachines,
      { recalculation_id: id, machine_id: id, state: "'done'", reached_at: "NULL", updated_at: "1", changed_records: "0" },
    ],
    [
      schema.actions,
      { id, machine_id, owner_id: user_id, created_by: user_id, ended_at: "iif(n % 3, NULL, 1)", ...times("created_at") },
    ],
    [
      schema.handOvers,
      {
        ...{ id, shift_id: quarter(world.shiftId, id), date: label, written_by: user_id, acknowledged_at: "NULL" },
        ...times("shift_start", "shift_end"),
      },
    ],
    // A machine has one open call: one in a hundred of the other machines has one.
    [
      schema.helpCalls,
      {
        id,
        machine_id,
        called_by: user_id,
        ...times("created_at"),
        answered_at: "iif(n % 100 = 3, NULL, 1)",
        answered_by: user_id,
      },
    ],
    [schema.imports, { id, user_id, created_at: hoursBefore, updated_at: hoursBefore }],
    // A company has the latest twenty.
    [
      schema.setUpImports,
      {
        ...{
          id,
          company_id: "iif(n % 100 = 1, own, other)",
          user_id,
          kind: "'skus'",
          created: "1",
          changed: "0",
          unchanged: "0",
        },
        ...{ faulty: "0", undone_at: "NULL", ...made },
      },
    ],
    [schema.setUpImportItems, { import_id: id, part: "0", items: "'[]'" }],
    [schema.importErrors, { import_id: quarter(world.importId, id), line: "n + 2" }],
    [schema.reportSubscriptions, { id: label, company_id: "iif(n % 100 = 1, own, other)", is_active: "0", next_run_at: "NULL" }],
    [
      schema.messages,
      {
        ...{ id: label, persona_id: quarter(world.personaId, label), channel: "'in_app'", contact_id: label, kind: "'test'" },
        ...{ params: "'{}'", status: "'sent'", attempts: "1", next_attempt_at: "NULL", started_at: "1" },
        ...{ created_at: hoursBefore, updated_at: hoursBefore },
      },
    ],
    [
      schema.chatRooms,
      { id: label, name: label, service: "'slack'", sealed_url: "''", language: "'en'", is_active: "1", ...made },
    ],
    // None of the following rows is due: work that the service does by itself is not part of an operation.
    // A company has some twenty rules, and an incident as many machines: all of them are read.
    [schema.alertRules, { id: label, company_id: "iif(n % 100 = 1, own, other)", is_active: "0" }],
    [
      schema.incidents,
      {
        ...{ id: label, rule_id: quarter(world.alertRuleId, label), subject: label, machine_id, next_level_at: "NULL" },
        ...{ resolved_at: "iif(n % 3, 1, NULL)", ...times("since", "opened_at") },
      },
    ],
    [
      schema.alertConditions,
      {
        ...{ id: label, rule_id: label, machine_id, subject: label, since: "n", due_at: "n", facts: "'{}'" },
        ...{ revision: "1", handled_revision: "1", incident_id: `iif(n % 100 = 1, '${world.incidentId}', ${label})`, ...made },
      },
    ],
    [
      schema.events,
      { seq: id, machine_id, n: id, key: label, type: "12", form: "0", data: "'{}'", at: hoursUntil, created_at: hoursUntil },
    ],
    [schema.webhookSecrets, { company_id: id, sealed_secret: "''", created_at: "1" }],
    [schema.webhookSubscriptions, { id: label, nr: id, is_active: "0" }],
    [
      schema.webhookDeliveries,
      {
        ...{ subscription_nr: quarter(1, id), event_seq: id, machine_id, attempts: "1" },
        ...{ status: "1", next_attempt_at: "NULL", updated_at: "1" },
      },
    ],
    [
      schema.webhookAttempts,
      {
        ...{ subscription_nr: quarter(1, id), event_seq: id, at: hoursBefore },
        ...{ duration_ms: "1", status: "500", answer: "''", error: "''" },
      },
    ],
    [directory.deadLetters, { id: label, queue: "'EVENTS'", body: "'{}'", created_at: "1", is_requeued: "0" }],
    [
      schema.subscriptionLogs,
      { id: label, subscription_id: quarter(world.subscriptionId, label), next_attempt_at: "NULL", ...times("execute_at") },
    ],
    [schema.reportContents, { log_id: label, content: "x''", created_at: "1" }],
    [schema.notifications, { id: label, user_id, ...times("created_at") }],
    [schema.userConfigs, { user_id: id }],
    [
      schema.idempotencyKeys,
      { user_id: id, operation: "'POST /'", key: label, request_hash: "''", status: "200", created_at: `${now} - n` },
    ],
    [schema.usage, { company_id: id, kind: label, items: "1", bytes: "100" }],
    [schema.quotas, { company_id: id, quota: label, most: "1" }],
    [schema.audit, { nr: "n", user_id, object_id: label, ...times("at") }],
    [schema.shiftRecords, { id, machine_id, open_bucket: "NULL", ...times("start_at", "end_at", "as_of") }],
    [schema.hoursOutsideShifts, { machine_id, revision: "1", units: "1", start_at: hoursBefore }],
    [
      schema.heldEntries,
      {
        ...{ id, machine_id, revision: "1", reason: "'implausible'", count: "1", units: "1", ...made },
        ...{ day: hoursBefore, first_at: hoursBefore, last_at: hoursBefore },
      },
    ],
    [
      schema.orphanedEdits,
      {
        ...{ id, machine_id, revision: "1", stop_id: "1", action: "'change'", reason: "'no_stop'", user_id, ...made },
        ...{ start_at: hoursBefore, end_at: hoursBefore, said_at: hoursBefore, said: "'{}'" },
      },
    ],
    [
      schema.stops,
      {
        ...{ id, machine_id, ...times("shift_start", "slice_start") },
        ...{ duration_ms: "1000", slice_ms: "1000" },
      },
    ],
    [
      schema.shiftParts,
      {
        machine_id,
        as_of: "NULL",
        open_bucket: "NULL",
        ...times("start_at"),
      },
    ],
    [schema.operatorShifts, { machine_id: id, ...times("shift_start", "shift_end") }],
  ];
}

/** Fills every table: half of the rows belong to the world's company, the others to another one. Some are deleted. */
export async function crowdAround(world: World): Promise<void> {
  const { companyId } = await createCompany();
  const statementFor = (database: D1Database, table: SQLiteTable, values: Values) => {
    const columns = getTableConfig(table)
      .columns.filter(({ generated }) => generated === undefined)
      .map(({ name }) => name);
    const usual: Values = { company_id: "iif(n % 2, own, other)", deleted_at: "iif(n % 7 = 0, 1, NULL)" };
    const chosen = columns.map((column) => values[column] ?? usual[column] ?? `"usual_${column}"`);
    const usualRow = columns.map((column) => `"${column}" AS "usual_${column}"`);
    return database.prepare(`WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${crowdSize})
      INSERT INTO ${getTableName(table)} (${columns.map((column) => `"${column}"`)}) SELECT ${chosen}
      FROM numbers CROSS JOIN (SELECT ${world.companyId} AS own, ${companyId} AS other)
        LEFT JOIN (SELECT ${usualRow} FROM ${getTableName(table)} LIMIT 1)`);
  };
  const isOfDirectory = (table: SQLiteTable) => Object.values<unknown>(directory).includes(table);
  for (const database of [env.DB_0, env.DIRECTORY]) {
    const tables = valuesOf(world).filter(([table]) => isOfDirectory(table) === (database === env.DIRECTORY));
    await database.batch(tables.map(([table, values]) => statementFor(database, table, values)));
  }
  // No event waits for its dispatch.
  await env.DB_0.prepare(
    `INSERT INTO event_counters SELECT company_id, max(seq) FROM events GROUP BY company_id
      ON CONFLICT DO UPDATE SET dispatched_seq = excluded.dispatched_seq`,
  ).run();
}
