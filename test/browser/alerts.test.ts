import { beforeAll, describe, expect, test, vi } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { lookAt, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();

interface Alarm {
  company: Company;
  press: TestMachine;
}

/** A company with a rule about stops, and a machine that has been stopped for twenty minutes: an incident is open. */
async function alarm(): Promise<Alarm> {
  const company = await app().company();
  await company.shift();
  const press = await company.machine("Press <i>1</i>");
  await company.send("POST", "/v1/alert-rules", {
    name: "Press <u>stands</u>",
    when: { kind: "stop", minutes: 5 },
    levels: [{ afterMinutes: 0, personaIds: [company.personaId], chatRoomIds: [] }],
  });
  await company.ingest([...company.counts(press, 60, 20), ...company.counts(press, 19, 0, 0)]);
  await vi.waitUntil(async () => (await incidents(company)).length === 1, { timeout: 120_000, interval: 300 });
  return { company, press };
}

/** One per test. All are created at once, because each takes ten seconds: the first flush after a change of set-up waits that long. */
const alarms: Alarm[] = [];
const tests = 6;
beforeAll(async () => {
  if (hasBrowser) alarms.push(...(await Promise.all(Array.from({ length: tests }, alarm))));
});

function nextAlarm(): Alarm {
  const next = alarms.pop();
  if (!next) throw new Error(`More than ${tests} tests want an alarm`);
  return next;
}

async function incidents(company: Company) {
  return (await company.send("GET", "/v1/incidents")).data;
}

const bell = ({ page }: Screen) => page.locator(".bell summary");

async function desk(company: Company, path = "/desk"): Promise<Screen> {
  const screen = await app().screen();
  await screen.enterAs(company);
  await screen.page.goto(path);
  return screen;
}

describe.skipIf(!hasBrowser)("the bell", () => {
  test("shows a new incident with a running clock, and who acknowledged it to everyone", async () => {
    const { company, press } = nextAlarm();
    const screen = await desk(company);
    const { page } = screen;
    await expect.poll(() => bell(screen).getAttribute("title")).toContain("1 open incident,");
    await bell(screen).click();
    const item = page.locator(".bell .incident");
    await expect.poll(() => item.innerText()).toContain("Press <u>stands</u>");
    expect(await item.getByRole("link", { name: press.name }).getAttribute("href")).toBe(`/desk/day?machine=${press.id}`);
    const clock = page.locator(".bell .incident-clock");
    const first = await clock.innerText();
    expect(first).toMatch(/^2\d:\d\d$/);
    await expect.poll(() => clock.innerText()).not.toBe(first);
    await screen.expectSound("the bell is open");
    await page.getByRole("button", { name: `Acknowledge: Press <u>stands</u>, ${press.name}` }).click();
    await expect.poll(() => item.innerText()).toContain("Acknowledged by Ana Admin");
    expect(await page.getByRole("button", { name: /Acknowledge/ }).count()).toBe(0);
    expect((await incidents(company))[0]).toMatchObject({ acknowledgedBy: { name: "Ana Admin" }, resolvedAt: null });
    screen.expectClean();
  });

  test("can be used with only the keyboard, and marks what it shows as read", async () => {
    const { company } = nextAlarm();
    const unread = async () => (await company.send("GET", "/v1/notifications?isRead=false")).data.length;
    expect(await unread()).toBeGreaterThan(0);
    const screen = await desk(company);
    const { page } = screen;
    await expect.poll(() => bell(screen).getAttribute("title")).toMatch(/^Alerts: 1 open incident, [1-9]/);
    await bell(screen).focus();
    await page.keyboard.press("Enter");
    await page.locator(".bell-note", { hasText: "NewWelcome <b>here</b>" }).waitFor();
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.textContent === "Acknowledge")) break;
    }
    await page.keyboard.press("Enter");
    await page.getByText(/^Acknowledged by Ana Admin/).waitFor();
    // The button is gone, and the keyboard focus is still in the list.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Open incidents");
    await expect.poll(unread).toBe(0);
    await page.keyboard.press("Escape");
    expect(await page.locator(".bell[open]").count()).toBe(0);
    await expect.poll(() => bell(screen).getAttribute("title")).toBe("Alerts: 1 open incident, 0 unread notifications");
    screen.expectClean();
  });

  test("links read-only users to the incident, without a way to acknowledge it", async () => {
    const { company } = nextAlarm();
    const account = { email: `${Date.now()}@browser.test`, password: "only looking at things" };
    await company.send("POST", "/v1/users", { name: "Rosa Reader", role: "readonly", ...account });
    const screen = await app().screen();
    const { page } = screen;
    await page.goto("/desk");
    await screen.signIn(account);
    await bell(screen).click();
    await page.locator(".bell").getByRole("link", { name: "Press <u>stands</u>" }).click();
    await page.getByRole("region", { name: "Incident", exact: true }).waitFor();
    expect(page.url()).toContain(`/desk/incidents/${(await incidents(company))[0].id}`);
    expect(await page.getByRole("button", { name: /Acknowledge/ }).count()).toBe(0);
    screen.expectClean();
  });
});

