import type { SQL } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { AuditRow } from "../db/audit-row.ts";
import type { AnyDb, CompanyDb, DirectoryDb } from "../db/client.ts";
import { isStaleRead } from "../db/errors.ts";
import { expect } from "../db/expect.ts";
import { audit } from "../db/schema.ts";
import { findEntries, forgetEntries, insertEntries } from "../directory/audit-outbox.ts";
import { type AuditEntry, auditedBy, auditRow } from "./audit.ts";
import { storedEntry } from "./audit-entries.ts";
import { areBooksOpen, type ChangedPast, refuseClosedBooks } from "./books.ts";
import type { Caller } from "./caller.ts";
import { conflictOf } from "./conflicts.ts";
import { refuseIfFull } from "./database-size.ts";
import { keepFirstAnswer, refuseRepeated, selectFirstAnswer, wasAnsweredMeanwhile } from "./idempotency.ts";
import { conflict } from "./problem.ts";
import { overQuota } from "./quotas.ts";

export type { BatchResponse };

/** With three tries, five of ten reports on one order at once were refused. */
const MAX_TRIES = 10;
/** The longest pause before the second try; doubled with each further one. Random, so that two writes do not collide again. */
const PAUSE_MS = 10;
const MAX_PAUSE_MS = 1000;

type Statement = BatchItem<"sqlite">;
/** Statements that run in one trip, all or none. */
export type Batch = readonly [Statement, ...Statement[]];

/** The rows to write and the answer. A decision without `rows` and `audit` changes nothing. */
export interface Decision<T> {
  /** Conditions that were true when the decision was made. If one of them is false at commit, the decision is made again. */
  expect?: readonly SQL[];
  rows?: readonly Statement[];
  /** What it changes of the past: refused (409) where the books are closed, also if that happens while it is decided. */
  past?: ChangedPast | undefined;
  audit?: AuditEntry | readonly AuditEntry[];
  /** Undefined: 204, without a body. */
  answer: T;
  /** The answer to a repeat of the request if it differs from `answer`: a secret is shown only once. */
  keptAnswer?: unknown;
}

/** The result of a write: its answer, the result of each statement of `rows`, and the company of the audit entry (null: none, or no change). */
export interface Written<T> {
  answer: T;
  results: readonly unknown[][];
  companyId: number | null;
}

/** The part of a caller that a write needs. */
type Writer = Pick<Caller, "db" | "actor" | "requestId" | "request">;

/** A database to write to. */
interface Target<D extends AnyDb> {
  db(): D;
  /** The statements that store audit entries in it. */
  audited(db: D, rows: readonly AuditRow[]): Statement[];
}

/**
 * The only way in which people's changes are stored in D1: read, decide, commit. Two trips, or one if nothing changes.
 *
 * `read` returns the statements that read everything the decision depends on; they run as one batch. `decide` takes their results, and
 * throws a Problem or returns a Decision. The rows, the audit entry and the stored answer are committed as one batch, which fails as a
 * whole if an expectation is no longer true. Then it reads and decides again, after a pause.
 * @throws Problem of `decide`; 503 if the database is full; 409 for a unique index (see `conflicts.ts`), for a quota (see `quotas.ts`), or if others kept changing the same rows; Replay
 */
export async function write<Q extends Batch, T>(
  caller: Writer,
  read: (db: CompanyDb) => Q,
  decide: (...results: BatchResponse<Q>) => Decision<T> | Promise<Decision<T>>,
): Promise<Written<T>> {
  const audited = (db: CompanyDb, rows: readonly AuditRow[]) => rows.map((row) => db.insert(audit).values(storedEntry(row)));
  return await writeTo({ db: () => caller.db, audited }, caller, read, decide);
}

/**
 * The same for changes in the directory. The audit entries belong to a company, so they are in its database a moment later, at the latest
 * after the next sweep: the two databases have no common transaction.
 */
