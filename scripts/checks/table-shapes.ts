import type { DatabaseSync } from "node:sqlite";

// The shapes of a database's tables, and how they differ.

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

interface Shape {
  columns: Column[];
  isWithoutRowid: boolean;
  /** What is unique besides the primary key: columns and condition. */
  unique: string[];
  checks: string[];
  /** The column that refers, and the column that it refers to. */
  foreignKeys: { from: string; text: string }[];
  triggers: Map<string, string>;
}

/** Of any statement, so that no member is certain. A null is read like a missing member here. */
interface Row {
  [column: string]: string | undefined;
}
type Rows = (text: string) => Row[];

/** A table by its name. */
export type Shapes = ReadonlyMap<string, Shape>;

/** A difference that the version before may not cope with. */
export interface Difference {
  what: string;
  /** What is not there any more as it was: a column, or the whole table. Null: everything is. */
  lost: { table: string; column: string | null } | null;
}

export function shapesOf(database: DatabaseSync): Shapes {
  const rows: Rows = (text) => database.prepare(text).all() as Row[];
  const named = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  const tables = rows(`SELECT name, sql FROM sqlite_master WHERE type = 'table' AND ${named}`);
  return new Map(
    tables.map(({ name = "", sql = "" }) => {
      const triggers = rows(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '${name}'`);
      const shape: Shape = {
        columns: rows(`PRAGMA table_info("${name}")`) as unknown as Column[],
        isWithoutRowid: /\bWITHOUT\s+ROWID\b/i.test(sql),
        unique: uniqueOf(rows, name),
        checks: checksOf(sql),
        foreignKeys: rows(`PRAGMA foreign_key_list("${name}")`).map(({ from, table, to, on_delete }) => ({
          ...{ from: String(from), text: `${from} to ${table}.${to ?? "its key"} ${on_delete}` },
        })),
        triggers: new Map(triggers.map((trigger) => [trigger.name ?? "", simple(trigger.sql ?? "")])),
      };
      return [name, shape];
    }),
  );
}

/** The differences of some tables that a version which knows only `before` may not cope with. */
export function differencesOf(tables: Iterable<string>, before: Shapes, after: Shapes): Difference[] {
  return [...tables].flatMap((table) => {
    const [old, now] = [before.get(table), after.get(table)];
    if (!old) return [];
    if (!now) return [{ what: `drops or renames the table ${table}`, lost: { table, column: null } }];
    return [...columnsOf(table, old, now), ...rulesOf(table, old, now)];
  });
}

function columnsOf(table: string, old: Shape, now: Shape): Difference[] {
  const present = new Map(now.columns.map((column) => [column.name, column]));
  const known = new Set(old.columns.map(({ name }) => name));
  const changed = old.columns.flatMap((column) => {
    const { name } = column;
    const next = present.get(name);
    const lost = { table, column: name };
    if (!next) return [{ what: `drops or renames ${table}.${name}`, lost }];
    const isSame = (["type", "notnull", "dflt_value", "pk"] as const).every((member) => column[member] === next[member]);
    return isSame ? [] : [{ what: `changes the definition of ${table}.${name}`, lost }];
  });
  const required = now.columns
    .filter(({ name, notnull, dflt_value, pk }) => !known.has(name) && (pk > 0 || (notnull === 1 && dflt_value === null)))
    .map(({ name }) => ({ what: `adds ${table}.${name}, which is neither nullable nor has a default`, lost: null }));
  return [...changed, ...required];
}

function rulesOf(table: string, old: Shape, now: Shape): Difference[] {
  const known = new Set(old.columns.map(({ name }) => name));
  const added = (before: readonly string[], after: readonly string[]) => after.filter((one) => !before.includes(one));
  const texts = ({ foreignKeys }: Shape) => foreignKeys.filter(({ from }) => known.has(from)).map(({ text }) => text);
  const triggers = [...old.triggers].filter(([name, sql]) => now.triggers.get(name) !== sql);
  const newTriggers = [...now.triggers.keys()].filter((name) => !old.triggers.has(name));
  return [
    ...(old.isWithoutRowid === now.isWithoutRowid ? [] : [`changes the rowid of ${table}`]),
    ...added(old.unique, now.unique).map((one) => `makes ${table} unique by ${one}`),
    ...added(now.unique, old.unique).map((one) => `drops what made ${table} unique by ${one}`),
    ...added(old.checks, now.checks).map((one) => `adds a check to ${table}: ${one}`),
    ...added(texts(old), texts(now)).map((one) => `adds a foreign key to ${table}: ${one}`),
    ...newTriggers.map((name) => `adds the trigger ${name} to ${table}`),
    ...triggers.map(([name]) => `drops or changes the trigger ${name} of ${table}`),
  ].map((what) => ({ what, lost: null }));
}

function uniqueOf(rows: Rows, table: string): string[] {
  return rows(`PRAGMA index_list("${table}")`)
    .filter((index) => Number(index.unique) === 1 && String(index.origin) !== "pk")
    .map(({ name }) => {
      const sql = rows(`SELECT sql FROM sqlite_master WHERE name = '${name}'`)[0]?.sql;
      const columns = rows(`PRAGMA index_info("${name}")`).map((column) => column.name);
      const where = /\bWHERE\b(.*)$/is.exec(sql ?? "")?.[1];
      return `(${columns.join(", ")})${where ? ` where ${simple(where)}` : ""}`;
    });
}

/** The conditions of the checks in the definition of a table. */
function checksOf(sql: string): string[] {
  return [...sql.matchAll(/\bCHECK\s*\(/gi)].map(({ index, 0: { length } }) => {
    let depth = 1;
    let end = index + length;
    for (; depth > 0 && end < sql.length; end++) depth += sql[end] === "(" ? 1 : sql[end] === ")" ? -1 : 0;
    return simple(sql.slice(index + length, end - 1));
  });
}

/** SQL without differences that mean nothing. */
function simple(sql: string): string {
  return sql.replaceAll(/[`"]/g, "").replaceAll(/\s+/g, " ").trim();
}
