import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { sqliteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { fiveMinutesColumn, fiveMinutesText, wordsOf } from "../../src/db/five-minutes.ts";

type Triples = [number, number, number][];

const column = sqliteTable("any", { fiveMinutes: fiveMinutesColumn("five_minutes") }).fiveMinutes;

const examples: [text: string, triples: Triples][] = [
  ["", []],
  ["0", [[0, 0, 300_000]]],
  [
    "27 30:1 0/120000 0/0",
    [
      [27, 0, 300_000],
      [30, 1, 300_000],
      [0, 0, 120_000],
      [0, 0, 0],
    ],
  ],
  [
    "0.25:0.000001/1 1e+21 -3:-2/299999",
    [
      [0.25, 0.000001, 1],
      [1e21, 0, 300_000],
      [-3, -2, 299_999],
    ],
  ],
];

it.each(examples)("%s is the production of its five minutes", (text, triples) => {
  expect(fiveMinutesText(triples)).toBe(text);
  expect(column.mapFromDriverValue(text)).toEqual(triples);
});

it("keeps any numbers", () => {
  for (let n = 0; n < 200; n++) {
    const triples = Array.from({ length: n % 19 }, (): [number, number, number] => {
      const units = Math.round(Math.random() * 1e9) / 1e6;
      const defects = Math.random() < 0.5 ? 0 : Math.round(Math.random() * 1e6) / 1e6;
      return [units, defects, Math.random() < 0.5 ? 300_000 : Math.floor(Math.random() * 300_001)];
    });
    expect(column.mapFromDriverValue(fiveMinutesText(triples))).toEqual(triples);
  }
});

it.each(examples)("%s gives the database the same units", async (text, triples) => {
  const units = sql<number>`CAST(value AS REAL)`.as("units");
  const rows = await drizzle(env.DB_0)
    .select({ units })
    .from(wordsOf(sql`${text}`));
  expect(rows.map((row) => row.units)).toEqual(triples.length === 0 ? [0] : triples.map(([made]) => made));
});
