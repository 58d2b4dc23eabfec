import { describe, expect, test } from "vitest";
import { common } from "../../src/board/texts/en/common.ts";
import { floor } from "../../src/board/texts/en/floor.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import type { Screen } from "./support/screen.ts";

// What people do at a terminal besides giving a cause: put stops together, look back, report, change the machine.

const app = useApp();
const MINUTE = 60_000;
/** Longer than a double tap, whose second tap would be ignored. */
const afterTap = 600;

async function tablet(company: Company): Promise<Screen> {
  const screen = await app().screen({ viewport: { width: 1280, height: 800 }, hasTouch: true });
  await screen.enterAs(company);
  return screen;
}

const undo = async ({ page }: Screen) => {
  await page.waitForTimeout(afterTap);
  await page.getByRole("button", { name: new RegExp(`^${floor.undo}`) }).tap();
};

describe.skipIf(!hasBrowser)("at a terminal", () => {
  test("a stop is split and stops are merged, and undoing either restores both with their causes", async () => {
    const company = await app().company();
    const jam = await company.cause("Jam");
    const { Press: machine } = await company.plant({ Press: "stands" });
    if (!machine) throw new Error("there is a press");
    const screen = await tablet(company);
    const { page } = screen;
    await page.goto(`/floor/${machine.id}`);
    const stops = async () => {
      const { data } = await company.send("GET", `/v1/stops?machineIds=${machine.id}`);
      return data.map(({ name }: { name: string }) => name);
    };
    await page.getByRole("button", { name: floor.split, exact: true }).tap();
    await page.getByRole("button", { name: floor.splitHere }).tap();
    await expect.poll(stops).toEqual(["Stop", "Stop"]);
    await undo(screen);
    await expect.poll(stops).toEqual(["Stop"]);

    // Split elsewhere, and the earlier part given a cause.
    const { stop } = await company.row(machine);
    const at = new Date(Date.parse(stop?.since ?? "") + 5 * MINUTE).toISOString();
    const { data } = await company.send("POST", `/v1/stops/${stop?.id}/split`, { at });
    await company.send("PUT", `/v1/stops/${data[0].id}/classification`, { generalCauseId: jam.id });
    expect(await stops()).toEqual(["Stop", "Jam"]);
    await page.reload();
    await page.getByRole("button", { name: "Stops, 2" }).tap();
    await screen.expectSound("stops that can be merged");
    await page.getByRole("button", { name: /^Merge with the one before: / }).tap();
    await expect.poll(stops).toEqual(["Jam"]);
    await page.getByText(floor.merged).first().waitFor();
    await undo(screen);
    await expect.poll(stops).toEqual(["Stop", "Jam"]);
    screen.expectClean();
  });

  test("the stops of the shift before are there after its end, and get a cause", async () => {
    const company = await app().company();
    await company.cause("Jam");
    const hour = (hours: number) => new Date(Math.floor(Date.now() / 3_600_000 + hours) * 3_600_000).toISOString().slice(11, 16);
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    await company.send("POST", "/v1/shifts", { name: "Early", start: hour(-4), end: hour(0), days });
    await company.send("POST", "/v1/shifts", { name: "Late", start: hour(0), end: hour(4), days });
    const machine = await company.machine("Press", { noDataAfterSeconds: null });
    const minutes = (Date.now() % 3_600_000) / MINUTE;
    // It stood from half an hour to ten minutes before the change of shifts.
    await company.ingest([...company.counts(machine, minutes + 120, minutes + 30), ...company.counts(machine, minutes + 10, 0)]);
    const screen = await tablet(company);
    const { page } = screen;
    await page.goto(`/floor/${machine.id}`);
    await page.getByRole("button", { name: /^Stops, / }).tap();
    await page.getByRole("button", { name: floor.beforeShift }).tap();
    const earlier = page.getByRole("dialog").getByRole("button", { name: /20\smin/ });
    await earlier.waitFor();
    await screen.expectSound("the stops of the shift before");
    await earlier.tap();
    await page.getByRole("button", { name: "Jam", exact: true }).tap();
    const causes = async () => {
      const { data } = await company.send("GET", `/v1/stops?machineIds=${machine.id}&minDurationInMinutes=19`);
      return data.map(({ name }: { name: string }) => name);
    };
    await expect.poll(causes).toContain("Jam");
    screen.expectClean();
  });

  test("units are read back before they are reported, and a digit too many is changed", async () => {
    const company = await app().company();
    const { Press: machine } = await company.plant({ Press: "runs" });
    if (!machine) throw new Error("there is a press");
    const screen = await tablet(company);
    const { page } = screen;
    await page.goto(`/floor/${machine.id}`);
    await page.getByRole("button", { name: floor.scrap, exact: true }).tap();
    const units = page.getByRole("dialog").getByLabel("Rejected units");
    await units.fill("122");
    await page.getByRole("button", { name: floor.report }).tap();
    await page.getByText(floor.isRight("122 scrap")).waitFor();
    await screen.expectSound("the read-back of a report");
    await page.waitForTimeout(afterTap);
    await page.getByRole("button", { name: floor.noChange }).tap();
    expect(await units.inputValue()).toBe("122");
    await units.fill("12");
    await page.keyboard.press("Enter");
    await page.getByText(floor.isRight("12 scrap")).waitFor();
    const corrections = async () => {
      const { data } = await company.send("GET", `/v1/corrections?machineIds=${machine.id}`);
      return data.map(({ defects }: { defects: number }) => defects);
    };
    expect(await corrections()).toEqual([]);
    await page.getByRole("button", { name: floor.yesReport }).tap();
    await expect.poll(corrections).toEqual([12]);
    await undo(screen);
    await expect.poll(corrections).toEqual([]);
    screen.expectClean();
  });

  test("of several machines one is shown, each with its state, and what waits for one is sent while another one is shown", async () => {
    const company = await app().company();
    await company.cause("Jam");
    const { Press, Saw } = (await company.plant({ Press: "stands", Saw: "runs" })) as Record<string, TestMachine>;
    if (!Press || !Saw) throw new Error("there are a press and a saw");
    const screen = await tablet(company);
    const { page } = screen;
    screen.expectErrors(/ERR_FAILED/);
    await page.goto(`/floor/${Press.id},${Saw.id}`);
    const tab = (name: string) => page.getByRole("navigation", { name: floor.machines }).getByRole("button", { name });
    await expect.poll(() => tab("Saw").getAttribute("title")).toBe(`Saw: ${common.kinds.running}`);
    await page.locator(".band-stopped").waitFor();
    await screen.expectSound("two machines");
    await page.route(/classification/, (route) => route.abort());
    await page.getByRole("button", { name: "Jam", exact: true }).tap();
    await page.getByText("1 input waits for the network").waitFor();
    await tab("Saw").tap();
    await page.locator(".band-running").waitFor();
    await page.getByText("1 input waits for the network").waitFor();
    await page.unroute(/classification/);
    await expect.poll(async () => (await company.row(Press)).stop?.generalCause?.name, { timeout: 120_000 }).toBe("Jam");
    // The one that was shown last is shown again.
    await page.reload();
    await page.locator(".band-running").waitFor();
    expect(await tab("Saw").getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("heading", { name: "Saw" }).waitFor();
    screen.expectClean();
  });
});
