import { z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";

/** The query parameters of the list of revisions of a shift: paged by number. */
export const revisionsQuery = paged(z.tuple([z.int()]));
export type RevisionsQuery = z.infer<typeof revisionsQuery>;
