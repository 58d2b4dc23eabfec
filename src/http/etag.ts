import { z } from "@hono/zod-openapi";
import { Problem } from "../core/problem.ts";

const entityTags = /^(\*|(W\/)?"[!#-~]*"(, ?(W\/)?"[!#-~]*")*)$/;

/** The `If-Match` of a read: a list of ETags, or `*`. */
export const ifMatchOfRead = z.object({
  "if-match": z
    .string()
    .trim()
    .regex(entityTags, "must be a list of ETags, or *")
    .optional()
    .openapi({ description: "ETags of which the answer must have one, otherwise 412", example: '"3-1f0c"' }),
});

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
  return new Problem(412, `If-Match does not name the present ETag, ${etag}.`);
}

function tagsOf(list = ""): string[] {
  return list.split(",").map((tag) => tag.trim());
}
