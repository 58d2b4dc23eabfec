import { z } from "@hono/zod-openapi";

/** The answer to whoever has events sent again. */
export const replayed = z
  .object({ replayed: z.int().openapi({ description: "How many events will be sent" }) })
  .openapi("Replayed");
