import { type Hook, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler, ValidationTargets } from "hono";
import { invalid, type Problem } from "../core/problem.ts";
import { append } from "../oee/extremes.ts";
import type { HonoEnv } from "./env.ts";
import { faultsOf, prefixes, unknownMember } from "./faults.ts";
import { resolveMachineRefs } from "./machine-refs.ts";
import { unknownMembers } from "./members.ts";

// Validation of every operation by its contract. Nothing that a caller sends is dropped silently.

type ValidationHook = Hook<unknown, HonoEnv, string, Promise<void>>;
type Part = "json" | "form" | "query";

const maxFaults = 100;
const maxHeaderLength = 1000;

/**
 * Refuses requests that do not match a contract's schemas (400), and unknown members with the code `unknown_member`. The operations of the
 * original contract ignore unknown members and name them in `x-ignored-members`.
 */
export function validationOf(route: RouteConfig): ValidationHook {
  const schemas = partsOf(route);
  const ignores = ignoresMembers(route.path);
  return async (result, c) => {
    const faults = result.success ? [] : faultsOf(result.error.issues, result.target);
    if (lacksBody(result.target, c))
      throw invalid([
        { pointer: "", code: "required", message: "is required, as JSON with the header content-type: application/json" },
      ]);
    const schema = schemas[result.target as Part];
    const unknown = unknownMembers(schema, schema && (await sentAs(result.target as Part, c))).map(
      (pointer) => prefixes[result.target] + pointer,
    );
    if (ignores) ignoreMembers(c, unknown);
    else append(faults, unknown.slice(0, maxFaults).map(unknownMember));
    if (!result.success || faults.length > 0) throw invalid(faults);
    if (result.target === "query") await resolveMachineRefs(c, result.data as object);
  };
}

/** The header that names ignored members. */
export const ignoredMembersHeader = z.object({
  "x-ignored-members": z.string().optional().openapi({ description: "JSON pointers of the members that were ignored" }),
});

/** True if the operations at a path ignore unknown members, as those of the original contract do. */
export function ignoresMembers(path: string): boolean {
  return !path.startsWith("/v1/") || path.startsWith("/v1/public/");
}

/** Records ignored members for the answer. */
export function ignoreMembers(c: Context, pointers: readonly string[]): void {
  const context = c as Context<HonoEnv>;
  if (pointers.length > 0) context.set("ignoredMembers", [...(context.get("ignoredMembers") ?? []), ...pointers]);
}

/** The value of `x-ignored-members`: percent-encoded pointers, as many as fit, and the number of the others. */
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

/** Refuses `If-Match` on operations that would ignore it: a caller who sends it relies on it. Null: the operation supports it. */
export function refuseIfMatch({ request }: RouteConfig): MiddlewareHandler<HonoEnv> | null {
  const headers = request?.headers as { shape?: object } | undefined;
  if (headers?.shape && "if-match" in headers.shape) return null;
  return async (c, next) => {
    if (c.req.header("if-match") === undefined) return await next();
    throw ifMatchUnsupported();
  };
}

/** The 400 for an `If-Match` where there is no ETag. */
export function ifMatchUnsupported(): Problem {
  const message = "is not supported here: only operations on what has an ETag take it";
  return invalid([{ pointer: "/header/if-match", code: "not_supported", message }]);
}

/** The schemas of the parts that are checked for unknown members: all bodies, and the queries of writes. */
function partsOf({ method, request }: RouteConfig): Partial<Record<Part, z.ZodType>> {
  const parts: Partial<Record<Part, z.ZodType>> = {};
  const { "application/json": json, "multipart/form-data": form } = request?.body?.content ?? {};
  if (json && "schema" in json && json.schema instanceof z.ZodType) parts.json = json.schema;
  if (form && "schema" in form && form.schema instanceof z.ZodType) parts.form = form.schema;
  if (method !== "get" && request?.query instanceof z.ZodType) parts.query = request.query;
  return parts;
}

/** A part of the request as it was sent, because zod returns only the known members. */
async function sentAs(part: Part, c: Context): Promise<unknown> {
  if (part === "json") return await c.req.json();
  if (part === "form" && c.req.header("content-type") === undefined) return {};
  return part === "query" ? c.req.query() : Object.fromEntries((await c.req.formData()).entries());
}

/** Without a content type there is no body, and the validator was given an empty object. */
function lacksBody(target: keyof ValidationTargets, c: Context): boolean {
  return target === "json" && c.req.header("content-type") === undefined;
}
