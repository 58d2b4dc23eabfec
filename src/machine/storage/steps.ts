import type { Step } from "../../core/storage-steps.ts";
import { idsOf } from "../inputs/stored-event.ts";
import { STATE_KEY } from "./state-row.ts";
import { makeIdsWellFormed } from "./well-formed-ids.ts";

// What a step promises, so that a deployment can be rolled back:
// - The version before still works on the storage after the step, and loses nothing of what it finds there: it keeps rows whose kind it does
//   not know (rows of the projection and the outbox, parts of the settings, events), and names in the state row.
// - Rows that the version before writes after the step are recognized and completed when they are read: the step does not run a second time.
// - A new member of a stored row is optional. Rows in the outbox may come from the version before, so D1 accepts them without it.
// - A step that cannot keep this has an id that ends in `!`. A version that does not know it refuses to open the storage, so going back to the
//   version before means to lose what came since. It has a release of its own.
// - It copes with any amount of data, in one transaction.
//
// Append only: an object may be at any of these steps. `migrations.lock` has their checksums, and `npm run check` compares them.

/** The steps of the storage of machine objects, in order. */
export const migrations: readonly Step[] = [
  {
    id: "0000_ledger",
    sql: `
      -- pos: time, kind and identity, so that its order is the ledger's order and a repeat has nowhere to go.
      CREATE TABLE events (pos TEXT PRIMARY KEY, id TEXT, at INTEGER NOT NULL, units INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
      CREATE UNIQUE INDEX events_id ON events (id) WHERE id IS NOT NULL;
      -- The ledger after the event at pos.
      CREATE TABLE checkpoints (pos TEXT PRIMARY KEY, at INTEGER NOT NULL, ledger TEXT NOT NULL) WITHOUT ROWID;
      -- What became certain, and by which event: a replay from a checkpoint takes back what later events made certain.
      CREATE TABLE spans (start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL, kind TEXT NOT NULL, by TEXT NOT NULL);
      CREATE TABLE presences (operator_id INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, by TEXT NOT NULL, PRIMARY KEY (operator_id, start)) WITHOUT ROWID;
      CREATE TABLE tallies (start INTEGER PRIMARY KEY, body TEXT NOT NULL, by TEXT NOT NULL);
      CREATE INDEX spans_by ON spans (by);
      CREATE INDEX tallies_by ON tallies (by);
      -- Identities that outlive recalculation.
      CREATE TABLE stops (seq INTEGER PRIMARY KEY, start INTEGER NOT NULL, "end" INTEGER);
      CREATE INDEX stops_start ON stops (start);
      CREATE TABLE records (start INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
      -- The rows that D1 has or is to have; version > sent is to be sent.
      CREATE TABLE outbox (kind TEXT NOT NULL, key TEXT NOT NULL, until INTEGER NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        version INTEGER NOT NULL, sent INTEGER NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
      CREATE INDEX outbox_due ON outbox (kind, key) WHERE version > sent;
      CREATE TABLE settings (since INTEGER PRIMARY KEY, body TEXT NOT NULL);
    `,
  },
  {
    id: "0001_order_runs",
    sql: `CREATE TABLE runs (start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL, body TEXT NOT NULL, by TEXT NOT NULL)`,
  },
  {
    id: "0002_stop_edits",
    sql: `
      -- What a person said of a stop (StopMark), and how often.
      ALTER TABLE stops ADD COLUMN mark TEXT;
      ALTER TABLE stops ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
      -- Stops that a person recorded, and where people split stops or joined them.
      CREATE TABLE manual_stops (start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL);
      CREATE TABLE boundaries (at INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('cut', 'join')));
    `,
  },
  {
    id: "0003_remembered_edits",
    sql: `
      -- Edits whose requests had an Idempotency-Key, and the stops that they left behind (JSON numbers).
      CREATE TABLE remembered_edits (id TEXT PRIMARY KEY, request_hash TEXT NOT NULL, seqs TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX remembered_edits_at ON remembered_edits (at);
    `,
  },
  {
    id: "0004_history_by_end",
    sql: `
      -- What is asked for is mostly new: by its end it is found without the history. An open stop ends after all others.
      DROP INDEX stops_start;
      CREATE INDEX stops_end ON stops (ifnull("end", 9007199254740991));
      CREATE INDEX presences_end ON presences ("end");
      CREATE INDEX presences_by ON presences (by);
      CREATE INDEX runs_end ON runs ("end");
      CREATE INDEX runs_by ON runs (by);
    `,
  },
  {
    id: "0005_sku_changes",
    sql: `
      -- Which SKU was in work since when (by: the position of the event that said so).
      CREATE TABLE sku_changes (by TEXT PRIMARY KEY, sku_id TEXT NOT NULL) WITHOUT ROWID;
      INSERT INTO sku_changes SELECT pos, body->>'skuId' FROM events WHERE body->>'kind' = 'sku';
      -- What is sent next: shift by shift, of each its stops before its record.
      DROP INDEX outbox_due;
      CREATE INDEX outbox_due ON outbox (until, kind DESC, key) WHERE version > sent;
    `,
  },
  {
    id: "0006_projection_and_outbox",
    sql: `
      -- What D1 should contain; is_published: it was sent, in whatever version.
      CREATE TABLE projection (kind TEXT NOT NULL, key TEXT NOT NULL, until INTEGER NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        version INTEGER NOT NULL, is_published INTEGER NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
      INSERT INTO projection SELECT kind, key, until, body, created_at, updated_at, version, sent <> 0 FROM outbox;
      -- Rows of it that D1 does not have in this version yet.
      CREATE TABLE to_send (kind TEXT NOT NULL, key TEXT NOT NULL, until INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
      INSERT INTO to_send SELECT kind, key, until, version FROM outbox WHERE version > sent;
      DROP TABLE outbox;
      ALTER TABLE to_send RENAME TO outbox;
      CREATE INDEX outbox_order ON outbox (until, kind DESC, key);
      -- Rows of it that D1 refused, and why.
      CREATE TABLE parked (kind TEXT NOT NULL, key TEXT NOT NULL, error TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
    `,
  },
  {
    id: "0007_progress_by_owner",
    sql: "",
    run: ({ kv }) => {
      const old = kv.get<OldProgress>("progress");
      if (!old) return;
      const { dirtyFrom, settledAt, settlingSince, lastStop, lastRecord, flushedAt, revision, failures = 0 } = old;
      kv.put("settled", { dirtyFrom, settledAt, settlingSince });
      kv.put("numbers", { lastStop, lastRecord });
      kv.put("forgotten to", old.forgottenTo);
      kv.put("outbox", { flushedAt, revision, failures });
      kv.put("told", { configVersion: old.sentConfigVersion, isHeard: old.isHeardSent ?? false, parkedRows: 0 });
      kv.delete("progress");
    },
  },
  {
    id: "0008_remembered_reports",
    sql: `
      -- Reports of people at the machine whose requests had an Idempotency-Key, by the id of their event.
      CREATE TABLE remembered_reports (id TEXT PRIMARY KEY, is_changed INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX remembered_reports_at ON remembered_reports (at);
    `,
  },
  {
    id: "0009_shift_parts",
    sql: `
      -- The counts of each part of a shift (hour and run).
      CREATE TABLE part_tallies (start INTEGER PRIMARY KEY, body TEXT NOT NULL, by TEXT NOT NULL);
      CREATE INDEX part_tallies_by ON part_tallies (by);
      -- The roster of the running shift was one row. Now each shift has one, which is made anew.
      DELETE FROM projection WHERE kind = 'roster';
      DELETE FROM outbox WHERE kind = 'roster';
      DELETE FROM parked WHERE kind = 'roster';
    `,
    run: countByPart,
  },
  {
    id: "0010_told",
    sql: `
      -- What was told of a stop (ToldStop) and of an operator's time at the machine: what is so already is not told anew.
      ALTER TABLE stops ADD COLUMN told TEXT;
      UPDATE stops SET told = json_object('since', start, 'until', "end", 'name', mark->>'name',
        'isIncludedInStops', json(iif(coalesce(mark->>'isIncludedInStops', 1), 'true', 'false')),
        'generalCauseId', mark->>'$.classification.generalCauseId', 'specificCauseId', mark->>'$.classification.specificCauseId',
        'componentId', mark->>'$.classification.componentId', 'description', mark->>'$.classification.description');
      CREATE TABLE told_presences (operator_id INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER, PRIMARY KEY (operator_id, start)) WITHOUT ROWID;
      CREATE INDEX told_presences_end ON told_presences (ifnull("end", 9007199254740991));
      INSERT INTO told_presences SELECT operator_id, start, "end" FROM presences;
    `,
    run: ({ sql, kv }) => {
      const signedIn = kv.get<{ ledger: { signedIn?: Record<string, number> } }>("head")?.ledger.signedIn ?? {};
      for (const [id, start] of Object.entries(signedIn)) {
        sql.exec("INSERT OR REPLACE INTO told_presences (operator_id, start) VALUES (?, ?)", Number(id), start);
      }
    },
  },
  {
    id: "0011_fewer_rows",
    sql: `
      -- Events from the one at first on, up to the next segment: a list of {pos, event}, and the hashes of their ids.
      CREATE TABLE segments (first TEXT PRIMARY KEY, ids BLOB NOT NULL, events TEXT NOT NULL) WITHOUT ROWID;
    `,
    run: intoFewerRows,
  },
  {
    id: "0012_waiting_rows",
    sql: `
      -- The rows of the outbox are listed in the state while they are few.
      DROP INDEX outbox_order;
      -- The number of the last flush before the row was made: a later one may have sent it.
      ALTER TABLE projection RENAME COLUMN is_published TO made_after;
    `,
    run: ({ sql, kv }) => {
      const state = kv.get<Record<string, unknown> & { outbox?: { revision: number } }>(STATE_KEY);
      // Flushes are numbered from 1, so 0 is before the one that sent a published row.
      sql.exec("UPDATE projection SET made_after = iif(made_after = 1, 0, ?)", state?.outbox?.revision ?? 0);
      const isWaiting = sql.exec("SELECT 1 FROM outbox LIMIT 1").toArray().length > 0;
      kv.put(STATE_KEY, { ...state, "waiting rows": isWaiting ? "in table" : [] });
    },
  },
  {
    id: "0013_settings_in_parts",
    sql: `
      -- What a machine's settings consist of, each part once for the time in which it applies: see StoredSettings.
      CREATE TABLE settings_parts (kind TEXT NOT NULL, key TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (kind, key, since)) WITHOUT ROWID;
    `,
    run: settingsIntoParts,
  },
  {
    id: "0014_well_formed_ids",
    sql: "",
    run: makeIdsWellFormed,
  },
  {
    id: "0015_held_counts",
    sql: `
      -- Counts that are held (HeldCount), by number; entry: the UTC day and the reason. The journal has samples in their places.
      CREATE TABLE held (seq INTEGER PRIMARY KEY, pos TEXT NOT NULL, entry INTEGER NOT NULL, body TEXT NOT NULL);
      CREATE UNIQUE INDEX held_pos ON held (pos);
      CREATE INDEX held_entry ON held (entry, seq);
    `,
  },
  {
    id: "0016_outside_hours",
    sql: `
      -- The good units of local hours in which counts were outside shifts. The latest hour is in the ledger.
      CREATE TABLE outside_hours (start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL, units REAL NOT NULL, by TEXT NOT NULL);
      CREATE INDEX outside_hours_by ON outside_hours (by);
    `,
  },
  // The input log keeps pulses as they were sent, which the version before does not read. Nothing is rewritten: see `asSent`.
  { id: "0017_sent_pulses!", sql: "" },
  {
    id: "0018_days",
    sql: `
      -- The events of UTC days that are no longer in the journal: see StoredDays. k: day * 1000 + part.
      CREATE TABLE days (k INTEGER PRIMARY KEY, n INTEGER NOT NULL, first_pos TEXT NOT NULL, last_pos TEXT NOT NULL, sha256 TEXT NOT NULL,
        body BLOB NOT NULL);
      -- What identifies the events of a part.
      CREATE TABLE day_ids (k INTEGER PRIMARY KEY, body BLOB NOT NULL);
    `,
    run: ({ kv }) => {
      const state = kv.get<Record<string, unknown>>(STATE_KEY);
      const forgottenTo = state?.["forgotten to"];
      if (forgottenTo !== undefined) kv.put(STATE_KEY, { ...state, "complete from": forgottenTo });
    },
  },
  {
    id: "0019_recalculation",
    sql: `
      -- The rows of a recalculation. They count in place of those of the ledger where \`by\` (of checkpoints: \`pos\`) is in the range in \`replaced\`.
      CREATE TABLE next_spans (start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL, kind TEXT NOT NULL, by TEXT NOT NULL);
      CREATE TABLE next_presences (operator_id INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, by TEXT NOT NULL, PRIMARY KEY (operator_id, start)) WITHOUT ROWID;
      CREATE TABLE next_tallies (start INTEGER PRIMARY KEY, body TEXT NOT NULL, by TEXT NOT NULL);
      CREATE TABLE next_part_tallies (start INTEGER PRIMARY KEY, body TEXT NOT NULL, by TEXT NOT NULL);
      CREATE TABLE next_runs (start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL, body TEXT NOT NULL, by TEXT NOT NULL);
      CREATE TABLE next_sku_changes (by TEXT PRIMARY KEY, sku_id TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE next_outside_hours (start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL, units REAL NOT NULL, by TEXT NOT NULL);
      CREATE TABLE next_checkpoints (pos TEXT PRIMARY KEY, at INTEGER NOT NULL, ledger TEXT NOT NULL) WITHOUT ROWID;
      CREATE INDEX next_spans_by ON next_spans (by);
      CREATE INDEX next_presences_by ON next_presences (by);
      CREATE INDEX next_tallies_by ON next_tallies (by);
      CREATE INDEX next_part_tallies_by ON next_part_tallies (by);
      CREATE INDEX next_runs_by ON next_runs (by);
      CREATE INDEX next_outside_hours_by ON next_outside_hours (by);
      CREATE TABLE replaced ("after" TEXT NOT NULL, "to" TEXT NOT NULL);
    `,
  },
  {
    id: "0020_edits",
    sql: `
      -- What people said of stops: see StoredEdits. By: JSON, null: not known. Orphan: why nothing of it counts any more.
      CREATE TABLE edits (n INTEGER PRIMARY KEY, at INTEGER NOT NULL, by TEXT, kind TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
        body TEXT NOT NULL, orphan TEXT, replaced_by INTEGER, undone_by TEXT, bulk_id TEXT);
      -- Found by the class of the length, and the start: see reach.ts.
      CREATE INDEX edits_live ON edits (CASE WHEN "end" - start <= 3600000 THEN 3600000 WHEN "end" - start <= 86400000 THEN 86400000
        WHEN "end" - start <= 2592000000 THEN 2592000000 ELSE 9007199254740991 END, start) WHERE replaced_by IS NULL AND undone_by IS NULL;
      CREATE INDEX edits_replaced ON edits (replaced_by) WHERE replaced_by IS NOT NULL;
      CREATE INDEX edits_bulk ON edits (bulk_id) WHERE bulk_id IS NOT NULL;
      CREATE INDEX IF NOT EXISTS stops_reach ON stops (CASE WHEN "end" - start <= 3600000 THEN 3600000 WHEN "end" - start <= 86400000 THEN 86400000
        WHEN "end" - start <= 2592000000 THEN 2592000000 ELSE 9007199254740991 END, start);
    `,
    run: marksIntoEdits,
  },
  {
    id: "0021_corrections",
    sql: `
      -- What people corrected: see StoredCorrections.
      CREATE TABLE corrections (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL);
      CREATE INDEX corrections_at ON corrections (at);
    `,
  },
  {
    id: "0022_withdrawals",
    sql: `
      -- The events that people withdrew: see StoredWithdrawals.
      CREATE TABLE withdrawals (seq INTEGER PRIMARY KEY, holds INTEGER NOT NULL, body TEXT NOT NULL);
    `,
  },
  {
    id: "0023_amendments",
    sql: `
      -- What people said afterwards of what was made, and of who was there: see StoredAmendments.
      CREATE TABLE amendments (n INTEGER PRIMARY KEY, kind TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, body TEXT NOT NULL,
        at INTEGER NOT NULL, by TEXT NOT NULL, reason TEXT NOT NULL, undone_by TEXT);
      CREATE INDEX amendments_live ON amendments (kind, start) WHERE undone_by IS NULL;
    `,
  },
];

