import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { channels } from "../../../db/values.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { tested } from "../messages/tested.ts";
import { testPersona } from "./personas.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/personas/{id}/test",
  operationId: "testPersona",
  tags: ["personas"],
  summary: "Send an alert persona a test message",
  description: `Sends it at once, even outside the persona's hours, through its active contacts of the channel (\`in_app\`: the user of the
company with its e-mail address), and answers with the results. The persona must be active. At most 30 an hour.`,
  ...allowPermission("personas:write"),
  request: {
    params: z.object({ id: text(100).min(1) }),
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.object({ channel: z.enum(channels).exclude(["chat"]) }),
          example: { channel: "email" },
        },
      },
    },
  },
  responses: {
    200: { description: "The result", content: { "application/json": { schema: tested } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { channel } = c.req.valid("json");
  return c.json({ data: await testPersona(callerOf(c), c.req.valid("param").id, channel) }, 200);
};
