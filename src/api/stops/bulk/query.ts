import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../../core/cursor.ts";
import { companyQuery } from "../../../core/inputs.ts";

/** The query parameters of the list of bulk classifications. */
export const query = paged(z.tuple([z.int(), keyText])).extend({ companyId: companyQuery });
export type ListQuery = z.infer<typeof query>;
