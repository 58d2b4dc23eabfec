import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { userConfig } from "./config.ts";
import { getConfig } from "./configs.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/config",
  operationId: "getConfig",
  tags: ["configs"],
  summary: "Get your own config",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { isForPeople: true }),
  responses: {
    200: { description: "The config", content: { "application/json": { schema: userConfig } } },
    ...problemResponses(400, 401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => c.json(await getConfig(callerOf(c)), 200);
