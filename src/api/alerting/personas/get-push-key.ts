import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { getPushState } from "./push-devices.ts";
import { pushState } from "./shapes.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/push-key",
  operationId: "getPushKey",
  tags: ["messages"],
  summary: "Get the public key for push messages, and your browsers that get them",
  description: "The key is the `applicationServerKey` of `pushManager.subscribe`.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { isForPeople: true }),
  responses: {
    200: { description: "The key and your browsers", content: { "application/json": { schema: pushState } } },
    ...problemResponses(401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => c.json(await getPushState(callerOf(c)), 200);
