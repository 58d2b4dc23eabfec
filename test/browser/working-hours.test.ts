import { describe, expect, test } from "vitest";
import { addDays, dayOf, daysOf } from "../../src/board/domain/days.ts";
import { setUp } from "../../src/board/texts/en/set-up.ts";
import { workingHours as t } from "../../src/board/texts/en/working-hours.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import { openDesk, shown } from "./support/desk.ts";
import { lookAt, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();
const path = "/desk/setup?kind=shift";
const workdays = ["monday", "tuesday", "wednesday", "thursday", "friday"];

interface Plant {
  company: Company;
  morning: number;
  afternoon: number;
  night: number;
}

async function newPlant(): Promise<Plant> {
  const company = await app().company({ timezone: "Europe/Madrid" });
  await company.machine("Press <i>1</i>");
  const shift = async (name: string, start: string, end: string) =>
    (
      await company.send("POST", "/v1/shifts", {
        ...{ name, start, end, days: workdays },
        ...(name === "Morning" && { breaks: [{ name: "Coffee", start: "10:00", end: "10:30" }] }),
      })
    ).id as number;
  return {
    company,
    morning: await shift("Morning", "06:00", "14:00"),
    afternoon: await shift("Afternoon", "14:00", "22:00"),
    night: await shift("Night", "22:00", "06:00"),
  };
}

const slider = ({ page }: Screen, name: string) => page.getByRole("slider", { name, exact: true });
const field = ({ page }: Screen, name: string) => page.locator(".field-grid > .field").getByLabel(name, { exact: true });
const button = ({ page }: Screen, name: string) => page.getByRole("button", { name, exact: true });
const today = () => dayOf(Date.now(), "Europe/Madrid");
const dayButton = ({ page }: Screen, day: string) => page.locator(`button[data-day="${day}"]`);

/** A day to come of the year that is shown first, if there is one: in the last days of December the next year is opened. */
async function dayAhead(screen: Screen, weekday: number): Promise<string> {
  const inWeek = addDays(daysOf("week", addDays(today(), 7), "monday").first, weekday);
  // The day before is of the same year.
  const day = inWeek.endsWith("-01-01") ? addDays(inWeek, 7) : inWeek;
  if (day.slice(0, 4) !== today().slice(0, 4)) await button(screen, t.year.later).click();
  return day;
}

async function drag({ page }: Screen, name: string, by: number): Promise<void> {
  await page.getByRole("slider", { name, exact: true }).scrollIntoViewIfNeeded();
  const box = await page.getByRole("slider", { name, exact: true }).boundingBox();
  const column = await page.locator(".week-column").first().boundingBox();
  if (!box || !column) throw new Error("The edge is not shown");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + (by / 1440) * column.height, { steps: 4 });
  await page.mouse.up();
}

