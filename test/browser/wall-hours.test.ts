import { describe, expect, test } from "vitest";
import { CAP, pxPerArcMinute } from "../../src/board/domain/wall-layout.ts";
import { wall } from "../../src/board/texts/en/wall.ts";
import { wallParts } from "../../src/board/texts/en/wall-parts.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import { faintTexts } from "./support/ink-faults.ts";

const app = useApp();

/** Runs in the page: the numbers of the table's rows, its sum last, and the difference in the header. */
function numbersShown() {
  const numberOf = (text: string) => Number(text.replace(/[^\d−-]/g, "").replace("−", "-"));
  const rows = [...document.querySelectorAll(".line-hours tbody tr, .line-hours tfoot tr")].map((row) =>
    [...row.querySelectorAll("td")].slice(0, 3).map((cell) => (cell.innerText.trim() === "" ? null : numberOf(cell.innerText))),
  );
  return { rows, header: numberOf(document.querySelector<HTMLElement>(".wall-figure-difference dd")?.innerText ?? "") };
}

describe.skipIf(!hasBrowser)("the wall of a line", () => {
  test("shows what was made hour by hour and why not more, with the sum of the header, in letters for its distance", async () => {
    const company = await app().company({ name: "Montaje" });
    await company.plant({ Press: "runs", Saw: "stands for a cause", Mill: "stands" });
    // Stops are in the timeline once their machines have published them.
    const standing = async () => {
      const [from, to] = [3, 0].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
      const { data } = await company.send("GET", `/v1/timeline?from=${from}&to=${to}`);
      return data.filter(({ status }: { status: string }) => status === "N").length;
    };
    await expect.poll(standing, { timeout: 120_000 }).toBe(2);
    const screen = await app().screen({ viewport: { width: 1920, height: 1080 } });
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto("/wall?distance=5");
    await page.locator(".tile").first().waitFor();
    await page.keyboard.press("s");
    await page.getByLabel(wallParts.show).selectOption("hours");
    await page.getByRole("button", { name: wallParts.close }).click();
    expect(page.url()).toContain("show=hours");
    await page.locator(".line-now").waitFor();

    const { rows, header } = await page.evaluate(numbersShown);
    const sum = rows[rows.length - 1];
    const hours = rows.slice(0, -1).filter(([, made]) => made !== null);
    expect(hours.length).toBeGreaterThan(3);
    expect(sum?.[2]).toBe(header);
    for (const column of [0, 1, 2]) {
      // Each hour is rounded by itself.
      const added = hours.reduce((so, row) => so + (row[column] ?? 0), 0);
      expect(Math.abs(added - (sum?.[column] ?? Number.NaN))).toBeLessThanOrEqual(hours.length);
    }
    const reasons = await page.locator(".line-hours tbody td:last-child").allInnerTexts();
    expect(reasons.join("\n")).toMatch(/Cause of Saw \d+\smin/);
    expect(reasons.join("\n")).toContain(wall.noCause);
    expect(await page.locator(".line-machines .name").allTextContents()).toEqual(["Mill", "Saw", "Press"]);

    const cell = page.locator(".line-now td").first();
    const { size, height } = await cell.evaluate((one) => ({
      size: Number.parseFloat(getComputedStyle(one).fontSize),
      height: one.getBoundingClientRect().height,
    }));
    expect((CAP * size) / pxPerArcMinute(5, 1080)).toBeGreaterThanOrEqual(16);
    expect(height).toBeGreaterThanOrEqual(70);
    expect(await page.evaluate(faintTexts, 7)).toEqual([]);
    await screen.expectSound("a wall of hours");
    await page.goto("/wall?distance=8&show=hours&lang=es&theme=light");
    await page.locator(".line-now").waitFor();
    expect(await page.evaluate(faintTexts, 7)).toEqual([]);
    await screen.expectSound("a wall of hours at 8 m in es");
  });
});
