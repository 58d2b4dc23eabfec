import { z } from "@hono/zod-openapi";

// Members of requests that operations share: text outside, numbers inside.

/** An ISO 8601 date-time with Z or an offset; gives epoch ms. */
export const instant = z.iso
  .datetime({ offset: true, abort: true })
  .transform((text) => Date.parse(text))
  .openapi({ type: "string", format: "date-time", description: "ISO 8601 with Z or an offset" });

/** The digits of an id; gives the number. */
export const idText = z
  .string()
  .regex(/^\d{1,15}$/, "must be an id: digits alone")
  .transform(Number);
