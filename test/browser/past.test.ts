import { beforeAll, describe, expect, test, vi } from "vitest";
import { dayOf } from "../../src/board/domain/days.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { openDesk, shown } from "./support/desk.ts";
import { lookAt, looksOf, sizesOf } from "./support/looks.ts";

const app = useApp();
const HOUR = 3_600_000;
const soon = { timeout: 120_000, interval: 300 };

interface Plant {
  company: Company;
  press: TestMachine;
  jam: { id: number; name: string };
  /** The day on which the shift started. */
  day: string;
}

/** A press whose shift is closed for good, and was revised twice since then: counts came late, and its admin classified a stop. */
async function revisedPlant(): Promise<Plant> {
  const company = await app().company();
  const start = Math.floor(Date.now() / HOUR - 4) * HOUR;
  const end = new Date(start + 3 * HOUR).toISOString().slice(11, 16);
  await company.shift({ name: "Morning", end });
  const press = await company.machine("Press <i>1</i>", { noDataAfterSeconds: null });
  const jam = await company.cause("Jam <u>in</u> feeder");
  const isRevised = async (times: number) => (await company.send("GET", "/v1/shift-records")).data[0]?.revisionCount === times;
  // The machine has heard of nothing when its shift is closed.
  await vi.waitUntil(() => isRevised(0), soon);
  await company.ingest(company.counts(press, 235, 200));
  await vi.waitUntil(() => isRevised(1), soon);
  const [stop] = (await company.send("GET", `/v1/stops?machineIds=${press.id}&minDurationInMinutes=15`)).data;
  await company.send("PUT", `/v1/stops/${stop.id}/classification`, { generalCauseId: jam.id });
  await vi.waitUntil(() => isRevised(2), soon);
  return { company, press, jam, day: dayOf(start, "UTC") };
}

/** A lathe that stopped three times on the present day, without a cause. */
async function stoppedPlant() {
  // Stops of yesterday would be on another page.
  const company = await app().company({ timezone: new Date().getUTCHours() < 3 ? "Etc/GMT-6" : "UTC" });
  await company.shift();
  const machine = await company.machine("Lathe", { noDataAfterSeconds: null });
  const jam = await company.cause("Jam");
  const start = Math.floor(Date.now() / HOUR - 4) * HOUR;
  const fromStart = Math.floor((Date.now() - start) / 60_000);
  await company.ingest([
    ...[...company.counts(machine, fromStart, 130), ...company.counts(machine, 120, 90)],
    ...[...company.counts(machine, 75, 40), ...company.counts(machine, 20, 0)],
  ]);
  const found = async (): Promise<{ id: number }[]> => (await company.send("GET", "/v1/stops?isOpen=false")).data;
  await vi.waitUntil(async () => (await found()).length === 3, soon);
  return { company, machine, jam, stops: (await found()).map(({ id }) => id) };
}

const open = (company: Company, path: string) => openDesk(app(), company, path);

