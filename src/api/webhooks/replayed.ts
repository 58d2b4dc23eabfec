import { z } from "@hono/zod-openapi";

/** The response of an operation that sends events again. */
export const replayed = z
  .object({ replayed: z.int().openapi({ description: "How many events will be sent" }) })
  .openapi("Replayed");
