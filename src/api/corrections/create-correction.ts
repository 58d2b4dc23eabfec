import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { created, createdAnswer } from "../../http/created.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { correction, newCorrection } from "./correction.ts";
import { createCorrection } from "./corrections.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/corrections",
  operationId: "createCorrection",
  tags: ["corrections"],
  summary: "Correct what a machine counted",
  description: `Adds units to what was counted, or takes some away, at an instant of any age. All sums contain it at once: those of the shift, of its
SKU, operators and work order, and in reports. What was counted stays known: a shift record and its explanation show the correction apart, and
\`DELETE\` undoes it. A shift that is closed publishes \`shift.revised\`.

No sum of a shift, SKU and order may fall below 0 (409, with what is there): the total, the defects, and the good units. Only where nothing was
counted, defects may be entered all the same: those units were made before. Units that a correction adds count for performance with the
standard time of their SKU; the machine's cycles stay as they were counted. What is made outside shifts cannot be corrected. Honours an
Idempotency-Key.`,
  ...allowPermission("corrections:write", { isIdempotent: true, machines: "body" }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: newCorrection,
          example: {
            machineId: 1,
            at: "2026-03-02T09:00:00Z",
            defects: 3,
            reasonId: 1,
            comment: "Found at the final inspection",
          },
        },
      },
    },
  },
  responses: {
    201: createdAnswer(correction, "The correction"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createCorrection(callerOf(c), c.req.valid("json")));
