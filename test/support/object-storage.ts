import { idOf, timeOf } from "../../src/machine/inputs/ledger-position.ts";
import type { StoredEvent } from "../../src/machine/inputs/stored-event.ts";
import type { ProjectionRow } from "../../src/machine/publish/projection-rows.ts";
import { MachineStorage } from "../../src/machine/storage/machine-storage.ts";
import { STATE_KEY } from "../../src/machine/storage/state-row.ts";
import { migrations } from "../../src/machine/storage/steps.ts";
import type { Settings } from "../../src/oee/settings.ts";

// Reads and changes the storage of a machine's object.

/** The values that the object keeps in one row, by name. */
interface State {
  head?: { pos: string; ledger: object };
  settled?: { dirtyFrom: number | null; settledAt: number | null; settlingSince: number | null; isUrgent?: boolean };
  outbox?: { failures: number; revision: number };
  numbers?: { lastStop: number };
  recalculation?: { dueAt: number } | null;
  "forgotten to"?: number;
  "open events"?: { events: StoredEvent[] };
  "newest rows"?: Record<string, ProjectionRow>;
  "waiting rows"?: "in table" | { kind: string; key: string; until: number; version: number }[];
  [name: string]: unknown;
}

export function stateIn({ kv }: DurableObjectStorage): State {
  return kv.get<State>(STATE_KEY) ?? {};
}

/** Changes values of an object that is not in memory, or that is evicted right afterwards. */
export function changeState(storage: DurableObjectStorage, change: Partial<State>): void {
  storage.kv.put(STATE_KEY, { ...stateIn(storage), ...change });
}

/** True if rows wait for D1. */
export function isAnyWaiting(storage: DurableObjectStorage): boolean {
  const waiting = stateIn(storage)["waiting rows"] ?? [];
  return waiting === "in table" ? storage.sql.exec("SELECT 1 FROM outbox LIMIT 1").toArray().length > 0 : waiting.length > 0;
}

/** The versions of the rows of a kind that D1 should contain. */
export function versionsIn(storage: DurableObjectStorage, kind: ProjectionRow["kind"]): number[] {
  const stored = storage.sql.exec<{ version: number }>("SELECT version FROM projection WHERE kind = ?", kind).toArray();
  const newest = stateIn(storage)["newest rows"]?.[kind];
  return [...stored, ...(newest ? [newest] : [])].map(({ version }) => version);
}

/** The stored events, in order. */
export function eventsIn(storage: DurableObjectStorage): (StoredEvent & { at: number })[] {
  const segments = storage.sql.exec<{ events: string }>("SELECT events FROM segments").toArray();
  const stored = segments.flatMap(({ events }) => JSON.parse(events) as StoredEvent[]);
  const all = [...stored, ...(stateIn(storage)["open events"]?.events ?? [])];
  return all.map((one) => ({ ...one, at: timeOf(one.pos) })).sort((a, b) => (a.pos < b.pos ? -1 : 1));
}

/** The settings of all time, with the standards by SKU. */
export function settingsIn(storage: DurableObjectStorage): (Settings & { skuStandardsMs: Record<string, number> })[] {
  const { sql } = storage;
  const keys = "SELECT DISTINCT key FROM settings_parts WHERE kind = 'sku' ORDER BY key";
  const skuIds = sql
    .exec<{ key: string }>(keys)
    .toArray()
    .map(({ key }) => key);
  return (new MachineStorage(storage).settings.history(0) ?? []).map(({ skuStandardsMs, ...settings }) => {
    const of = (skuId: string) => (typeof skuStandardsMs === "function" ? skuStandardsMs(skuId) : skuStandardsMs[skuId]);
    const standards = skuIds.flatMap((skuId) => {
      const standardMs = of(skuId);
      return standardMs === undefined ? [] : [[skuId, standardMs] as const];
    });
    return { ...settings, skuStandardsMs: Object.fromEntries(standards) };
  });
}

/** Makes the storage forget the steps from one on, with the tables that they created: they are taken again when the object starts. */
export function forgetStepsFrom({ sql }: DurableObjectStorage, first: string): void {
  const forgotten = migrations.filter(({ id }) => id >= first);
  const created = forgotten.flatMap(({ sql }) => [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name));
  for (const name of created) sql.exec(`DROP TABLE IF EXISTS ${name}`);
  sql.exec("DELETE FROM migrations WHERE id >= ?", first);
}

/** Reverts the storage to before its step 0013: each version of the settings was a whole copy. */
export function takeBackSettingsParts(storage: DurableObjectStorage, versions: Settings[] = settingsIn(storage)): void {
  const { sql } = storage;
  sql.exec("CREATE TABLE settings (since INTEGER PRIMARY KEY, body TEXT NOT NULL)");
  for (const settings of versions) {
    sql.exec("INSERT INTO settings VALUES (?, ?)", settings.since, JSON.stringify(settings));
  }
  sql.exec("DROP TABLE settings_parts");
  changeState(storage, { "plan known to": null });
  forgetStepsFrom(storage, "0014");
  sql.exec("DELETE FROM migrations WHERE id = '0013_settings_in_parts'");
}

/** Reverts the storage to before its step 0012: each waiting row was a row, and each row said whether it was sent. */
function takeBackWaitingRows(storage: DurableObjectStorage): void {
  const { sql, kv } = storage;
  const { "waiting rows": waiting = [], "newest rows": newest = {}, ...state } = stateIn(storage);
  for (const { kind, key, until, body, createdAt, updatedAt, version, madeAfter } of Object.values(newest)) {
    const values = [kind, key, until, body, createdAt, updatedAt, version, madeAfter];
    sql.exec("INSERT INTO projection VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ...values);
  }
  for (const { kind, key, until, version } of waiting === "in table" ? [] : waiting) {
    sql.exec("INSERT INTO outbox VALUES (?, ?, ?, ?)", kind, key, until, version);
  }
  sql.exec("CREATE INDEX outbox_order ON outbox (until, kind DESC, key)");
  sql.exec("ALTER TABLE projection RENAME COLUMN made_after TO is_published");
  sql.exec("UPDATE projection SET is_published = is_published < ?", state.outbox?.revision ?? 0);
  kv.put(STATE_KEY, state);
}

/** Reverts the storage to before its step 0011: each event and each value was a row. */
export function takeBackFewerRows(storage: DurableObjectStorage): void {
  const { sql, kv } = storage;
  takeBackSettingsParts(storage);
  takeBackWaitingRows(storage);
  sql.exec(
    "CREATE TABLE events (pos TEXT PRIMARY KEY, id TEXT, at INTEGER NOT NULL, units INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID",
  );
  sql.exec("CREATE UNIQUE INDEX events_id ON events (id) WHERE id IS NOT NULL");
  for (const { pos, at, event } of eventsIn(storage)) {
    const units = event.kind === "count" ? event.total : 0;
    sql.exec("INSERT INTO events VALUES (?, ?, ?, ?, ?)", pos, idOf(pos), at, units, JSON.stringify(event));
  }
  const { "open events": _, "replayed from": __, ...values } = stateIn(storage);
  // It did not keep a checkpoint of each day.
  sql.exec("DELETE FROM checkpoints WHERE at < ?", values["forgotten to"] ?? 0);
  for (const [name, value] of Object.entries(values)) kv.put(name, value);
  kv.delete(STATE_KEY);
  sql.exec("DROP TABLE segments");
  sql.exec("DELETE FROM migrations WHERE id >= '0011_fewer_rows'");
}