/**
 * Makes an edit of each mark, of the present time of its stop, and of what each recorded stop, split and merge is. Who said it is not known. A mark whose
 * stop has a cause has the flags of that cause. Reads some stops at a time: there may be tens of thousands.
 */
function marksIntoEdits({ sql, kv }: DurableObjectStorage): void {
  const { settled } = kv.get<{ settled?: { settledAt: number | null } }>(STATE_KEY) ?? {};
  const settledAt = settled?.settledAt ?? 0;
  const next = 'SELECT seq, start, "end", mark FROM stops WHERE seq > ? AND mark IS NOT NULL ORDER BY seq LIMIT 256';
  for (let some = sql.exec<MarkedStop>(next, 0).toArray(); ; some = sql.exec<MarkedStop>(next, some.at(-1)?.seq ?? 0).toArray()) {
    for (const stop of some) markIntoEdit(sql, stop, settledAt);
    if (some.length < 256) break;
  }
  type Recorded = { start: number; end: number };
  for (const { start, end } of sql.exec<Recorded>('SELECT start, "end" FROM manual_stops ORDER BY start').toArray())
    addEdit(sql, { at: end, kind: "record", start, end, body: { seq: seqAt(sql, start), isManual: true } });
  for (const { at, kind } of sql.exec<{ at: number; kind: string }>("SELECT at, kind FROM boundaries ORDER BY at").toArray()) {
    const body = { seq: seqAt(sql, at - 1), boundary: { at, kind } };
    addEdit(sql, { at: at + 1, kind: kind === "cut" ? "split" : "merge", start: at - 1, end: at + 1, body });
  }
  sql.exec("DROP INDEX IF EXISTS stops_end");
}

