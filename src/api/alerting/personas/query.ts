import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../../core/cursor.ts";
import { companyQuery } from "../../../core/inputs.ts";

/** The query parameters of the persona list. */
export const query = paged(z.tuple([keyText, keyText])).extend({ companyId: companyQuery });
export type PersonaQuery = z.infer<typeof query>;
