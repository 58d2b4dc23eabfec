import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { isoOf } from "../../../oee/time.ts";
import type { ConfigOwner, ConfigRow } from "./queries.ts";

/** A user's config as responses show it. */
export const userConfig = z
  .object({
    userId: z.int(),
    companyId: z.int(),
    config: z.record(answerText, z.unknown()).openapi({ description: "Empty while there is none" }),
    createdAt: z.iso.datetime().nullable().openapi({ description: "Null while there is none" }),
    updatedAt: z.iso.datetime().nullable().openapi({ description: "Null while there is none" }),
  })
  .openapi("UserConfig");

/** Returns the response for a user's config; an empty config if there is no row. */
export function userConfigOf(
  { userId, companyId }: ConfigOwner,
  { config = {}, createdAt, updatedAt }: Partial<ConfigRow> = {},
): z.infer<typeof userConfig> {
  return { userId, companyId, config, createdAt: isoOf(createdAt ?? null), updatedAt: isoOf(updatedAt ?? null) };
}
