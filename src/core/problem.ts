import type { FaultCode } from "./fault-codes.ts";

/** The statuses of the API's refusals. */
export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 412 | 413 | 415 | 429 | 500 | 503;

/** One fault of the input: JSON pointer into the body (or `/query/…`, `/path/…`, `/header/…`), code, sentence. */
export interface Fault {
  pointer: string;
  code: FaultCode;
  message: string;
}

interface ProblemExtras {
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
  /** Additional members of the answer's body. */
  members?: Readonly<Record<string, unknown>>;
}

/** A refusal. Thrown anywhere below an operation, it becomes an `application/problem+json` answer. */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly detail: string;
  readonly extras: ProblemExtras;

  constructor(status: ProblemStatus, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.detail = detail;
    this.extras = extras;
  }
}

/** A refusal with its faults, each named by pointer. */
export function refusal(status: ProblemStatus, errors: readonly Fault[], headers?: Readonly<Record<string, string>>): Problem {
  const [first] = errors;
  const detail = errors.length === 1 ? `${first?.pointer || "body"}: ${first?.message}` : `${errors.length} faults, see errors.`;
  return new Problem(status, detail, { errors, ...(headers && { headers }) });
}

/** An error whose faults are replaced, if it is a Problem with faults; any other error as it is. */
export function withFaults(error: unknown, replaced: (fault: Fault) => Fault): unknown {
  if (!(error instanceof Problem) || !error.extras.errors) return error;
  return new Problem(error.status, error.detail, { ...error.extras, errors: error.extras.errors.map(replaced) });
}

/** 400 with its faults. */
export function invalid(errors: readonly Fault[]): Problem {
  return refusal(400, errors);
}

/** 401; `members` go into the answer's body. */
export function unauthenticated(detail: string, members?: Readonly<Record<string, unknown>>): Problem {
  return new Problem(401, detail, { headers: { "www-authenticate": 'Bearer realm="andon"' }, ...(members && { members }) });
}

/** 403. */
export function forbidden(detail: string): Problem {
  return new Problem(403, detail);
}

/** 404: the object does not exist or belongs to another company. */
export function notFound(detail: string): Problem {
  return new Problem(404, detail);
}

/** 409; `errors` names the members in conflict. */
export function conflict(detail: string, errors?: readonly Fault[]): Problem {
  return new Problem(409, detail, errors && { errors });
}

/** 429 with Retry-After in whole seconds, at least 1. */
export function tooManyRequests(detail: string, retryAfterSeconds: number): Problem {
  return new Problem(429, detail, { headers: { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) } });
}

/** 503 with Retry-After in whole seconds. */
export function unavailable(detail: string, retryAfterSeconds: number): Problem {
  return new Problem(503, detail, { headers: { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) } });
}
