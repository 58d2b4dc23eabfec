import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery } from "../../core/inputs.ts";

/** The query parameters of the list of closings. */
export const query = paged(z.tuple([z.int()])).extend({ companyId: companyQuery });
export type ClosingsQuery = z.infer<typeof query>;
