import { z } from "@hono/zod-openapi";

/** The PIN of an operator. Zeros at its beginning count, so it is a text. */
export const pinText = z
  .string()
  .regex(/^\d{4,8}$/, "must have 4 to 8 digits")
  .openapi({ format: "password", example: "4711" });
