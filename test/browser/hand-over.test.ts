import { beforeAll, describe, expect, test, vi } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { lookAt, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

// The page on which one shift hands over to the next.

const app = useApp();
const LONG = "Spritzgießmaschine Engel e-motion 740/220";

async function shown({ page }: Screen): Promise<void> {
  await page.locator(".hand-sheet, .empty").first().waitFor();
  await expect.poll(() => page.locator(".card-wait, [aria-busy=true]").count(), { timeout: 120_000 }).toBe(0);
}

async function open(company: Company, path = "/desk/handover"): Promise<Screen> {
  const screen = await app().screen({ locale: "en-GB" });
  await screen.enterAs(company);
  await screen.page.goto(path);
  await shown(screen);
  return screen;
}

/** How many pages a PDF of A4 has. */
async function pagesOf({ page }: Screen): Promise<number> {
  const pdf = await page.pdf({ format: "A4" });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

describe.skipIf(!hasBrowser)("the hand-over of a shift", () => {
  let company: Company;
  let press: TestMachine;
  let lineId: number;
  beforeAll(async () => {
    if (!hasBrowser) return;
    company = await app().company();
    await company.shift();
    ({ id: lineId } = await company.send("POST", "/v1/lines", { name: "Hall North" }));
    press = await company.machine(LONG, { lineId, noDataAfterSeconds: null });
    const lathe = await company.machine("Lathe 1");
    await company.cause("Jam in feeder");
    await company.ingest([
      ...[...company.counts(press, 120, 90), ...company.counts(press, 70, 40), ...company.counts(press, 30, 0)],
      ...company.counts(lathe, 120, 0, 4),
    ]);
    await company.send("POST", `/v1/machines/${press.id}/help-calls`, { message: "Mould leaks" });
    const hasStops = async () => (await company.send("GET", `/v1/stop-records?machineIds=${press.id}`)).data.length > 1;
    await vi.waitUntil(hasStops, { timeout: 30_000, interval: 500 });
  });

  test("is written by one lead, and acknowledged by the next; the history has who and when", async () => {
    const screen = await open(company);
    const { page } = screen;
    const sheet = page.locator(".hand-sheet");
    expect(await sheet.innerText()).toContain("Nobody has written this hand-over yet");
    expect(await sheet.innerText()).toContain("Mould leaks");
    await page.getByRole("button", { name: "Write it" }).click();
    await page.getByLabel("Quality").fill("Flash on cavity 12 since 11:00.\nSorted by hand.");
    await page.getByLabel("What to watch, one thing per line").fill("Tool back at 16:00\n\n  Roll 4 is in bay 3  \n");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => sheet.innerText()).toContain("Sorted by hand.");
    expect(await sheet.locator(".sheet-watch li").allInnerTexts()).toEqual(["Tool back at 16:00", "Roll 4 is in bay 3"]);
    expect(await sheet.innerText()).toContain("Nobody has acknowledged it yet.");
    const [{ id }] = (await company.send("GET", "/v1/hand-overs")).data;
    const { figures } = await company.send("GET", `/v1/hand-overs/${id}`);
    expect(figures.calls).toMatchObject([{ message: "Mould leaks" }]);

    // What was typed is there again, and the form of the API takes it.
    await page.getByRole("button", { name: "Change" }).click();
    expect(await page.getByLabel("Quality").inputValue()).toBe("Flash on cavity 12 since 11:00.\nSorted by hand.");
    await page.getByLabel("Safety").fill("Near miss at the door");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => sheet.innerText()).toContain("Near miss at the door");

    const next = await company.user("user");
    const other = await app().screen({ locale: "en-GB" });
    await other.page.goto("/desk/handover");
    await other.signIn(next);
    await shown(other);
    await other.page.getByRole("button", { name: "I have read it" }).click();
    await expect.poll(() => other.page.locator(".sheet-sign").last().innerText()).toContain("Rosa Reader");
    expect(await other.page.getByRole("button", { name: "Change" }).count()).toBe(0);
    const row = other.page.getByRole("region", { name: "Earlier hand-overs" }).locator("tbody tr");
    expect(await row.innerText()).toContain("Rosa Reader");
    screen.expectClean();
    other.expectClean();
  });

  test("is of a line with its machines, and shows to those who only read no buttons", async () => {
    const screen = await app().screen({ locale: "en-GB" });
    await screen.page.goto(`/desk/handover?line=${lineId}`);
    await screen.signIn(await company.user("readonly"));
    await shown(screen);
    const { page } = screen;
    const names = page.locator(".sheet-block").first().locator("tbody tr").first();
    expect(await names.innerText()).toContain(LONG);
    expect(await page.getByRole("button", { name: "Write it" }).count()).toBe(0);
    screen.expectClean();
  });

  test("prints on one page of A4", async () => {
    const screen = await open(company);
    expect(await pagesOf(screen)).toBe(1);
  });

  test("says so if nobody worked in the shift on that day", async () => {
    const [{ id }] = (await company.send("GET", "/v1/shifts")).data;
    const screen = await open(company, `/desk/handover?day=2020-01-02&shift=${id}`);
    expect(await screen.text()).toContain("No machine had this shift on this day");
    screen.expectErrors(/404/);
    await screen.expectSound("no shift");
  });

  test.each(someLooks)("looks right in $language on a $size.name", async (look) => {
    const screen = await open(company);
    await lookAt(screen, "/desk/handover", look, () => shown(screen));
    const button = screen.page.locator(".hand-over-tools .button").first();
    if ((await button.count()) > 0) {
      await button.click();
      await screen.expectSound("the form");
    }
  });
});
