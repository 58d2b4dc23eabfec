import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery } from "../../core/inputs.ts";

/** The query parameters of the list of imports. */
export const importsQuery = paged(z.tuple([z.int()])).extend({ companyId: companyQuery });
export type ImportsQuery = z.infer<typeof importsQuery>;