describe.skipIf(!hasBrowser)("the incidents", () => {
  test("are listed for a range, can be saved as CSV, and have their own address; an unknown address says so", async () => {
    const { company, press } = nextAlarm();
    const screen = await desk(company, "/desk/incidents?span=week");
    const { page } = screen;
    const card = page.getByRole("region", { name: "Incidents" }).first();
    await expect.poll(() => card.locator("tbody tr").innerText()).toContain(press.name);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Incidents: save the API's CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^incidents-week-/);
    await card.getByRole("link", { name: "Press <u>stands</u>" }).click();
    const one = page.getByRole("region", { name: "Incident", exact: true });
    await one.getByRole("button", { name: /Acknowledge/ }).click();
    await expect.poll(() => one.innerText()).toContain("Acknowledged by Ana Admin");
    await expect.poll(() => card.locator("tbody tr").innerText()).toContain("Ana Admin");
    // As if it had been opened before today: it is still open, so today's list has it.
    await page.route(/\/v1\/incidents\?/, async (route) => {
      const url = new URL(route.request().url());
      if (!url.searchParams.has("isOpen")) return route.fulfill({ json: { data: [], cursor: null } });
      url.searchParams.delete("to");
      return route.fulfill({ response: await route.fetch({ url: url.href }) });
    });
    await page.goto("/desk/incidents");
    await expect.poll(() => card.locator("tbody tr").innerText()).toContain(press.name);
    await page.unroute(/\/v1\/incidents\?/);
    await page.goto("/desk/incidents/nothing");
    await page.getByText("There is no such incident.").waitFor();
    screen.expectErrors(/status of 40[04]/);
    screen.expectClean();
  });

  test("look right in every language and size", async () => {
    const { company } = nextAlarm();
    const screen = await desk(company);
    const [{ id }] = await incidents(company);
    for (const look of someLooks) {
      await lookAt(screen, `/desk/incidents/${id}?span=month`, look, async () => {
        await bell(screen).click();
        await screen.page.locator(".bell .incident").waitFor();
        await expect.poll(() => screen.page.locator(".card-wait, [aria-busy=true]").count()).toBe(0);
      });
    }
  });
});

describe.skipIf(!hasBrowser)("the wall", () => {
  test("marks the machine of an incident by shape and text until somebody acknowledges it", async () => {
    const { company, press } = nextAlarm();
    const screen = await app().screen({ viewport: { width: 1920, height: 1080 } });
    await screen.enterAs(company);
    await screen.page.goto("/wall?distance=3");
    const mark = screen.page.locator(`[data-machine="${press.id}"] .tile-alert`);
    await expect.poll(() => mark.innerText()).toContain("Alert");
    expect(await mark.locator("svg").count()).toBe(1);
    await screen.expectSound("the wall with an alert");
    const [{ id }] = await incidents(company);
    await company.send("POST", `/v1/incidents/${id}/acknowledge`);
    await expect.poll(() => mark.count()).toBe(0);
    screen.expectClean();
  });
});
