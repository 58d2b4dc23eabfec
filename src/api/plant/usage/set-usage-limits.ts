import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { type QuotaName, quotaNames } from "../../../core/quotas.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { quotaUse } from "./shapes.ts";
import { setUsageLimits } from "./usage.ts";

const most = z.int().min(0).max(1_000_000_000_000).nullable().optional();
const limits = z
  .object(Object.fromEntries(quotaNames.map((name) => [name, most])) as Record<QuotaName, typeof most>)
  .openapi({ description: "The limits to change; null: the usual one again" });

export const contract = createRoute({
  method: "patch",
  path: "/v1/usage/limits",
  operationId: "setUsageLimits",
  tags: ["companies"],
  summary: "Change the quotas of a company",
  description: "A limit below what the company has refuses further rows, and deletes nothing. Honours an Idempotency-Key.",
  ...allowRoles(["superuser"], { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.object({ companyId: z.int().min(1), limits }),
          example: { companyId: 1, limits: { widgets: 20_000 } },
        },
      },
    },
  },
  responses: {
    200: {
      description: "All quotas of the company",
      content: { "application/json": { schema: z.object({ quotas: z.array(quotaUse) }) } },
    },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { companyId, limits: sent } = c.req.valid("json");
  return c.json(await setUsageLimits(callerOf(c), companyId, sent), 200);
};
