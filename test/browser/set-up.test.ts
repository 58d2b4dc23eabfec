import { beforeAll, describe, expect, test, vi } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { openDesk, shown } from "./support/desk.ts";
import { lookAt, looksOf, sizesOf } from "./support/looks.ts";

const app = useApp();
const HOUR = 3_600_000;
const soon = { timeout: 120_000, interval: 300 };
const longName = "Spritzgießmaschine Engel e-motion 740/220 an der Nordwand";

interface Plant {
  company: Company;
  press: TestMachine;
  long: TestMachine;
  sku: string;
  shift: { id: number; name: string };
}

/** A press that made a SKU with a standard of 10 s in a shift that is closed for good, one unit each 10 s. */
async function closedPlant(): Promise<Plant> {
  const company = await app().company();
  const start = Math.floor(Date.now() / HOUR - 4) * HOUR;
  const end = new Date(start + 3 * HOUR).toISOString().slice(11, 16);
  const shift = await company.shift({ name: "Morning <b>shift</b>", end });
  const press = await company.machine("Press <i>1</i>", { noDataAfterSeconds: null });
  const long = await company.machine(longName, { standardCycleSeconds: 7.5 });
  await company.send("POST", "/v1/skus", {
    id: "CAP-28",
    name: "Cap, 28 mm",
    standards: [{ machineId: null, standardCycleSeconds: 10 }],
  });
  await company.ingest([{ type: "sku", at: new Date(start).toISOString(), machineId: press.id, skuId: "CAP-28" }]);
  await company.ingest(company.counts(press, 235, 200));
  const record = async () => (await company.send("GET", `/v1/shift-records?machineIds=${press.id}`)).data[0];
  await vi.waitUntil(async () => (await record())?.productionMetrics.oee > 0, soon);
  return { company, press, long, sku: "CAP-28", shift };
}

const open = (company: Company, path: string) => openDesk(app(), company, path);

/** The day and time of an instant in UTC, as people type them. */
const typed = (at: number) => {
  const iso = new Date(at).toISOString();
  return { day: iso.slice(0, 10), clock: iso.slice(11, 16) };
};

