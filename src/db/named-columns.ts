import { Column, is, SQL } from "drizzle-orm";
import { SQLiteD1Session } from "drizzle-orm/d1";
import type { SelectedFieldsOrdered } from "drizzle-orm/sqlite-core";
import { type Member, rowMaker } from "./row-maker.ts";

type Session = SQLiteD1Session<Record<string, never>, Record<string, never>>;

/**
 * Refuses a query with two columns of the same name. D1 reports the number of rows read only if it returns rows as objects, whose members are
 * the columns: two columns of the same name would become one, and all columns after them would shift.
 *
 * Also builds the rows of D1's result: Drizzle would determine for each value again how to read it, which took up to a tenth of a request.
 */
export class NamedColumns extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
  override prepareQuery(...[query, fields, ...more]: Parameters<Session["prepareQuery"]>): ReturnType<Session["prepareQuery"]> {
    if (fields) refuseUnnamed(fields);
    const prepared = super.prepareQuery(query, fields, ...more);
    const members = fields && membersOf(fields);
    if (members) {
      const rowOf = rowMaker(members);
      prepared.mapAllResult = (result, isFromBatch) => {
        const rows = isFromBatch
          ? (result as D1Result<object>).results.map((row) => Object.values(row))
          : (result as unknown[][]);
        return rows.map(rowOf);
      };
    }
    return prepared;
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

/** The members of a row. Null if some are objects of several columns: Drizzle builds those. */
function membersOf(fields: SelectedFieldsOrdered): Member[] | null {
  const members: Member[] = [];
  for (const { path, field } of fields) {
    const [name] = path;
    if (name === undefined || path.length > 1) return null;
    members.push({ name, decoder: decoderOf(field) });
  }
  return members;
}

function decoderOf(field: SelectedFieldsOrdered[number]["field"]): Member["decoder"] {
  if (is(field, Column)) return field;
  // Drizzle's types lack this member.
  return (field.getSQL() as unknown as { decoder: Member["decoder"] }).decoder;
}
