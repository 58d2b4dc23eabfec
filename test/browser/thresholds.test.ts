import { beforeAll, describe, expect, test, vi } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { expectSavedTables } from "./support/saved-tables.ts";
import type { Screen } from "./support/screen.ts";

// What is low or good, by the thresholds of the company and of its machines.

const app = useApp();

async function shown({ page }: Screen): Promise<void> {
  await page.locator(".card").first().waitFor();
  await expect.poll(() => page.locator(".card-wait, [aria-busy=true]").count(), { timeout: 15_000 }).toBe(0);
}

/** The ratings of a row of a card, by its name. */
async function ratingsOf({ page }: Screen, card: string, row: string): Promise<(string | null)[]> {
  const found = page.getByRole("region", { name: card }).locator("tbody tr", { hasText: row }).first().locator("[data-rating]");
  return await Promise.all((await found.all()).map((one) => one.getAttribute("data-rating")));
}

describe.skipIf(!hasBrowser)("thresholds", () => {
  let company: Company;
  let press: TestMachine;
  beforeAll(async () => {
    if (!hasBrowser) return;
    company = await app().company();
    // The whole shift is of one day, whatever the time is.
    await company.send("PATCH", `/v1/companies/${company.id}`, { productionDay: "shiftStart" });
    await company.shift();
    press = await company.machine("Press 1", { noDataAfterSeconds: null });
    const lathe = await company.machine("Lathe 1", { noDataAfterSeconds: null });
    for (const machine of [press, lathe])
      await company.ingest([...company.counts(machine, 120, 90), ...company.counts(machine, 30, 0)]);
    const hasStops = async () => (await company.send("GET", "/v1/stop-records")).data.length > 1;
    await vi.waitUntil(hasStops, { timeout: 30_000, interval: 500 });
  });

  test("are those of operators, too, of whom a table has what they made and how well", async () => {
    const operator = await company.send("POST", "/v1/operators", { name: "Ana Ortiz", code: "17" });
    const at = new Date(Date.now() - 125 * 60_000).toISOString();
    await company.ingest([{ type: "operator", at, machineId: press.id, operatorId: operator.id, action: "in" }]);
    const made = async () => (await company.send("GET", "/v1/summary?groupBy=operator")).data[0]?.total > 0;
    await vi.waitUntil(made, { timeout: 30_000, interval: 500 });
    const screen = await app().screen({ locale: "en-GB" });
    await screen.enterAs(company);
    await screen.page.goto("/desk/people");
    await shown(screen);
    const { data } = await company.send("GET", "/v1/summary?groupBy=operator");
    expect(data).toMatchObject([{ operator: { name: "Ana Ortiz" }, quality: 100, defects: 0 }]);
    expect(data[0].oee).toBeGreaterThan(0);
    const row = screen.page.getByRole("region", { name: "Who worked" }).locator("tbody tr");
    expect(await row.locator("[data-column=Quality]").innerText()).toMatch(/^100\.0\s%$/);
    expect(await row.locator("[data-column=OEE]").innerText()).toMatch(/^\d+\.\d\s%$/);
    expect(await ratingsOf(screen, "Who worked", "Ana Ortiz")).toHaveLength(2);
    const place = screen.page.getByRole("region", { name: "Where they worked" }).locator("tbody tr");
    expect(await place.innerText()).toContain("Press 1");
    await expectSavedTables(screen);
    screen.expectClean();
  });

  test("are the machine's own, or those of the company, and the set-up changes both", async () => {
    const whole = { badBelow: 100, goodFrom: 100 };
    await company.send("PATCH", `/v1/companies/${company.id}`, { oeeThresholds: whole, availabilityThresholds: whole });
    const screen = await app().screen({ locale: "en-GB" });
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto("/desk/day");
    await shown(screen);
    expect(await ratingsOf(screen, "Shifts", "Press 1")).toEqual(["bad", "bad"]);
    expect(await screen.text()).toContain("below 100 %");

    await page.goto(`/desk/setup?kind=machine&item=${press.id}`);
    const oee = page.getByRole("group", { name: "OEE in colours, % (empty: as the plant)" });
    await oee.getByLabel("Low below").fill("0");
    await page.getByRole("button", { name: "Preview" }).click();
    await expect.poll(() => oee.innerText()).toContain("This is missing.");
    await oee.getByLabel("Good from").fill("0");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Make the change" }).click();
    await page.getByText("Changed.").waitFor();
    expect(await company.send("GET", `/v1/machines/${press.id}`)).toMatchObject({
      oeeThresholds: { badBelow: 0, goodFrom: 0 },
      availabilityThresholds: null,
    });

    await page.goto("/desk/day");
    await shown(screen);
    expect(await ratingsOf(screen, "Shifts", "Press 1")).toEqual(["bad", "good"]);
    expect(await ratingsOf(screen, "Shifts", "Lathe 1")).toEqual(["bad", "bad"]);
    expect(await screen.text()).toContain("good, by the thresholds of each machine");
    await page.goto("/desk");
    await shown(screen);
    expect(new Set(await ratingsOf(screen, "OEE by machine and shift", "Press 1"))).toEqual(new Set(["good"]));
    // A shape, which has a name, besides the colour.
    expect(await page.getByRole("img", { name: "good" }).count()).toBeGreaterThan(0);
    const [{ shift }] = (await company.send("GET", "/v1/shift-records")).data;
    const day = shift.startTime.slice(0, 10);
    await page.goto(`/desk/compare?day=${day}&vsDay=${day}`);
    await shown(screen);
    await expect.poll(() => ratingsOf(screen, "Machines", "Press 1")).toEqual(["good", "bad"]);

    await page.goto("/desk/setup?kind=company");
    const ofCompany = page.getByRole("group", { name: "OEE in colours, %" });
    await ofCompany.getByLabel("Low below").fill("70");
    await ofCompany.getByLabel("Good from").fill("60");
    screen.expectErrors(/status of 400/);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect.poll(() => ofCompany.innerText()).toContain("must be at least");
    screen.expectClean();
  });
});
