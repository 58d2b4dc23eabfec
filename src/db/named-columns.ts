import { Column, is, SQL } from "drizzle-orm";
import { SQLiteD1Session } from "drizzle-orm/d1";
import type { SelectedFieldsOrdered } from "drizzle-orm/sqlite-core";

type Session = SQLiteD1Session<Record<string, never>, Record<string, never>>;

/**
 * Refuses a query whose columns do not have names of their own. D1 tells how many rows it read only where it gives each row as an object,
 * whose members are the columns: two columns of one name would become one, and shift all that follow.
 *
 * Makes rows of what D1 gives: Drizzle finds out anew for each value how it is read, which took up to a tenth of a request.
 */
export class NamedColumns extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
  override prepareQuery(...[query, fields, ...more]: Parameters<Session["prepareQuery"]>): ReturnType<Session["prepareQuery"]> {
    if (fields) refuseUnnamed(fields);
    const prepared = super.prepareQuery(query, fields, ...more);
    const rowOf = fields && rowMaker(fields);
    if (rowOf) {
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

/** How a value that D1 gives is read: the `mapWith` of an expression, or what the kind of the column is for. */
interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

type MakeRow = (values: readonly unknown[]) => Record<string, unknown>;

/** Makes a row of its values, in the order of the fields. Null where members are objects of several columns: Drizzle puts them together. */
function rowMaker(fields: SelectedFieldsOrdered): MakeRow | null {
  const members: { name: string; decoder: Decoder }[] = [];
  for (const { path, field } of fields) {
    const [name] = path;
    if (name === undefined || path.length > 1) return null;
    members.push({ name, decoder: decoderOf(field) });
  }
  return (values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < members.length; i++) {
      const { name, decoder } = members[i] as (typeof members)[number];
      const value = values[i];
      row[name] = value === null ? null : decoder.mapFromDriverValue(value);
    }
    return row;
  };
}

function decoderOf(field: SelectedFieldsOrdered[number]["field"]): Decoder {
  if (is(field, Column)) return field;
  // Drizzle's types leave this member out.
  return (field.getSQL() as unknown as { decoder: Decoder }).decoder;
}
