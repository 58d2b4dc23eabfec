import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { instant, nameText, text } from "../../../core/inputs.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { changePlan } from "./plans.ts";

const body = z.object({
  title: nameText(200).optional().openapi({ description: "While the plan is future" }),
  since: instant.optional().openapi({ description: "While the plan is future" }),
  until: instant.optional().openapi({ description: "After now and after `since`; required while the plan is Active" }),
});

const operatorPlan = z
  .object({
    id: answerText,
    fileId: answerText.nullable(),
    title: answerText,
    since: z.iso.datetime(),
    until: z.iso.datetime().openapi({ description: "The plan's end, exclusive" }),
    status: z.enum(["future", "Active", "past"]),
    operatorCount: z.int().openapi({ description: "Different operators" }),
    machineCount: z.int().openapi({ description: "Different machines" }),
  })
  .openapi("OperatorPlan");

export const contract = createRoute({
  method: "put",
  path: "/operator-plan/{id}",
  operationId: "updateOperatorPlan",
  tags: ["operator plans"],
  summary: "Change an operator plan",
  description: `An Active plan can only change its \`until\`; a future plan its title, since and until; a past plan nothing (409). Machines use
the changed plan within seconds. Honours an Idempotency-Key.`,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { isIdempotent: true }),
  request: {
    params: z.object({ id: text(100) }),
    body: { required: true, content: { "application/json": { schema: body, example: { until: "2030-01-31T22:00:00Z" } } } },
  },
  responses: {
    200: { description: "The plan as changed", content: { "application/json": { schema: operatorPlan } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  return c.json(await changePlan(callerOf(c), id, c.req.valid("json")), 200);
};
