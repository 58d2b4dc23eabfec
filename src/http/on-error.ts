import type { Hook } from "@hono/zod-openapi";
import { DrizzleQueryError } from "drizzle-orm";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { HonoEnv } from "./env.ts";
import { faultsOf } from "./faults.ts";
import { invalid, Problem, problemResponse, unavailable } from "./problem.ts";
import { logError } from "./request-log.ts";

/** Turns whatever an operation threw into the caller's answer. */
export function onError(thrown: Error, c: Context<HonoEnv>): Response {
  if (thrown instanceof Problem) return problemResponse(c, thrown);
  if (thrown instanceof HTTPException) return problemResponse(c, problemOfException(c, thrown));
  // The message of a DrizzleQueryError holds the SQL and every parameter; its cause says what went wrong.
  const error = thrown instanceof DrizzleQueryError ? (thrown.cause ?? new Error("query failed")) : thrown;
  logError(c, error);
  if (isOverloaded(error)) return problemResponse(c, unavailable("Storage has more to do than it can. Try again.", 2));
  return problemResponse(c, new Problem(500, "Something went wrong on our side. The request id names it in our log."));
}

/** Refuses what does not fit the contract's schemas. */
export const refuseInvalid: Hook<unknown, HonoEnv, string, void> = (result, c) => {
  // A body needs a content type, so without one there was no body, and the validator was handed an empty object.
  if (result.target === "json" && c.req.header("content-type") === undefined) {
    throw invalid([{ pointer: "", code: "required", message: "a JSON body is required" }]);
  }
  if (!result.success) throw invalid(faultsOf(result.error.issues, result.target));
};

function problemOfException(c: Context<HonoEnv>, { status, message }: HTTPException): Problem {
  if (status === 415)
    return new Problem(415, `This operation does not take ${c.req.header("content-type") ?? "a body without content type"}.`);
  const isForm = message.includes("FormData");
  return invalid([
    { pointer: "", code: isForm ? "malformed_form" : "malformed_json", message: isForm ? "is not a form" : "is not JSON" },
  ]);
}

function isOverloaded(error: Error & { overloaded?: boolean }): boolean {
  return error.overloaded === true || /overloaded|too many requests queued/i.test(error.message);
}
