import { describe, expect, test } from "vitest";
import { common } from "../../src/board/texts/en/common.ts";
import { floor } from "../../src/board/texts/en/floor.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, Doing, TestMachine } from "./support/company.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();

/** A tablet with a signed-in user. */
async function tabletOf(company: Company): Promise<Screen> {
  const screen = await app().screen({ viewport: { width: 800, height: 1280 }, hasTouch: true });
  await screen.enterAs(company);
  return screen;
}

/** A company with one machine at `/floor/M-1`, and two causes of stops. */
async function atMachine(doing: Doing) {
  const company = await app().company();
  const { Press: machine } = await company.plant({ Press: doing });
  const causes = [await company.cause("Paper jam"), await company.cause("No material")] as const;
  const screen = await tabletOf(company);
  await screen.page.goto("/floor/M-1");
  await screen.page.getByRole("heading", { name: "Press" }).waitFor();
  return { company, machine: machine as TestMachine, causes, screen, page: screen.page };
}

const causeOf = async (company: Company, machine: TestMachine) => (await company.row(machine)).stop?.generalCause?.name ?? null;
const text = (screen: Screen) => screen.page.locator("main").innerText();

/** The terminal and a wall with a machine, and the clocks that they show for it, in seconds; NaN: none. */
async function clocksOf(company: Company, machine: TestMachine) {
  const [tablet, wall] = [await tabletOf(company), await app().screen({ viewport: { width: 1920, height: 1080 } })];
  await wall.enterAs(company);
  await Promise.all([tablet.page.goto(`/floor/${machine.id}`), wall.page.goto("/wall?distance=3")]);
  const tile = wall.page.locator(`[data-machine="${machine.id}"]`);
  const clocks = async () => {
    const shown = [tablet.page.locator(".floor-clock"), tile.locator(".tile-elapsed")];
    const texts = await Promise.all(shown.map(async (one) => ((await one.count()) > 0 ? await one.innerText() : "none")));
    return texts.map((clock) => clock.split(":").reduce((sum, part) => 60 * sum + Number(part), 0));
  };
  const texts = async () => [await text(tablet), await tile.innerText()];
  const bothContain = async (word: string) => (await texts()).every((one) => one.includes(word));
  const expectClean = () => {
    tablet.expectClean();
    wall.expectClean();
  };
  return { clocks, bothContain, expectClean };
}

