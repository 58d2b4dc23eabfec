import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrate } from "../../service.ts";
import { databaseFile } from "../plant-folder.ts";
import { budgets, daysUntilFull, type Growth, keptDaysOf, spanOf } from "./budgets.ts";
import type { Extent } from "./fill.ts";
import { bytesOf, measure, type Sizes, sumOf } from "./measure.ts";

/** 200 machines in 30 days. Many small companies, because rows that are in the order of companies then lie least close. */
const whole: Extent = { companies: 40, machinesPerCompany: 5, days: 30, since: Date.UTC(2026, 8, 1) };

/** The numbers of machines for which the years are printed. */
const MACHINES = [100, 1_000, 10_000];

/** Fills a new database with 200 machines' rows of 30 days, prints what a machine-day takes, and returns whether all budgets are met. */
export async function runVolume(folder: string): Promise<boolean> {
  const stateFolder = join(folder, "state");
  await migrate(stateFolder);
  const database = new DatabaseSync(databaseFile(stateFolder));
  try {
    const sizes = await measure(database, whole);
    const wranglerToml = readFileSync(resolve(import.meta.dirname, "../../../wrangler.toml"), "utf8");
    console.log(report(sizes, wranglerToml));
    return budgets.every((budget) => bytesOf(sizes, budget) <= budget.atMost);
  } finally {
    database.close();
  }
}

function report(sizes: Sizes, wranglerToml: string): string {
  const figure = (bytes: number) => Math.round(bytes).toLocaleString("en");
  const lines = ["Bytes per machine-day, in pages of the database:", "", "| table or index | bytes |", "|---|---:|"];
  const growths: Growth[] = [];
  for (const budget of budgets) {
    const keptDays = keptDaysOf(wranglerToml, budget.keptDays);
    for (const table of budget.tables) {
      const parts = [...(sizes.get(table) ?? [])].sort(([a], [b]) => Number(b === table) - Number(a === table));
      lines.push(...parts.map(([name, bytes]) => `| ${name === table ? name : `- ${name}`} | ${figure(bytes)} |`));
    }
    const bytes = bytesOf(sizes, budget);
    const met = bytes <= budget.atMost ? "met" : "MISSED";
    const kept = keptDays === null ? "kept for good" : `kept for ${keptDays} days`;
    lines.push(`| **${budget.name}**, ${kept}, at most ${figure(budget.atMost)}: ${met} | **${figure(bytes)}** |`);
    growths.push({ bytes, keptDays });
  }
  const budgeted = new Set(budgets.flatMap(({ tables }) => tables));
  const others = [...sizes].filter(([table]) => !budgeted.has(table)).reduce((sum, [, parts]) => sum + sumOf(parts), 0);
  lines.push(`| all other tables: set-up, which does not grow by the day | ${figure(others)} |`, "");
  lines.push(
    ...MACHINES.map((machines) => `- ${figure(machines)} machines: 8 GB after ${spanOf(daysUntilFull(growths, machines))}`),
  );
  return lines.join("\n");
}
