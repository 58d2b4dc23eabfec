import { Column, type DriverValueDecoder, is, SQL, sql } from "drizzle-orm";
import { SQLiteD1Session } from "drizzle-orm/d1";
import { type SelectedFieldsOrdered, SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";

type Field = SelectedFieldsOrdered[number]["field"];

/**
 * Remembers what was made of the fields of a selection. Most selections are the same objects with each request; of those that
 * begin with the same field only the newest is remembered, so that what is made for one request takes no room.
 */
class KnownFields<T> {
  readonly #newest = new WeakMap<Field, { fields: SelectedFieldsOrdered; made: T }>();

  /** What was made of the same fields, in the same order, as members of the same names; otherwise `make` makes it. */
  of(fields: SelectedFieldsOrdered, make: (fields: SelectedFieldsOrdered) => T): T {
    const first = fields[0]?.field;
    if (!first) return make(fields);
    const known = this.#newest.get(first);
    if (known && isSame(known.fields, fields)) return known.made;
    const made = make(fields);
    this.#newest.set(first, { fields, made });
    return made;
  }
}

function isSame(some: SelectedFieldsOrdered, others: SelectedFieldsOrdered): boolean {
  if (some.length !== others.length) return false;
  return some.every(({ field, path }, i) => {
    const other = others[i];
    return field === other?.field && path.length === other.path.length && path.every((name, n) => name === other.path[n]);
  });
}

type SelectConfig = Parameters<SQLiteAsyncDialect["buildSelectQuery"]>[0];

/** The columns of a selection as text: null where they cannot be, undefined until they are wanted a second time. */
interface Written {
  text: SQL | null | undefined;
  isSeen: boolean;
}

const ofSingleTables = new KnownFields<Written>();
const ofJoins = new KnownFields<Written>();

/** Writes the columns of a selection once, as text. Drizzle puts them together anew with each query, which is most of what it takes. */
export class QuickDialect extends SQLiteAsyncDialect {
  override buildSelectQuery(config: SelectConfig): SQL {
    const fields = Object.entries(config.fields).map(
      ([name, field]) => ({ path: [name], field }) as SelectedFieldsOrdered[number],
    );
    const isSingleTable = !config.joins?.length;
    const written = (isSingleTable ? ofSingleTables : ofJoins).of(fields, () => ({ text: undefined, isSeen: false }));
    // What was made for one request is not seen again: to write it for later would be for nothing.
    if (written.isSeen && written.text === undefined) written.text = this.#textOf(fields, isSingleTable);
    written.isSeen = true;
    const { text } = written;
    return super.buildSelectQuery(text ? { ...config, fieldsFlat: [{ path: [], field: text }] } : config);
  }

  /** Null for what is no plain column, and for fields with values in them. */
  #textOf(fields: SelectedFieldsOrdered, isSingleTable: boolean): SQL | null {
    if (!fields.every(({ field }) => is(field, Column) || is(field, SQL.Aliased))) return null;
    // biome-ignore lint/complexity/useLiteralKeys: Drizzle keeps it to itself
    const { sql: text, params } = this.sqlToQuery(this["buildSelection"](fields, { isSingleTable }));
    return params.length === 0 ? sql.raw(text) : null;
  }
}

type Prepare = SQLiteD1Session<Record<string, never>, Record<string, never>>["prepareQuery"];

const mappers = new KnownFields<RowMapper | undefined>();

/**
 * D1 tells of the rows that it read only where it gives each row as an object, whose members are the columns: two columns
 * of one name would become one, and shift all that follow. Such a query is refused before it is sent.
 */
export class NamedColumns extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
  override prepareQuery(...[query, fields, ...more]: Parameters<Prepare>): ReturnType<Prepare> {
    const prepared = super.prepareQuery(query, fields, ...more);
    const mapped = fields && mappers.of(fields, rowMapper);
    if (mapped) {
      prepared.mapAllResult = (rows, isFromBatch) =>
        isFromBatch
          ? (rows as D1Result<object>).results.map((row) => mapped(Object.values(row)))
          : (rows as unknown[][]).map(mapped);
    }
    return prepared;
  }
}

type RowMapper = (row: unknown[]) => Record<string, unknown>;

/** Maps a row as Drizzle does, which finds out for each value of each row how it is decoded. Undefined for members within members. */
function rowMapper(fields: SelectedFieldsOrdered): RowMapper | undefined {
  refuseUnnamed(fields);
  if (fields.some(({ path }) => path.length !== 1)) return undefined;
  return mapperTo(fields.map(({ path: [name = ""], field }) => ({ name, decoder: decoderOf(field) })));
}

/** Makes rows of the values of these columns as D1 has them. */
export function mapperOf(columns: Record<string, Column>): RowMapper {
  return mapperTo(Object.entries(columns).map(([name, decoder]) => ({ name, decoder })));
}

function mapperTo(members: readonly { name: string; decoder: DriverValueDecoder<unknown, unknown> }[]): RowMapper {
  return (row) => {
    const object: Record<string, unknown> = {};
    members.forEach(({ name, decoder }, i) => {
      const value = row[i];
      object[name] = value === null ? null : decoder.mapFromDriverValue(value);
    });
    return object;
  };
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

function decoderOf(field: Field): DriverValueDecoder<unknown, unknown> {
  if (is(field, Column)) return field;
  // Drizzle keeps to itself what decodes an expression.
  const expression = is(field, SQL) ? field : (field as SQL.Aliased).sql;
  return (expression as unknown as { decoder: DriverValueDecoder<unknown, unknown> }).decoder;
}
