import { and, eq, lte } from "drizzle-orm";
import type { AnyDb } from "../db/client.ts";
import { violatedUnique } from "../db/errors.ts";
import { idempotencyKeys } from "../db/schema.ts";
import type { Caller, IdempotentRequest } from "./caller.ts";
import { conflict, Problem } from "./problem.ts";

/** How long the first answer to a request with an Idempotency-Key is kept. */
export const keptForMs = 24 * 60 * 60 * 1000;
/**
 * Of a longer answer, in characters of JSON, only the id is kept: that the request was carried out, and what it made. Once a company's kept
 * answers exceed its quota `kept-answers`, a trigger does not keep that either.
 */
const maxKeptLength = 16 * 1024;
/** The status of a row whose answer is not kept whole: callers get it, with a problem that says so. */
const NOT_KEPT = 409;

type StoredAnswer = Pick<typeof idempotencyKeys.$inferSelect, "requestHash" | "status" | "body" | "createdAt">;

/** Thrown if a request was answered before; the HTTP layer then sends the first answer again. */
export class Replay extends Error {
  readonly status: number;
  readonly body: string | null;

  constructor({ status, body }: Pick<StoredAnswer, "status" | "body">) {
    super("answered before");
    this.name = "Replay";
    this.status = status;
    this.body = body;
  }
}

/** The statement that reads the first answer to a request. */
export function selectFirstAnswer(db: AnyDb, request: IdempotentRequest) {
  const { requestHash, status, body, createdAt } = idempotencyKeys;
  return db.select({ requestHash, status, body, createdAt }).from(idempotencyKeys).where(isRequest(request));
}

/**
 * Throws if a request was answered before.
 * @throws Replay with the first answer; Problem 409 if the key was used with another body, or the answer was not kept
 */
export function refuseRepeated(request: IdempotentRequest, [first]: readonly StoredAnswer[]): void {
  if (!first || first.createdAt <= Date.now() - keptForMs) return;
  if (!isSameRequest(request, first.requestHash)) throw conflict("The Idempotency-Key was already used with another body.");
  if (first.status === NOT_KEPT) throw carriedOut(first.body);
  throw new Replay(first);
}

/** Whether the hash that was kept of a request with a key is that of this request. */
export function isSameRequest(
  { requestHash, earlierHashes = [] }: Pick<IdempotentRequest, "requestHash" | "earlierHashes">,
  kept: string,
) {
  return kept === requestHash || earlierHashes.includes(kept);
}

/** The 409 for a repeated request that was carried out before, but whose full answer was not stored. */
function carriedOut(body: string | null): Problem {
  const { id } = (body === null ? {} : JSON.parse(body)) as { id?: number | string };
  const why = `it is longer than ${maxKeptLength} characters, or the company's kept answers exceed their quota`;
  const which = id === undefined ? "what it made or changed" : `the object with the id ${id}`;
  return new Problem(
    NOT_KEPT,
    `This request was carried out before, with the same Idempotency-Key. Its answer was not kept (${why}): read ${which} instead.`,
    { headers: { "idempotent-replayed": "true" } },
  );
}

/**
 * The statements that store the answer to a request: 204 for undefined, otherwise 200 with JSON, or 409 with the id alone if it is too long.
 * They fail if one exists already.
 */
export function keepFirstAnswer(db: AnyDb, request: IdempotentRequest, answer: unknown) {
  const { requestHash, userId, operation, key } = request;
  const now = Date.now();
  const body = answer === undefined ? null : JSON.stringify(answer);
  const isTooLong = body !== null && body.length > maxKeptLength;
  const kept = isTooLong ? { status: NOT_KEPT, body: idOf(answer) } : { status: body === null ? 204 : 200, body };
  return [
    db.delete(idempotencyKeys).where(and(isRequest(request), lte(idempotencyKeys.createdAt, now - keptForMs))),
    db.insert(idempotencyKeys).values({ userId, operation, key, requestHash, ...kept, createdAt: now }),
  ] as const;
}

/** JSON with the id in an answer; null: it has none. */
function idOf(answer: unknown): string | null {
  const { id } = Object(answer) as { id?: unknown };
  return typeof id === "string" || typeof id === "number" ? JSON.stringify({ id }) : null;
}

/** True if a batch failed because the request has been answered in the meantime. */
export function wasAnsweredMeanwhile(error: unknown): boolean {
  return violatedUnique(error)?.startsWith("idempotency_keys.") ?? false;
}

/**
 * Does work that is not a batch of D1, such as an edit in a machine's object, once per Idempotency-Key. The object itself has to
 * recognize a repeat, because the answer is stored only after its work.
 * @throws Replay when the request was answered before
 */
export async function once<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  const { request } = caller;
  if (!request) return await work();
  refuseRepeated(request, await selectFirstAnswer(caller.db, request));
  const answer = await work();
  // The work may have replaced the caller's session.
  await caller.db.batch(keepFirstAnswer(caller.db, request, answer));
  return answer;
}

function isRequest({ userId, operation, key }: IdempotentRequest) {
  return and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.operation, operation), eq(idempotencyKeys.key, key));
}
