import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { machineObject } from "../../src/machine/stub.ts";
import { changed } from "./service.ts";

/** Rows of the object's own database. */
export interface StorageCost {
  rowsRead: number;
  rowsWritten: number;
}

/** What the statements of a machine's object cost while `work` was done, also of one that was evicted meanwhile. */
export async function storageCost(machineId: number, work: () => Promise<unknown>): Promise<StorageCost> {
  const storageOf = () => runInDurableObject(machineObject(env, machineId), (_, { storage }) => storage.sql);
  const prototype = Object.getPrototypeOf(await storageOf()) as SqlStorage;
  const { exec } = prototype;
  const done: { sql: SqlStorage; cursor: SqlStorageCursor<Record<string, SqlStorageValue>> }[] = [];
  prototype.exec = function (this: SqlStorage, ...given: Parameters<typeof exec>) {
    const cursor = exec.apply(this, given);
    done.push({ sql: this, cursor });
    return cursor;
  } as typeof exec;
  try {
    await work();
  } finally {
    prototype.exec = exec;
  }
  const own = await storageOf();
  const cursors = done.flatMap(({ sql, cursor }) => (sql === own ? [cursor] : []));
  return {
    rowsRead: cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0),
    rowsWritten: cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0),
  };
}

/** What a machine's object asks D1 for: its sessions, its batches, and how many rows these wrote, triggers' rows too. */
export interface DatabaseCalls {
  sessions: number;
  batches: number;
  /** Statements that were sent by themselves. */
  singles: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Runs the machine's alarm once and gives what it asked D1 for. */
export async function alarmCalls(machineId: number): Promise<DatabaseCalls> {
  const calls = { sessions: 0, batches: 0, singles: 0, rowsRead: 0, rowsWritten: 0 };
  await runInDurableObject(machineObject(env, machineId), async (object, { storage }) => {
    const inner = object as unknown as { env: Env };
    const real = inner.env;
    const withSession = (...start: [string?]) => {
      calls.sessions += 1;
      const session = real.DB.withSession(...start);
      const prepare = (query: string) => {
        calls.singles += 1;
        return session.prepare(query);
      };
      const batch = async (statements: D1PreparedStatement[]) => {
        calls.batches += 1;
        calls.singles -= statements.length;
        const results = await session.batch(statements);
        for (const { meta } of results) {
          calls.rowsRead += meta.rows_read;
          calls.rowsWritten += meta.rows_written;
        }
        return results;
      };
      return changed(session, { prepare, batch });
    };
    inner.env = { ...real, DB: changed(real.DB, { withSession }) };
    // As the platform does: what rings is not set any more.
    await storage.deleteAlarm();
    try {
      await object.alarm();
    } finally {
      inner.env = real;
    }
  });
  return calls;
}
