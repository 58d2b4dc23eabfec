import { databaseFull, isFull } from "../../core/database-size.ts";
import { companyDb } from "../../db/client.ts";
import { isRefusal, rootOf } from "../../db/errors.ts";
import { askSize } from "../../db/size.ts";
import { sendQueueMessages } from "../../events/queues.ts";
import { OBJECT_MS, within } from "../../limits/load.ts";
import { healthObject } from "../../objects/watchdog.ts";
import { type AskedProgress, askedNews, saveSent } from "../ledger/asked-recalculations.ts";
import { progressOf } from "../ledger/progress.ts";
import type { Touched } from "../ledger/recalculation.ts";
import type { Identity } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { type MachineNews, statementsFor } from "./flush-statements.ts";
import {
  endFlush,
  failFlush,
  isHistoryKept,
  isTroubleNew,
  lastFlush,
  nextRevision,
  nextRows,
  park,
  removeSent,
  saveSentState,
  sentState,
} from "./outbox.ts";
import type { ProjectionRow } from "./projection-rows.ts";
import { recalculationNews } from "./recalculating.ts";

/** The rows and news that are sent to D1 together. */
export interface Flush {
  identity: Identity;
  now: number;
  /** The number of the flush. */
  revision: number;
  rows: ProjectionRow[];
  isConfigurationNew: boolean;
  isHeardNew: boolean;
  /** The time that is recalculated from now on; null: none is any more; undefined: as before. */
  recalculated: Touched | null | undefined;
  /** As in `MachineNews`. */
  keptTo: number | null | undefined;
  /** What is new of recalculations that people asked for. */
  asked: AskedProgress[];
  /** The storage's count of urgent changes when it began. */
  urgencies: number;
}

/**
 * Begins a flush; null when there is nothing to send. Runs inside a transaction: it is stored with the rows that were computed for it.
 * @param until rows that cover later times wait for another flush
 */
export function beginFlush(storage: MachineStorage, identity: Identity, now: number, until?: number): Flush | null {
  const rows = nextRows(storage, now, until);
  const known = sentState(storage);
  const isConfigurationNew = identity.configVersion !== known.configVersion;
  const isHeardNew = !known.isHeard && storage.events.newestAt() !== null;
  const recalculated = recalculationNews(storage, rows.length);
  const keptTo = isHistoryKept(storage) ? undefined : (lastFlush(storage).keptTo ?? null);
  const asked = askedNews(storage, rows.length);
  const isPastNew = recalculated !== undefined || keptTo !== undefined || asked.length > 0;
  const isNews = isConfigurationNew || isHeardNew || isPastNew;
  if (rows.length === 0 && !isNews && !isTroubleNew(storage)) {
    // The urgent change left nothing to send, or a flush failed after D1 had stored it.
    if (progressOf(storage).isUrgent || lastFlush(storage).failures > 0) endFlush(storage, storage.urgencies);
    return null;
  }
  const { urgencies } = storage;
  const news = { isConfigurationNew, isHeardNew, recalculated, keptTo, asked };
  return { identity, now, revision: nextRevision(storage, now), rows, ...news, urgencies };
}

/**
 * Sends rows of the outbox to D1, in one batch if D1 takes them all. Sending a row twice is harmless: D1 keeps the newer revision.
 *
 * If D1 refuses a row, that row is parked and the others are sent: the batch is halved until each refused row is alone.
 * @returns the bookmark at which D1 has the rows. Null when D1 failed, which is logged: rows that it did not confirm stay in the outbox
 */
export async function sendFlush(storage: MachineStorage, env: Env, flush: Flush): Promise<string | null> {
  const { identity, now, revision, rows, isConfigurationNew, isHeardNew, recalculated, keptTo, asked } = flush;
  const { machineId, configVersion } = identity;
  const db = companyDb(env);
  const news: MachineNews = {
    ...(isConfigurationNew && { configuredVersion: configVersion }),
    ...(isHeardNew && { heardAt: now }),
    ...(recalculated !== undefined && { recalculated }),
    ...(keptTo !== undefined && { keptTo }),
    ...(asked.length > 0 && { asked }),
  };
  let hasNews = rows.some(({ kind }) => kind === "event" || kind === "condition");
  const send = async (part: readonly ProjectionRow[], also: MachineNews): Promise<void> => {
    const [first, ...others] = statementsFor(db, [{ machineId, revision, rows: part, ...also }], now);
    if (!first) return;
    try {
      const results: readonly unknown[] = await db.batch([first, ...others]);
      // Only the statements that store events return rows.
      hasNews ||= results.some((result) => Array.isArray(result) && result.length > 0);
    } catch (error) {
      const [row, ...more] = part;
      if (!isRefusal(error) || !row) throw error;
      if (more.length > 0) {
        const half = Math.ceil(part.length / 2);
        await send(part.slice(0, half), {});
        await send(part.slice(half), also);
        return;
      }
      parkRow(storage, machineId, row, rootOf(error as Error).message, now);
      await send([], also);
      return;
    }
    storage.transaction(() => removeSent(storage, part));
  };
  try {
    await refuseIfKnownFull(env);
    await send(rows, news);
    if (isFull(db)) wasFull.add(env.DB_0);
    // If the object stops before this, the cron finds the events and conditions for which no queue message was sent.
    if (hasNews) await sendQueueMessages(env, [{ queue: "EVENTS", body: { companyId: identity.companyId } }]);
    await reportTroubles(storage, env, machineId);
  } catch (error) {
    storage.transaction(() => failFlush(storage));
    console.error(JSON.stringify({ event: "flush_failed", machineId, error: String(error) }));
    return null;
  }
  storage.transaction(() => {
    endFlush(storage, flush.urgencies);
    saveSentState(storage, {
      configVersion,
      isHeard: sentState(storage).isHeard || isHeardNew,
      ...(recalculated !== undefined && { recalculated }),
    });
    saveSent(storage, asked);
  });
  return db.bookmark();
}

/** The databases that were full when they last answered. */
const wasFull = new WeakSet<D1Database>();

/**
 * Throws if the database is full, so that the rows stay in the outbox. That it was nearly so is known from its last answer in this isolate; only then
 * is it asked.
 */
async function refuseIfKnownFull(env: Env): Promise<void> {
  if (!wasFull.has(env.DB_0)) return;
  const db = companyDb(env);
  await askSize(db);
  if (isFull(db)) throw databaseFull();
  wasFull.delete(env.DB_0);
}

function parkRow(storage: MachineStorage, machineId: number, row: ProjectionRow, error: string, now: number): void {
  storage.transaction(() => park(storage, row, error, now));
  const { kind, key } = row;
  console.error(JSON.stringify({ event: "row_parked", machineId, kind, key, error }));
}

/** Reports the numbers of parked rows and of rows that cannot be read to the health object, if they have changed. */
async function reportTroubles(storage: MachineStorage, env: Env, machineId: number): Promise<void> {
  const [parkedRows, unreadableRows] = [storage.countParked(), storage.unreadable.count];
  const known = sentState(storage);
  const health = healthObject(env);
  if (parkedRows !== known.parkedRows) {
    await within(OBJECT_MS, "the health object", health.noteParked(machineId, parkedRows));
    saveSentState(storage, { parkedRows });
  }
  if (unreadableRows !== (known.unreadableRows ?? 0)) {
    await within(OBJECT_MS, "the health object", health.noteUnreadable(machineId, unreadableRows));
    saveSentState(storage, { unreadableRows });
  }
}
