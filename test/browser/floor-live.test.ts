import { describe, expect, test } from "vitest";
import { common } from "../../src/board/texts/common.en.ts";
import { floor } from "../../src/board/texts/floor.en.ts";
import type { Company, Doing, TestMachine } from "./support/company.ts";
import { hasBrowser, useHouse } from "./support/house.ts";
import type { Screen } from "./support/screen.ts";

const house = useHouse();

/** A tablet with a signed-in user. */
async function tabletOf(company: Company): Promise<Screen> {
  const screen = await house().screen({ viewport: { width: 800, height: 1280 }, hasTouch: true });
  await screen.enterAs(company);
  return screen;
}

/** A company with one machine at `/floor/M-1`, and two causes of stops. */
async function atMachine(doing: Doing) {
  const company = await house().company();
  const { Press: machine } = await company.plant({ Press: doing });
  const causes = [await company.cause("Paper jam"), await company.cause("No material")] as const;
  const screen = await tabletOf(company);
  await screen.page.goto("/floor/M-1");
  await screen.page.getByRole("heading", { name: "Press" }).waitFor();
  return { company, machine: machine as TestMachine, causes, screen, page: screen.page };
}

const causeOf = async (company: Company, machine: TestMachine) => (await company.row(machine)).stop?.generalCause?.name ?? null;
const text = (screen: Screen) => screen.page.locator("main").innerText();

describe.skipIf(!hasBrowser)("the floor", () => {
  test("lists the machines by name, including markup in names, with the API's figures", async () => {
    const company = await house().company();
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
    await expect.poll(() => text(screen)).toContain(`${total?.toLocaleString("en-GB")} of `);
    screen.expectClean();
  });

  test("shows a stop from its signals on, gets its cause by touch, and removes it again", async () => {
    const company = await house().company();
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

  test("is right again after the service was killed and started", async () => {
    const { company, machine, screen } = await atMachine("runs");
    screen.expectErrors(/status of 50\d/);
    await expect.poll(() => text(screen)).toContain(common.kinds.running);
    await house().restart();
    await company.count(machine, 10);
    const { total } = await company.row(machine);
    await expect.poll(() => text(screen)).toContain(`${total?.toLocaleString("en-GB")} of `);
    await expect.poll(() => text(screen)).toContain(common.live);
    screen.expectClean();
  });
});
