import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { storedEntry } from "../../src/core/audit-entries.ts";
import { kindNumber } from "../../src/db/audit-columns.ts";
import { audit } from "../../src/db/schema.ts";
import { type EventRow, eventOf } from "../../src/events/stored.ts";
import { FLUSH_EVERY_MS } from "../../src/machine/alarms.ts";
import { NOON } from "../support/clock.ts";
import { machineObject } from "../support/machine-object.ts";
import { eventsIn, isAnyWaiting, stateIn } from "../support/object-storage.ts";

// All stored data of one world, in terms that are the same for every world that did the same: ids are replaced by their positions.

type Row = Record<string, unknown>;

/** All stored data: rows by table, and the data of each machine's object, as text in an order of their own. */
export interface State {
  /** Rows that operations write. */
  tables: string[];
  /** Rows that the objects write to D1. */
  published: string[];
  /** The objects' events, edits and settings. */
  objects: string[];
  /** The part of it that waits to be published. */
  outboxes: string[];
  pictures: string[];
  /** Objects with waiting rows that no alarm wakes in time. */
  asleep: string[];
}

const ofObjects = new Set([
  "alert_conditions",
  "stops",
  "shift_records",
  "shift_parts",
  "operator_shifts",
  "order_runs",
  "hours_outside_shifts",
  "held_entries",
  "corrections",
  "event_withdrawals",
  "orphaned_edits",
]);
// Counters of attempts, of rows, and tables without a company; tables that consumers of queues write, at a time of their own.
const passedOver = new Set([
  ...["archived_days", "d1_migrations", "login_attempts", "report_counts", "retention", "retention_runs", "sequences", "usage"],
  ...["dead_letters", "report_contents", "webhook_attempts", "event_counters"],
  // Which changes are one revision depends on when they are sent; the times are those of the database.
  ...[
    "shift_records_history",
    "shift_parts_history",
    "stops_history",
    "operator_shifts_history",
    "shift_revisions",
    "report_times",
  ],
  ...["imports", "import_machines", "import_errors", "set_up_import_items"],
  // Written by machines' objects as they recalculate, at a time of their own.
  ...["recalculation_machines", "recalculation_slots", "book_closing_machines"],
  // Written only where the history is not kept for ever.
  ...["deleted_run_totals", "deleted_runs"],
]);
/** The order of creation in tables without a rowid. Events and their deliveries have the same. */
const places: Record<string, string> = {
  events: "(company_id << 32) + seq",
  set_up_versions: "(company_id << 32) + id",
  webhook_deliveries: "(company_id << 32) + event_seq",
};
const placeOf = (table: string) => places[table] ?? "rowid";
const recorded = ["recorded_after_ms", "recorded_at"];
/**
 * Columns that consumers of queues set in rows that others wrote; the number of an order, which counts those of all worlds; and when the database took a
 * row.
 */
const madeLater: Record<string, readonly string[]> = {
  recalculations: ["ended_at"],
  book_closings: ["state", "ended_at", "sums", "next_at"],
  work_orders: ["number"],
  shift_records: recorded,
  shift_parts: ["work_order_number", ...recorded],
  stops: recorded,
  operator_shifts: recorded,
  messages: ["id", "status", "attempts", "next_attempt_at", "error", "started_at", "sent_at", "digest_id", "updated_at"],
  subscription_logs: ["status", "detail", "attempts", "next_attempt_at", "called_ids", "executed_at", "updated_at"],
  webhook_deliveries: [
    ...["event_seq", "status", "attempts", "next_attempt_at", "updated_at"],
    ...["called_ms", "duration_ms", "answer_status"],
  ],
};
/** Tables in which rows of ignored attempts may come between others. */
const addedByTries = new Set(["wall_pairings"]);
/** Tables without a rowid: the column that says whose a row is, and the table of these. */
const owned: Record<string, [column: string, table: string]> = {
  audit: ["company_id", "companies"],
  former_lines: ["machine_id", "machines"],
  shift_parts: ["machine_id", "machines"],
  stops: ["machine_id", "machines"],
};
/**
 * The columns of tables that are not read as they are: entries of the audit have a random number; what a version is of is an id of a table that
 * depends on its kind.
 */