type MarkedStop = { seq: number; start: number; end: number | null; mark: string };

/** @param settledAt as of when it is known that a stop without an end lasts */
function markIntoEdit(sql: SqlStorage, { seq, start, end, mark: text }: MarkedStop, settledAt: number): void {
  const mark = readMark(text);
  // One that cannot be read is found and reported when it is needed.
  if (mark === "unreadable") return;
  sql.exec("UPDATE stops SET mark = ? WHERE seq = ?", mark && JSON.stringify(mark), seq);
  if (!mark) return;
  const until = Math.max(start + 1, end ?? settledAt + 1);
  const recorded = sql
    .exec<{ end: number }>('SELECT "end" FROM manual_stops WHERE start <= ? ORDER BY start DESC LIMIT 1', start)
    .toArray();
  const isManual = (recorded[0]?.end ?? 0) > start;
  const said = Object.fromEntries(Object.entries(mark).filter(([, value]) => value !== null));
  const at = end === null ? until - 1 : (mark.classification?.reclassifiedAt ?? until);
  const kind = mark.classification ? "classify" : "change";
  addEdit(sql, { at, kind, start, end: until, body: { seq, ...(isManual && { isManual }), said } });
}

function addEdit(sql: SqlStorage, edit: { at: number; kind: string; start: number; end: number; body: object }): void {
  const query = 'INSERT INTO edits (at, kind, start, "end", body) VALUES (?, ?, ?, ?, ?)';
  sql.exec(query, edit.at, edit.kind, edit.start, edit.end, JSON.stringify(edit.body));
}

