import { Column, is, SQL } from "drizzle-orm";
import { SQLiteD1Session } from "drizzle-orm/d1";
import type { SelectedFieldsOrdered } from "drizzle-orm/sqlite-core";

type Session = SQLiteD1Session<Record<string, never>, Record<string, never>>;

/**
 * Refuses a query whose columns do not have names of their own. D1 tells how many rows it read only where it gives each row as an object,
 * whose members are the columns: two columns of one name would become one, and shift all that follow.
 */
export class NamedColumns extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
  override prepareQuery(...[query, fields, ...more]: Parameters<Session["prepareQuery"]>): ReturnType<Session["prepareQuery"]> {
    if (fields) refuseUnnamed(fields);
    return super.prepareQuery(query, fields, ...more);
  }
}

function refuseUnnamed(fields: SelectedFieldsOrdered): void {
  const names = new Set<string>();
  for (const { field } of fields) {
    const name = is(field, Column) ? field.name : is(field, SQL.Aliased) ? field.fieldAlias : undefined;
    if (name === undefined ? fields.length !== 1 : names.has(name) || /^\d/.test(name)) {
      throw new Error(
        `a query needs a name of its own for each column (${name ?? "an expression has none"}): give it one with .as()`,
      );
    }
    if (name !== undefined) names.add(name);
  }
}
