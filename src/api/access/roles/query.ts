import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../../core/cursor.ts";

/** The query parameters of the list of grants. */
export const query = paged(z.tuple([keyText]));
export type GrantQuery = z.infer<typeof query>;
