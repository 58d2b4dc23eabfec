import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { oneCompanyOf } from "../../../core/actor.ts";
import { nameText } from "../../../core/inputs.ts";
import { created, createdAnswer } from "../../../http/created.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { createPersona } from "./personas.ts";
import { persona } from "./shapes.ts";

const companyId = z.int().min(1).optional().openapi({
  description: "The company it will belong to: your own by default; only superusers may name another one",
});

export const contract = createRoute({
  method: "post",
  path: "/v1/personas",
  operationId: "addPersona",
  tags: ["personas"],
  summary: "Add an alert persona",
  description:
    "The new persona is active all day, every day, and has no contacts and no alerts yet: `PATCH /v1/personas/{id}` gives it some. Honours an Idempotency-Key.",
  ...allowPermission("personas:write", { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.object({ name: nameText(200), companyId }),
          example: { name: "Night shift lead" },
        },
      },
    },
  },
  responses: {
    201: createdAnswer(persona, "The new persona"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { name, companyId: named } = c.req.valid("json");
  const caller = callerOf(c);
  return created(c, await createPersona(caller, oneCompanyOf(caller.actor, named), name, (persona) => persona));
};