/** The number of the stop that covers an instant; 0: none does. */
function seqAt(sql: SqlStorage, at: number): number {
  const end = 'ifnull("end", 9007199254740991)';
  const next = `SELECT seq, start FROM stops WHERE ${end} > ? ORDER BY ${end} LIMIT 1`;
  const [stop] = sql.exec<{ seq: number; start: number }>(next, at).toArray();
  return stop && stop.start <= at ? stop.seq : 0;
}

interface OldMark {
  name: string | null;
  isProgrammed: boolean | null;
  isIncludedInStops: boolean | null;
  isIncludedInAvailability: boolean | null;
  classification:
    | null
    | (Record<string, unknown> & { generalCauseId: number | null; specificCauseId: number | null; reclassifiedAt: number });
}

/** A mark as it is from now on: the flags of a cause are with the cause. Null: it says nothing. */
function readMark(text: string): OldMark | null | "unreadable" {
  let mark: OldMark;
  try {
    mark = JSON.parse(text);
  } catch {
    return "unreadable";
  }
  const { name, isProgrammed, isIncludedInStops, isIncludedInAvailability, classification } = mark;
  const hasCause = (classification?.generalCauseId ?? classification?.specificCauseId ?? null) !== null;
  const ofCause = Object.entries({ isProgrammed, isIncludedInAvailability }).filter(([, value]) => value !== null);
  const isOfCause = hasCause && ofCause.length > 0;
  const next: OldMark = {
    name,
    isProgrammed: isOfCause ? null : isProgrammed,
    isIncludedInStops,
    isIncludedInAvailability: isOfCause ? null : isIncludedInAvailability,
    classification: classification && { ...classification, ...(isOfCause && { flags: Object.fromEntries(ofCause) }) },
  };
  return Object.values(next).some((value) => value !== null) ? next : null;
}

