import { DrizzleD1Database } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { type Budget, budgetOf } from "../limits/budget.ts";
import { STORAGE_MS, within } from "../limits/load.ts";
import { NamedColumns } from "./named-columns.ts";
import type { Jurisdiction } from "./values.ts";

/** The cost of the queries of a session so far, or of all sessions of a request. */
export interface DbUsage {
  trips: number;
  durationMs: number;
  rowsRead: number;
  rowsWritten: number;
}

/**
 * What a session has besides queries: its usage, the bookmark of its last query (before the first: the one it started at), and the share of the size
 * limit that its database has reached as of its last answer (before the first: 0).
 */
interface Session {
  readonly usage: DbUsage;
  bookmark(): string | null;
  filled(): number;
}

/** The number of the database that has the data of companies. There is one. */
export const COMPANIES_DATABASE = 0;

/** The jurisdiction of that database, which it was created with; null: none. Its companies have the same one. */
export function jurisdictionOf(env: Env): Jurisdiction | null {
  return (env.DB_0_JURISDICTION || null) as Jurisdiction | null;
}

/** A session of the database that has the data of companies, with its number and jurisdiction. */
export type CompanyDb = DrizzleD1Database &
  Session & { readonly has: "companies"; readonly number: number; readonly jurisdiction: Jurisdiction | null };
/**
 * A session of the directory: the database that has what is known before the company is, or holds for all companies (sign-in attempts, pairing
 * codes, grants, dead letters). Its tables are in schema/directory.ts, its statements in src/directory/.
 */
export type DirectoryDb = DrizzleD1Database & Session & { readonly has: "directory" };
/** A session of either, for statements on tables that both have. */
export type AnyDb = DrizzleD1Database & Session & { readonly has: "companies" | "directory" };

/** The start of a session: any replica, the primary, or a state not older than a bookmark. */
export type SessionStart = "first-unconstrained" | "first-primary" | { bookmark: string };

// All access to D1 goes through the two functions below. By default both databases are one; in the tests of the Worker they are two, so that a
// statement in the wrong one fails.

/**
 * Opens a session of the companies' database, which never reads an older state than it has read before. A query that is not answered in time
 * throws StorageBusy.
 * @param usage that of an earlier session, if this one continues it
 */
export function companyDb(env: Env, start: SessionStart = "first-unconstrained", usage?: DbUsage): CompanyDb {
  const about = { has: "companies" as const, number: COMPANIES_DATABASE, jurisdiction: jurisdictionOf(env) };
  return Object.assign(open(env, env.DB_0, start, usage), about);
}

/** Opens a session of the directory. It starts at the primary: the directory is read rarely, and a grant or a code that was just changed counts. */
export function directoryDb(env: Env, usage?: DbUsage): DirectoryDb {
  return Object.assign(open(env, env.DIRECTORY, "first-primary", usage), { has: "directory" as const });
}

function open(env: Env, database: D1Database, start: SessionStart, usage = newDbUsage()): DrizzleD1Database & Session {
  const bookmark = typeof start === "object" ? start.bookmark : null;
  const session = database.withSession(typeof start === "object" ? start.bookmark : start);
  const size = { bytes: 0 };
  const queries = new NamedColumns(asDatabase(metered(session, { usage, size, budget: budgetOf(env) })), dialect, undefined);
  const db = new DrizzleD1Database("async", dialect, queries, undefined);
  const limit = Number(env.DATABASE_LIMIT_BYTES);
  return Object.assign(db, {
    usage,
    bookmark: () => session.getBookmark() ?? bookmark,
    filled: () => size.bytes / limit,
  });
}

/** The usage of a session that has made no query. */
export function newDbUsage(): DbUsage {
  return { trips: 0, durationMs: 0, rowsRead: 0, rowsWritten: 0 };
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

interface Meters {
  usage: DbUsage;
  /** The size of the database as of its last answer. */
  size: { bytes: number };
  budget: Budget | undefined;
}

function metered(session: D1DatabaseSession, { usage, size, budget }: Meters): MeteredSession {
  const count = async <T extends D1Result | D1Result[]>(answer: Promise<T>, statements = 1): Promise<T> => {
    const startedAt = Date.now();
    usage.trips += 1;
    if (budget) budget.statements += statements;
    try {
      const result = await within(STORAGE_MS, "the database", answer);
      for (const one of [result].flat()) {
        usage.rowsRead += one.meta?.rows_read ?? 0;
        usage.rowsWritten += one.meta?.rows_written ?? 0;
        size.bytes = one.meta?.size_after ?? size.bytes;
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
    batch: (statements) => count(session.batch(statements.map((one) => one.inner)), statements.length),
  };
}
