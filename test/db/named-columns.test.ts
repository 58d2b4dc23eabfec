import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { type CompanyDb, companyDb } from "../../src/db/client.ts";
import { companies, machines } from "../../src/db/schema.ts";

// Rows are made by NamedColumns and not by Drizzle: each kind of column must be decoded as in Drizzle.

const given = sqliteTable("given", {
  id: text("id").notNull(),
  spec: text("spec", { mode: "json" }).notNull(),
  isManual: integer("is_manual", { mode: "boolean" }).notNull(),
  name: text("name"),
  n: integer("n").notNull(),
});

/** A reader of two rows, without a table in the database. */
function reading(db: CompanyDb) {
  const rows = sql`SELECT 'one' AS id, '{"size":2}' AS spec, 1 AS is_manual, NULL AS name, 3 AS n UNION ALL SELECT 'two', '[]', 0, 'Jam', 4`;
  return db.with(db.$with("given", {}).as(rows));
}

/** Columns of each kind, an expression, and an expression with its own decoder. */
const columns = {
  id: given.id,
  spec: given.spec,
  isManual: given.isManual,
  name: given.name,
  twice: sql<number>`${given.n} * 2`.as("twice"),
  words: sql`'a,b'`.mapWith((words: string) => words.split(",")).as("words"),
};

const one = { id: "one", spec: { size: 2 }, isManual: true, name: null, twice: 6, words: ["a", "b"] };
const two = { id: "two", spec: [], isManual: false, name: "Jam", twice: 8, words: ["a", "b"] };

it("reads each kind of column, alone and in a batch", async () => {
  const db = companyDb(env);
  const select = () => reading(db).select(columns).from(given);
  expect(await select()).toEqual([one, two]);
  expect(await db.batch([select(), select().where(eq(given.n, 4))])).toEqual([[one, two], [two]]);
  expect(await select().where(eq(given.n, 4)).get()).toEqual(two);
  expect(await select().where(sql`false`)).toEqual([]);
});

it("reads columns that make up an object", async () => {
  const db = companyDb(env);
  const select = reading(db)
    .select({ id: given.id, said: { isManual: given.isManual, name: given.name } })
    .from(given);
  expect(await select).toEqual([
    { id: "one", said: { isManual: true, name: null } },
    { id: "two", said: { isManual: false, name: "Jam" } },
  ]);
});

it("reads the rows that a write returns", async () => {
  const made = companyDb(env).insert(companies).values({ name: "Named", timezone: "UTC", createdAt: 1, updatedAt: 1 });
  expect(await made.returning({ name: companies.name, zone: companies.timezone })).toEqual([{ name: "Named", zone: "UTC" }]);
});

it("refuses columns with the same name", () => {
  const db = companyDb(env);
  const joined = db.select({ id: machines.id, companyId: companies.id }).from(machines).innerJoin(companies, sql`true`);
  expect(() => joined.prepare()).toThrow("a name of its own for each column (id)");
  const unnamed = db.select({ id: machines.id, one: sql`1` }).from(machines);
  expect(() => unnamed.prepare()).toThrow("an expression has none");
});
