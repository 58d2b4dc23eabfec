import { z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import { companyQuery } from "../../../core/inputs.ts";

/** The query parameters of the list of imports. */
export const query = paged(z.tuple([z.int()])).extend({ companyId: companyQuery });
export type ImportsQuery = z.infer<typeof query>;

/** The query parameters of the errors of an import. */
export const errorsQuery = paged(z.tuple([z.int()]));
export type ErrorsQuery = z.infer<typeof errorsQuery>;
