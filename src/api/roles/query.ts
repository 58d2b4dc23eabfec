import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";

/** The query parameters of the list of grants. */
export const query = paged(z.tuple([z.string()]));
export type GrantQuery = z.infer<typeof query>;
