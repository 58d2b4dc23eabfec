import { DrizzleD1Database } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { STORAGE_MS, within } from "../limits/load.ts";
import { NamedColumns } from "./named-columns.ts";

/** The cost of the queries of a session so far. */
interface DbUsage {
  trips: number;
  durationMs: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Drizzle on one D1 session, with its usage and the bookmark of its last query (before the first: the one it started at). */
export type Db = DrizzleD1Database & { readonly usage: Readonly<DbUsage>; bookmark(): string | null };

/** The start of a session: any replica, the primary, or a state not older than a bookmark. */
export type SessionStart = "first-unconstrained" | "first-primary" | { bookmark: string };

/**
 * Opens a session of the database, which never reads an older state than it has read before. All access to D1 goes through this. A query that
 * is not answered in time throws StorageBusy.
 */
export function openDb(env: Env, start: SessionStart = "first-unconstrained"): Db {
  const bookmark = typeof start === "object" ? start.bookmark : null;
  const session = env.DB.withSession(typeof start === "object" ? start.bookmark : start);
  const usage: DbUsage = { trips: 0, durationMs: 0, rowsRead: 0, rowsWritten: 0 };
  const queries = new NamedColumns(asDatabase(metered(session, usage)), dialect, undefined);
  const db = new DrizzleD1Database("async", dialect, queries, undefined);
  return Object.assign(db, { usage, bookmark: () => session.getBookmark() ?? bookmark });
}

/** Opens a session with another start that continues the usage of an existing one. */
export function continueDb(env: Env, { usage }: Db, start: SessionStart): Db {
  const db = openDb(env, start);
  Object.assign(db.usage, usage);
  return db;
}

const dialect = new SQLiteAsyncDialect();

type MeteredStatement = Pick<D1PreparedStatement, "all" | "run"> & {
  inner: D1PreparedStatement;
  bind(...values: unknown[]): MeteredStatement;
  raw(): Promise<unknown[][]>;
};

interface MeteredSession {
  prepare(query: string): MeteredStatement;
  batch(statements: MeteredStatement[]): Promise<D1Result[]>;
}

// Drizzle takes a D1Database, but only uses `prepare` and `batch`, which a session has too.
function asDatabase(session: MeteredSession): D1Database {
  return session as unknown as D1Database;
}

function metered(session: D1DatabaseSession, usage: DbUsage): MeteredSession {
  const count = async <T extends D1Result | D1Result[]>(answer: Promise<T>): Promise<T> => {
    const startedAt = Date.now();
    usage.trips += 1;
    try {
      const result = await within(STORAGE_MS, "the database", answer);
      for (const one of [result].flat()) {
        usage.rowsRead += one.meta?.rows_read ?? 0;
        usage.rowsWritten += one.meta?.rows_written ?? 0;
      }
      return result;
    } finally {
      usage.durationMs += Date.now() - startedAt;
    }
  };
  const statement = (inner: D1PreparedStatement): MeteredStatement => ({
    inner,
    bind: (...values) => statement(inner.bind(...values)),
    all: () => count(inner.all()),
    run: () => count(inner.run()),
    raw: async () => (await count(inner.all<Record<string, unknown>>())).results.map(Object.values),
  });
  return {
    prepare: (query) => statement(session.prepare(query)),
    batch: (statements) => count(session.batch(statements.map((one) => one.inner))),
  };
}
