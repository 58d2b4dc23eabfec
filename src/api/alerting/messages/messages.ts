import { companyOf } from "../../../core/actor.ts";
import type { Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { messageOf } from "./message.ts";
import { selectMessages } from "./queries.ts";
import type { MessageQuery } from "./query.ts";

/** A page of messages. */
export function listMessages({ db, actor }: Reader, query: MessageQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectMessages(db, { ...page, companyId }),
    keysOf: ({ createdAt, id }) => [createdAt, id],
    itemOf: messageOf,
  });
}