describe.skipIf(!hasBrowser)("the working hours", () => {
  test("a dragged edge fills the form, what it was is dotted, and the change is tried first and then made", async () => {
    const { company, morning } = await newPlant();
    const screen = await openDesk(app(), company, path);
    const { page } = screen;
    await page.getByText(t.week.hours("120")).waitFor();
    await page.getByText(/^The clocks change next on .* No shift runs then\.$/).waitFor();
    expect(await page.locator(".week-mark").count()).toBe(0);
    await drag(screen, t.week.end("Morning"), -30);
    expect([await field(screen, "Start").inputValue(), await field(screen, "End").inputValue()]).toEqual(["06:00", "13:30"]);
    await page.getByText(t.week.hoursThen("120", "117.5")).waitFor();
    expect(await page.locator(".week-mark").count()).toBe(5);
    // The form is the truth: what is typed there moves the edge.
    await field(screen, "End").fill("13:45");
    expect(await slider(screen, t.week.end("Morning")).getAttribute("aria-valuetext")).toBe("13:45");
    await field(screen, "End").fill("never");
    expect(await slider(screen, t.week.end("Morning")).getAttribute("aria-valuetext")).toBe("14:00");
    await field(screen, "End").fill("13:30");
    expect((await company.send("GET", `/v1/shifts/${morning}`)).end).toBe("14:00");
    await button(screen, setUp.preview).click();
    await page.getByText(setUp.tried.nothing).or(page.getByText(setUp.tried.nothingPast)).waitFor();
    await button(screen, setUp.save).click();
    await page.getByText(setUp.saved, { exact: true }).waitFor();
    expect((await company.send("GET", `/v1/shifts/${morning}`)).end).toBe("13:30");
    await page.getByText(t.week.hours("117.5")).waitFor();
    expect(await page.locator(".week-mark").count()).toBe(0);

    // A shift that would overlap another one is refused at its field, and the block of the other one leads to its form.
    await drag(screen, t.week.end("Morning"), 60);
    screen.expectErrors(/status of 409/);
    await button(screen, setUp.preview).click();
    await page.locator(".field-fault, .refusal", { hasText: /./ }).first().waitFor();
    await page
      .getByRole("link", { name: /^Afternoon 14:00–22:00/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Leave" }).click();
    await slider(screen, t.week.start("Afternoon")).waitFor();
    screen.expectClean();
  });

  test("an edge is moved by the keyboard, in steps of five minutes and of an hour, also over the end of a column", async () => {
    const { company, night } = await newPlant();
    const screen = await openDesk(app(), company, `${path}&item=${night}`);
    const edge = slider(screen, t.week.end("Night"));
    await edge.focus();
    for (const key of ["ArrowUp", "ArrowUp", "PageUp", "ArrowRight"]) await screen.page.keyboard.press(key);
    expect(await field(screen, "End").inputValue()).toBe("04:55");
    // The columns are from 06:00 to 06:00.
    for (let i = 0; i < 3; i++) {
      await screen.page.keyboard.press("PageDown");
      await expect.poll(() => edge.evaluate((one) => one === document.activeElement)).toBe(true);
    }
    expect(await field(screen, "End").inputValue()).toBe("07:55");
    expect(await edge.getAttribute("aria-valuetext")).toBe("07:55");
    screen.expectClean();
  });

  test("a finger drags an edge on a phone, and the page does not scroll", async () => {
    const { company, morning } = await newPlant();
    const screen = await openDesk(app(), company, path);
    const { page } = screen;
    await page.setViewportSize({ width: 360, height: 740 });
    const edge = slider(screen, t.week.start("Morning"));
    await edge.scrollIntoViewIfNeeded();
    expect(await edge.evaluate((one) => getComputedStyle(one).touchAction)).toBe("none");
    await drag(screen, t.week.start("Morning"), 15);
    expect(await field(screen, "Start").inputValue()).toBe("06:15");
    expect((await company.send("GET", `/v1/shifts/${morning}`)).start).toBe("06:00");
    await screen.expectSound("a dragged edge on a phone");
    screen.expectClean();
  });

  test("a day to come is closed by a click and opened again, and today is tried first", async () => {
    const { company } = await newPlant();
    const screen = await openDesk(app(), company, path);
    const { page } = screen;
    const day = await dayAhead(screen, 2);
    await dayButton(screen, day).click();
    await button(screen, t.day.close).click();
    await expect.poll(() => dayButton(screen, day).getAttribute("aria-label")).toMatch(/: closed$/);
    await page.getByText(/^1 closed day, \d+ working days$/).waitFor();
    expect((await company.send("GET", "/v1/calendar-days")).data).toMatchObject([{ date: day, closed: true, scope: "company" }]);
    // The focus is where the person was.
    await expect.poll(() => dayButton(screen, day).evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await button(screen, t.day.open).click();
    await expect.poll(async () => (await company.send("GET", "/v1/calendar-days")).data).toEqual([]);

    // By keyboard: to the day before, where it gets other shifts.
    await expect.poll(() => dayButton(screen, day).evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    const before = addDays(day, -1);
    await button(screen, t.day.other).click();
    await page.getByLabel(setUp.days.hasShifts).check();
    await page.locator(".year-open .field-row").getByLabel("End").first().fill("12:00");
    await button(screen, setUp.preview).last().click();
    await button(screen, setUp.save).click();
    await expect.poll(() => dayButton(screen, before).getAttribute("aria-label")).toMatch(/: other shifts$/);
    const { data } = await company.send("GET", "/v1/calendar-days");
    expect(data).toMatchObject([{ date: before, closed: false, shifts: [{ end: "12:00" }, {}, {}] }]);

    await page.reload();
    const now = today();
    await company.send("PATCH", `/v1/shifts/${(await newestShift(company)).id}`, { days: [...workdays, "saturday", "sunday"] });
    await page.reload();
    await dayButton(screen, now).click();
    await button(screen, t.day.close).click();
    await button(screen, setUp.preview).last().click();
    await page.getByRole("region", { name: setUp.tried.title }).first().waitFor();
    expect((await company.send("GET", "/v1/calendar-days")).data).toHaveLength(1);
    screen.expectClean();
  });

  test("the calendar days of a week are copied to other weeks, it says how many, and what is there stays", async () => {
    const { company } = await newPlant();
    const monday = daysOf("week", addDays(today(), 7), "monday").first;
    await company.send("POST", "/v1/calendar-days", { date: monday, scope: "company", closed: true });
    const { data: machines } = await company.send("GET", "/v1/machines");
    const ofMachine = { scope: "machine", machineId: machines[0].id };
    const { data: shifts } = await company.send("GET", "/v1/shifts");
    const early = [{ shiftId: shifts[0].id, start: "05:00", end: "13:00" }];
    await company.send("POST", "/v1/calendar-days", { date: addDays(monday, 1), ...ofMachine, shifts: early });
    await company.send("POST", "/v1/calendar-days", { date: addDays(monday, 14), scope: "company", shifts: early });
    const screen = await openDesk(app(), company, path);
    const { page } = screen;
    await button(screen, t.copy.open).click();
    const form = page.getByRole("form", { name: t.copy.title });
    await form.getByRole("button", { name: t.copy.send, exact: true }).click();
    await form.getByText(t.copy.nothing).waitFor();
    const type = async (label: string, day: string) => {
      await form.getByRole("textbox", { name: label }).fill(day);
      await form.getByRole("textbox", { name: label }).press("Tab");
    };
    await type(t.copy.source, addDays(monday, 4));
    await type(t.copy.last, addDays(monday, -1));
    await type(t.copy.first, addDays(monday, 9));
    await form.getByRole("button", { name: t.copy.send, exact: true }).click();
    await form.getByText(t.copy.order).waitFor();
    await type(t.copy.last, addDays(monday, 16));
    await form.getByText(t.copy.makes(3, 2)).waitFor();
    await form.getByText(t.copy.kept(1)).waitFor();
    await form.getByRole("button", { name: t.copy.send, exact: true }).click();
    await page.getByText(t.copy.made(3)).waitFor();
    const { data } = await company.send("GET", "/v1/calendar-days");
    const inOrder = [...data].sort((a, b) => (a.date < b.date ? -1 : 1));
    expect(inOrder.map(({ date, scope, closed }) => [date, scope, closed])).toEqual([
      [monday, "company", true],
      [addDays(monday, 1), "machine", false],
      [addDays(monday, 7), "company", true],
      [addDays(monday, 8), "machine", false],
      [addDays(monday, 14), "company", false],
      [addDays(monday, 15), "machine", false],
    ]);
    expect(inOrder[3].shifts).toMatchObject(early);
    screen.expectClean();
  });

  test("what somebody else has changed of a calendar day is said, and neither overwritten nor deleted", async () => {
    const { company } = await newPlant();
    const date = addDays(daysOf("week", addDays(today(), 7), "monday").first, 1);
    const { id } = await company.send("POST", "/v1/calendar-days", { date, scope: "company", closed: true });
    const { data: shifts } = await company.send("GET", "/v1/shifts");
    const others = (end: string) => ({ shifts: [{ shiftId: shifts[0].id, start: "06:00", end }] });
    const screen = await openDesk(app(), company, "/desk/setup?kind=days");
    const { page } = screen;
    await page.getByRole("button", { name: /^Change: / }).click();
    await page.getByLabel(setUp.days.hasShifts).check();
    await page.locator(".field-row").getByLabel("End").first().fill("13:00");
    await company.send("PATCH", `/v1/calendar-days/${id}`, others("09:00"));
    screen.expectErrors(/status of 412/);
    await button(screen, setUp.preview).click();
    const told = page.getByRole("alert").filter({ hasText: "Somebody else has changed this meanwhile." });
    await told.getByText(`The whole plant: closed → ${shifts[0].name} 06:00–09:00`).waitFor();
    expect(await page.locator(".field-row").getByLabel("End").first().inputValue()).toBe("13:00");
    await button(screen, setUp.preview).click();
    await button(screen, setUp.save).click();
    await page.getByText(setUp.days.saved).waitFor();
    expect((await company.send("GET", `/v1/calendar-days/${id}`)).shifts[0].end).toBe("13:00");

    await page.getByRole("button", { name: /^Delete: / }).click();
    const removal = page.getByRole("region", { name: /^Delete / });
    await removal.getByText(setUp.tried.nothing).or(removal.getByText(setUp.tried.nothingPast)).waitFor();
    await company.send("PATCH", `/v1/calendar-days/${id}`, others("08:00"));
    await removal.getByRole("button", { name: "Delete" }).click();
    await told.waitFor();
    expect((await company.send("GET", `/v1/calendar-days/${id}`)).shifts[0].end).toBe("08:00");
    screen.expectClean();
  });

  test("shifts are added, renamed and deleted, and a plant without any leads to the templates", async () => {
    const company = await app().company();
    await company.machine("Alone");
    const screen = await openDesk(app(), company, path);
    const { page } = screen;
    expect(await page.getByRole("link", { name: t.firstSteps }).getAttribute("href")).toBe("/start");
    const list = page.getByRole("region", { name: t.shifts.title, exact: true });
    await list.getByRole("button", { name: "Add", exact: true }).click();
    await list.getByLabel("Name").fill("Day & <b>night</b>");
    await list.getByLabel("End", { exact: true }).fill("25:00");
    await list.getByRole("button", { name: "Add", exact: true }).click();
    await list.getByText(setUp.faults.clock).waitFor();
    await list.getByLabel("End", { exact: true }).fill("2:30 pm");
    await list.getByRole("button", { name: "Add", exact: true }).click();
    await slider(screen, t.week.start("Day & <b>night</b>")).waitFor();
    const { data } = await company.send("GET", "/v1/shifts");
    expect(data).toMatchObject([{ name: "Day & <b>night</b>", start: "06:00", end: "14:30", days: workdays, machineIds: null }]);
    await list.getByRole("button", { name: "Change: Day & <b>night</b>" }).click();
    await list.getByLabel("Name").fill("Day");
    await list.getByRole("button", { name: "Save" }).click();
    await slider(screen, t.week.start("Day")).waitFor();
    await list.getByRole("button", { name: "Delete: Day" }).click();
    await list.getByText(t.shifts.sure("Day")).waitFor();
    // Its form is read again before the plant has no shift any more.
    screen.expectErrors(/status of 404/);
    await list.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("link", { name: t.firstSteps }).waitFor();
    expect((await company.send("GET", "/v1/shifts")).data).toEqual([]);
    screen.expectClean();
  });

  test("look right in every language and size, with a day and the copying of a week open, and to readers", async () => {
    const { company } = await newPlant();
    const day = [3, -3].map((by) => addDays(today(), by)).find((one) => one.slice(0, 4) === today().slice(0, 4)) ?? today();
    await company.send("POST", "/v1/calendar-days", { date: day, scope: "company", closed: true });
    const screen = await openDesk(app(), company, path);
    for (const [i, look] of someLooks.entries()) {
      await lookAt(screen, path, look, async () => {
        await shown(screen);
        await screen.page.getByRole("slider").first().waitFor();
        if (i % 2 === 0) await dayButton(screen, today()).click();
        else await screen.page.locator("button[aria-expanded]:not([data-day])").last().click();
      });
    }
    screen.expectClean();

    const account = { email: `${Date.now()}.hours@browser.test`, password: "only looking at things" };
    await company.send("POST", "/v1/users", { name: "Rosa Reader", role: "readonly", ...account });
    const reader = await app().screen();
    await reader.page.goto(path);
    await reader.signIn(account);
    await reader.page.getByRole("img", { name: /^The week: .*Morning 06:00–14:00/ }).waitFor();
    await dayButton(reader, day).click();
    await reader.page.locator(".year-open").getByText("The whole plant: closed").waitFor();
    expect(await reader.page.getByRole("slider").count()).toBe(0);
    for (const name of [t.day.open, t.day.close, t.copy.open, setUp.preview, "Add"]) {
      expect(await button(reader, name).count(), name).toBe(0);
    }
    await reader.expectSound("the working hours to a reader");
    reader.expectClean();
  });
});

async function newestShift(company: Company): Promise<{ id: number }> {
  return (await company.send("GET", "/v1/shifts")).data[0];
}
