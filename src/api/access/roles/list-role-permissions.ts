import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { grant } from "./grant.ts";
import { listGrants } from "./grants.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/role-permissions",
  operationId: "listRolePermissions",
  tags: ["roles"],
  summary: "List the grants of permissions to roles",
  description: "Grants are the same for all companies. Superusers need none.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { machines: "company" }),
  request: { query },
  responses: {
    200: listAnswer(grant, "A page of grants"),
    ...problemResponses(400, 401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listGrants(callerOf(c), sent));
