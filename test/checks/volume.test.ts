import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, test } from "vitest";
import { budgets, daysUntilFull, keptDaysOf, spanOf } from "../../scripts/bench/volume/budgets.ts";
import { bytesOf, measure } from "../../scripts/bench/volume/measure.ts";

const drizzle = resolve(import.meta.dirname, "../../drizzle");

it("writes what a machine-day is said to have, by the statements of the service", async () => {
  const database = new DatabaseSync(":memory:");
  const migrations = readdirSync(drizzle).filter((name) => name.endsWith(".sql"));
  for (const name of migrations.sort()) database.exec(readFileSync(join(drizzle, name), "utf8"));
  const sizes = await measure(database, { companies: 2, machinesPerCompany: 1, days: 2, since: Date.UTC(2026, 8, 1) });
  const count = (from: string) => (database.prepare(`SELECT count(*) AS n FROM ${from}`).get() as { n: number }).n;
  const machineDays = 4;
  expect(count("shift_records WHERE open_bucket IS NULL")).toBe(3 * machineDays);
  expect(count("shift_parts WHERE open_bucket IS NULL")).toBe(26 * machineDays);
  expect(count("operator_shifts")).toBe(3 * machineDays);
  expect(count("order_runs WHERE end_at IS NOT NULL")).toBe(3 * machineDays);
  expect(count("events")).toBe(89 * machineDays);
  expect(count("audit")).toBe(20 * machineDays);
  // The last events of a day are sent in the next one.
  expect(count("webhook_deliveries")).toBeGreaterThan(80 * machineDays);
  for (const budget of budgets) expect(bytesOf(sizes, budget), budget.name).toBeGreaterThan(0);
  database.close();
}, 30_000);

test("a database is full when what is kept for good, and what is kept for some days, fill it", () => {
  const history = { bytes: 20_000, keptDays: null };
  const events = { bytes: 60_000, keptDays: 30 };
  expect(daysUntilFull([history], 1000, 20e6)).toBe(1);
  expect(daysUntilFull([history, events], 1000, 80e6)).toBe(1);
  // 30 days of both, and then the history alone.
  expect(daysUntilFull([history, events], 1000, 30 * 80e6 + 10 * 20e6)).toBe(40);
  expect(daysUntilFull([events], 1000, 30 * 60e6 + 1)).toBe(Number.POSITIVE_INFINITY);
  expect([spanOf(40.9), spanOf(3652.5), spanOf(Number.POSITIVE_INFINITY)]).toEqual(["40 days", "10.0 years", "never"]);
});

test("the days that rows are kept are those of the configuration", () => {
  expect(keptDaysOf('A = "1"\nEVENTS_KEPT_DAYS = "30"\n', "EVENTS_KEPT_DAYS")).toBe(30);
  expect(keptDaysOf('HISTORY_KEPT_DAYS = "0"\n', "HISTORY_KEPT_DAYS")).toBeNull();
  expect(() => keptDaysOf("", "EVENTS_KEPT_DAYS")).toThrow("wrangler.toml has no EVENTS_KEPT_DAYS.");
});
