import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { ConfigError } from "../core/config.ts";
import { databaseFull } from "../core/database-size.ts";
import { Replay } from "../core/idempotency.ts";
import { invalid, Problem, unavailable } from "../core/problem.ts";
import { isFullDatabase, rootOf } from "../db/errors.ts";
import { StorageBusy } from "../limits/load.ts";
import { isOutOfReach } from "../objects/names.ts";
import type { HonoEnv } from "./env.ts";
import { replayResponse } from "./idempotency.ts";
import { problemResponse } from "./problem.ts";
import { logError } from "./request-log.ts";
import { refusedSocket } from "./socket.ts";

/** Turns an error thrown by an operation into the caller's answer. */
export function onError(thrown: Error, c: Context<HonoEnv>): Response {
  if (thrown instanceof Replay) return replayResponse(c, thrown);
  if (thrown instanceof Problem) return refusedSocket(c, thrown) ?? problemResponse(c, thrown);
  if (thrown instanceof HTTPException) return problemResponse(c, problemOfException(c, thrown));
  const error = rootOf(thrown);
  logError(c, error);
  if (error instanceof ConfigError) return problemResponse(c, unavailable("The service is not configured correctly.", 60));
  if (isFullDatabase(error)) return problemResponse(c, databaseFull());
  if (isOutOfReach(error)) return problemResponse(c, unavailable(error.message, 600));
  if (isPassing(error)) return problemResponse(c, unavailable("Storage does not answer, or is overloaded. Try again.", 2));
  return problemResponse(c, new Problem(500, "Something went wrong on our side. The request id names it in our log."));
}

function problemOfException(c: Context<HonoEnv>, { status, message }: HTTPException): Problem {
  if (status === 415) {
    const type = c.req.header("content-type") ?? "a body without a content-type";
    return new Problem(
      415,
      `This operation does not accept ${type}. Most accept application/json, uploads multipart/form-data: see /docs.`,
    );
  }
  const isForm = message.includes("FormData");
  return invalid([
    {
      pointer: "",
      code: isForm ? "malformed_form" : "malformed_json",
      message: isForm ? "must be a form" : "must be valid JSON",
    },
  ]);
}

// Parts of the platform's messages about temporary failures. Errors of a Durable Object arrive as plain errors, with nothing but their message.
const passing = [
  "overloaded",
  "too many requests queued",
  "did not answer within",
  "network connection lost",
  "object to be reset",
  "code was updated",
  "transient issue",
  "exceeded timeout",
  // Only locally: a script such as `npm run admin` is writing to the same database.
  "database is locked",
];

function isPassing(error: Error & { overloaded?: boolean; retryable?: boolean }): boolean {
  if (error instanceof StorageBusy || error.overloaded === true || error.retryable === true) return true;
  const message = error.message.toLowerCase();
  return passing.some((text) => message.includes(text));
}
