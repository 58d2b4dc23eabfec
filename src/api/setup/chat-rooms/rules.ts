import { urlFaults } from "../../../channels/public-url.ts";
import { seal } from "../../../core/cipher.ts";
import { refusal } from "../../../core/problem.ts";
import { type About, type Asked, refuse, rule } from "../rules.ts";
import { type ChatRoomRow, hasNoRule, selectRoomRule } from "./queries.ts";

interface SentRoom {
  url?: string;
}

/** The rule of a new or changed room: its address is sealed, and never shown again. */
export const storeChatRoom = (env: Env) =>
  rule(
    () => [],
    async ({ sent: { url } }: Asked<ChatRoomRow, SentRoom>) => {
      if (url === undefined) return {};
      refuse(urlFaults(env, "/url", url));
      return { values: { sealedUrl: await seal(env, url) }, hidden: ["url"] };
    },
  );

export const removeChatRoom = rule(
  (db, { id }: About<object>) => [selectRoomRule(db, id)],
  ({ next }: Asked<ChatRoomRow>, [user]) => {
    const message = `is notified by the alert rule ${user?.name}: remove it there first`;
    if (user) throw refusal(409, [{ pointer: "", code: "in_use", message }]);
    return { expect: [hasNoRule(next.id)] };
  },
);