describe.skipIf(!hasBrowser)("the past on the desk", () => {
  let it: Plant;
  beforeAll(async () => {
    if (hasBrowser) it = await revisedPlant();
  });

  test("a shift that was revised has a mark, which opens what changed: when, who, why, before and after", async () => {
    const screen = await open(it.company, `/desk/day?day=${it.day}`);
    const { page } = screen;
    await page.getByRole("link", { name: "Revised 2 times since it was closed: what changed" }).click();
    const card = page.getByRole("region", { name: "What changed since it was closed" }).first();
    await card.waitFor();
    await shown(screen);
    const [last, first] = await card.locator("ol > li").allInnerTexts();
    expect(last).toMatch(/^Somebody changed what was recorded\n+Ana Admin, /);
    expect(last).toContain(`its cause is ${it.jam.name}, was none`);
    expect(first).toMatch(/^Events arrived late\n+Andon, /);
    expect(first).toMatch(/Units\s+0\s+213/);
    expect(first).toContain("is new");
    expect(new URL(page.url()).searchParams.get("revisions")).toBe("1");
    await card.getByRole("link", { name: "Close" }).click();
    await expect.poll(() => card.count()).toBe(0);
    await page.getByRole("link", { name: "Revised 2 times", exact: true }).click();
    await card.waitFor();
    await card
      .getByRole("link", { name: /^Stop / })
      .first()
      .click();
    await page.getByRole("region", { name: "Stop", exact: true }).waitFor();
    screen.expectClean();
  });

  test("says while its numbers are being recalculated, and shows the new ones afterwards by itself", async () => {
    const screen = await app().screen();
    const { page } = screen;
    await page.clock.install();
    await screen.enterAs(it.company);
    let isRecalculating = true;
    await page.route(/\/v1\/(shift-records|summary)\?/, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      if ("isRecalculating" in answer) answer.isRecalculating = isRecalculating;
      else for (const row of answer.data) Object.assign(row, { isRecalculating, revisionCount: isRecalculating ? 0 : 2 });
      await route.fulfill({ response, json: answer });
    });
    const note = page.getByText("These numbers are being recalculated: they may still change.");
    for (const tab of ["day", "shift", "losses", "trend", "people"]) {
      isRecalculating = true;
      await page.goto(`/desk/${tab}?day=${it.day}`);
      await shown(screen);
      expect(await note.count(), tab).toBe(tab === "shift" ? 2 : 1);
      isRecalculating = false;
      await page.clock.fastForward(6000);
      await expect.poll(() => note.count()).toBe(0);
      if (tab === "day") await page.getByRole("link", { name: /^Revised 2 times/ }).waitFor();
    }
    await page.unrouteAll({ behavior: "ignoreErrors" });
    screen.expectClean();
  });

  test("an admin starts a recalculation, and everybody sees how far it has come", async () => {
    const { company, press } = it;
    const screen = await open(company, "/desk/changes");
    const { page } = screen;
    await page.getByText("Nobody asked for a recalculation").waitFor();
    await page.getByRole("button", { name: "Recalculate" }).click();
    await page.getByLabel("Why").fill("A <b>sensor</b> test");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("Choose a machine.").waitFor();
    await page.getByLabel(press.name).check();
    await page.getByLabel("From the day").fill("1 Jan 2020");
    await page.getByLabel("From the day").press("Tab");
    screen.expectErrors(/status of 400/);
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText(`is before the commissioning of ${press.name}`).waitFor();
    // On its day, the commissioning is the start.
    await page.getByLabel("From the day").fill(it.day.split("-").reverse().join("/"));
    await page.getByLabel("From the day").press("Tab");
    await page.getByRole("button", { name: "Start" }).click();
    const detail = page.getByRole("region", { name: /^Recalculation \d+$/ }).first();
    await expect.poll(() => detail.innerText(), { timeout: 120_000 }).toMatch(/Press <i>1<\/i>\s+done/);
    const list = page.getByRole("region", { name: "Recalculations" }).first();
    await expect.poll(() => list.innerText()).toContain("1 of 1");
    const { data } = await company.send("GET", "/v1/recalculations");
    expect(data).toMatchObject([{ reason: "A <b>sensor</b> test", machineIds: [press.id] }]);
    for (const look of looksOf(0)) await lookAt(screen, page.url(), look, () => shown(screen));

    const account = { email: `${Date.now()}@browser.test`, password: "only looking at things" };
    await company.send("POST", "/v1/users", { name: "Rosa Reader", role: "readonly", ...account });
    const other = await app().screen();
    await other.page.goto(new URL(page.url()).pathname);
    await other.signIn(account);
    await other.page.getByText("A <b>sensor</b> test").waitFor();
    expect(await other.page.getByRole("button", { name: "Recalculate" }).count()).toBe(0);
    other.expectClean();
  });

  test("a change that is tried by a job is among the recalculations as a preview, with what it has found out", async () => {
    const { company, press } = it;
    const { commissionedAt } = await company.send("GET", `/v1/machines/${press.id}`);
    const from = new Date(Date.parse(commissionedAt) - 40 * 24 * HOUR).toISOString();
    const old = await company.machine("Old", { commissionedAt: from, noDataAfterSeconds: null });
    const change = { stopAfterSeconds: 60, effectiveFrom: from, reason: "Shorter stops", dryRun: true };
    const { dryRun } = await company.send("PATCH", `/v1/machines/${old.id}`, change);
    expect(dryRun.recalculationId).not.toBeNull();
    const screen = await open(company, "/desk/changes");
    const { page } = screen;
    await page.getByRole("link", { name: "Preview of a change: Shorter stops" }).click();
    const detail = page.getByRole("region", { name: `Recalculation ${dryRun.recalculationId}` }).first();
    await detail.getByRole("region", { name: "What it would change" }).waitFor();
    await expect.poll(() => detail.innerText(), soon).toMatch(/Old\s+done/);
    screen.expectClean();
  });

  test("several stops are chosen, counted, classified at once, and put back", async () => {
    const { company, machine, stops, jam } = await stoppedPlant();
    const screen = await open(company, "/desk/day");
    const { page } = screen;
    const card = page.getByRole("region", { name: "Without a cause" });
    const boxes = card.getByRole("checkbox", { name: /^Choose Lathe, / });
    await expect.poll(() => boxes.count()).toBe(3);
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByLabel("Cause for all of them").selectOption(jam.name);
    await page.getByRole("button", { name: "Count them" }).click();
    await page.getByText("2 stops at 1 machine.").waitFor();
    // With another choice they are counted again.
    await card.getByLabel("All 3").check();
    await page.getByRole("button", { name: "Count them" }).waitFor();
    expect(await page.getByLabel("Cause for all of them").inputValue()).toBe(`${jam.id}/`);
    await page.getByLabel("Note for all of them").fill("Glitch <b>of</b> the feeder");
    await page.getByRole("button", { name: "Count them" }).click();
    await page.getByRole("button", { name: "Classify 3 stops" }).click();
    await page.getByText("3 stops have the new cause.").waitFor();
    await page.getByText("Every stop of this day has a cause.").waitFor();
    const causes = async () => {
      const { data } = await company.send("GET", `/v1/stops?machineIds=${machine.id}&isOpen=false`);
      const own = data.filter(({ id }: { id: number }) => stops.includes(id));
      return own.map(({ classification }: { classification: { generalCause: object; description: string } | null }) =>
        classification ? [classification.generalCause, classification.description] : null,
      );
    };
    const given = [{ id: jam.id, name: jam.name }, "Glitch <b>of</b> the feeder"];
    expect(await causes()).toEqual([given, given, given]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("3 stops are as before.").waitFor();
    await expect.poll(() => boxes.count()).toBe(3);
    expect(await causes()).toEqual([null, null, null]);

    // The same from the losses, for the whole list of a cause.
    await page.goto("/desk/losses?span=month");
    await shown(screen);
    await page.getByLabel("All of this list, also those that are not shown").check();
    await page.getByLabel("Cause for all of them").selectOption(jam.name);
    await page.getByRole("button", { name: "Count them" }).click();
    await page.getByRole("button", { name: /^Classify \d stops$/ }).click();
    await page.getByText(/^\d stops have the new cause\.$/).waitFor();
    await page.goto("/desk/changes");
    const list = page.getByRole("region", { name: "Bulk classifications" }).first();
    await list.getByText("3 stops are as before.").waitFor();
    await list.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => list.getByText("as before.").count()).toBe(2);
    for (const look of looksOf(3)) await lookAt(screen, page.url(), look, () => shown(screen));
    screen.expectClean();
  });

  test("an admin imports a file, sees which lines were refused, and takes it back", async () => {
    const company = await app().company();
    await company.shift();
    const machine = await company.machine("Imported", { noDataAfterSeconds: null });
    const good = company.counts(machine, 200, 180).map((event) => `${JSON.stringify(event)}\n`);
    const bad = `${JSON.stringify({ type: "count", at: new Date().toISOString(), nodeId: 999, channel: 1, value: 1 })}\n`;
    const screen = await open(company, "/desk/changes");
    const { page } = screen;
    const buffer = Buffer.from([...good, bad].join(""));
    const card = page.getByRole("region", { name: "Imports" }).first();
    await card.getByLabel("A file of events").setInputFiles({ name: "old.ndjson", mimeType: "application/x-ndjson", buffer });
    await card.getByRole("button", { name: "Import", exact: true }).click();
    await card.getByText("41 taken, 0 stored before, 1 refused").waitFor();
    await card.getByRole("button", { name: "Refused lines" }).click();
    const errors = page.getByRole("region", { name: /^Refused lines of import/ }).first();
    await expect.poll(() => errors.innerText()).toMatch(/42\s+channel\s+no machine/);
    for (const look of looksOf(2)) await lookAt(screen, page.url(), look, () => shown(screen));
    await page.goto("/desk/changes?lang=en");
    await card.getByRole("button", { name: "Undo" }).click();
    await card.getByText("taken back").waitFor();
    screen.expectClean();
  });

  test("what a machine counted is corrected, with a reason and a comment, shown by reason in the losses, and undone", async () => {
    const { company, press, day } = it;
    const { id: reasonId } = await company.send("POST", "/v1/defect-reasons", { name: "Scratch <u>deep</u>" });
    const sums = async () => (await company.send("GET", `/v1/shift-records?machineIds=${press.id}`)).data[0].productionMetrics;
    const before = await sums();
    const screen = await open(company, "/desk/changes?part=corrections");
    const { page } = screen;
    await page.getByText("Nobody corrected a count.").waitFor();
    await page.getByRole("button", { name: "Correct" }).click();
    await page.getByRole("combobox", { name: "Machine" }).selectOption(String(press.id));
    const at = new Date(Date.now() - 220 * 60_000).toISOString();
    await page.getByLabel("On the day").fill(at.slice(0, 10));
    await page.getByLabel("On the day").press("Tab");
    await page.getByLabel("At", { exact: true }).fill(at.slice(11, 16));
    await page.getByRole("button", { name: "Enter it" }).click();
    await page.getByText("Enter units first.").waitFor();
    await page.getByLabel("Units made").fill("−5000");
    screen.expectErrors(/status of 409/);
    await page.getByRole("button", { name: "Enter it" }).click();
    await page.getByText("takes away more units than there are").waitFor();
    await page.getByLabel("Units made").fill("-3");
    await page.getByLabel("Of these rejected").fill("2");
    await page.getByRole("combobox", { name: "Defect reason" }).selectOption(String(reasonId));
    await page.getByLabel("Comment").fill("Found <i>at</i> the inspection");
    for (const size of sizesOf(0)) {
      await page.setViewportSize(size);
      await screen.expectSound(`the form of a correction on a ${size.name}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Enter it" }).click();
    const row = page.getByRole("row").filter({ hasText: press.name });
    await row.waitFor();
    const text = await row.innerText();
    expect(text).toContain("−3 units, +2 rejected");
    expect(text).toContain("Scratch <u>deep</u>: Found <i>at</i> the inspection");
    expect(text).toContain("Ana Admin, ");
    await vi.waitUntil(async () => (await sums()).total === before.total - 3, soon);
    await page.goto(`/desk/losses?day=${day}`);
    const defects = page.getByRole("region", { name: "Rejected units by reason" }).first();
    await expect.poll(() => defects.innerText(), soon).toMatch(/Scratch <u>deep<\/u>\s+2/);
    await page.goto("/desk/changes?part=corrections");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(/^Undone by Ana Admin, /).waitFor();
    await vi.waitUntil(async () => (await sums()).total === before.total, soon);
    screen.expectClean();
  });

  test("events that were withdrawn are listed, and restored", async () => {
    const company = await app().company();
    await company.shift();
    const machine = await company.machine(`Filler ${"n".repeat(60)}`, { noDataAfterSeconds: null });
    await company.ingest([...company.counts(machine, 200, 180), ...company.counts(machine, 170, 170, 900)]);
    const total = async () => (await company.send("GET", "/v1/summary?groupBy=machine")).total.total;
    const [from, to] = [210, 100].map((minutes) => new Date(Date.now() - minutes * 60_000).toISOString());
    const body = { machineId: machine.id, from, to, minValue: 500, reason: "A glitch <b>of</b> the gateway" };
    await company.send("POST", "/v1/event-withdrawals", body);
    await vi.waitUntil(async () => (await total()) < 900, soon);
    const screen = await open(company, "/desk/changes");
    const { page } = screen;
    await page.getByRole("link", { name: "Withdrawn events" }).click();
    const row = page.getByRole("row").filter({ hasText: machine.name });
    await row.waitFor();
    const text = await row.innerText();
    expect(text).toContain("1 event, of at least 500 pulses");
    expect(text).toContain("A glitch <b>of</b> the gateway");
    for (const look of looksOf(0)) await lookAt(screen, "/desk/changes?part=withdrawals", look, () => shown(screen));
    await page.goto("/desk/changes?part=withdrawals&lang=en");
    await row.getByRole("button", { name: "Restore" }).click();
    await page.getByText(/^Restored by Ana Admin, /).waitFor();
    await vi.waitUntil(async () => (await total()) > 900, soon);
    screen.expectClean();
  });

  test("books are closed up to a day with what is left open, reopened with a reason, and what was held is offered", async () => {
    const company = await app().company();
    const today = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR;
    await company.shift({ start: "00:00", end: "00:00" });
    const commissionedAt = new Date(today - 48 * HOUR).toISOString();
    const machine = await company.machine("Mill <b>3</b>", { noDataAfterSeconds: null, commissionedAt });
    // Yesterday at ten, with a stop that nobody has classified.
    const minutesAgo = Math.round((Date.now() - (today - 14 * HOUR)) / 60_000);
    await company.ingest([...company.counts(machine, minutesAgo, minutesAgo - 20), ...company.counts(machine, 30, 0)]);
    const units = async () => {
      const [from, to] = [today - 24 * HOUR, today].map((at) => new Date(at).toISOString());
      return (await company.send("GET", `/v1/summary?groupBy=machine&from=${from}&to=${to}`)).total.total as number;
    };
    await vi.waitUntil(async () => (await units()) > 100, soon);
    const before = await units();
    const screen = await open(company, "/desk/changes?part=books");
    const { page } = screen;
    await page.getByText("The books are open: every number can change.").waitFor();
    screen.expectErrors(/status of 409/);
    await page.getByRole("button", { name: "Close the books" }).click();
    await page.getByRole("button", { name: "Check and close" }).click();
    await page.getByText(/^\d+ stops? (has|have) no cause$/).waitFor();
    for (const size of sizesOf(0)) {
      await page.setViewportSize(size);
      await screen.expectSound(`closing the books on a ${size.name}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel("Close them all the same").check();
    await page.getByRole("button", { name: "Check and close" }).click();
    await page.getByText("Say why what is left open does not matter.").waitFor();
    await page.getByLabel("Why").fill("Yesterday <u>is</u> reported");
    await page.getByRole("button", { name: "Check and close" }).click();
    await page.getByText(/^The books are closed up to /).waitFor();
    const card = page.getByRole("region", { name: "Closed books" }).first();
    const row = card.getByRole("row").filter({ hasText: "Yesterday <u>is</u> reported" });
    expect(await row.innerText()).toMatch(/closed[\s\S]*no cause[\s\S]*Ana Admin, .*, all the same, /);

    await row.getByRole("button", { name: /^Sums of the books up to / }).click();
    const sums = page.getByRole("region", { name: /^Sums of the books up to / }).first();
    // Its day of 24 hours made something, and the machine is in the list by name.
    await expect
      .poll(() => sums.getByRole("row").nth(1).innerText())
      .toMatch(new RegExp(`^Mill <b>3</b>\\s+\\d+\\s+${before.toLocaleString("en")}\\s+0\\s`));
    for (const size of sizesOf(0)) {
      await page.setViewportSize(size);
      await screen.expectSound(`the sums of a closing on a ${size.name}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await sums.getByRole("button", { name: "Close the list" }).click();
    expect(await sums.count()).toBe(0);

    await company.ingest(company.counts(machine, minutesAgo - 25, minutesAgo - 25, 7));
    const held = async () => (await company.send("GET", "/v1/held-events")).data.length;
    await vi.waitUntil(async () => (await held()) === 1, soon);
    await page.reload();
    const list = page.getByRole("region", { name: "Held events" }).first();
    await list.getByText("1 event, 7 units").waitFor();
    await list.getByText("the books of their time were closed").waitFor();
    await list.getByRole("button", { name: /^Accept: / }).click();
    await list.locator(".refusal").waitFor();
    expect(await units()).toBe(before);
    for (const look of looksOf(1)) await lookAt(screen, "/desk/changes?part=books", look, () => shown(screen));

    await page.goto("/desk/changes?part=books&lang=en");
    await page.getByRole("button", { name: "Reopen", exact: true }).click();
    await page.getByLabel("Why").fill("A late <i>count</i>");
    await page.getByRole("button", { name: "Reopen them" }).click();
    await page.getByText("The books are open: every number can change.").waitFor();
    await card.getByText(/reopened by Ana Admin, .*, A late <i>count<\/i>$/).waitFor();
    await list.getByRole("button", { name: /^Accept: / }).click();
    await page.getByText("No event is held.").waitFor();
    await vi.waitUntil(async () => (await units()) === before + 7, soon);
    await card.getByRole("button", { name: /^Sums of the books up to / }).click();
    await sums.getByText(`${before.toLocaleString("en")}, now ${(before + 7).toLocaleString("en")}`).waitFor();
    screen.expectClean();
  }, 600_000);

  test("shows how far the classification of thousands of stops is", async () => {
    const { company, jam } = await stoppedPlant();
    const screen = await open(company, "/desk/day");
    const { page } = screen;
    let state = "running";
    await page.route(/\/v1\/stop-classifications\/[^/]+$/, async (route) => {
      const response = await route.fetch();
      const job = { ...(await response.json()), total: 4000 };
      const running = { ...job, state, classified: 1500, endedAt: null };
      const leftOut = { changed: [1, 2], gone: [3], unreachable: [], closed: [] };
      await route.fulfill({ response, json: state === "running" ? running : { ...job, classified: 3997, leftOut } });
    });
    await page.getByLabel("All 3").check();
    await page.getByLabel("Cause for all of them").selectOption(jam.name);
    await page.getByRole("button", { name: "Count them" }).click();
    await page.getByRole("button", { name: "Classify 3 stops" }).click();
    await page.getByText("1,500 of 4,000 stops are classified.").waitFor();
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    state = "done";
    await page.getByText("3997 stops have the new cause. 3 stops were left as before").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    screen.expectClean();
  });

  test.each(["changes?part=corrections&", "losses?"])("a correction looks right in every language and size: %s", async (view) => {
    const { company, press, day } = it;
    const at = new Date(Date.now() - 220 * 60_000).toISOString();
    const said = { defects: 1.25, comment: `Found ${"far ".repeat(30)}${"away".repeat(20)}` };
    await company.send("POST", "/v1/corrections", { machineId: press.id, at, ...said });
    const path = `/desk/${view}day=${day}`;
    const screen = await open(company, path);
    for (const look of looksOf(view === "losses?" ? 2 : 1)) await lookAt(screen, path, look, () => shown(screen));
  });

  test("looks right in every language and size", async () => {
    const screen = await open(it.company, `/desk/shift?day=${it.day}`);
    for (const look of looksOf(1)) await lookAt(screen, `/desk/shift?day=${it.day}&revisions=1`, look, () => shown(screen));
    const form = async () => {
      await shown(screen);
      await screen.page.getByRole("button", { name: /^Recalc/ }).click();
    };
    for (const look of looksOf(2)) await lookAt(screen, "/desk/changes", look, form);
  });

  describe("what was said of a stop that is gone", () => {
    let gone: { company: Company; jam: { id: number }; second: { id: number } };
    beforeAll(async () => {
      if (!hasBrowser) return;
      const { company, machine, jam } = await stoppedPlant();
      const read = async () => (await company.send("GET", "/v1/stops?isOpen=false")).data;
      const [, second, first] = await read();
      const said = { generalCauseId: jam.id, description: "Oil <b>everywhere</b>" };
      await company.send("PUT", `/v1/stops/${first.id}/classification`, said);
      await company.send("PATCH", `/v1/stops/${first.id}`, { name: "Monday" });
      await company.ingest(company.counts(machine, 132, 118));
      await vi.waitUntil(async () => (await company.send("GET", "/v1/orphaned-edits")).data.length === 2, soon);
      gone = { company, jam, second };
    });

    test("is put on another stop, or dismissed", async () => {
      const { company, jam, second } = gone;
      const screen = await open(company, "/desk/changes");
      const { page } = screen;
      const card = page.getByRole("region", { name: "Said of stops that are gone" });
      const item = card.getByRole("listitem").filter({ hasText: "Oil" });
      const text = await item.innerText();
      expect(text).toContain("Jam, Oil <b>everywhere</b>");
      expect(text).toContain("There is no stop at that time any more.");
      expect(text).toContain("Said by Ana Admin, ");
      for (const look of looksOf(0)) await lookAt(screen, page.url(), look, () => shown(screen));
      await page.goto("/desk/changes?lang=en");
      await item.getByRole("button", { name: "Put on another stop" }).click();
      await item.getByLabel("Stop of the same machine").selectOption(String(second.id));
      await item.getByRole("button", { name: "Put it there" }).click();
      await expect.poll(() => item.count()).toBe(0);
      const { classification } = await company.send("GET", `/v1/stops/${second.id}`);
      expect(classification).toMatchObject({ generalCause: { id: jam.id }, description: "Oil <b>everywhere</b>" });
      await card.getByRole("listitem").filter({ hasText: "named Monday" }).getByRole("button", { name: "Dismiss" }).click();
      await page.getByText("All that people said of stops counts.").waitFor();
      expect((await company.send("GET", "/v1/orphaned-edits")).data).toEqual([]);
      screen.expectClean();
    });
  });
});
