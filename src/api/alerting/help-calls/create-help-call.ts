import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, multilineText } from "../../../core/inputs.ts";
import { created, createdAnswer } from "../../../http/created.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { helpCall } from "./help-call.ts";
import { createHelpCall } from "./help-calls.ts";

const body = z.object({
  message: multilineText(500)
    .min(1)
    .nullable()
    .default(null)
    .openapi({ description: "What help is needed with; null: not given" }),
});

export const contract = createRoute({
  method: "post",
  path: "/v1/machines/{id}/help-calls",
  operationId: "createHelpCall",
  tags: ["help calls"],
  summary: "Call for help at a machine",
  description: `Boards show the call at the machine until someone answers it. A machine has one open call at most: while there is one, this is a 409.
Honours an Idempotency-Key.`,
  ...allowPermission("help-calls:write", { isIdempotent: true, machines: "path" }),
  request: {
    params: z.object({ id: idParameter }),
    body: { required: true, content: { "application/json": { schema: body, example: { message: "Mould leaks" } } } },
  },
  responses: {
    201: createdAnswer(helpCall, "The open call"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { message } = c.req.valid("json");
  return created(c, await createHelpCall(callerOf(c), c.req.valid("param").id, message));
};
