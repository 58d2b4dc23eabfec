import { z } from "@hono/zod-openapi";
import { quotaNames } from "../../../core/quotas.ts";

/** The use of a quota. */
export const quotaUse = z
  .object({
    quota: z.enum(quotaNames).openapi({
      description:
        "`bytes`: of all kinds and pictures together, deleted rows included. `kept-answers`: bytes of answers kept for Idempotency-Keys; what exceeds it is not kept. `open-orders`: work orders that are neither completed nor cancelled. The others: rows that are not deleted",
    }),
    used: z.int(),
    limit: z
      .int()
      .openapi({ description: "A request that would exceed it is refused with 409; the problem has the member `quota`" }),
  })
  .openapi("QuotaUse");