describe.skipIf(!hasBrowser)("the floor", () => {
  test("lists the machines by name, including markup in names, with the API's figures", async () => {
    const company = await app().company();
    const names = { "Runner <b>1</b>": "runs", Silent: "is silent", Setter: "is in setup" } as const;
    const machines = await company.plant(names);
    const screen = await tabletOf(company);
    await screen.page.goto("/floor");
    const words = { "Runner <b>1</b>": common.kinds.running, Silent: common.kinds.noData, Setter: common.kinds.planned };
    for (const [name, word] of Object.entries(words)) {
      await expect.poll(() => screen.page.getByRole("link", { name }).innerText()).toContain(word);
    }
    await screen.page.getByRole("link", { name: "Runner <b>1</b>" }).click();
    await screen.page.getByRole("heading", { name: "Runner <b>1</b>" }).waitFor();
    const { total } = await company.row(machines["Runner <b>1</b>"] as TestMachine);
    expect(total).toBeGreaterThan(500);
    await expect.poll(() => text(screen)).toContain(`${total?.toLocaleString("en-GB")} ${floor.madeUnits}`);
    screen.expectClean();
  });

  test("shows a stop from its signals on, gets its cause by touch, and removes it again", async () => {
    const company = await app().company();
    await company.shift();
    const machine = await company.stateMachine("Lathe");
    await company.cause("Tool broke");
    const screen = await tabletOf(company);
    await screen.page.goto("/floor/M-1");
    await expect.poll(() => text(screen)).toContain(common.kinds.running);
    await company.tell(machine, "down", 3);
    await expect.poll(() => text(screen), { timeout: 5000 }).toContain(floor.noCauseYet);
    await screen.page
      .getByRole("button", { name: /^Tool broke/ })
      .first()
      .tap();
    await expect.poll(() => causeOf(company, machine)).toBe("Tool broke");
    await screen.page.getByRole("button", { name: new RegExp(`^${floor.undo}`) }).tap();
    await expect.poll(() => causeOf(company, machine)).toBeNull();
    await company.tell(machine, "running", 0);
    await expect.poll(() => text(screen), { timeout: 5000 }).toContain(common.kinds.running);
    screen.expectClean();
  });

  test.each(["/wall", "/floor", "/floor/M-1"])("says on a small laptop that there is no connection: %s", async (path) => {
    const company = await app().company();
    await company.plant({ Press: "stands" });
    await company.cause("Paper jam");
    const screen = await app().screen({ viewport: { width: 1280, height: 800 } });
    await screen.enterAs(company);
    await screen.page.goto(path);
    const shown = screen.page.locator(".freshness");
    await expect.poll(() => shown.innerText()).toBe(common.live);
    app().disconnect();
    await expect.poll(() => shown.innerText(), { timeout: 120_000 }).toContain(common.lostSince("").trim());
    // In the part of the page that is on the screen, and nothing is over it.
    const isSeen = (one: Element) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      return top >= 0 && top + height <= innerHeight && (one === seen || one.contains(seen));
    };
    expect(await shown.evaluate(isSeen)).toBe(true);
    app().reconnect();
    await expect.poll(() => shown.innerText(), { timeout: 120_000 }).toBe(common.live);
  });

  test("and the wall go on counting when somebody splits an open stop", async () => {
    const company = await app().company();
    await company.shift();
    const machine = await company.stateMachine("Lathe");
    await company.tell(machine, "down", 30);
    const cause = await company.cause("Tool broke");
    const { clocks, bothContain, expectClean } = await clocksOf(company, machine);
    await expect.poll(() => bothContain("30:")).toBe(true);
    const before = await clocks();
    const { stop } = await company.row(machine);
    const at = new Date(Date.now() - 10 * 60_000).toISOString();
    await company.send("POST", `/v1/stops/${stop?.id}/split`, { at });
    const second = (await company.row(machine)).stop;
    expect(second?.id).not.toBe(stop?.id);
    await company.send("PUT", `/v1/stops/${second?.id}/classification`, { generalCauseId: cause.id });
    await expect.poll(() => bothContain("Tool broke")).toBe(true);
    for (const [i, clock] of (await clocks()).entries()) {
      expect(clock).toBeGreaterThanOrEqual(before[i] ?? Number.NaN);
      expect(clock).toBeLessThan(35 * 60);
    }
    expectClean();
  });

  test("and the wall count how long a machine has been slow, not how long it has been running", async () => {
    const company = await app().company();
    await company.shift();
    const machine = await company.stateMachine("Lathe", { standardCycleSeconds: 10 });
    await company.ingest(company.counts(machine, 110, 6));
    const { clocks, bothContain, expectClean } = await clocksOf(company, machine);
    await expect.poll(() => bothContain(common.kinds.running)).toBe(true);
    // What runs has no clock on a wall.
    const [terminal, wall] = await clocks();
    expect([(terminal ?? 0) > 100 * 60, wall]).toEqual([true, Number.NaN]);
    await company.ingest(company.counts(machine, 5, 0, 1));
    await expect.poll(() => bothContain(common.kinds.slow)).toBe(true);
    for (const clock of await clocks()) expect(clock).toBeLessThan(60);
    expectClean();
  });

  test("is right again after the service was killed and started", async () => {
    const { company, machine, screen } = await atMachine("runs");
    screen.expectErrors(/status of 50\d/);
    await expect.poll(() => text(screen)).toContain(common.kinds.running);
    await app().restart();
    await company.count(machine, 10);
    const { total } = await company.row(machine);
    await expect.poll(() => text(screen)).toContain(`${total?.toLocaleString("en-GB")} ${floor.madeUnits}`);
    await expect.poll(() => text(screen)).toContain(common.live);
    screen.expectClean();
  });
});
