import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../../core/cursor.ts";
import { companyQuery, instant, listText, text } from "../../../core/inputs.ts";
import { channels, messageStatuses } from "../../../db/values.ts";

const idShape = { type: "string", maxLength: 100 } as const;
const ids = listText(text(100), idShape).optional();

/** The query parameters of the message list. */
export const query = paged(z.tuple([z.int(), keyText])).extend({
  companyId: companyQuery,
  personaIds: ids,
  incidentIds: ids,
  channels: listText(z.enum(channels), { type: "string", enum: [...channels] }).optional(),
  statuses: listText(z.enum(messageStatuses), { type: "string", enum: [...messageStatuses] }).optional(),
  from: instant.optional().openapi({ description: "Only messages created at or after this time" }),
  to: instant.optional().openapi({ description: "Only messages created before this time" }),
});
export type MessageQuery = z.infer<typeof query>;