/** Divides the settings, of which each version was a whole copy, into parts. Reads one version at a time: there may be thousands. */
function settingsIntoParts({ sql }: DurableObjectStorage): void {
  const noEnd = Number.MAX_SAFE_INTEGER;
  const store = ({ kind, key, since, until, body }: SettingsPart, end: number) => {
    const query = "INSERT OR REPLACE INTO settings_parts (kind, key, since, until, body) VALUES (?, ?, ?, ?, ?)";
    if (since < Math.min(until, end)) sql.exec(query, kind, key, since, Math.min(until, end), body);
  };
  /** The parts of the version before. */
  let inForce = new Map<string, SettingsPart>();
  const versions = sql.exec<{ since: number }>("SELECT since FROM settings ORDER BY since").toArray();
  for (const [i, { since }] of versions.entries()) {
    const end = versions[i + 1]?.since ?? noEnd;
    const { body } = sql.exec<{ body: string }>("SELECT body FROM settings WHERE since = ?", since).one();
    const { since: _, skuStandardsMs, shifts, plan, ...general } = JSON.parse(body) as OldSettings;
    const present = new Map<string, SettingsPart>();
    const add = (kind: string, key: string, value: unknown, from = since, until = noEnd, id = `${kind} ${key}`) => {
      const part = { kind, key, since: from, until, body: JSON.stringify(value) };
      const before = inForce.get(id);
      present.set(id, before?.body === part.body ? before : part);
    };
    add("general", "", general);
    add("shifts", "", shifts);
    for (const [skuId, standardMs] of Object.entries(skuStandardsMs)) add("sku", skuId, standardMs);
    for (const { operatorId, shiftId, ...planned } of plan) {
      // Plans of the time before and after this version were of no use to it.
      if (planned.until <= since || planned.since >= end) continue;
      const key = `${operatorId}:${shiftId}:${planned.until}`;
      const from = Math.max(planned.since, since);
      add("plan", key, { operatorId, shiftId }, from, planned.until, `plan ${key} ${planned.since}`);
    }
    for (const [id, part] of inForce) if (present.get(id) !== part) store(part, since);
    inForce = present;
  }
  for (const part of inForce.values()) store(part, noEnd);
  sql.exec("DROP TABLE settings");
}