export async function writeDirectory<Q extends Batch, T>(
  caller: Writer & Pick<Caller, "directory">,
  read: (directory: DirectoryDb) => Q,
  decide: (...results: BatchResponse<Q>) => Decision<T> | Promise<Decision<T>>,
): Promise<Written<T>> {
  const written = await writeTo({ db: () => caller.directory, audited: insertEntries }, caller, read, decide);
  // If it fails, the next sweep does it.
  await moveAuditEntries(caller.directory, caller.db).catch(() => undefined);
  return written;
}

/** Moves the audit entries that wait in the directory to the companies' database. One trip if none waits. */
export async function moveAuditEntries(directory: DirectoryDb, db: CompanyDb): Promise<void> {
  const waiting = await findEntries(directory);
  const [first, ...others] = waiting.map(({ entry }) => db.insert(audit).values(storedEntry(entry)).onConflictDoNothing());
  if (!first) return;
  await db.batch([first, ...others]);
  await forgetEntries(
    directory,
    waiting.map(({ id }) => id),
  );
}

/** Decides as `write` does, with the same refusals, and stores nothing. */
export async function decideOnly<Q extends Batch, D extends Pick<Decision<unknown>, "past">>(
  { db }: Pick<Caller, "db">,
  read: (db: CompanyDb) => Q,
  decide: (...results: BatchResponse<Q>) => D | Promise<D>,
): Promise<D> {
  const results = await readAll(db, null, read(db));
  refuseIfFull(db);
  const decision = await decide(...results);
  if (decision.past) await refuseClosedBooks(db, decision.past);
  return decision;
}

async function writeTo<D extends AnyDb, Q extends Batch, T>(
  target: Target<D>,
  caller: Writer,
  read: (db: D) => Q,
  decide: (...results: BatchResponse<Q>) => Decision<T> | Promise<Decision<T>>,
): Promise<Written<T>> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    if (tries > 1) await scheduler.wait(Math.random() * Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** (tries - 2)));
    const db = target.db();
    const results = await readAll(db, caller.request, read(db));
    refuseIfFull(db);
    const written = await commit(target, caller, await decide(...results));
    if (written) return written;
  }
  throw conflict("Others are changing this at the same time. Try again.");
}

async function readAll<Q extends Batch>(db: AnyDb, request: Caller["request"], queries: Q): Promise<BatchResponse<Q>> {
  if (!request) return (await db.batch(queries)) as BatchResponse<Q>;
  const [first, ...results] = await db.batch([selectFirstAnswer(db, request), ...queries]);
  refuseRepeated(request, first);
  return results as BatchResponse<Q>;
}

/** Stores a decision. Returns null if one of its expectations was false. */
async function commit<D extends AnyDb, T>(target: Target<D>, caller: Writer, decision: Decision<T>): Promise<Written<T> | null> {
  const { actor, requestId, request } = caller;
  const db = target.db();
  const { expect: own = [], rows = [], past, answer, keptAnswer = answer } = decision;
  const conditions = past ? [...own, areBooksOpen(past)] : own;
  const by = auditedBy(actor, requestId);
  const audited = [decision.audit ?? []].flat();
  const entries = target.audited(
    db,
    audited.map((entry) => auditRow(by, entry)),
  );
  const kept = request ? keepFirstAnswer(db, request, keptAnswer) : [];
  const guard = conditions.length > 0 && rows.length + entries.length > 0 ? [expect(db, conditions)] : [];
  const [first, ...others] = [...guard, ...rows, ...entries, ...kept];
  if (!first) return { answer, results: [], companyId: null };
  try {
    const results: readonly unknown[] = await db.batch([first, ...others]);
    const ofRows = results.slice(guard.length, guard.length + rows.length) as unknown[][];
    return { answer, results: ofRows, companyId: audited[0]?.companyId ?? null };
  } catch (error) {
    if (isStaleRead(error) && past) await refuseClosedBooks(caller.db, past);
    if (isStaleRead(error) || wasAnsweredMeanwhile(error)) return null;
    throw conflictOf(error) ?? (await overQuota(caller.db, error, audited[0]?.companyId ?? actor.companyId)) ?? error;
  }
}
