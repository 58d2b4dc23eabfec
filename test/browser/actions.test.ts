import { beforeAll, describe, expect, test, vi } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { lookAt, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

// The page of what people do about losses, and how a loss gets an action.

const app = useApp();
const LONG = "Spritzgießmaschine Engel e-motion 740/220";
const DAY = 24 * 3_600_000;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

async function shown({ page }: Screen): Promise<void> {
  await page.locator(".card").first().waitFor();
  await expect.poll(() => page.locator(".card-wait, [aria-busy=true]").count(), { timeout: 30_000 }).toBe(0);
  await expect.poll(() => page.getByText(/^(Being added up|Sumando)$/).count(), { timeout: 60_000 }).toBe(0);
}

async function open(company: Company, path: string): Promise<Screen> {
  const screen = await app().screen({ locale: "en-GB" });
  await screen.enterAs(company);
  await screen.page.goto(path);
  await shown(screen);
  return screen;
}

/** A company with a machine on a line that stood for a cause for half an hour. */
async function plant() {
  const company = await app().company();
  await company.shift();
  const line = await company.send("POST", "/v1/lines", { name: "Hall North" });
  const press = await company.machine(LONG, { lineId: line.id, noDataAfterSeconds: null });
  const lathe = await company.machine("Lathe 1");
  const cause = await company.cause("Jam in feeder");
  await company.ingest([...company.counts(press, 120, 70), ...company.counts(press, 40, 0), ...company.counts(lathe, 60, 0)]);
  const stops = async () => (await company.send("GET", `/v1/stops?machineIds=${press.id}&isOpen=false`)).data as { id: number }[];
  await vi.waitUntil(async () => (await stops()).length > 0, { timeout: 60_000, interval: 500 });
  for (const { id } of await stops()) {
    await company.send("PUT", `/v1/stops/${id}/classification`, { generalCauseId: cause.id });
  }
  const loss = async () => (await company.send("GET", "/v1/summary?groupBy=cause")).data as { generalCause: object | null }[];
  await vi.waitUntil(async () => (await loss()).some(({ generalCause }) => generalCause !== null), {
    ...{ timeout: 60_000, interval: 500 },
  });
  const [{ id: ownerId }] = (await company.send("GET", "/v1/users")).data;
  const act = (machine: TestMachine | null, changes: object = {}) =>
    company.send("POST", "/v1/actions", {
      ...{ loss: "cause", generalCauseId: cause.id, machineId: machine?.id ?? null, ownerId, measure: "A new sensor" },
      ...{ from: new Date(Date.now() - DAY).toISOString(), to: new Date().toISOString(), dueOn: dayFromNow(10), ...changes },
    });
  return { company, line, press, lathe, cause, ownerId, act };
}

/** The losses and measures in the rows of a card. */
const rowsOf = ({ page }: Screen, card: string) => page.getByRole("region", { name: card, exact: true }).locator("tbody tr");

describe.skipIf(!hasBrowser)("actions", () => {
  let it: Awaited<ReturnType<typeof plant>>;
  beforeAll(async () => {
    if (hasBrowser) it = await plant();
  });

  test("a loss gets an action by keyboard alone, says so, and leads to it", async () => {
    const { company, press, ownerId } = it;
    const empty = await open(company, "/desk/actions");
    expect(await empty.text()).toContain("No action is open: press “Act” where losses are shown");
    await empty.expectSound("no action");

    const screen = await open(company, `/desk/losses?span=week&machine=${press.id}`);
    const { page } = screen;
    await page.getByRole("button", { name: "Act: Jam in feeder" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New action" });
    await dialog.waitFor();
    expect(await dialog.getByLabel("Loss").evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text)).toBe(
      "Jam in feeder",
    );
    expect(await dialog.getByLabel("Where").evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text)).toBe(LONG);
    await screen.expectSound("the form");
    // Without a measure it is refused at its field, which has the focus.
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    expect(await dialog.innerText()).toContain("This is needed.");
    await page.keyboard.type("A new sensor, with a shield");
    // What is not saved is not lost by Escape without a question.
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Owner").waitFor();
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    const [made] = (await company.send("GET", "/v1/actions")).data;
    expect(made).toMatchObject({
      ...{ loss: "cause", machine: { id: press.id }, measure: "A new sensor, with a shield", owner: { id: ownerId } },
      ...{ dueOn: dayFromNow(14), generalCause: { name: "Jam in feeder" } },
    });
    expect(made.minutes).toBeGreaterThan(20);

    const said = page.locator(".bar-rows .acted");
    await said.waitFor();
    expect(await said.innerText()).toContain("Action: ");
    await screen.expectSound("a loss with an action");
    await said.press("Enter");
    const detail = page.getByRole("dialog", { name: `Jam in feeder · ${LONG}` });
    await detail.getByText("Too early to say").waitFor();
    expect(new URL(page.url()).search).toContain(`action=${made.id}`);
    await screen.expectSound("the action");
    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "detached" });
    expect(await rowsOf(screen, "Open actions").innerText()).toContain("A new sensor, with a shield");
    await company.send("PATCH", `/v1/actions/${made.id}`, { state: "dropped" });
    screen.expectClean();
  });

  test("the brief offers to act on what it names, and the API's refusals stand at their fields", async () => {
    const screen = await open(it.company, "/desk/brief");
    const { page } = screen;
    await page.getByRole("button", { name: "Act: Rejected units" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New action" });
    expect(await dialog.getByLabel("Loss").inputValue()).toBe("quality");
    await dialog.getByLabel("Measure").fill("Sort by hand");
    const from = dialog.getByRole("textbox", { name: "Seen from" });
    await from.fill(new Date(Date.now() - 200 * DAY).toLocaleDateString("en-GB"));
    await from.press("Tab");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("must be at most 92 days after").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    screen.expectErrors(/400/);
    screen.expectClean();
  });

  test("the list has overdue ones first, filters that stand in the address, and those that are done apart", async () => {
    const { company, line, press, lathe, act } = await plant();
    const rosa = await company.user("user");
    const users = (await company.send("GET", "/v1/users")).data as { id: number; name: string }[];
    const rosaId = users.find(({ name }) => name === "Rosa Reader")?.id;
    await act(press, { measure: "due later", dueOn: dayFromNow(20) });
    await act(null, { measure: "due soon", dueOn: dayFromNow(5), ownerId: rosaId });
    await act(lathe, { measure: "overdue", dueOn: dayFromNow(-3), ownerId: rosaId });
    await act(null, { measure: "of the line", lineId: line.id, dueOn: dayFromNow(9) });
    const screen = await open(company, "/desk/actions");
    const { page } = screen;
    const measures = () => rowsOf(screen, "Open actions").locator(".action-measure").allInnerTexts();
    expect(await measures()).toEqual(["overdue", "due soon", "of the line", "due later"]);
    expect(await screen.text()).toContain("4 open, 1 overdue");
    expect(await rowsOf(screen, "Open actions").first().innerText()).toContain("overdue: ");

    await page.getByRole("link", { name: "Overdue", exact: true }).click();
    await expect.poll(measures).toEqual(["overdue"]);
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.getByRole("combobox", { name: "Owner" }).selectOption({ label: "Rosa Reader" });
    await expect.poll(measures).toEqual(["overdue", "due soon"]);
    await page.reload();
    await shown(screen);
    expect(await measures()).toEqual(["overdue", "due soon"]);
    await page.getByRole("combobox", { name: "Owner" }).selectOption({ label: "Everybody" });
    await page.getByRole("combobox", { name: "Machines" }).selectOption(`line ${line.id}`);
    await expect.poll(measures).toEqual(["of the line", "due later"]);
    await page.getByRole("combobox", { name: "Machines" }).selectOption("");

    // The user who owns two of them changes one and is done with the other, without the names of all users.
    const other = await app().screen({ locale: "en-GB" });
    await other.page.goto("/desk/actions");
    await other.signIn(rosa);
    await shown(other);
    const due = rowsOf(other, "Open actions").filter({ hasText: "due soon" });
    await due.getByRole("link").click();
    const dialog = other.page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Change" }).click();
    await dialog.getByLabel("What came of it").fill("Ordered on Monday");
    await dialog.getByLabel("State").selectOption({ label: "Dropped" });
    await other.expectSound("the form of a change");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Ordered on Monday").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    const late = rowsOf(other, "Open actions").filter({ hasText: "overdue: " });
    await late.getByRole("button", { name: "Jam in feeder: done" }).click();
    await expect.poll(() => late.count()).toBe(0);
    await expect.poll(() => rowsOf(other, "Done and dropped").count()).toBe(2);
    expect((await rowsOf(other, "Done and dropped").allInnerTexts()).join("\n")).toMatch(/Done, .*Dropped, |Dropped, .*Done, /s);
    other.expectClean();
    screen.expectClean();
  });

  test("what became of a loss is said in words, beside bars by week", async () => {
    const { company, press, act } = await plant();
    const { id } = await act(press);
    const screen = await app().screen({ locale: "en-GB" });
    await screen.enterAs(company);
    // Time does not pass for a test: the answer says what the service would say in four weeks.
    let share = 1;
    await screen.page.route(new RegExp(`/v1/actions/${id}$`), async (route) => {
      const response = await route.fetch();
      const action = await response.json();
      const start = Date.parse(action.effect.before.to);
      const iso = (at: number) => new Date(at).toISOString();
      const week = (i: number) => ({ start: iso(start + i * 7 * DAY), end: iso(start + (i + 1) * 7 * DAY), isPartial: i === 3 });
      const weeks = [-1, 0, 1, 2, 3].map((i) => ({ ...week(i), minutes: i < 0 ? 300 : 60 * share, plannedMinutes: 6000 }));
      const planned = { plannedMinutes: 24_000, minutes: 240 * share, share };
      action.effect = {
        before: { ...action.effect.before, minutes: 240, plannedMinutes: 4800, share: 5 },
        since: { from: iso(start), to: iso(start + 28 * DAY), ...planned },
        weeks,
      };
      await route.fulfill({ response, json: action });
    });
    const { page } = screen;
    await page.goto("/desk/actions");
    await shown(screen);
    const row = rowsOf(screen, "Open actions");
    expect(await row.innerText()).toContain("240 min a week less than before");
    expect(await row.locator(".action-weeks .action-before").count()).toBe(1);
    expect(await row.locator(".action-weeks .k-made").count()).toBe(4);
    share = 7;
    await page.goto(`/desk/actions?action=${id}`);
    await page.getByRole("dialog").getByText("120 min a week more than before").waitFor();
    const plot = page.getByRole("application");
    await plot.focus();
    await page.keyboard.press("End");
    expect(await page.getByRole("dialog").innerText()).toMatch(/Loss\s7\.0\s%\sMinutes\s420\sPlanned\s6,000 min/);
    await screen.expectSound("with weeks");
  });

  test("who only reads sees actions, and no button to change them", async () => {
    const { company, act, press } = it;
    const { id } = await act(press, { measure: "to be read" });
    const screen = await app().screen({ locale: "en-GB" });
    await screen.page.goto(`/desk/actions?action=${id}`);
    await screen.signIn(await company.user("readonly"));
    await shown(screen);
    const { page } = screen;
    await page.getByRole("dialog").getByText("to be read").waitFor();
    expect(await page.getByRole("button", { name: "Change" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    expect(await rowsOf(screen, "Open actions").count()).toBe(1);
    for (const name of ["New action", "Jam in feeder: done"]) expect(await page.getByRole("button", { name }).count()).toBe(0);
    await page.goto("/desk/losses?span=week");
    await shown(screen);
    await page.locator(".bar-rows .acted").waitFor();
    expect(await page.getByRole("button", { name: /^Act: / }).count()).toBe(0);
    screen.expectClean();
  });

  describe("with 300 of them", () => {
    let company: Company;
    beforeAll(async () => {
      if (!hasBrowser) return;
      const { company: its, act, press } = await plant();
      company = its;
      for (let i = 0; i < 300; i++) await act(i % 2 === 0 ? press : null, { measure: `Measure ${i}`, dueOn: dayFromNow(i - 20) });
    });

    test("some are shown, with a button for more, and all are counted", async () => {
      const screen = await open(company, "/desk/actions");
      expect(await screen.text()).toContain("300 open, 20 overdue");
      expect(await rowsOf(screen, "Open actions").count()).toBe(20);
      expect(await rowsOf(screen, "Open actions").first().innerText()).toContain("Measure 0");
      await screen.page.getByRole("button", { name: "Show more" }).click();
      await expect.poll(() => rowsOf(screen, "Open actions").count()).toBe(40);
      await shown(screen);
      screen.expectClean();
    });

    test.each(someLooks)("looks right in $language on a $size.name", async (look) => {
      const [{ id }] = (await company.send("GET", "/v1/actions?limit=1")).data;
      const screen = await open(company, "/desk/actions");
      await lookAt(screen, "/desk/actions", look, () => shown(screen));
      await lookAt(screen, `/desk/actions?action=${id}`, look, () => shown(screen));
      await lookAt(screen, "/desk/losses?span=week", look, () => shown(screen));
    });
  });
});
