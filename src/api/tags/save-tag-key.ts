import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { tagDefinition, tagKey } from "./shapes.ts";
import { saveTagKey } from "./tags.ts";

const body = tagDefinition.extend({ id: z.uuid().optional().openapi({ description: "Of the tag to change" }) });

export const contract = createRoute({
  method: "post",
  path: "/tags/key",
  operationId: "saveTagKey",
  tags: ["tags"],
  summary: "Save a tag key",
  description: `With \`id\`: changes that tag. Without: changes the company's tag of this subject and key, or creates it.
Superusers save tags of any company, others of their own. Honours an Idempotency-Key.`,
  ...allowRoles(["admin", "superadmin", "superuser"], { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          example: {
            companyId: 1,
            sort: 1,
            subject: "Machines",
            tagKey: "line",
            description: "The line that a machine stands in",
            color: "#1b7f5c",
            isDefault: false,
          },
        },
      },
    },
  },
  responses: {
    200: { description: "The tag key as saved", content: { "application/json": { schema: tagKey } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await saveTagKey(callerOf(c), c.req.valid("json")), 200);
};
