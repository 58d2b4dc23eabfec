import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import { companyQuery } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { gateway } from "./gateway.ts";
import { listGateways } from "./gateways.ts";

const query = paged(z.tuple([z.int()])).extend({ companyId: companyQuery });

export const contract = createRoute({
  method: "get",
  path: "/v1/gateways",
  operationId: "listGateways",
  tags: ["gateways"],
  summary: "List the gateways with what they reported last",
  description: `The gateway tokens of a company, each with the last report of its gateway (\`PUT /v1/gateways/self/status\`): its version, its queue, its
sources, its clock, and what is missing. **How old:** \`heardAt\` says when a report came; gateways that report do so every 30 seconds. The reports of the 500
gateways of a company that were heard last are kept.`,
  ...allowPermission("set-up:read"),
  request: { query },
  responses: {
    200: listAnswer(gateway, "A page of gateways"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listGateways(callerOf(c), sent));