const columnsOf: Record<string, string> = {
  set_up_versions:
    "company_id, kind, machine_id, valid_from, valid_until, is_explicit, body, recorded_at, user_id, api_token_id, reason, withdrawn_at, withdrawn_by",
  audit:
    "at, company_id, user_id, api_token_id, hex(request_id) AS request_id, action, kind, CAST(object_id AS TEXT) AS object_id, form, changes",
};
/** Numbers of actions and kinds in the audit. */
const testActions: unknown[] = ["persona.test", "chat-room.test"].map((action) => audit.action.mapToDriverValue(action));
const kindsOfObjects: unknown[] = [
  "stop",
  "events",
  "held-events",
  "correction",
  "event-withdrawal",
  "orphaned-edit",
  "run",
  "presence",
].map(kindNumber);
/** Tables whose rows exist from the beginning. */
const shared = new Set(["role_permissions"]);

const kindOf: Record<string, string> = {
  company: "companies",
  line: "lines",
  machine: "machines",
  shift: "shifts",
  operator: "operators",
  user: "users",
  created_by: "users",
  called_by: "users",
  help_call: "help_calls",
  written_by: "users",
  owner: "users",
  answered_by: "users",
  acknowledged_by: "users",
  reason: "defect_reasons",
  undone_by: "users",
  withdrawn_by: "users",
  restored_by: "users",
  parent: "stop_causes",
  general_cause: "stop_causes",
  specific_cause: "stop_causes",
  component: "stop_causes",
};
const secrets = new Set([
  ...["password_hash", "token_hash", "sealed_secret", "previous_sealed_secret", "sealed_url", "request_hash", "request_id"],
]);
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const recordsPerMachine = 2 ** 26;

/** Reads everything that was stored since it was created. */
export class StateRecorder {
  readonly #first: ReadonlyMap<string, number>;
  readonly #firstOfDirectory: ReadonlyMap<string, number>;
  readonly #names = new Map<string, string>();
  /** All row ids of each table so far, in order of creation. */
  readonly #seen = new Map<string, number[]>();
  #machineIds: number[] = [];

  private constructor(first: ReadonlyMap<string, number>, firstOfDirectory: ReadonlyMap<string, number>) {
    this.#first = first;
    this.#firstOfDirectory = firstOfDirectory;
  }

  static async begin(): Promise<StateRecorder> {
    const [ofCompanies, ofDirectory] = await Promise.all([env.DB_0, env.DIRECTORY].map(firstRowsOf));
    return new StateRecorder(ofCompanies as Map<string, number>, ofDirectory as Map<string, number>);
  }

  /** The highest id of a table at the beginning. */
  last(table: string): number {
    return this.#first.get(table) ?? 0;
  }

