import { createHash } from "node:crypto";
import { type RouteConfig, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { Problem } from "../core/problem.ts";
import { isoOf } from "../oee/time.ts";
import type { HonoEnv } from "./env.ts";
import { problemResponses } from "./problem.ts";
import { ifMatchUnsupported } from "./validation.ts";

const entityTags = /^(\*|(W\/)?"[!#-~]*"(, ?(W\/)?"[!#-~]*")*)$/;

/** The conditions of a read: `If-Match`, a list of ETags, or `*`; and `If-None-Match`, which is ignored if it is none. */
export const conditionsOfRead = z.object({
  "if-match": z
    .string()
    .trim()
    .regex(entityTags, "must be a list of ETags, or *")
    .optional()
    .openapi({ description: "The answer must have one of these ETags, otherwise 412", example: '"3-1f0c"' }),
  "if-none-match": z
    .string()
    .optional()
    .openapi({ description: "ETags of answers that you already have: 304 if one of them is still current", example: '"3-1f0c"' }),
});

const byteTag = z.string().openapi({ description: "For If-None-Match and If-Match", example: '"w8Xk3q0vRmS2yAb1"' });

/**
 * For the `headers` of a contract's 200: its JSON gets the ETag of its bytes. The rest follows from that (`withEtag`): the conditions, 304
 * and 412. It saves sending and parsing the answer, not the work to make it.
 */
export const taggedHeaders = z.object({ etag: byteTag });

/** A contract with the additions that follow from `taggedHeaders`; null if it does not use them. */
export function withEtag(route: RouteConfig): RouteConfig | null {
  const headers = (route.responses[200] as { headers?: { shape?: { etag?: unknown } } } | undefined)?.headers;
  if (headers?.shape?.etag !== byteTag) return null;
  return {
    ...route,
    request: { ...route.request, headers: conditionsOfRead },
    responses: {
      ...route.responses,
      304: { description: "The answer is the one that the caller has", headers: taggedHeaders },
      ...problemResponses(412),
    },
    middleware: [route.middleware ?? [], tagBytes].flat(),
  };
}

/** Adds the ETag of its bytes to a JSON answer, and evaluates the conditions of the request. Files have no ETag. */
const tagBytes: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  if (c.res.status !== 200) return;
  const ifMatch = c.req.header("if-match");
  if (!c.res.headers.get("content-type")?.startsWith("application/json")) {
    if (ifMatch === undefined) return;
    await c.res.body?.cancel();
    throw ifMatchUnsupported();
  }
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  // An operation may set a better one, for example if its answers differ only in the time.
  const etag = c.res.headers.get("etag") ?? `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 16)}"`;
  if (!isMatch(ifMatch, etag)) throw noMatch(etag);
  const isOld = isKnown(c.req.header("if-none-match"), etag);
  c.res = isOld ? new Response(null, { status: 304 }) : new Response(bytes, c.res);
  c.res.headers.set("etag", etag);
};

const itemTag = z.string().openapi({
  description: "The time of its last change, in quotes: for `If-Match` of the next one",
  example: '"2026-11-29T12:00:00.000Z"',
});

/** For the `headers` of a contract's 200 or 201: the ETag of the item that it answers. The rest follows from that (`tagsItem`). */
export const itemTaggedHeaders = z.object({ etag: itemTag });

/** The `If-Match` of a write to an item: ETags that it had when the caller read it, or `*`. */
export const ifUnchanged = z.object({
  "if-match": conditionsOfRead.shape["if-match"].openapi({
    description: "The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any",
    example: '"2026-11-29T12:00:00.000Z"',
  }),
});

/** What adds the ETag of the item to its answer, and evaluates an `If-Match` of a read; null if the contract has no `itemTaggedHeaders`. */
export function tagsItem({ method, responses }: RouteConfig): MiddlewareHandler<HonoEnv> | null {
  const isTagged = [200, 201].some((status) => {
    const { headers } = (responses[status] ?? {}) as { headers?: { shape?: { etag?: unknown } } };
    return headers?.shape?.etag === itemTag;
  });
  if (!isTagged) return null;
  return async (c, next) => {
    c.set("tagsItem", true);
    await next();
    if (c.res.status !== 200 && c.res.status !== 201) return;
    const etag = etagOfItem(await c.res.clone().json());
    if (etag === null) return;
    if (method === "get" && !isMatch(c.req.header("if-match"), etag)) throw noMatch(etag);
    c.res.headers.set("etag", etag);
  };
}

/** The ETag of an answered item; null for the answer to a dry run, whose item there is not. */
export function etagOfItem(answer: { updatedAt?: unknown; dryRun?: unknown }): string | null {
  const { updatedAt, dryRun } = answer;
  return typeof updatedAt === "string" && dryRun === undefined ? `"${updatedAt}"` : null;
}

/** Refuses (412) to write an item whose ETag an `If-Match` does not name: somebody has changed it since it was read. */
export function refuseIfChanged(ifMatch: string | undefined, updatedAt: number): void {
  const etag = `"${isoOf(updatedAt)}"`;
  if (isMatch(ifMatch, etag)) return;
  const detail = `It has been changed since it was read: If-Match is not its current ETag, which is ${etag}. Nothing was done.`;
  throw new Problem(412, detail, { headers: { etag } });
}

/** Whether an `If-None-Match` names this ETag by the weak comparison of RFC 9110: the caller has this version already. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = tagsOf(ifNoneMatch).map((tag) => tag.replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

/** Whether an `If-Match` names this ETag by the strong comparison of RFC 9110; true if there is none. */
export function isMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined) return true;
  const tags = tagsOf(ifMatch);
  return tags.includes(etag) || tags.includes("*");
}

/** The 412 for an `If-Match` that does not name the current ETag. */
export function noMatch(etag: string): Problem {
  return new Problem(412, `If-Match is not the current ETag, which is ${etag}.`);
}

function tagsOf(list = ""): string[] {
  return list.split(",").map((tag) => tag.trim());
}
