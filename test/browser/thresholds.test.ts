import { beforeAll, describe, expect, test, vi } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
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
    await company.shift();
    press = await company.machine("Press 1", { noDataAfterSeconds: null });
    const lathe = await company.machine("Lathe 1", { noDataAfterSeconds: null });
    for (const machine of [press, lathe])
      await company.ingest([...company.counts(machine, 120, 90), ...company.counts(machine, 30, 0)]);
    const hasStops = async () => (await company.send("GET", "/v1/stop-records")).data.length > 1;
    await vi.waitUntil(hasStops, { timeout: 30_000, interval: 500 });
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
    const today = new Date().toISOString().slice(0, 10);
    await page.goto(`/desk/compare?day=${today}&vsDay=${today}`);
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
