import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

/** What the queries of one session cost so far. Rows are known for `all`, `run` and `batch`, not for `raw` and `first`. */
export interface DbUsage {
  trips: number;
  durationMs: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Drizzle on one D1 session, with its usage and the bookmark of its last query (before the first: the one it began at). */
export type Db = DrizzleD1Database & { readonly usage: Readonly<DbUsage>; bookmark(): string | null };

/**
 * The one door to a database. Takes the company whose data is wanted (none: the shared tables) and the bookmark that a
 * caller read or wrote at, and gives a session that never reads anything older.
 */
export function openDb(env: Env, _companyId?: number, bookmark?: string): Db {
  const session = env.DB.withSession(bookmark ?? "first-unconstrained");
  const usage: DbUsage = { trips: 0, durationMs: 0, rowsRead: 0, rowsWritten: 0 };
  const latestBookmark = () => session.getBookmark() ?? bookmark ?? null;
  return Object.assign(drizzle(asDatabase(metered(session, usage))), { usage, bookmark: latestBookmark });
}

/** A session that goes on with the usage of another one, and reads nothing older than a bookmark. */
export function continueDb(env: Env, { usage }: Db, companyId: number, bookmark: string): Db {
  const db = openDb(env, companyId, bookmark);
  Object.assign(db.usage, usage);
  return db;
}

type MeteredStatement = Pick<D1PreparedStatement, "all" | "run" | "raw" | "first"> & {
  inner: D1PreparedStatement;
  bind(...values: unknown[]): MeteredStatement;
};

interface MeteredSession {
  prepare(query: string): MeteredStatement;
  batch(statements: MeteredStatement[]): Promise<D1Result[]>;
}

// Drizzle asks for a D1Database and uses its `prepare` and `batch` alone, which is what a session has.
function asDatabase(session: MeteredSession): D1Database {
  return session as unknown as D1Database;
}

function metered(session: D1DatabaseSession, usage: DbUsage): MeteredSession {
  const count = async <T>(answer: Promise<T>): Promise<T> => {
    const startedAt = Date.now();
    usage.trips += 1;
    try {
      const result = await answer;
      for (const one of Array.isArray(result) ? result : [result]) {
        usage.rowsRead += one?.meta?.rows_read ?? 0;
        usage.rowsWritten += one?.meta?.rows_written ?? 0;
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
    raw: ((...options: []) => count(inner.raw(...options))) as D1PreparedStatement["raw"],
    first: ((...column: []) => count(inner.first(...column))) as D1PreparedStatement["first"],
  });
  return {
    prepare: (query) => statement(session.prepare(query)),
    batch: (statements) => count(session.batch(statements.map((one) => one.inner))),
  };
}
