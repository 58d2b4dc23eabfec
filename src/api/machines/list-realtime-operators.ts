import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { idParameter } from "../../core/inputs.ts";
import { taggedHeaders } from "../../http/etag.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { markRecalculating, recalculatingHeaders } from "../../http/recalculating.ts";
import { callerOf } from "../../http/session.ts";
import { listRealtimeOperators } from "./realtime-operators.ts";

const parameters = z.object({
  machineId: z
    .array(idParameter)
    .max(1000)
    .openapi({ description: "Repeated, or separated by commas; `machineId[]` works, too" }),
  direction: z.enum(["asc", "desc"]).default("asc").openapi({ description: "Order of the machine names" }),
  limit: z.coerce.number().int().min(1).max(1000).default(100).openapi({ description: "Operator rows" }),
  offset: z.coerce.number().int().min(0).default(0).openapi({ type: "integer", minimum: 0, description: "Operator rows" }),
});
// createRoute accepts a preprocessed object, but its types do not.
const query = z.preprocess(listMachineIds, parameters) as unknown as typeof parameters;

const operatorRow = z
  .object({
    shift: answerText.openapi({ description: "Name of the running shift" }),
    availability: z.number().openapi({ description: "Percent, two decimals: uptime / (uptime + downtime)" }),
    downtime: z.number().openapi({ description: "Minutes, two decimals: unavailable while signed in" }),
    uptime: z.number().openapi({ description: "Minutes, two decimals: available while signed in" }),
    production: z.number().openapi({ description: "Units, to 6 decimals" }),
    machineName: answerText,
    machineId: z.int(),
    sku: answerText.nullable().openapi({ description: "Name of the SKU of the operator's latest units" }),
    skuId: answerText.nullable(),
    operatorName: answerText,
    operatorId: z.int(),
  })
  .openapi("RealtimeOperator");

export const contract = createRoute({
  method: "get",
  path: "/machines/realtime/operators",
  operationId: "listRealtimeOperators",
  tags: ["machines"],
  summary: "Production of each operator on each machine in the current shift",
  description:
    "Sorted by machine name, then operator name. `limit` and `offset` count operator rows. Machines that do not exist have no rows.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { query },
  responses: {
    200: {
      description: "A page of operators",
      headers: taggedHeaders.extend(recalculatingHeaders.shape),
      content: { "application/json": { schema: z.object({ totalItems: z.int(), data: z.array(operatorRow) }) } },
    },
    ...problemResponses(400, 401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { machineId: machineIds, ...page } = c.req.valid("query");
  const { roster, isRecalculating } = await listRealtimeOperators(callerOf(c), { machineIds, ...page });
  markRecalculating(c, isRecalculating);
  return c.json(roster, 200);
};

function listMachineIds(sent: unknown): unknown {
  const query = sent as Record<string, string | string[]>;
  const machineId = query.machineId ?? query["machineId[]"];
  return machineId === undefined ? query : { ...query, machineId: [machineId].flat().flatMap((ids) => ids.split(",")) };
}