interface SettingsPart {
  kind: string;
  key: string;
  since: number;
  until: number;
  body: string;
}

interface OldSettings {
  since: number;
  skuStandardsMs: Record<string, number>;
  shifts: unknown;
  plan: { operatorId: number; shiftId: number; since: number; until: number }[];
}

/** Moves the events into segments, and the values that change with each event into one value. */
function intoFewerRows({ sql, kv }: DurableObjectStorage): void {
  const state: Record<string, unknown> = {};
  const changing = [
    "head",
    "settled",
    "numbers",
    "forgotten to",
    "outbox",
    "told",
    "alerts",
    "told signal",
    "parts from",
    "watched",
  ];
  for (const key of changing) {
    const value = kv.get(key);
    if (value !== undefined) state[key] = value;
    kv.delete(key);
  }
  const nextEvents = "SELECT pos, body FROM events WHERE pos > ? ORDER BY pos LIMIT 256";
  let storedTo = "";
  while (true) {
    const rows = sql.exec<{ pos: string; body: string }>(nextEvents, storedTo).toArray();
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) break;
    const events = rows.map(({ pos, body }) => ({ pos, event: JSON.parse(body) }));
    sql.exec("INSERT INTO segments VALUES (?, ?, ?)", first.pos, idsOf(rows).buffer, JSON.stringify(events));
    storedTo = last.pos;
  }
  const { newestAt } = sql
    .exec<{ newestAt: number | null }>("SELECT max(at) AS newestAt FROM events WHERE body->>'kind' <> 'cut'")
    .one();
  if (storedTo !== "") state["open events"] = { events: [], newestPos: storedTo, newestAt, storedTo };
  sql.exec("DROP TABLE events");
  kv.put(STATE_KEY, state);
}

/**
 * Rewinds the ledger to the oldest checkpoint. The next call folds the events from there again and counts them by part. Shifts that began
 * before it keep a single part, which D1 made from their records.
 */
