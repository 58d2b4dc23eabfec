import { integer } from "drizzle-orm/sqlite-core";
import { companies } from "./identity.ts";

/** The company that a row belongs to. */
export const companyId = integer("company_id")
  .notNull()
  .references(() => companies.id);
