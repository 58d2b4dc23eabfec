import { sql } from "drizzle-orm";
import { integer, text } from "drizzle-orm/sqlite-core";

// Times are integer epoch milliseconds (UTC) and durations are integer milliseconds, unless a name says otherwise.

export const flag = (name: string) => integer(name, { mode: "boolean" });
export const createdAt = integer("created_at").notNull();
export const updatedAt = integer("updated_at").notNull();

/** A column with a value as JSON; nullable. */
export const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>();

/** A whole number that the database computes from other columns of the row when it is read. It is not stored. */
export const computed = (name: string, from: string) => integer(name).generatedAlwaysAs(sql.raw(from), { mode: "virtual" });
