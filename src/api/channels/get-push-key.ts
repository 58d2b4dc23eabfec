import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { publicPushKey } from "./channels.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/push-key",
  operationId: "getPushKey",
  tags: ["messages"],
  summary: "The public key by which browsers subscribe to push messages",
  description: "The `applicationServerKey` of `pushManager.subscribe`. The subscription goes into `push` of a persona.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"]),
  responses: {
    200: {
      description: "The key",
      content: {
        "application/json": {
          schema: z
            .object({ key: z.string().nullable().openapi({ description: "Base64url; null: push is off" }) })
            .openapi("PushKey"),
        },
      },
    },
    ...problemResponses(401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => c.json({ key: publicPushKey(c.env) }, 200);
