import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { nameText } from "../../../core/inputs.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { createPersona } from "./personas.ts";
import { persona } from "./shapes.ts";

export const contract = createRoute({
  method: "put",
  path: "/v2/alert-settings/superuser/persona/new",
  operationId: "createPersona",
  tags: ["personas"],
  summary: "Create an alert persona",
  description:
    "The new persona is active all day, every day, and has no contacts and no alerts yet. Each call creates another one. Honours an Idempotency-Key.",
  ...allowRoles(["superuser"], { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.object({ name: nameText(200), companyId: z.int().min(1) }),
          example: { name: "Night shift lead", companyId: 1 },
        },
      },
    },
  },
  responses: {
    200: { description: "The new persona", content: { "application/json": { schema: z.object({ data: persona }) } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { name, companyId } = c.req.valid("json");
  return c.json(await createPersona(callerOf(c), companyId, name, (data) => ({ data })), 200);
};
