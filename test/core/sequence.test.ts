import { env } from "cloudflare:workers";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it } from "vitest";
import { recordId } from "../../src/core/record-id.ts";
import { takeId, takenId } from "../../src/core/sequence.ts";
import { companyDb } from "../../src/db/client.ts";
import { idRange } from "../../src/db/id-range.ts";

const things = sqliteTable("things_with_ids", { id: integer("id").primaryKey() });

/** A session of a database with this number. */
const database = (number: number) => Object.assign(companyDb(env), { number });
const take = async (number: number) => takenId(database(number), await takeId(database(number), things));
const store = (...ids: number[]) => env.DB_0.prepare(`INSERT INTO things_with_ids VALUES (${ids.join("), (")})`).run();
/** The counter is that of one database. */
const forgetCounter = () => env.DB_0.prepare("DELETE FROM sequences WHERE name = 'things_with_ids'").run();

beforeEach(async () => {
  await env.DB_0.exec("DROP TABLE IF EXISTS things_with_ids");
  await env.DB_0.exec("CREATE TABLE things_with_ids (id INTEGER PRIMARY KEY)");
  await forgetCounter();
});

describe("ids of new rows", () => {
  it("follow those that exist in the database's own range", async () => {
    const third = idRange(3);
    // Rows of a company that came from database 3, beside those of before there were ranges.
    await store(1, 2, third.first, third.first + 7);
    expect([await take(0), await take(0)]).toEqual([3, 4]);
    await forgetCounter();
    expect([await take(3), await take(3)]).toEqual([third.first + 8, third.first + 9]);
    // A counter that rows have overtaken.
    await store(third.first + 20);
    expect(await take(3)).toBe(third.first + 21);
  });

  it("begin at the start of a range", async () => {
    expect(await take(0)).toBe(1);
    await forgetCounter();
    expect(await take(3)).toBe(idRange(3).first);
  });

  it("are refused by name when a range is full", async () => {
    for (const number of [0, 3]) {
      const { last } = idRange(number);
      await forgetCounter();
      await store(last - 1);
      expect(await take(number)).toBe(last);
      const refused = { status: 409, extras: { errors: [expect.objectContaining({ code: "ids_used_up" })] } };
      await expect(take(number)).rejects.toMatchObject(refused);
      await expect(take(number)).rejects.toMatchObject(refused);
    }
  });
});

describe("ranges of ids", () => {
  it("do not overlap, and leave room for the records of machines", () => {
    const ranges = Array.from({ length: 32 }, (_, number) => idRange(number));
    for (const [i, { first, last }] of ranges.entries()) {
      expect(first).toBeGreaterThan(ranges[i - 1]?.last ?? 0);
      expect(last - first).toBeGreaterThan(4_000_000);
    }
    expect(Number.isSafeInteger(recordId(ranges.at(-1)?.last ?? 0, 2 ** 26 - 1))).toBe(true);
  });

  it("end with the last database", () => {
    for (const number of [32, -1, 0.5]) expect(() => idRange(number)).toThrow(`There is no database ${number}`);
  });
});
