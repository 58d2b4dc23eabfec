import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { parseCsv } from "../../../src/core/read-csv.ts";
import type { Screen } from "./screen.ts";

/** Presses a button that saves a file. */
export async function saved(button: Locator): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([button.page().waitForEvent("download"), button.click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString() };
}

/** Saves all tables of an English page: each has a text in every cell in which the page shows one, and no column of buttons. */
export async function expectSavedTables({ page }: Screen): Promise<void> {
  await page.locator("table").first().waitFor();
  await expect.poll(() => page.locator(".card-wait, [aria-busy=true]").count(), { timeout: 120_000 }).toBe(0);
  const buttons = page.getByRole("button", { name: /save this table/ });
  const cards = await page.locator(".card", { has: buttons }).all();
  expect(cards.length).toBeGreaterThan(0);
  for (const card of cards) {
    const lines = parseCsv((await saved(card.getByRole("button", { name: /save this table/ }))).text, ",");
    const shown = await textsOf(card.locator("table"));
    // Numbers have other digits in a file: what matters is that they are there.
    const inFile = lines.map(({ fields }, row) => fields.map((field, i) => (field === "" ? "" : shown[row]?.[i] || field)));
    expect(inFile, await card.locator("h2").innerText()).toEqual(shown);
  }
}

/** The texts of a table's cells, row by row, without those of the columns of buttons, whose headings are for screen readers alone. */
async function textsOf(table: Locator): Promise<string[][]> {
  return await table.evaluate((shown: HTMLTableElement) => {
    const areButtons = [...shown.querySelectorAll("thead th")].map((heading) => heading.querySelector(".unseen") !== null);
    return [...shown.rows].map(({ cells }) =>
      [...cells].filter((_, i) => !areButtons[i]).map((cell) => cell.textContent?.trim() ?? ""),
    );
  });
}
