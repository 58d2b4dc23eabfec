import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { deleteConfig } from "./configs.ts";

const id = z.int().min(1);

export const contract = createRoute({
  method: "delete",
  path: "/config",
  operationId: "deleteConfig",
  tags: ["configs"],
  summary: "Delete a user's config",
  description: `Your own config needs the permission \`configs:write\`, that of another user of the company \`configs:manage\` too; superusers
delete anyone's. Deleting a config that does not exist succeeds.`,
  ...allowPermission("configs:write", { isForPeople: true }),
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: z.object({ userId: id, companyId: id }), example: { userId: 4, companyId: 1 } } },
    },
  },
  responses: { 204: { description: "Deleted" }, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await deleteConfig(callerOf(c), c.req.valid("json"));
  return c.body(null, 204);
};
