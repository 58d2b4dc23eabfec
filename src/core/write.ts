import type { SQL } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { isStaleRead } from "../db/errors.ts";
import { expect } from "../db/expect.ts";
import { audit } from "../db/schema.ts";
import { type AuditEntry, auditedBy, auditRow } from "./audit.ts";
import type { Caller } from "./caller.ts";
import { conflictOf } from "./conflicts.ts";
import { keepFirstAnswer, refuseRepeated, selectFirstAnswer, wasAnsweredMeanwhile } from "./idempotency.ts";
import { conflict } from "./problem.ts";

export type { BatchResponse };

/** With three tries, five of ten reports on one order at once were refused. */
const MAX_TRIES = 10;
/** The longest pause before the second try; doubled with each further one. Random, so that two do not collide again. */
const PAUSE_MS = 10;
const MAX_PAUSE_MS = 1000;

type Statement = BatchItem<"sqlite">;
/** Statements that run in one trip, all or none. */
export type Batch = readonly [Statement, ...Statement[]];

/** What is to be written, and what is answered. A decision without `rows` and `audit` changes nothing. */
export interface Decision<T> {
  /** Conditions that were true when the decision was made. It is made again if one of them is false when it is committed. */
  expect?: readonly SQL[];
  rows?: readonly Statement[];
  audit?: AuditEntry | readonly AuditEntry[];
  /** Undefined: 204, without a body. */
  answer: T;
  /** What a repeat of the request is answered, where that is not `answer`: a secret is shown once. */
  keptAnswer?: unknown;
}

/** What came of a write: its answer, what each statement of `rows` returned, and the company of the audit entry (null: none, or nothing changed). */
export interface Written<T> {
  answer: T;
  results: readonly unknown[][];
  companyId: number | null;
}

/**
 * The one way in which people's changes are stored in D1: read, decide, commit. Two trips, or one when nothing changes.
 *
 * `read` gives the statements that read everything the decision depends on; they run as one batch. `decide` looks at their results, and
 * throws a Problem or gives a Decision. The rows, the audit entry and the answer to keep are committed as one batch, which fails as a
 * whole if an expectation does not hold any more. Then it is
 * read and decided again, after a pause.
 * @throws Problem of `decide`; 409 of a unique index (see `conflicts.ts`), or when others kept changing the same rows; Replay
 */
export async function write<Q extends Batch, T>(
  caller: Caller,
  read: (db: Caller["db"]) => Q,
  decide: (...results: BatchResponse<Q>) => Decision<T> | Promise<Decision<T>>,
): Promise<Written<T>> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    if (tries > 1) await scheduler.wait(Math.random() * Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** (tries - 2)));
    const results = await readAll(caller, read(caller.db));
    const written = await commit(caller, await decide(...results));
    if (written) return written;
  }
  throw conflict("Others are changing this at the same time. Try again.");
}

async function readAll<Q extends Batch>({ db, request }: Caller, queries: Q): Promise<BatchResponse<Q>> {
  if (!request) return (await db.batch(queries)) as BatchResponse<Q>;
  const [first, ...results] = await db.batch([selectFirstAnswer(db, request), ...queries]);
  refuseRepeated(request, first);
  return results as BatchResponse<Q>;
}

/** Stores a decision; null when an expectation of it did not hold. */
async function commit<T>({ db, actor, requestId, request }: Caller, decision: Decision<T>): Promise<Written<T> | null> {
  const { expect: conditions = [], rows = [], answer, keptAnswer = answer } = decision;
  const by = auditedBy(actor, requestId);
  const audited = [decision.audit ?? []].flat();
  const entries = audited.map((entry) => db.insert(audit).values(auditRow(by, entry)));
  const kept = request ? keepFirstAnswer(db, request, keptAnswer) : [];
  const guard = conditions.length > 0 && rows.length + entries.length > 0 ? [expect(db, conditions)] : [];
  const [first, ...others] = [...guard, ...rows, ...entries, ...kept];
  if (!first) return { answer, results: [], companyId: null };
  try {
    const results: readonly unknown[] = await db.batch([first, ...others]);
    const ofRows = results.slice(guard.length, guard.length + rows.length) as unknown[][];
    return { answer, results: ofRows, companyId: audited[0]?.companyId ?? null };
  } catch (error) {
    if (isStaleRead(error) || wasAnsweredMeanwhile(error)) return null;
    throw conflictOf(error) ?? error;
  }
}