describe.skipIf(!hasBrowser)("the set-up on the desk", () => {
  let it: Plant;
  beforeAll(async () => {
    if (hasBrowser) it = await closedPlant();
  });

  test("a standard of the past is tried first, in words, then changed, listed with who and why, and withdrawn", async () => {
    const { company, press } = it;
    const oee = async () =>
      (await company.send("GET", `/v1/shift-records?machineIds=${press.id}`)).data[0].productionMetrics.oee as number;
    const before = await oee();
    const screen = await open(company, "/desk/setup?kind=sku&item=CAP-28");
    const { page } = screen;
    await page.getByLabel("Seconds a cycle").fill("5");
    await page.getByLabel("From an instant, past or to come").check();
    const from = typed(Date.now() - 6 * HOUR);
    await page.getByLabel("From the day").fill(from.day);
    await page.getByLabel("From the day").press("Tab");
    await page.getByLabel("At", { exact: true }).fill(from.clock);
    // The past needs a reason, which is said at its field.
    screen.expectErrors(/status of 400/);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("is required for a change of the past").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true");
    await page.getByLabel("Why").fill("Wrong <u>since</u> the new mould");
    await page.getByRole("button", { name: "Preview" }).click();
    const preview = page.getByRole("region", { name: "What it would change" }).first();
    await preview.getByText(/^1 shift changes\. Its OEE moves from [\d.]+\s% to [\d.]+\s%\.$/).waitFor();
    const said = (await preview.getByRole("status").innerText()).match(/[\d.]+(?=\s%)/g)?.map(Number) as number[];
    // Records have whole percents.
    const isAbout = (value: number, percent = Number.NaN) => Math.abs(value - percent) < 0.56;
    expect(isAbout(before, said[0]), `${before} is about ${said[0]}`).toBe(true);
    expect(isAbout(before, said[1])).toBe(false);
    // Nothing was changed by trying it.
    expect((await company.send("GET", "/v1/skus/CAP-28")).standards[0].standardCycleSeconds).toBe(10);
    for (const size of sizesOf(0)) {
      await page.setViewportSize(size);
      await screen.expectSound(`the preview on a ${size.name}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Make the change" }).click();
    await page.getByText("Changed. The machines compute what follows").waitFor();
    await vi.waitUntil(async () => isAbout(await oee(), said[1]), soon);
    const versions = page.getByRole("region", { name: "Versions" }).first();
    const row = versions.getByRole("row").filter({ hasText: "Wrong <u>since</u> the new mould" });
    expect(await row.innerText()).toMatch(/in force[\s\S]*Any other machine: 5\u00a0s[\s\S]*Ana Admin, /);
    await row.getByRole("button", { name: "Withdraw" }).click();
    const withdraw = page.getByRole("region", { name: "Withdraw this version" });
    await withdraw.getByText(/^1 shift changes\./).waitFor();
    await withdraw.getByRole("button", { name: "Withdraw it" }).click();
    await versions.getByText("withdrawn", { exact: true }).waitFor();
    await vi.waitUntil(async () => (await oee()) === before, soon);
    expect(await page.getByLabel("Seconds a cycle").inputValue()).toBe("10");
    screen.expectClean();
  });

  test("what was entered and not saved is left only when the person says so: by a link, by going back, and by loading the page again", async () => {
    const { company, press } = it;
    const screen = await open(company, `/desk/day?machine=${press.id}`);
    const { page } = screen;
    await page.getByRole("link", { name: "Set-up", exact: true }).click();
    const field = page.getByLabel("A stop is longer than, s");
    await field.fill("77");
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await page.getByRole("link", { name: "Losses", exact: true }).click();
    await dialog.getByRole("button", { name: "Stay" }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    expect([await field.inputValue(), new URL(page.url()).pathname]).toEqual(["77", "/desk/setup"]);

    await page.goBack();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.count()).toBe(0);
    expect([await field.inputValue(), new URL(page.url()).pathname]).toEqual(["77", "/desk/setup"]);

    const asked: string[] = [];
    page.once("dialog", (found) => {
      asked.push(found.type());
      void found.dismiss();
    });
    await page.reload({ timeout: 2000 }).catch(() => undefined);
    expect([asked, await field.inputValue()]).toEqual([["beforeunload"], "77"]);

    await page.getByRole("link", { name: "Losses", exact: true }).click();
    await dialog.getByRole("button", { name: "Leave" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/desk/losses");
    // Nothing is unsaved any more.
    await page.getByRole("link", { name: "Day", exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/desk/day");
    screen.expectClean();
  });

  test("a change ahead leaves the machine as it is, and says what is wrong at its field", async () => {
    const { company, long } = it;
    const screen = await open(company, `/desk/setup?item=${long.id}`);
    const { page } = screen;
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("Nothing is different from now").waitFor();
    await page.getByLabel("A stop is longer than, s").fill("a minute");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("Write a number.").waitFor();
    screen.expectErrors(/status of 400/);
    await page.getByLabel("A stop is longer than, s").fill("99999999");
    await page.getByRole("button", { name: "Preview" }).click();
    const fault = page.locator(".field", { hasText: "A stop is longer than" }).locator(".field-fault");
    await expect.poll(() => fault.innerText()).toMatch(/604.?800/);
    await page.getByLabel("A stop is longer than, s").fill("60");
    await page.getByLabel("From an instant, past or to come").check();
    const from = typed(Date.now() + 24 * HOUR);
    await page.getByLabel("From the day").fill(from.day);
    await page.getByLabel("From the day").press("Tab");
    await page.getByLabel("At", { exact: true }).fill("25:00");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("Write a time like 14:05.").waitFor();
    await page.getByLabel("At", { exact: true }).fill(from.clock);
    await page.getByLabel("Until an instant").check();
    await page.getByLabel("Until the day").fill(typed(Date.now() + 48 * HOUR).day);
    await page.getByLabel("Until the day").press("Tab");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("No shift changes: the numbers stay as they are.").waitFor();
    await page.getByRole("button", { name: "Make the change" }).click();
    await page.getByText("Planned.").waitFor();
    const versions = page.getByRole("region", { name: "Versions" }).first();
    await versions.getByText("to come", { exact: true }).waitFor();
    expect((await company.send("GET", `/v1/machines/${long.id}`)).stopAfterSeconds).toBe(120);
    screen.expectClean();
  });

  test("shifts, sensors, time zone and causes are changed, and readers only see the versions", async () => {
    const { company, press, shift } = it;
    const cause = await company.cause("Jam");
    const screen = await open(company, `/desk/setup?kind=shift&item=${shift.id}`);
    const { page } = screen;
    const change = async () => {
      await page.getByRole("button", { name: "Preview" }).click();
      await page.getByRole("button", { name: "Make the change" }).click();
      await page.getByText("Changed.").waitFor();
    };
    await page.getByRole("button", { name: "Add a line" }).click();
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("Line 1: This is missing.").waitFor();
    const start = (await company.send("GET", `/v1/shifts/${shift.id}`)).start as string;
    await page.getByLabel("Name of the break").fill("Lunch");
    await page.locator(".field-row").getByLabel("Start").fill(start);
    await page
      .locator(".field-row")
      .getByLabel("End")
      .fill(`${start.slice(0, 2)}:30`);
    await change();
    expect((await company.send("GET", `/v1/shifts/${shift.id}`)).breaks).toMatchObject([{ name: "Lunch", start }]);

    await page.getByRole("link", { name: "Count sensors" }).click();
    await page.getByRole("combobox", { name: "Machine" }).selectOption(String(press.id));
    await page.getByLabel("Units a pulse").fill("2");
    await change();
    const { data } = await company.send("GET", "/v1/count-sensors");
    expect(data.find((one: { machineId: number }) => one.machineId === press.id).configs).toMatchObject([{ countingFactor: 2 }]);

    await page.getByRole("link", { name: "Time zone and days" }).click();
    await page.getByLabel("Time zone").fill("Europe/Nowhere");
    screen.expectErrors(/status of 400/);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".field", { hasText: "Time zone" }).locator(".field-fault", { hasText: /./ }).waitFor();
    await page.getByLabel("Time zone").fill("Europe/Madrid");
    await change();
    await expect.poll(() => screen.text()).toContain("Europe/Madrid");
    const lock = page.getByLabel("Books are closed by themselves after, days (empty: never)");
    await lock.fill("0");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".field", { has: lock }).locator(".field-fault", { hasText: /./ }).waitFor();
    await lock.fill("45");
    await change();
    expect((await company.send("GET", "/v1/companies")).data).toMatchObject([{ lockAfterDays: 45 }]);

    await page.getByRole("link", { name: "Stop causes" }).click();
    await page
      .getByRole("link", { name: /^What it means: / })
      .first()
      .click();
    await page.getByLabel("Planned").check();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText("Changed.").waitFor();
    expect((await company.send("GET", `/v1/stop-causes/${cause.id}`)).isProgrammed).toBe(true);
    screen.expectClean();

    const account = { email: `${Date.now()}@browser.test`, password: "only looking at things" };
    await company.send("POST", "/v1/users", { name: "Rosa Reader", role: "readonly", ...account });
    const other = await app().screen();
    await other.page.goto(`/desk/setup?item=${press.id}`);
    await other.signIn(account);
    await other.page.getByText("Your role cannot change it.").waitFor();
    await other.page.getByRole("region", { name: "Versions" }).first().waitFor();
    expect(await other.page.getByRole("button", { name: "Preview" }).count()).toBe(0);
    other.expectClean();
  });

  test("what somebody else has changed meanwhile is said and not overwritten, and what was typed stays", async () => {
    const { company, sku } = it;
    const machine = await company.machine("Press 9", { standardCycleSeconds: 10, hourlyRate: 40 });
    const screen = await open(company, `/desk/setup?item=${machine.id}`);
    const { page } = screen;
    const rate = page.getByLabel("An hour is worth (empty: not known)");
    await rate.fill("44");
    const standard = page.getByLabel("Standard, s a cycle (empty: none)");
    await standard.fill("11");
    await company.send("PATCH", `/v1/machines/${machine.id}`, { standardCycleSeconds: 12, stopAfterSeconds: 200 });
    screen.expectErrors(/status of 412/);
    await page.getByRole("button", { name: "Preview" }).click();
    const told = page.getByRole("alert").filter({ hasText: "Somebody else has changed this meanwhile." });
    await told.waitFor();
    expect(await told.locator("li").allInnerTexts()).toEqual([
      "A stop is longer than, s: 120 → 200",
      "Standard, s a cycle: 10 → 12",
    ]);
    expect(
      await Promise.all([rate, standard, page.getByLabel("A stop is longer than, s")].map((one) => one.inputValue())),
    ).toEqual([...["44", "11", "200"]]);
    expect(await company.send("GET", `/v1/machines/${machine.id}`)).toMatchObject({ standardCycleSeconds: 12, hourlyRate: 40 });
    await screen.expectSound("a form that somebody else has overtaken");
    await page.getByRole("button", { name: "Preview" }).click();
    // Somebody is faster between the preview and the change, too.
    await page.getByRole("button", { name: "Make the change" }).waitFor();
    expect(await told.count()).toBe(0);
    await company.send("PATCH", `/v1/machines/${machine.id}`, { name: "Press 10" });
    await page.getByRole("button", { name: "Make the change" }).click();
    await told.getByText("None of the fields here is different.").waitFor();
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Make the change" }).click();
    await page.getByText("Changed.").waitFor();
    expect(await company.send("GET", `/v1/machines/${machine.id}`)).toMatchObject({
      ...{ name: "Press 10", standardCycleSeconds: 11, hourlyRate: 44, stopAfterSeconds: 200 },
    });

    await page.goto(`${app().url}/desk/setup?kind=sku&item=${sku}`);
    await page.getByLabel("Seconds a cycle").fill("8");
    const standards = (seconds: number) => [{ machineId: null, standardCycleSeconds: seconds }];
    await company.send("PATCH", `/v1/skus/${sku}`, { standards: standards(9) });
    await page.getByRole("button", { name: "Preview" }).click();
    await told.getByText("Standards: Any other machine: 10 s → Any other machine: 9 s").waitFor();
    expect(await page.getByLabel("Seconds a cycle").inputValue()).toBe("8");
    await company.send("PATCH", `/v1/skus/${sku}`, { standards: standards(10) });
    await company.send("DELETE", `/v1/machines/${machine.id}`);
    screen.expectClean();
  });

  test("a change of many machine-days is tried by a job, whose progress is shown", async () => {
    const { company, long } = it;
    const screen = await open(company, `/desk/setup?item=${long.id}`);
    const { page } = screen;
    let isEnd = false;
    const sums = { ...sumsOf(50), shifts: 2 };
    const dryRun = { recalculationId: 7, machineCount: 3, shiftCount: 2, shifts: [], before: sums, after: { ...sums, oee: 60 } };
    await page.route(/\/v1\/machines\/\d+(\?|$)/, async (route) => {
      if (route.request().method() !== "PATCH") return await route.continue();
      return await route.fulfill({ json: { dryRun } });
    });
    await page.route(/\/v1\/recalculations\/7$/, (route) =>
      route.fulfill({
        json: {
          ...{ id: 7, endedAt: isEnd ? new Date().toISOString() : null, machineIds: [1, 2, 3], endedCount: isEnd ? 3 : 1 },
          ...{ failedCount: isEnd ? 1 : 0, machines: [], dryRun: { ...dryRun, recalculationId: null } },
        },
      }),
    );
    await page.getByLabel("A stop is longer than, s").fill("90");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("1 of 3 machines are done.").waitFor();
    expect(await page.getByRole("button", { name: "Make the change" }).isDisabled()).toBe(true);
    isEnd = true;
    await page.getByText("2 shifts change. Their OEE moves from 50.0 % to 60.0 %.").waitFor();
    await page.getByText("1 machine did not keep the events of that time.").waitFor();
    expect(await page.getByRole("button", { name: "Make the change" }).isDisabled()).toBe(false);
    // What is typed afterwards was not tried.
    await page.getByLabel("A stop is longer than, s").fill("91");
    await page.getByRole("button", { name: "Preview" }).waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    screen.expectClean();
  });

  test("a change of many machines from an instant of the past is tried at each, summed, and then made", async () => {
    // The company of the other tests is in Madrid by now: the instant, typed as in UTC, would be before its machines were commissioned.
    const { company, press, long } = await closedPlant();
    const screen = await open(company, "/desk/setup");
    const { page } = screen;
    await page.getByRole("button", { name: "Choose machines" }).click();
    const many = page.getByRole("form", { name: "Change many machines at once" });
    for (const { name } of [press, long]) await many.getByLabel(name).check();
    await many.getByLabel("New value").fill("10");
    await many.getByLabel("From an instant, past or to come").check();
    const from = typed(Math.floor(Date.now() / HOUR - 4) * HOUR);
    await many.getByLabel("From the day").fill(from.day);
    await many.getByLabel("From the day").press("Tab");
    await many.getByLabel("At", { exact: true }).fill(from.clock);
    // Why is needed for the past: the service says so of each machine.
    screen.expectErrors(/status of 400/);
    await many.getByRole("button", { name: "Preview" }).click();
    await many
      .getByRole("listitem")
      .filter({ hasText: `${long.name}: ` })
      .waitFor();
    // It was refused everywhere: nothing is known of the numbers, and there is nothing to confirm.
    expect(await many.getByText("No shift changes").count()).toBe(0);
    expect(await many.getByRole("button", { name: "Change them" }).count()).toBe(0);
    await many.getByLabel("Why").fill("Wrong limit");
    const record = async () => (await company.send("GET", `/v1/shift-records?machineIds=${press.id}`)).data[0];
    const before = await record();
    await many.getByRole("button", { name: "Preview" }).click();
    await many.getByText(/^\d+ shifts? changes?\. (Its|Their) OEE moves from [\d.]+\s% to [\d.]+\s%\.$/).waitFor();
    expect(await record()).toEqual(before);
    await screen.expectSound("a change of many machines that was tried");
    await many.getByRole("button", { name: "Change them" }).click();
    await many.getByText("2 machines were changed.").waitFor();
    for (const { id } of [press, long]) {
      const { data } = await company.send("GET", `/v1/machines/${id}/versions`);
      expect(
        data.some(({ stopAfterSeconds, reason }: Record<string, unknown>) => stopAfterSeconds === 10 || reason === "Wrong limit"),
      ).toBe(true);
    }
    screen.expectClean();
  });

  test("a change of many machines says how many of them did not keep the events of that time", async () => {
    const { company, press, long } = it;
    const screen = await open(company, "/desk/setup");
    const { page } = screen;
    const dryRun = { recalculationId: 7, machineCount: 1, shiftCount: 1, shifts: [] };
    const sums = { before: { ...sumsOf(50), shifts: 1 }, after: { ...sumsOf(60), shifts: 1 } };
    await page.route(/\/v1\/machines\/\d+(\?|$)/, async (route) => {
      if (route.request().method() !== "PATCH") return await route.continue();
      return await route.fulfill({ json: { dryRun: { ...dryRun, ...sums } } });
    });
    await page.route(/\/v1\/recalculations\/7$/, (route) =>
      route.fulfill({
        json: {
          ...{ id: 7, endedAt: new Date().toISOString(), machineIds: [1], endedCount: 1, failedCount: 1, machines: [] },
          dryRun: { ...dryRun, ...sums, recalculationId: null },
        },
      }),
    );
    await page.getByRole("button", { name: "Choose machines" }).click();
    const many = page.getByRole("form", { name: "Change many machines at once" });
    for (const { name } of [press, long]) await many.getByLabel(name).check();
    await many.getByLabel("New value").fill("90");
    await many.getByRole("button", { name: "Preview" }).click();
    await many.getByText(/^2 shifts change\./).waitFor();
    await many.getByText("2 machines did not keep the events of that time.").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    screen.expectClean();
  });

  test("what was deleted is listed when somebody wants to see it, and restored, and a refusal says why", async () => {
    const { company } = it;
    const send = async (method: string, path: string, body?: object) => await company.send(method, path, body);
    await send("POST", "/v1/skus", { id: "OLD-1", name: "Former <b>cap</b>", standards: [] });
    await send("DELETE", "/v1/skus/OLD-1");
    const date = new Date(Date.now() + 30 * 24 * HOUR).toISOString().slice(0, 10);
    const holiday = { date, scope: "company", closed: true };
    const day = await send("POST", "/v1/calendar-days", holiday);
    await send("DELETE", `/v1/calendar-days/${day.id}`);
    const again = await send("POST", "/v1/calendar-days", holiday);
    const screen = await open(company, "/desk/setup?kind=sku&item=CAP-28");
    const { page } = screen;
    await page.getByRole("button", { name: "Show what was deleted" }).click();
    const list = page.getByRole("region", { name: "Deleted" }).first();
    await list.getByRole("rowheader", { name: "OLD-1 · Former <b>cap</b>" }).waitFor();
    for (const size of sizesOf(0)) {
      await page.setViewportSize(size);
      await screen.expectSound(`what was deleted on a ${size.name}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await list.getByRole("button", { name: "Restore: OLD-1 · Former <b>cap</b>" }).click();
    await page.getByText("OLD-1 · Former <b>cap</b> is in use again.").waitFor();
    await page.getByText("Nothing of this kind is deleted.").waitFor();
    await expect.poll(() => page.getByRole("combobox", { name: "SKU" }).innerText()).toContain("Former <b>cap</b>");
    expect((await send("GET", "/v1/skus/OLD-1")).deletedAt).toBeNull();

    await page.getByRole("link", { name: "Calendar" }).click();
    await page.getByRole("button", { name: "Show what was deleted" }).click();
    screen.expectErrors(/status of 409/);
    await list.getByRole("button", { name: /^Restore: / }).click();
    await list.getByRole("alert").filter({ hasText: /./ }).waitFor();
    screen.expectClean();
    await company.send("DELETE", `/v1/calendar-days/${again.id}`);
  });

  test("defect reasons are added, renamed and deleted", async () => {
    const { company } = it;
    const names = async () => (await company.send("GET", "/v1/defect-reasons")).data.map(({ name }: { name: string }) => name);
    const screen = await open(company, "/desk/setup?kind=reasons");
    const { page } = screen;
    await page.getByText("There is no defect reason yet.").waitFor();
    const added = page.getByLabel("Name of the new reason");
    await page.getByRole("button", { name: "Add" }).click();
    await expect.poll(() => added.getAttribute("aria-invalid")).toBe("true");
    await added.fill("Scratch <b>deep</b>");
    await page.getByRole("button", { name: "Add" }).click();
    const card = page.getByRole("region", { name: "Defect reasons" }).first();
    await card.getByRole("rowheader", { name: "Scratch <b>deep</b>" }).waitFor();
    // The form is empty for the next one. What is refused is said at its field.
    await expect.poll(() => added.inputValue()).toBe("");
    screen.expectErrors(/status of 409/);
    await added.fill("Scratch <b>deep</b>");
    await page.getByRole("button", { name: "Add" }).click();
    await card.locator(".field-fault").filter({ hasText: /./ }).waitFor();
    expect(await added.getAttribute("aria-invalid")).toBe("true");
    await added.fill("");
    await page.getByRole("button", { name: "Rename: Scratch <b>deep</b>" }).click();
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).value);
    await expect.poll(focused).toBe("Scratch <b>deep</b>");
    const field = page.getByLabel("New name");
    await field.fill("Something else");
    await field.press("Escape");
    const isFocused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    await expect.poll(isFocused).toBe("Rename: Scratch <b>deep</b>");
    expect(await names()).toEqual(["Scratch <b>deep</b>"]);
    // What is refused is said at the field, and what was typed stays.
    await company.send("POST", "/v1/defect-reasons", { name: "Taken" });
    await page.keyboard.press("Enter");
    await field.fill("Taken");
    await field.press("Enter");
    await card.locator(".field-fault").filter({ hasText: /./ }).waitFor();
    expect([await field.getAttribute("aria-invalid"), await field.inputValue()]).toEqual(["true", "Taken"]);
    const id = await field.getAttribute("aria-describedby");
    expect(await page.locator(`[id="${id}"]`).innerText()).toMatch(/./);
    for (const size of sizesOf(1)) {
      await page.setViewportSize(size);
      await screen.expectSound(`renaming a defect reason on a ${size.name}`);
    }
    await field.fill("Burr");
    await field.press("Enter");
    await card.getByRole("rowheader", { name: "Burr" }).waitFor();
    await expect.poll(isFocused).toBe("Rename: Burr");
    expect((await names()).sort()).toEqual(["Burr", "Taken"]);
    const taken = (await company.send("GET", "/v1/defect-reasons")).data.find(({ name }: { name: string }) => name === "Taken");
    await company.send("DELETE", `/v1/defect-reasons/${taken.id}`);
    await page.getByRole("button", { name: "Delete: Burr" }).click();
    await page.getByText("Delete Burr?").waitFor();
    for (const size of sizesOf(0)) {
      await page.setViewportSize(size);
      await screen.expectSound(`deleting a defect reason on a ${size.name}`);
    }
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await names()).toEqual(["Burr"]);
    await page.getByRole("button", { name: "Delete: Burr" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("There is no defect reason yet.").waitFor();
    screen.expectClean();
  });

  test("a day of the past is closed after a preview, gets other shifts, and is as its weekday again; a stop is planned ahead", async () => {
    const company = await app().company();
    const { name } = await company.shift();
    const press = await company.machine("Press", { noDataAfterSeconds: null });
    await company.ingest(company.counts(press, 200, 150));
    const day = (await company.send("GET", "/v1/shift-records")).data[0].shift.startTime.slice(0, 10);
    const screen = await open(company, "/desk/setup?kind=days");
    const { page } = screen;
    await page.getByText("No date is different from its weekday.").waitFor();
    await page.getByRole("button", { name: "Enter a date" }).click();
    await page.getByRole("textbox", { name: "Date" }).fill(day);
    await page.getByRole("textbox", { name: "Date" }).press("Tab");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("1 shift changes. It would be gone.").waitFor();
    expect((await company.send("GET", "/v1/calendar-days")).data).toEqual([]);
    for (const size of sizesOf(2)) {
      await page.setViewportSize(size);
      await screen.expectSound(`the preview of a closed day on a ${size.name}`);
    }
    await page.getByRole("button", { name: "Make the change" }).click();
    const card = page.getByRole("region", { name: "Calendar days" }).first();
    await card.getByText("closed", { exact: true }).waitFor();
    expect((await company.send("GET", "/v1/calendar-days")).data).toMatchObject([{ date: day, scope: "company", closed: true }]);

    await page.getByRole("button", { name: /^Change: / }).click();
    await page.getByLabel("These shifts, and no others").check();
    await page.locator(".field-row").getByLabel("End").fill("half past");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("Line 1: Write a time like 14:05.").waitFor();
    const start = await page.locator(".field-row").getByLabel("Start").inputValue();
    const end = `${String((Number(start.slice(0, 2)) + 23) % 24).padStart(2, "0")}:00`;
    await page.locator(".field-row").getByLabel("End").fill(end);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Make the change" }).click();
    await card.getByText(`${name} ${start}–${end}`).waitFor();

    await page.getByRole("button", { name: /^Delete: / }).click();
    const removal = page.getByRole("region", { name: /^Delete / });
    await removal.getByText(/^(\d+ shifts? changes?\.|No shift changes)/).waitFor();
    await removal.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No date is different from its weekday.").waitFor();

    const stops = page.getByRole("region", { name: "Planned stops ahead" }).first();
    await stops.getByLabel("Name").fill("Yearly <b>service</b>");
    await stops.getByLabel("To", { exact: true }).fill("7:00");
    screen.expectErrors(/status of 400/);
    await stops.getByRole("button", { name: "Plan" }).click();
    await stops.locator(".field-fault", { hasText: /./ }).waitFor();
    await stops.getByLabel("To", { exact: true }).fill("11:00");
    await stops.getByRole("button", { name: "Plan" }).click();
    await stops.getByText(/08:00 – .* 11:00, is planned\./).waitFor();
    await stops.getByRole("button", { name: "Take back" }).click();
    await stops.getByText("Taken back.").waitFor();
    screen.expectClean();
  });

  test.each(["machine", "sensors", "sku", "shift", "company", "cause", "days", "reasons"] as const)(
    "looks right in every language and size: %s",
    async (kind) => {
      const { company, long, press, shift, sku } = it;
      const item = { machine: long.id, sensors: press.id, shift: shift.id, sku }[kind as "machine"];
      const path = `/desk/setup?kind=${kind}${item === undefined ? "" : `&item=${item}`}`;
      const screen = await open(company, path);
      const place = ["machine", "sensors", "sku", "shift", "company", "cause"].indexOf(kind);
      for (const look of looksOf(place < 0 ? 0 : place)) {
        await lookAt(screen, path, look, async () => {
          await shown(screen);
          if (["cause", "days", "reasons"].includes(kind)) return;
          await screen.page.getByRole("radio").nth(1).check();
          if (kind !== "sensors") await screen.page.getByRole("radio").nth(3).check();
        });
      }
    },
  );

  test("looks right without any item in every language and size", async () => {
    const empty = await app().company();
    await empty.machine("Alone");
    const screen = await open(empty, "/desk/setup?kind=sku&item=CAP-28");
    for (const look of looksOf(1)) await lookAt(screen, "/desk/setup?kind=sku&item=CAP-28", look, () => shown(screen));
  });
});

function sumsOf(oee: number) {
  return {
    ...{ oee, netOee: oee, availability: 80, netAvailability: 80, effectiveness: 90, quality: 100, total: 10, defects: 0 },
    ...{ availableTime: 100, programmedDowntime: 0, nonProgrammedDowntime: 5, otherStopsTime: 0, noDataTime: 0 },
  };
}
