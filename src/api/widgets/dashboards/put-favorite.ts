import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { saveFavorite } from "./dashboards.ts";

export const contract = createRoute({
  method: "put",
  path: "/v1/dashboards/{id}/favorite",
  operationId: "putFavoriteDashboard",
  tags: ["dashboards"],
  summary: "Make a dashboard your favorite, or no longer",
  description:
    "It is `isFavorited` for you alone, and for nobody else. Sending the same again changes nothing. A dashboard of the system can be your favorite, too.",
  ...allowPermission("configs:write", { isForPeople: true }),
  request: {
    params: z.object({ id: text(100) }),
    body: {
      required: true,
      content: {
        "application/json": { schema: z.object({ isFavorited: z.boolean() }), example: { isFavorited: true } },
      },
    },
  },
  responses: { 204: { description: "Saved" }, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await saveFavorite(callerOf(c), c.req.valid("param").id, c.req.valid("json").isFavorited);
  return c.body(null, 204);
};
