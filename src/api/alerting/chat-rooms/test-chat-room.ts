import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { tested } from "../messages/tested.ts";
import { testRoom } from "./test-room.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/chat-rooms/{id}/test",
  operationId: "testChatRoom",
  tags: ["chat rooms"],
  summary: "Send a chat room a test message",
  description: "Sends it at once and answers with the result. The room must be active. At most 30 an hour.",
  ...allowPermission("alerts:write"),
  request: { params: z.object({ id: text(100).min(1) }) },
  responses: {
    200: { description: "The result", content: { "application/json": { schema: tested } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json({ data: await testRoom(callerOf(c), c.req.valid("param").id) }, 200);
};
