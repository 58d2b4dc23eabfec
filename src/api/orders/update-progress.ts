import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { instant, multilineText, text } from "../../core/inputs.ts";
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
    skuId: skuId.optional().openapi({ description: "Optional if the order has one target" }),
    correct: units.openapi({ description: "Good units, to 6 decimals" }),
    defects: units.openapi({ description: "Rejected units, to 6 decimals" }),
    mode: z
      .enum(["delta", "absolute"])
      .default("delta")
      .openapi({
        description:
          "`delta` adds to the total of the SKU. `absolute` states that the total was this at `occurredAt`: what was counted or reported " +
          "for earlier times no longer matters, and what comes later is added",
      }),
    machineId: machineId.optional(),
    operatorId: z.int().min(1).optional(),
    occurredAt: instant
      .refine((at) => at <= Date.now() + FUTURE_LIMIT_MS, "is more than 5 minutes ahead")
      .optional()
      .openapi({ type: "string", format: "date-time", description: "The time that the report is about; now by default" }),
    status: z.enum(workOrderStatuses).optional(),
    comment: multilineText(2000).optional(),
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
  description: `Progress starts an order that is Backlog or Planned. A Completed or Cancelled order accepts none: 409. A status is then applied by the
rules of \`PUT /work-order-target\`, at the time of the request.

The total of a SKU is the last total that was stated (\`absolute\`), plus reports for later and units that the line counted from then on. A
report for an earlier instant, including an \`absolute\` one, is kept in the history but changes no total. \`correct\` and \`defects\` have
separate totals; a member that is left out changes nothing. A total can be stated for any time: where that is more than some days ago, 503 is
answered until the machines of the order have recalculated it. A 409 is answered if a machine that was working on the order then keeps no events
of that time, the books of that time are closed, or it is before the end of a run whose shifts are deleted (\`HISTORY_KEPT_DAYS\`); and if a report would take a total below 0.
If late events of the line would, the total is 0. Every report is kept with its user and time. Honours an Idempotency-Key.`,
  ...allowPermission("progress:write", { isIdempotent: true, counts: "order", machines: "body" }),
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
              summary: "A stock count",
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
