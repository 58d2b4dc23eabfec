import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { channels, messageStatuses } from "../../../db/values.ts";
import { isoOf } from "../../../oee/time.ts";
import type { ListedMessage } from "./queries.ts";

const time = z.iso.datetime().nullable();

/** A message in the delivery log. */
export const message = z
  .object({
    id: answerText,
    kind: answerText.openapi({ description: "The kind of message, such as `alert_opened`" }),
    channel: z.enum(channels),
    personaId: answerText.nullable(),
    chatRoomId: answerText.nullable(),
    recipient: answerText
      .nullable()
      .openapi({ description: "The name of the persona or chat room, or the address, masked; null: it is deleted" }),
    contact: answerText
      .nullable()
      .openapi({ description: "The masked destination: `a…@plant.example`, `…222`; null: not by mail or telephone" }),
    incidentId: answerText.nullable(),
    status: z.enum(messageStatuses).openapi({
      description: `\`pending\`: to be sent; \`held\`: outside the persona's hours, or beyond the messages of an hour: part of the next digest;
\`digested\`: went out in a digest; \`sent\`: accepted by the recipient's server; \`failed\`: not delivered, and not tried again`,
    }),
    reason: answerText.nullable().openapi({ description: "Why the last attempt failed, such as `channel_off`" }),
    digestId: answerText.nullable().openapi({ description: "The digest in which it was sent; null: it was not part of one" }),
    attempts: z.int(),
    nextAttemptAt: time.openapi({ description: "Null: there is none" }),
    sentAt: time,
    createdAt: z.iso.datetime(),
  })
  .openapi("Message");

export function messageOf(row: ListedMessage): z.infer<typeof message> {
  const { id, kind, channel, personaId, chatRoomId, incidentId, status, digestId, attempts, error: reason } = row;
  const address = masked(row.address);
  return {
    ...{ id, kind, channel, personaId, chatRoomId, incidentId, status, reason, digestId, attempts },
    recipient: row.personaName ?? row.roomName ?? address,
    contact: masked(row.contact) ?? address,
    nextAttemptAt: isoOf(row.nextAttemptAt),
    sentAt: isoOf(row.sentAt),
    createdAt: isoOf(row.createdAt),
  };
}

/** An address or number, masked so that only its owner recognizes it. */
function masked(contact: string | null): string | null {
  if (!contact) return null;
  const at = contact.indexOf("@");
  return at < 0 ? `…${contact.slice(-3)}` : `${contact.slice(0, 1)}…${contact.slice(at)}`;
}