function countByPart({ sql, kv }: DurableObjectStorage): void {
  if (kv.get("head") === undefined) return;
  const forgottenTo = kv.get<number>("forgotten to") ?? 0;
  const [oldest] = sql
    .exec<{ pos: string; at: number; ledger: string }>("SELECT pos, at, ledger FROM checkpoints ORDER BY pos LIMIT 1")
    .toArray();
  // If no event was forgotten, the ledger starts from the beginning.
  const checkpoint = forgottenTo > 0 && oldest ? { pos: oldest.pos, ledger: { ...JSON.parse(oldest.ledger), part: null } } : null;
  const pos = checkpoint?.pos ?? "";
  for (const table of ["spans", "presences", "tallies", "runs", "sku_changes"])
    sql.exec(`DELETE FROM ${table} WHERE by > ?`, pos);
  sql.exec("DELETE FROM checkpoints WHERE pos > ?", pos);
  if (checkpoint) {
    sql.exec("UPDATE checkpoints SET ledger = ?", JSON.stringify(checkpoint.ledger));
    kv.put("head", checkpoint);
  } else kv.delete("head");
  const settled = kv.get<{ dirtyFrom: number | null; settledAt: number | null; settlingSince: number | null }>("settled");
  const { dirtyFrom = null, settledAt = null, settlingSince = null } = settled ?? {};
  kv.put("settled", { dirtyFrom: Math.min(dirtyFrom ?? forgottenTo, forgottenTo), settledAt, settlingSince });
  const partsFrom = checkpoint && oldest ? oldest.at + 1 : 0;
  kv.put("parts from", partsFrom);
  sql.exec(WHOLE_SHIFTS, partsFrom);
  // D1 made its parts without the records that are still in the outbox: their parts are sent with them.
  sql.exec(`INSERT INTO outbox SELECT 'part', part.key, part.until, part.version FROM outbox JOIN projection AS part
    ON part.kind = 'part' AND part.until = outbox.until WHERE outbox.kind = 'record'`);
}

/** The records of shifts that began before an instant, each as a single part: see `wholeShift`. */
const WHOLE_SHIFTS = `
  INSERT INTO projection SELECT 'part', printf('%015d', start_at), until, json_object(
    'machineId', body->'$.machineId', 'startAt', start_at, 'endAt', iif(body->>'openBucket' IS NULL, body->>'asOf', body->>'endAt'),
    'companyId', body->'$.companyId', 'shiftId', body->'$.shiftId', 'shiftStart', body->'$.startAt', 'shiftEnd', body->'$.endAt',
    'hourStart', start_at, 'skuId', NULL, 'workOrderId', NULL,
    'asOf', iif(body->>'openBucket' IS NULL, NULL, body->>'asOf'), 'openBucket', body->'$.openBucket', 'openIsAnnotated', body->'$.openIsAnnotated',
    'availableMs', body->'$.availableMs', 'noDataMs', body->'$.noDataMs', 'programmedMs', body->'$.programmedMs',
    'nonProgrammedMs', body->'$.nonProgrammedMs', 'otherMs', body->'$.otherMs', 'annotatedMs', body->'$.annotatedMs',
    'cycles', body->'$.cycles', 'totalUnits', body->'$.totalUnits', 'defectUnits', body->'$.defectUnits', 'idealMs', body->'$.idealMs',
    'cyclesWithStandard', body->'$.cyclesWithStandard', 'lostByDefectsMs', body->'$.lostByDefectsMs',
    'unitStandardMs', iif(body->>'cyclesWithStandard' > 0 AND body->>'totalUnits' > 0,
      1.0 * (body->>'idealMs') / (body->>'cyclesWithStandard') * (body->>'cycles') / (body->>'totalUnits'), body->>'standardCycleMs'),
    'fiveMinutes', json('[]')), created_at, updated_at, 1, is_published
  FROM (SELECT *, max(body->>'startAt', (SELECT body->>'commissionedAt' FROM settings ORDER BY since LIMIT 1)) AS start_at
    FROM projection WHERE kind = 'record' AND body <> 'null' AND body->>'startAt' < ?)`;

/** The value `progress`, which was later divided into values that belong to one module each. */
interface OldProgress {
  dirtyFrom: number | null;
  settledAt: number | null;
  settlingSince: number | null;
  flushedAt: number;
  revision: number;
  failures?: number;
  lastStop: number;
  lastRecord: number;
  sentConfigVersion: number;
  isHeardSent?: boolean;
  forgottenTo: number;
}
