import { z } from "@hono/zod-openapi";

/** `If-Match`: an ETag of the stop, its version in quotes, or `*`. Parsed to the version; null: any. */
export const ifMatch = z.object({
  "if-match": z
    .string()
    .regex(/^(\*|"\d{1,9}(-[0-9a-f]+)?")$/, "must be the ETag of the stop, or its version in quotes")
    .transform((tag) => (tag === "*" ? null : Number.parseInt(tag.slice(1), 10)))
    .optional()
    .openapi({
      type: "string",
      pattern: '^(\\*|"\\d{1,9}(-[0-9a-f]+)?")$',
      description: "The ETag of the stop, or its version in quotes. 409 if someone has changed the stop since",
      example: '"3"',
    }),
});
