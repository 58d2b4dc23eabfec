import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { text } from "../../../core/inputs.ts";
import { notFound } from "../../../core/problem.ts";
import { write } from "../../../core/write.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { sendTests, storeTests, testMessages } from "../../messages/send-tests.ts";
import { tested } from "../../messages/tested.ts";
import { refuse } from "../rules.ts";
import { selectRecentTests, selectRoom } from "./queries.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/chat-rooms/{id}/test",
  operationId: "testChatRoom",
  tags: ["chat rooms"],
  summary: "Send a chat room a test message",
  description: "Now, and answers what came of it. The room has to be active. At most 30 an hour.",
  ...allowPermission("alerts:write"),
  request: { params: z.object({ id: text(100).min(1) }) },
  responses: {
    200: { description: "What came of it", content: { "application/json": { schema: tested } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const caller = callerOf(c);
  const { id } = c.req.valid("param");
  const { answer } = await write(
    caller,
    (db) => [selectRoom(db, id, companyOf(caller.actor)), selectRecentTests(db, id, Date.now())],
    ([room], [recent]) => {
      if (!room) throw notFound(`There is no chat room ${id}.`);
      const { companyId } = room;
      refuse(room.isActive ? [] : [{ pointer: "/path/id", code: "not_allowed", message: "names a room that is not active" }]);
      const rows = testMessages({ companyId, chatRoomId: id }, [{ channel: "chat", contactId: id }], recent?.count ?? 0);
      return {
        rows: storeTests(caller, rows),
        audit: {
          action: "chat-room.test",
          companyId,
          objectId: id,
          before: null,
          after: { messageIds: rows.map((row) => row.id) },
        },
        answer: { companyId, rows },
      };
    },
  );
  return c.json({ data: await sendTests(caller, answer.companyId, answer.rows) }, 200);
};
