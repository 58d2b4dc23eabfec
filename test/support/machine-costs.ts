import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { machineObject } from "./machine-object.ts";
import { changed } from "./service.ts";

/** Rows of the object's own database; each value and each setting of an alarm also counts as one. */
export interface StorageCost {
  rowsRead: number;
  rowsWritten: number;
}

/** The calls to a storage, in order. */
interface Done {
  storage: unknown;
  cost: () => StorageCost;
}

/** Returns what a machine's object does to its storage during `work`, including an object that is evicted meanwhile. */
export async function storageCost(machineId: number, work: () => Promise<unknown>): Promise<StorageCost> {
  const own = () => runInDurableObject(machineObject(env, machineId), (_, { storage }) => storage);
  const watched = watch(await own());
  try {
    await work();
  } finally {
    watched.end();
  }
  return watched.costOf(await own());
}

/** Returns what `work` does to a storage. */
export function storageCostOf(storage: DurableObjectStorage, work: () => void): StorageCost {
  const watched = watch(storage);
  try {
    work();
  } finally {
    watched.end();
  }
  return watched.costOf(storage);
}

/** Watches all storages of the isolate. */
function watch(any: DurableObjectStorage) {
  const done: Done[] = [];
  const row = (rowsRead: number, rowsWritten: number) => () => ({ rowsRead, rowsWritten });
  const ends = [
    wrap(any.sql, "exec", (storage, cursor: SqlStorageCursor<Record<string, SqlStorageValue>>) =>
      done.push({ storage, cost: () => cursor }),
    ),
    wrap(any.kv, "get", (storage) => done.push({ storage, cost: row(1, 0) })),
    wrap(any.kv, "put", (storage) => done.push({ storage, cost: row(0, 1) })),
    wrap(any.kv, "delete", (storage) => done.push({ storage, cost: row(0, 1) })),
    wrap(any, "setAlarm", (storage) => done.push({ storage, cost: row(0, 1) })),
  ];
  return {
    end: () => {
      for (const end of ends) end();
    },
    costOf: (storage: DurableObjectStorage): StorageCost => {
      const own = new Set<unknown>([storage, storage.sql, storage.kv]);
      const costs = done.flatMap((one) => (own.has(one.storage) ? [one.cost()] : []));
      return {
        rowsRead: costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
        rowsWritten: costs.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
      };
    },
  };
}

/** Makes a method of all objects of a class report its calls, until the returned function is called. */
function wrap<Result>(any: object, name: string, tell: (self: unknown, result: Result) => void): () => void {
  const prototype = Object.getPrototypeOf(any) as Record<string, (...given: unknown[]) => Result>;
  const method = prototype[name] as (...given: unknown[]) => Result;
  prototype[name] = function (this: unknown, ...given: unknown[]) {
    const result = method.apply(this, given);
    tell(this, result);
    return result;
  };
  return () => {
    prototype[name] = method;
  };
}

/** A machine object's calls to D1: its sessions, its batches, and how many rows these wrote, including rows of triggers. */
export interface DatabaseCalls {
  sessions: number;
  batches: number;
  /** Statements that were sent alone. */
  singles: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Runs the machine's alarm once and returns its calls to D1. */
export async function alarmCalls(machineId: number): Promise<DatabaseCalls> {
  const calls = { sessions: 0, batches: 0, singles: 0, rowsRead: 0, rowsWritten: 0 };
  await runInDurableObject(machineObject(env, machineId), async (object, { storage }) => {
    const inner = object as unknown as { env: Env };
    const real = inner.env;
    const withSession = (...start: [string?]) => {
      calls.sessions += 1;
      const session = real.DB_0.withSession(...start);
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
    inner.env = { ...real, DB_0: changed(real.DB_0, { withSession }) };
    // As on the platform: an alarm that fires is no longer set.
    await storage.deleteAlarm();
    try {
      await object.alarm();
    } finally {
      inner.env = real;
    }
  });
  return calls;
}
