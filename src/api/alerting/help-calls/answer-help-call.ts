import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { helpCall } from "./help-call.ts";
import { answerHelpCall, machinesOfCalls } from "./help-calls.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/help-calls/{id}/answer",
  operationId: "answerHelpCall",
  tags: ["help calls"],
  summary: "Answer a call for help",
  description: `Ends the call: whoever answers is there to help, or the matter is settled. A call that was answered before keeps its \`answeredAt\` and
\`answeredBy\`. Honours an Idempotency-Key.`,
  ...allowPermission("help-calls:write", { isIdempotent: true, machines: machinesOfCalls }),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The answered call", content: { "application/json": { schema: helpCall } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await answerHelpCall(callerOf(c), c.req.valid("param").id), 200);
};
