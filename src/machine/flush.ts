import { and, eq, getTableColumns, inArray, isNull, lt, sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { type Db, openDb } from "../db/client.ts";
import { audit, machines, orderRuns, roster, shiftRecords, stops, workOrders } from "../db/schema.ts";
import type { Identity } from "./configuration.ts";
import type { RunRow } from "./rows.ts";
import type { MachineStorage, OutboxRow } from "./storage.ts";

/** More rows wait for the next flush: a D1 parameter holds 2 MB at most. */
const ROWS_PER_FLUSH = 500;

/**
 * Sends what D1 does not have yet, in one batch; does nothing when it has everything. Sending again is harmless: rows go
 * by their ids, and a write that was overtaken changes nothing.
 * @returns the bookmark from which on D1 has what was sent; null when nothing was
 * @throws whatever D1 throws; nothing is marked as sent then
 */
export async function flush(storage: MachineStorage, env: Env, identity: Identity, now: number): Promise<string | null> {
  const due = storage.dueOutboxRows(ROWS_PER_FLUSH);
  const progress = storage.progress();
  const { machineId, configVersion } = identity;
  const isConfigurationNew = configVersion !== progress.sentConfigVersion;
  const isHeardNew = !progress.isHeardSent && storage.newestAt() !== null;
  if (due.length === 0 && !isConfigurationNew && !isHeardNew) return null;
  const revision = progress.revision + 1;
  storage.transaction(() => {
    storage.saveProgress({ ...progress, revision, flushedAt: now });
    for (const row of due) storage.markTried(row);
  });

  const db = openDb(env);
  const rosters = due.filter((row) => row.kind === "roster");
  const rosterRows = rosters.flatMap((row) => (JSON.parse(row.body) as object[]).map((one) => ({ ...one, revision })));
  const isOvertaken = and(eq(roster.machineId, machineId), lt(roster.revision, revision));
  const configuredVersion = sql`max(${machines.configuredVersion}, ${configVersion})`;
  const [first, ...others] = [
    ...upsert(db, shiftRecords, stamped(due.filter(isKept), "record", revision)),
    ...deleteRecords(db, due, machineId, revision),
    ...upsert(db, stops, stamped(due, "stop", revision)),
    ...(rosters.length > 0 ? [db.delete(roster).where(isOvertaken)] : []),
    ...upsert(db, roster, rosterRows),
    ...upsert(db, orderRuns, stamped(due, "run", revision)),
    ...startOrders(db, due, now),
    ...addAudit(db, due),
    ...(isConfigurationNew ? [db.update(machines).set({ configuredVersion }).where(eq(machines.id, machineId))] : []),
    ...(isHeardNew ? [db.update(machines).set({ heardAt: now }).where(eq(machines.id, machineId))] : []),
  ];
  if (first) await db.batch([first, ...others]);

  storage.transaction(() => {
    for (const row of due) storage.markSent(row);
    const isHeardSent = progress.isHeardSent || isHeardNew;
    storage.saveProgress({ ...storage.progress(), sentConfigVersion: configVersion, isHeardSent });
  });
  return db.bookmark();
}

function stamped(due: readonly OutboxRow[], kind: OutboxRow["kind"], revision: number): object[] {
  return due
    .filter((row) => row.kind === kind)
    .map(({ body, createdAt, updatedAt }) => ({ ...JSON.parse(body), createdAt, updatedAt, revision }));
}

/** A record whose body is null is to be deleted. */
function isKept({ body }: OutboxRow): boolean {
  return body !== "null";
}

function deleteRecords(db: Db, due: readonly OutboxRow[], machineId: number, revision: number) {
  const starts = due.filter((row) => row.kind === "record" && !isKept(row)).map(({ key }) => Number(key));
  if (starts.length === 0) return [];
  const isOne = sql`${shiftRecords.startAt} IN (SELECT value FROM json_each(${JSON.stringify(starts)}))`;
  return [db.delete(shiftRecords).where(and(eq(shiftRecords.machineId, machineId), lt(shiftRecords.revision, revision), isOne))];
}

function addAudit(db: Db, due: readonly OutboxRow[]) {
  const rows = due.filter((row) => row.kind === "audit").map((row) => JSON.parse(row.body) as typeof audit.$inferInsert);
  return rows.map((row) => db.insert(audit).values(row).onConflictDoNothing());
}

/** An order that waited is in progress once the line made something for it. */
function startOrders(db: Db, due: readonly OutboxRow[], now: number) {
  const runs = due.filter((row) => row.kind === "run").map((row) => JSON.parse(row.body) as RunRow);
  const made = runs.filter((run) => run.correct > 0 || run.defects > 0).map((run) => run.workOrderId);
  if (made.length === 0) return [];
  const isWaiting = and(
    sql`${workOrders.id} IN (SELECT value FROM json_each(${JSON.stringify(made)}))`,
    inArray(workOrders.status, ["Backlog", "Planned"]),
    isNull(workOrders.deletedAt),
  );
  return [db.update(workOrders).set({ status: "InProgress", updatedAt: now }).where(isWaiting)];
}

/** One statement for any number of rows, as one JSON parameter, their members named as in the schema; none for no rows. */
function upsert(db: Db, table: typeof shiftRecords | typeof stops | typeof roster | typeof orderRuns, rows: readonly object[]) {
  const [sample] = rows;
  if (!sample) return [];
  const columns = Object.entries(getTableColumns(table));
  const values = columns.map(([member]) => `value->>'${member}'`).join(", ");
  const updated = columns.filter(([member, column]) => member in sample && member !== "createdAt" && !column.primary);
  const set = Object.fromEntries(updated.map(([member, { name }]) => [member, sql.raw(`excluded.${name}`)]));
  const [primaryKey] = getTableConfig(table).primaryKeys;
  const target = primaryKey?.columns ?? columns.map(([, column]) => column).filter((column) => column.primary);
  return [
    db
      .insert(table)
      .select(sql`SELECT ${sql.raw(values)} FROM json_each(${JSON.stringify(rows)}) WHERE true`)
      .onConflictDoUpdate({ target, set, setWhere: sql`excluded.revision >= ${table.revision}` }),
  ];
}
