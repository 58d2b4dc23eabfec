import { env } from "cloudflare:workers";
import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as directory from "../../src/db/schema/directory.ts";
import * as ledger from "../../src/db/schema/ledger.ts";
import * as schema from "../../src/db/schema.ts";
import {
  alertConditions,
  bookClosingMachines,
  bookClosings,
  books,
  commonPasswords,
  deletedRuns,
  deletedRunTotals,
  eventCounters,
  events,
  importErrors,
  importMachines,
  imports,
  incidents,
  messages,
  notifications,
  orderRuns,
  recalculationMachines,
  recalculations,
  reportContents,
  sequences,
  subscriptionLogs,
  webhookAttempts,
  webhookDeliveries,
} from "../../src/db/schema.ts";

// Machines' objects write these at any time, imports go on by themselves, a refused login is counted and audited, a refused creation takes a number,
// events are dispatched, reports run and webhooks are called in the background, only a migration writes the last.
const others: readonly unknown[] = [
  ...Object.values(ledger),
  orderRuns,
  recalculationMachines,
  recalculations,
  bookClosingMachines,
  bookClosings,
  books,
  deletedRuns,
  deletedRunTotals,
  sequences,
  events,
  eventCounters,
  alertConditions,
  incidents,
  messages,
  notifications,
  subscriptionLogs,
  reportContents,
  webhookDeliveries,
  webhookAttempts,
  commonPasswords,
  imports,
  importErrors,
  importMachines,
];
const ownActions = ["events.ingest", "operator.sign-in", "operator.sign-out", "machine.run", "login.failure"].map((action) =>
  schema.audit.action.mapToDriverValue(action),
);
const recalculating = ["recalculating_from", "recalculating_to", "recalculating_revision"];
const ownTime = {
  columns: ["configured_version", "heard_at", "failing_since", ...recalculating],
  audit: `where action not in (${ownActions})`,
};

const tables = Object.values(schema).flatMap((one) => (is(one, SQLiteTable) && !others.includes(one) ? [one] : []));
const queries = [
  ...tables.map((table) => {
    const columns = getTableConfig(table).columns.flatMap(({ name }) => (ownTime.columns.includes(name) ? [] : `"${name}"`));
    const name = getTableName(table);
    return { name, query: `select ${columns} from ${name} ${name === "audit" ? ownTime.audit : ""}` };
  }),
  // Columns that people set by requests.
  { name: "subscription_logs", query: "select id, subscription_id, execute_at from subscription_logs" },
  { name: "imports", query: "select id, company_id, user_id, format from imports where state <> 'receiving'" },
  { name: "events", query: "select key from events where type in (12, 15, 20)" },
  { name: "incidents", query: "select id, acknowledged_by from incidents where acknowledged_at is not null" },
  { name: "notifications", query: "select id, read_at from notifications where read_at is not null" },
  { name: "book_closings", query: "select id, company_id, reason, reopened_by from book_closings" },
  { name: "recalculations", query: "select id, company_id, reason from recalculations" },
  // Columns that people edit in stops.
  { name: "stops", query: "select id, version, name, description, general_cause_id from stops where version > 0 or is_manual" },
];

/** Those of the directory but counters of attempts and dead letters, for the same reasons. */
const ofDirectory = [directory.rolePermissions, directory.wallPairings, directory.auditOutbox, schema.idempotencyKeys].map(
  (table) => ({
    name: getTableName(table),
    query: `select * from ${getTableName(table)}`,
  }),
);

/** A row with the name of its table, as text. */
export type RowText = string;

/** Everything that requests write: rows of every table, keys of pictures. */
export async function everything(): Promise<RowText[]> {
  const all = [
    ...(await env.DB_0.batch<Record<string, unknown>>(queries.map(({ query }) => env.DB_0.prepare(query)))),
    ...(await env.DIRECTORY.batch<Record<string, unknown>>(ofDirectory.map(({ query }) => env.DIRECTORY.prepare(query)))),
  ];
  const { objects } = await env.THUMBNAILS.list();
  const names = [...queries, ...ofDirectory].map(({ name }) => name);
  const rows = all.flatMap(({ results }, i) => results.map((row) => `${names[i]} ${JSON.stringify(row)}`));
  return [...rows, ...objects.map(({ key }) => `thumbnails ${key}`)].sort();
}
