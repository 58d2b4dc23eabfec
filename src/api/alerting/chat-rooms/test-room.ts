import { companyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { notFound } from "../../../core/problem.ts";
import { write } from "../../../core/write.ts";
import { refuse } from "../../../resource/rules.ts";
import { selectRecentTests } from "../messages/queries.ts";
import { decideTest, sendTests, type Tested } from "../messages/send-tests.ts";
import { selectRoom } from "./queries.ts";

/** Sends a test message to a chat room, and returns the result. */
export async function testRoom(caller: Caller, id: string): Promise<Tested[]> {
  const { answer } = await write(
    caller,
    (db) => [selectRoom(db, id, companyOf(caller.actor)), selectRecentTests(db, { chatRoomId: id }, Date.now())],
    ([room], [recent]) => {
      if (!room) throw notFound(`There is no chat room ${id}.`);
      refuse(room.isActive ? [] : [{ pointer: "/path/id", code: "not_allowed", message: "is a room that is not active" }]);
      const to = { companyId: room.companyId, chatRoomId: id };
      const contacts = [{ channel: "chat" as const, contactId: id }];
      return decideTest(caller, { action: "chat-room.test", objectId: id }, to, contacts, recent?.count);
    },
  );
  return await sendTests(caller, answer);
}
