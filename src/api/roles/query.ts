import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";

/** The query of the list. */
export const query = paged(z.tuple([z.string()]));
export type GrantQuery = z.infer<typeof query>;
