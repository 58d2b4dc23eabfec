import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { instant, text } from "../../core/inputs.ts";
import { workOrderStatuses } from "../../db/values.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { FUTURE_LIMIT_MS } from "../ingest/event.ts";
import { machineId, skuId } from "./order-members.ts";
import { reportProgress } from "./progress.ts";

const units = z
  .number()
  .min(-(2 ** 53))
  .max(2 ** 53)
  .optional();
const body = z
  .object({
    skuId: skuId.optional().openapi({ description: "May be left out where the order has one target" }),
    correct: units.openapi({ description: "Good units, to 6 decimals" }),
    defects: units.openapi({ description: "Rejected units, to 6 decimals" }),
    mode: z
      .enum(["delta", "absolute"])
      .default("delta")
      .openapi({
        description:
          "delta adds to the total of the SKU; absolute states it: the order had this much at `occurredAt`, so what was counted and " +
          "reported for before no longer matters, and what comes after adds up",
      }),
    machineId: machineId.optional(),
    operatorId: z.int().min(1).optional(),
    occurredAt: instant
      .refine((at) => at <= Date.now() + FUTURE_LIMIT_MS, "is more than 5 minutes ahead")
      .optional()
      .openapi({ type: "string", format: "date-time", description: "When it was so: now, unless it is told" }),
    status: z.enum(workOrderStatuses).optional(),
    comment: text(2000).optional(),
  })
  .refine(({ correct, defects, status }) => correct !== undefined || defects !== undefined || status !== undefined, {
    message: "needs at least one of correct, defects and status",
  })
  .refine(({ mode, correct = 0 }) => mode === "delta" || correct >= 0, { path: ["correct"], message: "must not be negative" })
  .refine(({ mode, defects = 0 }) => mode === "delta" || defects >= 0, { path: ["defects"], message: "must not be negative" });

export const contract = createRoute({
  method: "patch",
  path: "/work/{workId}/progress",
  operationId: "updateProgress",
  tags: ["work orders"],
  summary: "Report progress of a work order, a status, or both",
  description: `Progress starts an order that is Backlog or Planned; a Completed or Cancelled one takes none: 409. A status then goes the
ways that \`PUT /work-order-target\` tells.

The total of a SKU is the newest one that was stated (\`absolute\`), and what was reported for and counted by the line at that instant
or later. A report for an earlier instant, an older \`absolute\` too, is kept in the history and changes no total. \`correct\` and
\`defects\` are two totals: what is left out stays. To state a total for more than 48 h before the machine's newest event, while it
was working on the order, is a 409: what the line counted then is settled. A report that would take a total below 0 is a 409; where
late events of the line would, the total is 0. Every report is kept with who and when. Honours an Idempotency-Key.`,
  ...allowPermission("progress:write", { isIdempotent: true }),
  request: {
    params: z.object({ workId: text(100).min(1).openapi({ description: "The work order" }) }),
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          examples: {
            delta: {
              summary: "Units that the line did not count",
              value: { skuId: "CAP-28", correct: 120, defects: 2, status: "InProgress", comment: "Counted by hand" },
            },
            absolute: {
              summary: "A stocktaking",
              value: { skuId: "CAP-28", correct: 4310, mode: "absolute", occurredAt: "2026-03-02T14:00:00Z" },
            },
          },
        },
      },
    },
  },
  responses: { 204: { description: "Added" }, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await reportProgress(callerOf(c), c.req.valid("param").workId, c.req.valid("json"));
  return c.body(null, 204);
};
