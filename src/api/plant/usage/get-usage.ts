import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyQuery } from "../../../core/inputs.ts";
import { usageKinds } from "../../../core/quotas.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { quotaUse } from "./shapes.ts";
import { getUsage } from "./usage.ts";

const usage = z
  .object({
    companyId: z.int(),
    quotas: z.array(quotaUse),
    kinds: z.array(
      z.object({
        kind: z.enum(usageKinds),
        items: z.int().openapi({ description: "Rows that are not deleted; of work orders those that are open" }),
        bytes: z.int().openapi({ description: "Approximate size of what is stored, including deleted rows and pictures" }),
      }),
    ),
    made: z
      .object({ shiftRecords: z.int(), stops: z.int(), incidents: z.int(), events: z.int() })
      .openapi({ description: "Rows that machines and alerts have made and that are kept now. No quota limits them" }),
    database: z
      .object({ percent: z.int(), isFilling: z.boolean().openapi({ description: "True from 60 % on" }) })
      .nullable()
      .openapi({ description: "How full the database of all companies is; null for everybody but superusers" }),
  })
  .openapi("Usage");

export const contract = createRoute({
  method: "get",
  path: "/v1/usage",
  operationId: "getUsage",
  tags: ["companies"],
  summary: "See what a company stores, and its quotas",
  ...allowPermission("set-up:read", { costly: "report" }),
  request: { query: z.strictObject({ companyId: companyQuery }) },
  responses: {
    200: { description: "The usage", content: { "application/json": { schema: usage } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getUsage(callerOf(c), c.req.valid("query").companyId), 200);
