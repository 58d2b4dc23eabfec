import * as all from "drizzle-orm";
import * as d1 from "drizzle-orm/d1";
import * as core from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { is } from "../../src/db/entity.ts";
import { machines, stops } from "../../src/db/schema.ts";

const kinds = [...new Set(Object.values({ ...all, ...core, ...d1 }))].filter(isKind);
const db = d1.drizzle({} as D1Database);
const { eq, sql } = all;
const named = core.alias(machines, "named");
const sub = db
  .select({ id: stops.id, last: sql<number>`max(${stops.startAt})`.as("last") })
  .from(stops)
  .as("sub");
const first = db.$with("first").as(db.select({ id: stops.id }).from(stops));

/** Every kind of part in the service's statements. */
const parts: Record<string, unknown> = {
  table: machines,
  column: machines.id,
  "nullable column": machines.lineId,
  "text column": machines.name,
  "renamed table": named,
  "column of a renamed table": named.id,
  subquery: sub,
  "column of a subquery": sub.id,
  "expression of a subquery": sub.last,
  "query before a query": first,
  "its column": first.id,
  expression: sql`1`,
  "named expression": sql`1`.as("one"),
  condition: eq(machines.id, 7),
  name: sql.identifier("id"),
  placeholder: sql.placeholder("id"),
  parameter: sql.param(7, machines.id),
  text: new all.StringChunk("SELECT"),
  select: db.select().from(machines),
  insert: db.insert(machines).values({} as never),
  update: db.update(machines).set({ name: "" }),
  delete: db.delete(machines),
  database: db,
  number: 7,
  word: "7",
  list: [1],
  nothing: null,
  "no value": undefined,
};

describe("the Worker's version of Drizzle's `is`", () => {
  it.each(Object.entries(parts))("agrees with Drizzle's class names: %s", (_, part) => {
    const kindsBy = (isOf: typeof all.is) => kinds.filter((kind) => isOf(part, kind as never));
    expect(kindsBy(is as typeof all.is)).toEqual(kindsBy(all.is));
  });

  it("needs classes with different names", () => {
    expect(kinds.length).toBeGreaterThan(80);
    const names = kinds.map((kind) => (kind as unknown as Record<symbol, string>)[all.entityKind]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

function isKind(one: unknown): one is abstract new () => unknown {
  return typeof one === "function" && Object.hasOwn(one, all.entityKind);
}
