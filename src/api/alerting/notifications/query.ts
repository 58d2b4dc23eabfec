import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../../core/cursor.ts";
import { flagText } from "../../../core/inputs.ts";

/** The query parameters of the notification list. */
export const query = paged(z.tuple([z.int(), keyText])).extend({ isRead: flagText.optional() });
export type NotificationQuery = z.infer<typeof query>;
