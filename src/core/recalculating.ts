import { z } from "@hono/zod-openapi";

/** The member of rows whose members are not fixed. */
export const recalculatingMember = z.boolean().openapi({
  description:
    "Whether numbers of it are being recalculated: they may change in the next minutes without anything new at the machine",
});
