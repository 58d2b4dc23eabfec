import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { nameText, text } from "../../../core/inputs.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { noRule } from "../../../resource/rules.ts";
import { type ChatRoomRow, chatRoomTable } from "./queries.ts";

const own = {
  name: nameText(200).openapi({ example: "Maintenance" }),
  service: z.enum(["teams", "slack"]),
  language: z.enum(["en", "es"]).openapi({ description: "The language of the messages" }),
};
const isActive = z.boolean().openapi({ description: "Whether messages are sent to it" });
const url = text(2000).min(1).openapi({
  description: "The incoming webhook of the room. Never shown",
  example: "https://hooks.slack.example/services/T0/B0/x",
});
const id = answerText;

export const chatRooms: Resource<ChatRoomRow> = {
  names: { type: "ChatRoom", types: "ChatRooms", noun: "chat room", nouns: "chat rooms" },
  path: "/v1/chat-rooms",
  description: `Rooms in Teams or Slack that alert rules can send messages to, by an incoming webhook. The webhook's URL is a secret: it is
stored encrypted and never shown.`,
  access: { read: "set-up:read", write: "alerts:write" },
  table: chatRoomTable,
  members: {
    id: text(100).min(1),
    item: z.object({ id, companyId: companyIdMember, ...own, isActive, ...stampMembers }).openapi("ChatRoom"),
    create: z.object({ ...own, url, isActive: isActive.default(true) }),
    change: z.object({ ...own, url, isActive }).partial(),
    example: { name: "Maintenance", service: "slack", language: "en", url: "https://hooks.slack.example/services/T0/B0/x" },
  },
  shape: {
    item({ id, companyId, name, service, language, isActive, ...row }) {
      return { id, companyId, name, service, language, isActive, ...stampsOf({ id, companyId, ...row }) };
    },
  },
  rules: { restore: noRule },
};