  /** The existing machines, including deleted ones. */
  async machines(): Promise<number[]> {
    const query = env.DB_0.prepare("SELECT id FROM machines WHERE id > ?").bind(this.#first.get("machines"));
    return (await query.all<{ id: number }>()).results.map(({ id }) => id);
  }

  /** An answer's body, in terms that are valid in every world; ids as of the last requested state. */
  answer(text: string): string {
    return text === "" ? "" : JSON.stringify(this.#plain("", JSON.parse(text)));
  }

  /** All data stored at the moment. */
  async state(): Promise<State> {
    const read = await this.#rows();
    // An entry of a change in the directory counts as stored while it waits to be moved. After the sweep none waits.
    const waiting = read.filter(({ table }) => table === "audit_outbox").map(({ row }) => entryOf(row));
    const known = new Set(read.filter(({ table }) => table === "audit").map(({ row }) => JSON.stringify(row)));
    const added = waiting.filter((row) => !known.has(JSON.stringify(row))).map((row) => ({ table: "audit", row }));
    const rows = [...read.filter(({ table }) => table !== "audit_outbox"), ...added];
    const published: string[] = [];
    const tables: string[] = [];
    const configured: string[] = [];
    // Other events are delivered once they are dispatched.
    const replayed = new Set(rows.flatMap(({ table, row }) => (table === "events" && isOwnId(row.id) ? [row.place] : [])));
    for (const { table, row } of rows) {
      if (isPassedOver(table, row, replayed)) continue;
      const { place: _place, revision: _revision, configured_version: taken, ...shown } = row;
      for (const member of madeLater[table] ?? []) delete shown[member];
      if (table === "wall_pairings") shown.code = "<code>";
      if (table === "machines")
        configured.push(this.#rowText(table, { id: shown.id, configured: taken === shown.config_version }));
      (isOfObject(table, shown) ? published : tables).push(this.#line(table, shown));
    }
    expectInOrder(rows);
    const objects: string[] = [];
    const outboxes = waiting.map((row) => `audit entry of ${row.object_id}`);
    const asleep: string[] = [];
    for (const machineId of this.#machineIds) {
      const { kept, waiting: ofMachine, isAsleep } = await this.#object(machineId);
      objects.push(...kept);
      outboxes.push(...ofMachine);
      if (isAsleep) asleep.push(`machine ${machineId}`);
    }
    return {
      tables: tables.sort(),
      published: [...published, ...configured].sort(),
      objects: objects.sort(),
      outboxes: outboxes.sort(),
      pictures: await picturesOf(rows),
      asleep,
    };
  }

  async #rows(): Promise<{ table: string; row: Row }[]> {
    const rows = [
      ...(await rowsAfter(env.DB_0, this.#first)),
      ...(await ownedRowsAfter(this.#first)),
      ...(await rowsAfter(env.DIRECTORY, this.#firstOfDirectory)),
    ];
    for (const { table, row } of rows) if (row.place !== undefined) this.#see(table, Number(row.place));
    for (const { table, row } of rows) {
      if (typeof row.id !== "string" || shared.has(table)) continue;
      this.#names.set(row.id, addedByTries.has(table) ? table : `${table}+${this.#place(table, row.place)}`);
    }
    this.#machineIds = rows.flatMap(({ table, row }) => (table === "machines" ? [Number(row.id)] : []));
    return rows;
  }

  #see(table: string, id: number): void {
    const seen = this.#seen.get(table) ?? [];
    if (!seen.includes(id))
      this.#seen.set(
        table,
        [...seen, id].sort((a, b) => a - b),
      );
  }

  #line(table: string, row: Row): string {
    if (table === "events") return this.#event(row);
    return this.#rowText(table, table === "alert_conditions" ? condition(row) : row);
  }

  /** An event, without its position among those of all machines, which depends on queues. */
  #event({ seq: _, id, ...row }: Row): string {
    const [, ids = "", number = ""] = /^[a-z._]+:(.+?)(?::\d+-(\d+))?$/.exec(String(id)) ?? [];
    const about = ids
      .replace(uuid, (one) => this.#names.get(one) ?? "<uuid>")
      .replace(/^\d+$/, (one) => `${this.#number("id", Number(one))}`);
    return this.#rowText("events", { ...row, about, number });
  }

  /** The number of a row in its table: an attempt that fails after it took an id leaves a gap, which is not a difference. */
  #place(table: string, id: unknown): number | string {
    const index = this.#seen.get(table)?.indexOf(Number(id)) ?? -1;
    return index < 0 ? "unknown" : index + 1;
  }

  #rowText(table: string, row: Row): string {
    const entries = Object.entries(row).map(([key, value]) => {
      if (key === "id" && typeof value === "number" && !ofObjects.has(table))
        return [key, `${table}+${this.#place(table, value)}`];
      return [key, this.#plain(key, value)];
    });
    return `${table} ${JSON.stringify(Object.fromEntries(entries))}`;
  }

  /** A member's value, in terms that are valid in every world. */
  #plain(key: string, value: unknown): unknown {
    // Shown once: null in repeated requests.
    if (key === "token" || key === "secret" || (key === "code" && /^\w{4}-\w{4}$/.test(String(value)))) return "<secret>";
    // Consumers of queues call webhooks at a time of their own.
    if (key === "failingSince" || key === "failing_since") return "<later>";
    if (Array.isArray(value)) return value.map((one) => this.#plain(key.replace(/s$/, ""), one));
    if (typeof value === "object" && value !== null) {
      const isByOperator = key === "perOperator" || key === "signedIn";
      const nameOf = (name: string) => (isByOperator ? String(this.#number("operator_id", Number(name))) : name);
      // A change is described by its member: from one value to another.
      const memberOf = (name: string) => (name === "from" || name === "to" ? key : name);
      const members = Object.entries(value).map(([name, one]) => [nameOf(name), this.#plain(memberOf(name), one)] as const);
      return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
    }
    if (typeof value === "number") return this.#number(key, value);
    return typeof value === "string" ? this.#text(key, value) : value;
  }

  #number(key: string, value: number): unknown {
    if (/(^|_|[a-z])[iI]d$/.test(key) && value > recordsPerMachine && value < 2 ** 45) {
      return `machines+${this.#place("machines", Math.floor(value / recordsPerMachine))}:${value % recordsPerMachine}`;
    }
    const column = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const kind = kindOf[column.replace(/_id$/, "")];
    if (kind && value > (this.#first.get(kind) ?? 0)) return `${kind}+${this.#place(kind, value)}`;
    return key === "id" ? "<id>" : value;
  }

  #text(key: string, value: string): unknown {
    if (/^[[{]/.test(value)) {
      try {
        return this.#plain(key, JSON.parse(value));
      } catch {
        // Not JSON: a text like any other.
      }
    }
    if (/^object_?id$/i.test(key) && /^\d+$/.test(value)) return this.#number("id", Number(value));
    if (/^id$|cause_?id|component_?id/i.test(key) && /^\d+$/.test(value)) return this.#number(key, Number(value));
    if (secrets.has(key) || value.startsWith("whsec_")) return "<secret>";
    return value
      .replace(uuid, (id) => this.#names.get(id) ?? "<uuid>")
      .replace(/\bfloor-[0-9a-f]{64}\b/, "<floor event>")
      .replace(/^(machine:|)(\d+)(|-\d+-\d{13})$/, (text, before: string, id: string, after: string) =>
        before + after === "" ? text : `${before}${this.#number("machine", Number(id))}${after}`,
      )
      .replace(/\/\d+/g, "/<id>")
      .replace(/\b\d+(?= (in|out)$)/, "<operator>")
      .replace(/^user:(\d+)$/, (_, id: string) => `user:${this.#number("user", Number(id))}`)
      .replace(/\b[0-9a-f]{32}\b/g, "<message>")
      .replace(/\b[0-9a-f]{8}\b/, "<name>");
  }

  async #object(machineId: number): Promise<{ kept: string[]; waiting: string[]; isAsleep: boolean }> {
    return await runInDurableObject(machineObject(env, machineId), async (_, { storage }) => {
      const { sql, kv } = storage;
      const state = stateIn(storage);
      const names = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
      const kept: string[] = [];
      const waiting: string[] = [];
      const place = `machines+${this.#place("machines", machineId)}`;
      // The segment of an event depends on how it arrived; checkpoints, on how often the ledger was computed.
      for (const { pos, event } of eventsIn(storage)) kept.push(`${place} ${this.#rowText("object.events", { pos, ...event })}`);
      for (const { name } of names.filter((table) => !/^(_|sqlite_|migrations$|segments$|checkpoints$)/.test(table.name))) {
        for (const { version, made_after: _, ...row } of sql.exec<Record<string, SqlStorageValue>>(`SELECT * FROM ${name}`)) {
          const shown = name === "stops" ? { ...row, version } : withoutIds(name, row);
          if (sentTables.has(name)) waiting.push(`${place} ${this.#rowText(`object.${name}`, { ...shown, key: null })}`);
          else kept.push(`${place} ${this.#rowText(`object.${name}`, shown)}`);
        }
      }
      const stateOf = (name: string) => `${place} ${name} ${JSON.stringify(state[name] ?? null)}`;
      waiting.push(...["settled", "numbers", "forgotten to", "told", "told signal"].map(stateOf));
      kept.push(`${place} identity ${JSON.stringify(this.#plain("identity", kv.get("identity")))}`);
      kept.push(...["held", "counted to"].map(stateOf));
      kept.push(`${place} head ${JSON.stringify(this.#plain("head", state.head))}`);
      const isWaiting = isAnyWaiting(storage);
      const wakesAt = (await storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
      return { kept, waiting, isAsleep: isWaiting && wakesAt > Date.now() + FLUSH_EVERY_MS };
    });
  }
}

/** The row of an event with its id, type and data as they are published. */
function published({ place, company_id, seq, machine_id, n, key, type, line_id, at, created_at, form, data }: Row): Row {
  const columns = { companyId: company_id, machineId: machine_id, lineId: line_id, createdAt: created_at };
  const event = eventOf({ ...columns, seq, n, key, type, at, form, data } as unknown as EventRow);
  return {
    place,
    company_id,
    seq,
    machine_id,
    line_id,
    at,
    created_at,
    id: event.id,
    type: event.type,
    data: JSON.stringify(event.data),
  };
}

/** The row of the audit that an entry in the directory's outbox becomes, as `columnsOf` reads it. */
function entryOf({ entry }: Row): Row {
  const stored = storedEntry(JSON.parse(String(entry)));
  const action = audit.action.mapToDriverValue(stored.action);
  return {
    ...{ at: stored.at, company_id: stored.companyId, user_id: stored.userId, api_token_id: stored.apiTokenId },
    request_id: String(stored.requestId).replaceAll("-", "").toUpperCase(),
    ...{ action, kind: Number(action) >> 8, object_id: stored.objectId, form: stored.form },
    changes: JSON.stringify(stored.changes),
  };
}

/** The highest rowid of each table of a database; 0 for those that all worlds share. */
async function firstRowsOf(database: D1Database): Promise<Map<string, number>> {
  const { results } = await database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
  const isRead = (name: string) => !/^(_cf|sqlite)_/.test(name) && !passedOver.has(name) && !(name in owned);
  const names = results.map(({ name }) => name).filter(isRead);
  // Rows of earlier companies may still be added, by machines of a world before.
  const lastOf = (name: string) =>
    name in places
      ? "SELECT ((coalesce(max(id), 0) + 1) << 32) - 1 AS last FROM companies"
      : `SELECT coalesce(max(${placeOf(name)}), 0) AS last FROM ${name}`;
  const last = names.map((name) => database.prepare(lastOf(name)));
  const found = await database.batch<{ last: number }>(last);
  return new Map(names.map((name, i) => [name, shared.has(name) ? 0 : (found[i]?.results[0]?.last ?? 0)]));
}

/** The rows of a database after those of `first`. */
async function rowsAfter(database: D1Database, first: ReadonlyMap<string, number>): Promise<{ table: string; row: Row }[]> {
  const names = [...first];
  const found = await database.batch<Row>(
    names.map(([table, last]) =>
      database
        .prepare(`SELECT ${placeOf(table)} AS place, ${columnsOf[table] ?? "*"} FROM ${table} WHERE ${placeOf(table)} > ?`)
        .bind(last),
    ),
  );
  return names.flatMap(([table], i) =>
    (found[i]?.results ?? []).map((row) => ({ table, row: table === "events" ? published(row) : row })),
  );
}

/** The rows of tables without a rowid, which belong to rows after those of `first`. */
async function ownedRowsAfter(first: ReadonlyMap<string, number>): Promise<{ table: string; row: Row }[]> {
  const tables = Object.entries(owned);
  const found = await env.DB_0.batch<Row>(
    tables.map(([table, [column, owner]]) =>
      env.DB_0.prepare(`SELECT ${columnsOf[table] ?? "*"} FROM ${table} WHERE ${column} > ?`).bind(first.get(owner) ?? 0),
    ),
  );
  return tables.flatMap(([table], i) => (found[i]?.results ?? []).map((row) => ({ table, row })));
}

/** A condition without the columns that the queue's consumer sets, at a time of its own. */
function condition({ handled_revision: _, incident_id: __, updated_at: ___, ...row }: Row): Row {
  return row;
}

/** Whether a row is excluded from the comparison. `replayed`: the events whose deliveries were requested, not made by a dispatch. */
function isPassedOver(table: string, row: Row, replayed: ReadonlySet<unknown>): boolean {
  switch (table) {
    // Each attempt to log in counts separately, as does each test message, and each wall that requests pairing, until someone confirms it.
    case "audit":
      return row.kind === kindNumber("login") || testActions.includes(row.action);
    case "messages":
      return row.kind === "test";
    case "wall_pairings":
      return row.confirmed_at === null;
    // Consumers of queues add the others, at a time of their own.
    case "events":
      return ["alert.opened", "alert.escalated", "alert.resolved"].includes(String(row.type));
    case "incidents":
      return Number(row.opened_at) >= NOON;
    case "webhook_deliveries":
      return !replayed.has(row.place);
    // Their ids are derived from their subjects; those of operations are random.
    case "notifications":
    case "subscription_logs":
      return !isOwnId(row.id);
    default:
      return false;
  }
}

function isOwnId(id: unknown): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(id));
}

/** A row of an object. The key of a planned operator consists of ids, which its body has too. */
function withoutIds(table: string, row: Row): Row {
  return table === "settings_parts" && row.kind === "plan" ? { ...row, key: "plan" } : row;
}

/** Whether a machine's object wrote a row. */
function isOfObject(table: string, row: Row): boolean {
  if (table === "audit") return kindsOfObjects.includes(row.kind);
  return table === "events" ? numberedEvent.test(String(row.id)) : ofObjects.has(table);
}

/** Ids of machines' events end with the machine and the number of the event there. */
const numberedEvent = /:(\d+)-(\d+)$/;

/** Throws unless D1 has each machine's events exactly once, in the order of their numbers, without gaps. */
function expectInOrder(rows: readonly { table: string; row: Row }[]): void {
  const ofMachines = rows.filter(({ table, row }) => table === "events" && row.machine_id !== null);
  const numbered = ofMachines.flatMap(({ row }) => {
    const [, machine, number] = numberedEvent.exec(String(row.id)) ?? [];
    return machine === undefined ? [] : [{ machine, number: Number(number), seq: Number(row.seq) }];
  });
  for (const [machine, shown] of Map.groupBy(numbered, (one) => one.machine)) {
    const numbers = shown.toSorted((a, b) => a.seq - b.seq).map(({ number }) => number);
    if (numbers.some((number, i) => number !== i + 1)) throw new Error(`events of machine ${machine} came as ${numbers}`);
  }
}

/** The tables of an object that depend on when it sent its rows to D1. */
const sentTables = new Set(["projection", "outbox", "parked"]);

/** The pictures that rows refer to, and whether they exist. */
async function picturesOf(rows: readonly { table: string; row: Row }[]): Promise<string[]> {
  const keys = rows.flatMap(({ row }) => [row.thumbnail_key, row.compressed_thumbnail_key]);
  const named = [...new Set(keys.filter((key) => typeof key === "string"))];
  return await Promise.all(named.map(async (key) => `${key} ${(await env.THUMBNAILS.head(key)) ? "stored" : "missing"}`));
}
