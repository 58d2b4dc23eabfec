import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** The disk did not take it: it is full, cannot be written, or the file is damaged. Whoever asked keeps what it has, and tries again. */
export class StorageError extends Error {}

const tables = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lanes (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, machine TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (source, machine, kind)
  ) STRICT;
  -- Clustered by lane, so that the oldest of each lane are found at once. offset_ms: what was added to the time when it was sent first; null: not sent.
  CREATE TABLE IF NOT EXISTS events (
    lane INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, since INTEGER, by_bridge INTEGER NOT NULL, offset_ms INTEGER,
    content ANY, PRIMARY KEY (lane, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS signals (source TEXT NOT NULL, signal TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (source, signal)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS cursors (source TEXT PRIMARY KEY, cursor TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- An event that Andon refused, or a value that makes none: then the members of the event may be null.
  CREATE TABLE IF NOT EXISTS quarantine (
    seq INTEGER PRIMARY KEY, lane INTEGER NOT NULL, at INTEGER NOT NULL, since INTEGER, by_bridge INTEGER NOT NULL, offset_ms INTEGER,
    content ANY, is_event INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS drops (
    machine TEXT PRIMARY KEY, events INTEGER NOT NULL, from_at INTEGER NOT NULL, to_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** SQLite's codes for a file that is damaged, or is no database. */
const damaged = new Set([11, 26]);

/**
 * Opens the queue's file, or makes it. A damaged file is put aside, and a new one is made.
 * @throws StorageError if there can be none: the folder cannot be written, or the disk is full
 */
export function openDatabase(folder: string, log: (message: string) => void): DatabaseSync {
  const path = `${folder}/queue.db`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      return opened(path);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      putAside(path, (error as Error).message, log);
      return opened(path);
    }
  } catch (error) {
    throw new StorageError(`the queue ${path} cannot be written: ${(error as Error).message}`);
  }
}

function opened(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    const [check] = database.prepare("PRAGMA quick_check(1)").all() as [{ quick_check: string }];
    if (check.quick_check !== "ok") throw Object.assign(new Error(check.quick_check), { errcode: 11 });
    database.exec(tables);
    // Not guessed again after a new file: Andon would take new events for old ones.
    database.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES ('id', ?)").run(randomBytes(5).toString("hex"));
    // A folder that cannot be written is noticed now, and not when the first event comes.
    database.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('opened', datetime('now'))");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function isDamaged(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && damaged.has(errcode & 0xff);
}

/** Renames a damaged file, so that a new one can be made and people can look at the old one. */
function putAside(path: string, why: string, log: (message: string) => void): void {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(":", "-")}`;
  for (const end of ["", "-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, aside + end);
  log(`The queue ${path} is damaged (${why}). It is kept as ${aside}, and a new one is made: what waited in it was not sent.`);
}
