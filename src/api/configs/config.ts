import { z } from "@hono/zod-openapi";
import { isoOf } from "../../oee/time.ts";

/** A user's config as it is shown. */
export const userConfig = z
  .object({
    userId: z.int(),
    companyId: z.int(),
    config: z.record(z.string(), z.unknown()).openapi({ description: "Empty while there is none" }),
    createdAt: z.iso.datetime().nullable().openapi({ description: "Null while there is none" }),
    updatedAt: z.iso.datetime().nullable().openapi({ description: "Null while there is none" }),
  })
  .openapi("UserConfig");

interface ConfigRow {
  config: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
}

/** The config of a user from its row; undefined: there is none. */
export function userConfigOf(userId: number, companyId: number, row: ConfigRow | undefined): z.infer<typeof userConfig> {
  const { config = {}, createdAt, updatedAt } = row ?? {};
  const timestamp = (at: number | undefined) => (at === undefined ? null : isoOf(at));
  return { userId, companyId, config, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) };
}
