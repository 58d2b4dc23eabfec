import { urlFaults } from "../../../channels/public-url.ts";
import { seal } from "../../../core/cipher.ts";
import { type RuleInput, refuse, rule } from "../../../resource/rules.ts";
import type { ChatRoomRow } from "./queries.ts";

interface SentRoom {
  url?: string;
}

/** The rule of a new or changed room: its address is sealed, and never shown again. */
export const storeChatRoom = (env: Env) =>
  rule(
    () => [],
    async ({ sent: { url }, next }: RuleInput<ChatRoomRow, SentRoom>) => {
      if (url === undefined) return {};
      refuse(urlFaults(env, "/url", url));
      return { values: { sealedUrl: await seal(env, ["chat_rooms.sealed_url", next.id], url) }, hidden: ["url"] };
    },
  );
