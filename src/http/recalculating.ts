import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { HonoEnv } from "./env.ts";

// What answers whose rows are fixed say of numbers that are being recalculated.

/** For the `headers` of a contract's answer. */
export const recalculatingHeaders = z.object({
  "x-recalculating": z.literal("true").optional().openapi({
    description:
      "Numbers of the answer are being recalculated: they may change in the next minutes without anything new at the machine",
  }),
});

/** Says in the answer if numbers of it are being recalculated. */
export function markRecalculating<E extends HonoEnv>(c: Context<E>, isRecalculating: boolean): void {
  if (isRecalculating) c.header("x-recalculating", "true");
}
