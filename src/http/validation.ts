import type { Hook, RouteConfig } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler, ValidationTargets } from "hono";
import { invalid } from "../core/problem.ts";
import type { HonoEnv } from "./env.ts";
import { faultsOf, prefixes, unknownMember } from "./faults.ts";
import { unknownMembers } from "./members.ts";

// What holds for the validation of every operation, by its contract alone: nothing that a caller sends is dropped silently.

type ValidationHook = Hook<unknown, HonoEnv, string, Promise<void>>;
type Part = "json" | "form" | "query";

const maxFaults = 100;
const maxHeaderLength = 1000;

/**
 * Refuses what does not fit a contract's schemas (400). Members that they do not know are refused too, with the code
 * `unknown_member`; the operations of the first contract take and ignore them, as ever, and name them in `x-ignored-members`.
 */
export function validationOf(route: RouteConfig): ValidationHook {
  const schemas = partsOf(route);
  const ignores = ignoresMembers(route.path);
  return async (result, c) => {
    const faults = result.success ? [] : faultsOf(result.error.issues, result.target);
    if (lacksBody(result.target, c)) throw invalid([{ pointer: "", code: "required", message: "a JSON body is required" }]);
    const schema = schemas[result.target as Part];
    const unknown = unknownMembers(schema, schema && (await sentAs(result.target as Part, c))).map(
      (pointer) => prefixes[result.target] + pointer,
    );
    if (ignores) ignoreMembers(c, unknown);
    else faults.push(...unknown.slice(0, maxFaults).map(unknownMember));
    if (!result.success || faults.length > 0) throw invalid(faults);
  };
}

/** The header of an answer whose request may hold members that are ignored. */
export const ignoredMembersHeader = z.object({
  "x-ignored-members": z.string().optional().openapi({ description: "JSON pointers of the members that were ignored" }),
});

/** Whether the operations at a path ignore members that they do not know: those of the first contract, which always did. */
export function ignoresMembers(path: string): boolean {
  return !path.startsWith("/v1/") || path.startsWith("/v1/public/");
}

/** Notes members that the request is done without, for the answer to name them. */
export function ignoreMembers(c: Context, pointers: readonly string[]): void {
  const context = c as Context<HonoEnv>;
  if (pointers.length > 0) context.set("ignoredMembers", [...(context.get("ignoredMembers") ?? []), ...pointers]);
}

/** The value of `x-ignored-members`: pointers with what is no plain letter percent-encoded, as many as fit, and how many more there are. */
export function ignoredMembersText(pointers: readonly string[]): string {
  const listed: string[] = [];
  let length = 0;
  for (const pointer of pointers) {
    const text = pointer.toWellFormed().split("/").map(encodeURIComponent).join("/");
    length += text.length + 2;
    if (length > maxHeaderLength) break;
    listed.push(text);
  }
  const left = pointers.length - listed.length;
  return [...listed, ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
}

/** Refuses an `If-Match` that an operation does not look at: who sends one wants nothing done when it does not hold. Null: it does look. */
export function refuseIfMatch({ request }: RouteConfig): MiddlewareHandler<HonoEnv> | null {
  const headers = request?.headers as { shape?: object } | undefined;
  if (headers?.shape && "if-match" in headers.shape) return null;
  return async (c, next) => {
    if (c.req.header("if-match") === undefined) return await next();
    const message = "is not supported here: only operations on what has an ETag take it";
    throw invalid([{ pointer: "/header/if-match", code: "not_supported", message }]);
  };
}

/** The schemas of the parts of a request in which unknown members matter: all bodies, and the queries of what writes. */
function partsOf({ method, request }: RouteConfig): Partial<Record<Part, z.ZodType>> {
  const parts: Partial<Record<Part, z.ZodType>> = {};
  const { "application/json": json, "multipart/form-data": form } = request?.body?.content ?? {};
  if (json && "schema" in json && json.schema instanceof z.ZodType) parts.json = json.schema;
  if (form && "schema" in form && form.schema instanceof z.ZodType) parts.form = form.schema;
  if (method !== "get" && request?.query instanceof z.ZodType) parts.query = request.query;
  return parts;
}

/** A part of the request as it was sent: of what passed the validation zod gives the known members alone. */
async function sentAs(part: Part, c: Context): Promise<unknown> {
  if (part === "json") return await c.req.json();
  if (part === "form" && c.req.header("content-type") === undefined) return {};
  return part === "query" ? c.req.query() : Object.fromEntries((await c.req.formData()).entries());
}

/** A body needs a content type, so without one there was no body, and the validator was handed an empty object. */
function lacksBody(target: keyof ValidationTargets, c: Context): boolean {
  return target === "json" && c.req.header("content-type") === undefined;
}
