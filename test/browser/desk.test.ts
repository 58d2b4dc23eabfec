import { beforeAll, describe, expect, test } from "vitest";
import { addDays, dayOf } from "../../src/board/domain/days.ts";
import { tabs } from "../../src/board/domain/desk-state.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import { openDesk, type StoppedPlant, shown, stoppedPlant } from "./support/desk.ts";
import { expectSavedTables, saved } from "./support/saved-tables.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();
const HOUR = 3_600_000;
const MINUTE = 60_000;

const plant = (timezone?: string, shift?: object) => stoppedPlant(app(), timezone, shift);
const open = (company: Company, path: string, locale?: string) => openDesk(app(), company, path, locale);

/** The rows of a card's table, cell by cell. */
async function rowsOf({ page }: Screen, title: string | RegExp): Promise<string[][]> {
  const card = page.getByRole("region", { name: title }).first();
  const rows = await card.locator("tbody tr").all();
  return await Promise.all(rows.map((row) => row.locator("th, td").allInnerTexts()));
}

const today = () => dayOf(Date.now(), "UTC");

describe.skipIf(!hasBrowser)("the desk", () => {
  let it: StoppedPlant;
  beforeAll(async () => {
    if (hasBrowser) it = await plant();
  });
  /** The day on which a stop of the press began: shortly after midnight that is yesterday. */
  const dayOfStop = (index: number) => dayOf(Date.parse(it.stops[index]?.startTime ?? ""), "UTC");

  test("classifies a stop in the timeline, says who did it, and shows its cause at once", async () => {
    const { company, jam, stops } = it;
    const screen = await open(company, `/desk/day?day=${dayOfStop(0)}`);
    const { page } = screen;
    const bar = page.locator(`rect[data-stop="${stops[0]?.id}"]`).first();
    expect(await bar.getAttribute("class")).toContain("k-unknown");
    await bar.click();
    await page.getByLabel("Cause").selectOption(jam.name);
    await page.getByLabel("Note").fill("Pin 3 <b>broken</b>");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    await expect.poll(() => bar.getAttribute("class")).toContain("k-stopped");
    const { classification } = await company.send("GET", `/v1/stops/${stops[0]?.id}`);
    expect(classification).toMatchObject({ generalCause: { id: jam.id }, description: "Pin 3 <b>broken</b>" });
    // The audit has the change and its actor within seconds.
    await expect
      .poll(async () => {
        await page.reload();
        await shown(screen);
        return await page.getByRole("region", { name: "What happened to it" }).innerText();
      })
      .toContain(`Ana Admin set ${jam.name}`);
    screen.expectClean();
  });

  test.each([
    ["en", "Counts held back", "Lathe 1: 1 count, 999,999,999 units, since", "Long: 2 counts, 1,999,998 units", "Drop: Long, "],
    [
      "es",
      "Conteos retenidos",
      "Lathe 1: 1 conteo, 999.999.999 unidades, desde el",
      "Long: 2 conteos, 1.999.998 unidades",
      "Descartar: Long, ",
    ],
  ] as const)("says which counts are held, and an admin decides about them, in %s", async (language, title, one, two, drop) => {
    // Only the current day is loaded again by itself: what was held before midnight would be of yesterday.
    const company = await app().company({ timezone: new Date().getUTCHours() < 2 ? "Etc/GMT-6" : "UTC" });
    await company.shift();
    const [lathe, long] = [await company.machine("Lathe 1"), await company.machine("Long")];
    const screen = await open(company, `/desk/day?lang=${language}`);
    const { page } = screen;
    const card = page.getByRole("region", { name: title });
    expect(await card.count()).toBe(0);
    await company.count(lathe, 999_999_999);
    await company.ingest([...company.counts(long, 2, 2, 999_999), ...company.counts(long, 1, 1, 999_999)]);
    const entries = async () => (await company.send("GET", "/v1/held-events")).data;
    await expect.poll(async () => (await entries()).length, { timeout: 120_000 }).toBe(2);
    await page.reload();
    await shown(screen);
    await card.waitFor();
    const text = await card.innerText();
    expect(text).toContain(one);
    expect(text).toContain(two);
    await screen.expectSound(`held counts in ${language}`);
    // Of another day, and of another machine, they are not.
    await page.goto(`/desk/day?lang=${language}&day=2026-03-04`);
    await shown(screen);
    expect(await card.count()).toBe(0);
    await page.goto(`/desk/day?lang=${language}&machine=${lathe.id}`);
    await card.waitFor();
    expect(await card.innerText()).not.toContain("Long");
    await card.getByRole("link").click();
    await page.getByRole("button", { name: drop }).click();
    await expect
      .poll(async () => (await entries()).map(({ machine }: { machine: { id: number } }) => machine.id))
      .toEqual([lathe.id]);
    await expect.poll(() => page.getByRole("button", { name: drop }).count()).toBe(0);
    screen.expectClean();
  });

  test("does not show data from before a saved change again", async () => {
    // Only the current day is reloaded by itself: the stops must not be of yesterday.
    const timezone = new Date().getUTCHours() < 2 ? "Etc/GMT-6" : "UTC";
    const { company, jam, stops } = await plant(timezone);
    const screen = await app().screen();
    const { page } = screen;
    await page.clock.install();
    await screen.enterAs(company);
    await page.goto(`/desk/day?day=${dayOf(Date.now(), timezone)}`);
    await shown(screen);
    const bar = page.locator(`rect[data-stop="${stops[0]?.id}"]`).first();
    const readings = await screen.holdAnswers(/\/v1\/timeline\?/, 1);
    // The day is reloaded, and this is answered once the change is saved.
    await page.clock.fastForward(31_000);
    await expect.poll(() => readings.length).toBe(1);
    await bar.click();
    await page.getByLabel("Cause").selectOption(jam.name);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => bar.getAttribute("class")).toContain("k-stopped");
    const [answer] = await Promise.all([page.waitForResponse(/\/v1\/timeline\?/), readings[0]?.()]);
    await answer.finished();
    await page.clock.runFor(1000);
    expect(await bar.getAttribute("class")).toContain("k-stopped");
    screen.expectClean();
  });

  test("reads causes once for all that need them, and again after a change", async () => {
    const { company, jam, press, stops } = it;
    const screen = await app().screen();
    const { page } = screen;
    const asked: string[] = [];
    page.on("request", (request) => request.method() === "GET" && asked.push(new URL(request.url()).pathname));
    const timesAsked = (path: string) => asked.filter((one) => one === path).length;
    await screen.enterAs(company);
    await page.goto(`/desk/day?day=${dayOfStop(1)}&machine=${press.id}`);
    await shown(screen);
    await page.getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Count them" }).waitFor();
    await page.locator(`rect[data-stop="${stops[1]?.id}"]`).first().click();
    await page.getByLabel("Cause").selectOption(jam.name);
    expect(timesAsked("/v1/stop-causes")).toBe(1);
    expect(timesAsked("/v1/timeline")).toBe(1);
    await page.getByLabel("Note").fill("Belt");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    expect(timesAsked("/v1/timeline")).toBe(2);
    await company.send("DELETE", `/v1/stops/${stops[1]?.id}/classification`);
    screen.expectClean();
  });

  test("classifies with only the keyboard", async () => {
    const { company, stops } = it;
    const screen = await open(company, `/desk/day?day=${dayOfStop(1)}&machine=${it.press.id}`);
    const { page } = screen;
    await page.getByRole("application").focus();
    // The cursor moves from stop to stop, to the one that still lacks a cause.
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("ArrowRight");
      const text = await page.locator(".tl [aria-live]").innerText();
      if (text.includes(", 10.0 min")) break;
    }
    await page.keyboard.press("+");
    expect(page.url()).toMatch(/from=.+&to=/);
    await page.keyboard.press("Enter");
    await page.getByLabel("Cause").waitFor();
    expect(page.url()).toContain(`stop=${stops[1]?.id}`);
    await page.getByLabel("Cause").focus();
    await page.keyboard.type("Setup");
    await page.getByRole("button", { name: "Save", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Saved.").waitFor();
    const { isProgrammed, classification } = await company.send("GET", `/v1/stops/${stops[1]?.id}`);
    expect([isProgrammed, classification.generalCause.name]).toEqual([true, "Setup"]);
    await company.send("DELETE", `/v1/stops/${stops[1]?.id}/classification`);
    screen.expectClean();
  });

  test("splits a stop, and merges the two again", async () => {
    const { company, press } = it;
    const { startTime, id } = it.stops[1] ?? { startTime: "", id: 0 };
    const screen = await open(company, `/desk/day?day=${dayOfStop(1)}&stop=${id}`, "en-US");
    const { page } = screen;
    const count = async () => (await company.send("GET", `/v1/stops?machineIds=${press.id}&isOpen=false`)).data.length;
    const before = await count();
    const timeAt = (minutes: number) => new Date(Date.parse(startTime) + minutes * MINUTE).toISOString().slice(11, 19);
    // In 24 hours, whatever the browser's own fields show.
    const field = page.getByLabel("Split at");
    expect(await field.inputValue()).toBe(timeAt(5).slice(0, 5));
    await field.fill("noon");
    await page.getByRole("button", { name: "Split" }).click();
    await page.getByText("Write a time like 14:05 or 14:05:30.").waitFor();
    await page.getByLabel("Split at").fill(timeAt(-1));
    await page.getByRole("button", { name: "Split" }).click();
    await page.getByText("This time is not inside the stop.").waitFor();
    await page.getByLabel("Split at").fill(timeAt(4));
    await page.getByRole("button", { name: "Split" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await count()).toBe(before + 1);
    await page.getByRole("button", { name: /^Merge with the stop after/ }).click();
    await expect.poll(count).toBe(before);
    screen.expectClean();
  });

  test("takes the day as the page's language writes it, whatever the browser's language is, or from a calendar", async () => {
    const screen = await open(it.company, "/desk/trend?day=2026-03-04&lang=es", "en-US");
    const { page } = screen;
    const field = page.getByLabel("Día", { exact: true });
    const shownDay = () => new URL(page.url()).searchParams.get("day");
    expect(await field.inputValue()).toBe("4 mar 2026");
    await field.fill("5/3/2026");
    await field.press("Enter");
    await expect.poll(() => field.inputValue()).toBe("5 mar 2026");
    expect(shownDay()).toBe("2026-03-05");
    // What is no day, or a later one, is refused, said, and stays.
    for (const [wrong, text] of [
      ["13/13/2026", /^Escriba un día como/],
      ["1/1/2999", /^El último día es hoy/],
    ] as const) {
      await field.fill(wrong);
      await field.press("Enter");
      expect(await field.evaluate((one: HTMLInputElement) => one.validationMessage)).toMatch(text);
      expect([shownDay(), await field.inputValue()]).toEqual(["2026-03-05", wrong]);
    }
    const calendar = page.getByLabel("Elegir en un calendario");
    await calendar.click();
    expect(await calendar.evaluate((one) => one === document.activeElement)).toBe(true);
    await calendar.fill("2026-02-07");
    await expect.poll(() => field.inputValue()).toBe("7 feb 2026");
    expect(shownDay()).toBe("2026-02-07");
    expect(await field.getAttribute("aria-invalid")).toBe("false");
    await page.getByRole("link", { name: "Anterior" }).click();
    await expect.poll(() => field.inputValue()).toBe("6 feb 2026");
    screen.expectClean();
  });

  test("keeps the input if a save is refused, and shows the API's reason", async () => {
    const { company, stops } = it;
    const screen = await open(company, `/desk/day?day=${dayOfStop(1)}&stop=${stops[1]?.id}`);
    const { page } = screen;
    screen.expectErrors(/status of 409/);
    await page.getByLabel("Note").fill("Nobody loses this");
    await company.send("PATCH", `/v1/stops/${stops[1]?.id}`, { name: `Named ${Date.now()}` });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Someone changed the stop since it was read.").waitFor();
    expect(await page.getByLabel("Note").inputValue()).toBe("Nobody loses this");
    screen.expectClean();
  });

  test("zooms by dragging, and shows the same in another browser with its link", async () => {
    const { company } = it;
    const screen = await open(company, `/desk/day?day=${dayOfStop(0)}`);
    const { page } = screen;
    const track = await page.locator(".tl-track").first().boundingBox();
    if (!track) throw new Error("No track");
    const y = track.y + track.height / 2;
    await page.mouse.move(track.x + track.width * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(track.x + track.width * 0.4, y, { steps: 3 });
    await page.mouse.move(track.x + track.width * 0.5, y);
    await page.mouse.up();
    const query = new URL(page.url()).searchParams;
    const [from, to] = [query.get("from"), query.get("to")].map((time) => Date.parse(time ?? ""));
    expect(((to ?? 0) - (from ?? 0)) / HOUR).toBeCloseTo(6, 1);
    const text = await page.locator(".tl-box").innerText();
    const other = await open(company, page.url());
    expect(await other.page.locator(".tl-box").innerText()).toBe(text);
    expect(other.page.url()).toBe(page.url());
    await other.page.getByRole("button", { name: "Whole day" }).click();
    await expect.poll(() => other.page.url()).not.toContain("from=");
    screen.expectClean();
    other.expectClean();
  });

  test("lists a stop that has only a description among those without a cause", async () => {
    const { company, jam, stops } = await plant();
    await company.send("PUT", `/v1/stops/${stops[0]?.id}/classification`, { generalCauseId: String(jam.id) });
    await company.send("PUT", `/v1/stops/${stops[1]?.id}/classification`, { description: "Odd noise" });
    const days = new Set(stops.map(({ startTime }) => dayOf(Date.parse(startTime), "UTC")));
    const notes: string[] = [];
    for (const day of days) {
      const screen = await open(company, `/desk/losses?day=${day}&cause=${encodeURIComponent("/")}`);
      notes.push(...(await rowsOf(screen, /^Longest stops/)).map((cells) => cells.at(-1) ?? ""));
      screen.expectClean();
    }
    expect(notes).toContain("Odd noise");
  });

  test("shows the API's numbers: losses by minutes, count and money, and how much has a cause", async () => {
    const { company, press, jam: cause } = it;
    const day = dayOfStop(0);
    await company.send("PUT", `/v1/stops/${it.stops[0]?.id}/classification`, { generalCauseId: String(cause.id) });
    const screen = await open(company, `/desk/losses?day=${day}&table=1`);
    const start = Date.parse(`${day}T00:00:00Z`);
    const number = (text = "") => Number(text.replaceAll(/[^\d.]/g, ""));
    const named = ({ generalCause }: { generalCause: { name: string } | null }) => generalCause?.name ?? "No cause yet";
    // An open stop grows during the test, so the numbers are compared with the very answer that the page shows.
    const isSummary = (answer: { url(): string }) => new URL(answer.url()).searchParams.get("groupBy") === "cause";
    await expect
      .poll(
        async () => {
          const [answer] = await Promise.all([screen.page.waitForResponse(isSummary), screen.page.reload()]);
          await shown(screen);
          const { pathname, searchParams: asked } = new URL(answer.url());
          expect([pathname, [...asked.keys()].sort()]).toEqual(["/v1/summary", ["from", "groupBy", "to"]]);
          expect([asked.get("from"), asked.get("to")].map((at) => Date.parse(at ?? ""))).toEqual([start, start + 24 * HOUR]);
          const { data, total } = await answer.json();
          const wanted = data
            .filter(({ unavailableTime }: { unavailableTime: number }) => unavailableTime > 0)
            .map((row: Parameters<typeof named>[0] & { unavailableTime: number; stopCount: number }) => {
              return [named(row), row.unavailableTime, row.stopCount];
            });
          const listed = (await rowsOf(screen, "What stopped us")).map(([cause, minutes, count]) => [
            ...[cause, number(minutes), number(count)],
          ]);
          const coverage = await screen.page.locator("[data-coverage]").getAttribute("data-coverage");
          const wantedCoverage = ((100 * total.annotatedDowntime) / total.unavailableTime).toFixed(2);
          return JSON.stringify(listed.sort()) === JSON.stringify(wanted.sort()) && coverage === wantedCoverage;
        },
        { timeout: 120_000, interval: 200 },
      )
      .toBe(true);
    // Far below 96 %: red.
    const colours = await screen.page.locator("[data-coverage]").evaluate((cell) => {
      return [cell, cell.parentElement ?? cell].map((one) => getComputedStyle(one).color);
    });
    expect(colours[0]).not.toBe(colours[1]);
    await screen.page.goto(`/desk/losses?day=${day}&metric=money&table=1`);
    await shown(screen);
    const jam = (await rowsOf(screen, "What stopped us")).find(([cause]) => cause === it.jam.name);
    // Counts every half minute: the stop of 20 minutes, or its part after midnight, at 90 an hour.
    const [minutes = 0, count, money] = (jam ?? []).slice(1, 4).map(number);
    expect(minutes).toBeGreaterThan(0);
    expect(minutes).toBeLessThanOrEqual(20);
    expect(count).toBe(1);
    expect(money).toBeCloseTo(minutes * 1.5, 1);
    expect(jam?.[3]).toMatch(/€/);
    const rates = await company.send("GET", `/v1/machines/${press.id}`);
    expect(rates.hourlyRate).toBe(90);
    screen.expectClean();
  });

  test("lists the longest stops of the day, also those in a shift that started the day before", async () => {
    // Where it is after two o'clock: both stops are of today, in a shift that started at ten in the evening.
    const ahead = ((2 - new Date().getUTCHours() + 36) % 24) - 12;
    const timezone = `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
    const { company, press } = await plant(timezone, { start: "22:00", end: "22:00" });
    const screen = await open(company, `/desk/losses?day=${dayOf(Date.now(), timezone)}&machine=${press.id}`);
    const rows = screen.page.getByRole("region", { name: "Longest stops" }).locator("tbody tr");
    // The first one began before midnight: the machine had not run yet.
    await expect.poll(() => rows.count()).toBe(3);
    const minutes = (await rows.locator("td:nth-child(3)").allInnerTexts()).map(Number);
    expect(minutes.slice(1)).toEqual([20, 10]);
    screen.expectClean();
  });

  test("explains where a shift went, part by part, as the API does", async () => {
    const { company, lathe } = it;
    const day = it.shiftDay;
    const screen = await open(company, `/desk/shift?day=${day}&machine=${lathe.id}&bar=stops`);
    const { page } = screen;
    const keys = await page.locator(".bar-rows li").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-key")));
    expect(keys.filter((key) => key !== "slow" && key !== "fast")).toEqual([
      ...["shift", "noData", "outside", "planned", "stops", "quality", "good"],
    ]);
    const minutes = await page.locator(".bar-rows .bar-value").allInnerTexts();
    const values = minutes.map((text) => Number(text.replace("−", "-").replaceAll(/[^\d.-]/g, "")));
    const [whole = 0, ...changes] = values;
    const left = changes.pop() ?? 0;
    // Eight numbers with one decimal each.
    expect(Math.abs(whole + changes.reduce((sum, value) => sum + value, 0) - left)).toBeLessThan(0.5);
    const panel = page.getByRole("region", { name: "Explain: Stops" });
    expect(await panel.innerText()).toMatch(/Formula\s+the sum of the times below\s+Other stops\s+[\d.,]+ min/);
    await page.locator('.bar-rows [data-key="good"] a').click();
    const good = page.getByRole("region", { name: "Explain: Good output" });
    await good.waitFor();
    // In words: no name of the API's members.
    expect(await good.innerText()).toMatch(/^OEE\s+\d+\s%$/m);
    expect(await good.innerText()).not.toMatch(/[a-z]Ms\b|round\(/);
    expect(page.url()).toContain("bar=good");
    screen.expectClean();
  });

  test("opens on a brief: its OEE is the API's, its losses add up with it to 100 points, and each leads to what is behind it", async () => {
    const { company, shiftDay } = it;
    const screen = await open(company, `/desk?day=${shiftDay}`);
    const { page } = screen;
    const start = Date.parse(`${shiftDay}T00:00:00Z`);
    const isMain = (answer: { url(): string }) => new URL(answer.url()).searchParams.get("groupBy") === "machine,cause";
    const [answer] = await Promise.all([page.waitForResponse(isMain), page.reload()]);
    await shown(screen);
    const { total } = await answer.json();
    const asked = new URL(answer.url()).searchParams;
    expect([asked.get("from"), asked.get("to")].map((at) => Date.parse(at ?? ""))).toEqual([start, start + 24 * HOUR]);
    const sentence = page.locator(".brief-sentence");
    expect(await sentence.innerText()).toMatch(/^The OEE (so far is|of .+ was) /);
    const number = (text = "") => Number(text.replaceAll(/[^\d.−]/g, "").replace("−", "-"));
    expect(number(await sentence.locator("strong").first().innerText())).toBeCloseTo(total.oee, 1);
    const parts = await rowsOf(screen, "Where the time went");
    // Losses are negative, or positive where the machine was faster than its standard.
    const points = parts.slice(3).map(([, , , value]) => number(value));
    const good = points.pop() ?? 0;
    expect(points).toHaveLength(4);
    expect(Math.abs(points.reduce((sum, value) => sum - value, good) - 100)).toBeLessThan(0.3);
    const [all, ...rest] = parts.map(([, , minutes]) => number(minutes));
    expect(Math.abs(rest.slice(0, -1).reduce((left, minutes) => left + minutes, all ?? 0) - (rest.at(-1) ?? 0))).toBeLessThan(3);
    await page.getByText("The largest losses").waitFor();
    await page.getByRole("link", { name: "Speed and short stops" }).first().click();
    await page.waitForURL(new RegExp(`/desk/hours\\?day=${shiftDay}`));
    screen.expectClean();
  });

  test("prints on light paper what it shows: with plant, days, machine and address, and without what is pressed", async () => {
    const { company, shiftDay, press } = it;
    const screen = await open(company, `/desk/hours?day=${shiftDay}&machine=${press.id}&table=1`);
    const { page } = screen;
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await expect.poll(theme).toBe("dark");
    await page.locator(".desk-menu summary").click();
    expect(await page.getByRole("button", { name: "Print" }).count()).toBe(1);
    // As wide as A4 without its margins.
    await page.setViewportSize({ width: 703, height: 1000 });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect.poll(theme).toBe("light");
    const text = await screen.text();
    expect(text).toContain("Söhne & <b>Töchter</b> · Hours");
    expect(text).toContain(`${press.name} · UTC`);
    expect(text).toMatch(/Printed .+ · http:.+\/desk\/hours\?day=/);
    expect(await page.getByRole("button").evaluateAll((all) => all.filter((one) => !one.classList.contains("sort")).length)).toBe(
      0,
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    await expect.poll(theme).toBe("dark");
    expect((await page.pdf({ format: "A4" })).subarray(0, 5).toString()).toBe("%PDF-");
    screen.expectClean();
  });

  test("saves the API's CSV of the shown data", async () => {
    const screen = await open(it.company, `/desk/hours?day=${today()}&machine=${it.lathe.id}`);
    const { name, text } = await saved(screen.page.getByRole("button", { name: /save the API's CSV/ }));
    expect(name).toBe(`hours-${today()}.csv`);
    expect(text).toMatch(/^machine\.id,machine\.name.*\r\n.*Lathe 1/);
    screen.expectClean();
  });

  test("saves a table as it is shown: its columns, order and sums, with the numbers of the page's language", async () => {
    const screen = await open(it.company, `/desk/hours?day=${it.middleDay}&machine=${it.press.id}&table=1&lang=es`, "es-ES");
    const { page } = screen;
    await page.getByRole("button", { name: "Fabricado" }).click();
    await expect.poll(() => page.locator("th[aria-sort=descending]").innerText()).toBe("Fabricado");
    const shown = await rowsOf(screen, /Hora a hora/);
    const sums = await page.locator("tfoot th, tfoot td").allInnerTexts();
    const { name, text } = await saved(screen.page.getByRole("button", { name: /guardar esta tabla/ }));
    expect(name).toBe(`hours-${it.middleDay}.csv`);
    const lines = text.split("\r\n").map((line) => line.replace("\uFEFF", "").split(";"));
    expect(text.startsWith("\uFEFFHora;")).toBe(true);
    // Cells are rounded and have thousands' points, signs and other minus signs, numbers of a file have none.
    const number = (cell = "") => Number(cell.replaceAll(/[.+]/g, "").replace(",", ".").replace("−", "-"));
    const [head = [], ...rows] = lines;
    expect(head).toEqual(await page.locator("thead th").allInnerTexts());
    expect(rows.map(([hour]) => hour)).toEqual([...shown.map(([hour]) => hour), sums[0], ""]);
    for (const [i, cells] of [...shown, sums].entries()) {
      for (const column of [1, 2, 3]) {
        const inFile = Number(rows[i]?.[column]?.replace(",", "."));
        expect(Math.abs(inFile - number(cells[column])), `${i}, ${column}`).toBeLessThanOrEqual(0.5);
      }
    }
    screen.expectClean();
  });

  test.each(["", "/day", "/shift", "/losses", "/hours", "/trend", "/compare"])(
    "/desk%s: saves each text of its tables, and no column of buttons",
    async (path) => {
      const { company, press, lathe, middleDay: day } = it;
      const sides = path === "/compare" ? `&vsDay=${day}&machine=${lathe.id}&vs=machine-${press.id}` : "";
      const screen = await open(company, `/desk${path}?day=${day}&table=1${sides}`);
      await expectSavedTables(screen);
      screen.expectClean();
    },
  );

  test("reads the values of a chart where the pointer is, and by keyboard", async () => {
    const { company, press, middleDay } = it;
    const screen = await open(company, `/desk/hours?day=${middleDay}&machine=${press.id}`);
    const { page } = screen;
    const { data } = await company.send("GET", `/v1/production?machineIds=${press.id}&interval=hour&from=${middleDay}T00:00:00Z`);
    const [first] = data as { start: string; total: number }[];
    const reading = page.locator(".reading");
    expect(await reading.innerText()).toContain("Point at the chart");
    await page.getByRole("application").focus();
    await page.keyboard.press("Home");
    const hour = first?.start.slice(11, 16) ?? "";
    await expect.poll(() => reading.innerText()).toMatch(new RegExp(`^${hour} – .*Made`, "s"));
    const box = await page.locator(".plot-stack").boundingBox();
    if (!box) throw new Error("There is no chart");
    await page.keyboard.press("ArrowRight");
    const second = await reading.innerText();
    expect(second).not.toMatch(new RegExp(`^${hour} `));
    await page.keyboard.press("Escape");
    await expect.poll(() => reading.innerText()).toContain("Point at the chart");
    await page.mouse.move(box.x + 2, box.y + box.height / 2);
    await expect.poll(() => reading.innerText()).toMatch(new RegExp(`^${hour} – `));
    screen.expectClean();
  });

  test("says that the machine of a link is unknown, and links back", async () => {
    const screen = await open(it.company, "/desk/day?machine=987654321");
    const { page } = screen;
    await page.getByText("There is no machine 987654321.").waitFor();
    await page.getByRole("link", { name: "To the desk" }).click();
    await page.locator(".tl-box").waitFor();
    screen.expectClean();
  });

  test("shows everything to read-only users, without ways to change it", async () => {
    const { company, stops } = it;
    const account = { email: `${Date.now()}@browser.test`, password: "only looking at things" };
    await company.send("POST", "/v1/users", { name: "Rosa Reader", role: "readonly", ...account });
    const screen = await app().screen();
    await screen.page.goto(`/desk/day?day=${dayOfStop(0)}&stop=${stops[0]?.id}`);
    await screen.signIn(account);
    await shown(screen);
    await screen.page.getByText("Your role cannot change stops.").waitFor();
    expect(await screen.page.getByLabel("Cause").isDisabled()).toBe(true);
    expect(await screen.page.getByRole("button", { name: /Save|Split|Merge/ }).count()).toBe(0);
    screen.expectClean();
  });

  test("explains what to do if there is no data", async () => {
    const empty = await app().company();
    const screen = await app().screen();
    await screen.page.goto("/desk");
    await screen.signIn(empty.admin);
    const expectCommands = async () => {
      await screen.page.getByText("No machine yet.").waitFor();
      expect(await screen.page.locator("pre").innerText()).toContain("/v1/ingest");
      await screen.expectSound();
    };
    await expectCommands();
    for (const path of ["/", "/floor"]) {
      await screen.page.goto(path);
      await expectCommands();
    }
  });

  test("copies an absolute link with the shift, machine and day that it shows", async () => {
    const screen = await open(it.company, `/desk/shift?day=${it.shiftDay}`);
    const { page } = screen;
    await page.getByText("Long shift").first().waitFor();
    const link = page.getByRole("link", { name: /copy link to exactly this view/ }).first();
    await link.click();
    await page.getByRole("link", { name: "Copied" }).waitFor();
    await page.evaluate(() => {
      const field = document.body.appendChild(document.createElement("textarea"));
      field.id = "paste";
      field.focus();
    });
    await page.context().grantPermissions(["clipboard-read"]);
    const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied.origin).toBe(new URL(page.url()).origin);
    const { day, machine, shift } = Object.fromEntries(copied.searchParams);
    expect([day, machine, shift?.slice(0, 10)]).toEqual([it.shiftDay, String(it.lathe.id), it.shiftDay]);
  });

  test("leads from a day on which no shift started to the day before, which has the shift that runs past midnight", async () => {
    const started = it.shiftDay;
    const screen = await open(it.company, `/desk/day?day=${addDays(started, 1)}`);
    const { page } = screen;
    for (const tab of ["Day", "Shift"]) {
      await page.getByRole("link", { name: tab, exact: true }).click();
      await page.getByText("No shift started on this day.").waitFor();
      await page.getByRole("link", { name: "Show the day before" }).first().click();
      await page.getByText("Long shift").first().waitFor();
      expect(new URL(page.url()).searchParams.get("day")).toBe(started);
      await page.goBack();
    }
    screen.expectClean();
  });

  test("shows the chosen tab and the whole table of shifts on a phone", async () => {
    const screen = await open(it.company, "/desk/incidents");
    const { page } = screen;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await shown(screen);
    const isInView = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= 390;
    };
    await expect.poll(() => isInView(".desk-tabs [aria-current]")).toBe(true);
    await page.goto(`/desk/day?day=${it.shiftDay}`);
    await shown(screen);
    expect(await isInView(".table tbody td:last-child")).toBe(true);
    screen.expectClean();
  });

  test("begins the trend on the first day of the plant", async () => {
    const screen = await open(it.company, `/desk/trend?day=${today()}`);
    const days = await screen.page.locator(".plot circle").count();
    expect([1, 2]).toContain(days);
    expect(await screen.page.locator(".plot-below text").count()).toBe(days);
    screen.expectClean();
  });

  test("keeps the trend readable when a counter's glitch makes an OEE of millions", async () => {
    const screen = await app().screen();
    const { page } = screen;
    await screen.enterAs(it.company);
    await page.route(/\/v1\/summary/, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      for (const row of answer.data)
        if (row.availableTime > 0) Object.assign(row, { effectiveness: 178_600_000, oee: 123_456_789 });
      await route.fulfill({ response, json: answer });
    });
    await page.goto(`/desk/trend?day=${today()}`);
    await shown(screen);
    expect(await page.locator(".plot-line").count()).toBeLessThan(8);
    await screen.expectSound("the trend of a glitch");
  });

  test("creates an order, says at its field what is wrong, and starts, pauses and finishes it", async () => {
    const { company, lathe } = it;
    await company.send("POST", "/v1/skus", { id: "CAP-38", name: "Cap" });
    const screen = await open(company, "/desk/orders");
    const { page } = screen;
    screen.expectErrors(/status of 4\d\d/);
    await page.getByRole("button", { name: "New order" }).click();
    const form = page.getByRole("form", { name: "New order" });
    await form.getByLabel("Order number").fill("WO-77");
    await form.getByLabel("Name").fill("Caps <b>white</b>");
    await form.getByLabel("Quantity").fill("1,000");
    await form.getByLabel("SKU").fill("NOPE");
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByText("This is missing.").waitFor();
    await form.getByLabel(lathe.name).check();
    await form.getByRole("button", { name: "Create" }).click();
    await expect.poll(() => form.getByLabel("SKU").getAttribute("aria-invalid")).toBe("true");
    await form.getByLabel("SKU").fill("CAP-38");
    await form.getByRole("button", { name: "Create" }).click();
    const row = page.getByRole("row", { name: /WO-77/ });
    await row.waitFor();
    const status = async () => {
      const { data } = await company.send("GET", "/v1/work-orders");
      return data.map(({ code, status: now }: { code: string; status: string }) => [code, now]);
    };
    expect(await status()).toEqual([["WO-77", "Planned"]]);
    for (const [action, then] of [
      ["Start", "InProgress"],
      ["Pause", "Paused"],
      ["Resume", "InProgress"],
    ] as const) {
      await row.getByRole("button", { name: `${action}: order WO-77` }).click();
      await expect.poll(status).toEqual([["WO-77", then]]);
    }
    await row.getByRole("button", { name: "Finish: order WO-77" }).click();
    const question = page.getByRole("dialog", { name: "Finish order WO-77?" });
    await question.getByRole("button", { name: "Not yet" }).click();
    expect(await status()).toEqual([["WO-77", "InProgress"]]);
    await row.getByRole("button", { name: "Finish: order WO-77" }).click();
    await question.getByRole("button", { name: "Finish", exact: true }).click();
    await expect.poll(status).toEqual([["WO-77", "Completed"]]);
    await expect.poll(() => row.count()).toBe(0);
    screen.expectClean();
  });

  test("says that there are more than 200 orders, and shows them", async () => {
    const company = await app().company();
    const machine = await company.machine("Press");
    await company.send("POST", "/v1/skus", { id: "CAP", name: "Cap" });
    await company.send("POST", "/work-orders/production-full", {
      workOrder: { code: "WO-1", name: "Caps", estimatedDeliveryTime: "2020-01-01T00:00:00.000Z" },
      machines: [{ machineId: machine.id }],
      targets: [{ skuId: "CAP", targetQuantity: 1000 }],
    });
    const screen = await app().screen();
    const { page } = screen;
    await screen.enterAs(company);
    // As if there were 210 of this one.
    await page.route(/\/v1\/work-orders/, async (route) => {
      const url = new URL(route.request().url());
      const isRest = url.searchParams.get("cursor") === "rest";
      url.searchParams.delete("cursor");
      const response = await route.fetch({ url: url.href });
      const [order] = (await response.json()).data;
      const data = Array.from({ length: isRest ? 10 : 200 }, (_, i) => ({ ...order, id: `${isRest} ${i}` }));
      await route.fulfill({ response, json: { data, cursor: isRest ? null : "rest" } });
    });
    await page.goto("/desk/orders");
    await page.getByText("200 are shown, and there are more.").waitFor();
    expect(await page.locator(".table tbody tr").count()).toBe(200);
    // The largest of them might be among the others.
    const sorting = () => page.locator("thead button, [aria-sort]").count();
    expect(await sorting()).toBe(0);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => page.locator(".table tbody tr").count()).toBe(210);
    expect(await sorting()).toBe(14);
    expect(await page.getByText("there are more").count()).toBe(0);
    screen.expectClean();
  });

  test("puts the rows of a table in the order of a column, by pointer, keyboard and on a phone, and says so", async () => {
    const company = await app().company();
    const machine = await company.machine("Press");
    await company.send("POST", "/v1/skus", { id: "CAP", name: "Cap" });
    await company.send("POST", "/work-orders/production-full", {
      workOrder: { code: "WO-1", name: "Caps" },
      machines: [{ machineId: machine.id }],
      targets: [{ skuId: "CAP", targetQuantity: 1000 }],
    });
    const screen = await app().screen();
    const { page } = screen;
    await screen.enterAs(company);
    const orders = [
      { code: "WO-10", remaining: 5, estimatedDeliveryTime: null },
      { code: "WO-9", remaining: 1000, estimatedDeliveryTime: "2026-03-04T10:00:00.000Z" },
      { code: "WO-2", remaining: 20, estimatedDeliveryTime: "2026-03-01T10:00:00.000Z" },
    ];
    await page.route(/\/v1\/work-orders/, async (route) => {
      const response = await route.fetch();
      const [order] = (await response.json()).data;
      const data = orders.map((one, i) => ({ ...order, ...one, id: String(i), isLate: false }));
      await route.fulfill({ response, json: { data, cursor: null } });
    });
    await page.goto("/desk/orders");
    await shown(screen);
    const codes = () => page.locator(".table tbody strong").allInnerTexts();
    const heading = (name: string) => page.getByRole("columnheader", { name });
    const saysOf = (name: string) => heading(name).getAttribute("aria-sort");
    const press = (name: string) => heading(name).getByRole("button").click();
    expect([await codes(), await saysOf("Remaining")]).toEqual([["WO-10", "WO-9", "WO-2"], "none"]);
    // Numbers: the largest first, then the smallest, then as listed.
    await press("Remaining");
    expect([await codes(), await saysOf("Remaining")]).toEqual([["WO-9", "WO-2", "WO-10"], "descending"]);
    await screen.expectSound("orders by what remains");
    await press("Remaining");
    expect([await codes(), await saysOf("Remaining")]).toEqual([["WO-10", "WO-2", "WO-9"], "ascending"]);
    await press("Remaining");
    expect([await codes(), await saysOf("Remaining")]).toEqual([["WO-10", "WO-9", "WO-2"], "none"]);
    // What is not known is last in both directions.
    await press("Due");
    expect([await codes(), await saysOf("Due")]).toEqual([["WO-2", "WO-9", "WO-10"], "ascending"]);
    await press("Due");
    expect([await codes(), await saysOf("Due")]).toEqual([["WO-9", "WO-2", "WO-10"], "descending"]);
    // Of the headings, one at a time has the order. Texts: their numbers by size.
    await heading("Order").getByRole("button").focus();
    await page.keyboard.press("Enter");
    expect([await codes(), await saysOf("Order"), await saysOf("Due")]).toEqual([["WO-2", "WO-9", "WO-10"], "ascending", "none"]);
    await page.keyboard.press("Space");
    expect([await codes(), await saysOf("Order")]).toEqual([["WO-10", "WO-9", "WO-2"], "descending"]);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Order");
    // On a phone the headings are not seen, so nothing there can have the focus.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByLabel("Sort by").waitFor();
    expect(await page.locator("thead button").count()).toBe(0);
    expect(await page.getByLabel("Sort by").locator("option:checked").innerText()).toBe("Order, descending");
    await page.getByLabel("Sort by").selectOption("Remaining, ascending");
    expect([await codes(), await saysOf("Remaining")]).toEqual([["WO-10", "WO-2", "WO-9"], "ascending"]);
    await screen.expectSound("orders by what remains on a phone");
    await page.getByLabel("Sort by").selectOption("As listed");
    expect(await codes()).toEqual(["WO-10", "WO-9", "WO-2"]);
  });

  test("has no table on a phone that scrolls sideways, and each value has the name of its column", async () => {
    await it.company.send("POST", "/v1/skus", { id: "CAP", name: "Cap" });
    await it.company.send("POST", "/work-orders/production-full", {
      workOrder: {
        code: "WO-1",
        name: "Caps for a customer with a long name",
        estimatedDeliveryTime: "2020-01-01T00:00:00.000Z",
      },
      machines: [{ machineId: it.press.id }],
      targets: [{ skuId: "CAP", targetQuantity: 1_000_000 }],
    });
    const screen = await open(it.company, "/desk/orders");
    const { page } = screen;
    await page.setViewportSize({ width: 360, height: 740 });
    for (const language of ["en", "es"]) {
      for (const tab of tabs) {
        await page.goto(`/desk/${tab}?table=1&day=${dayOfStop(0)}&lang=${language}${tab === "shift" ? "&bar=slow" : ""}`);
        await shown(screen);
        const wide = () => [...document.querySelectorAll(".table-box")].filter((box) => box.scrollWidth > box.clientWidth).length;
        expect(await page.evaluate(wide), `${tab} in ${language}`).toBe(0);
      }
    }
    await page.goto("/desk/orders?lang=en");
    await shown(screen);
    const labelOf = (cell: Element) => getComputedStyle(cell, "::before").content;
    expect(await page.locator(".stacked td").nth(0).evaluate(labelOf)).toBe('"Status"');
    screen.expectClean();
  });
});
