import type { Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { common } from "../../src/board/texts/en/common.ts";
import { desk } from "../../src/board/texts/en/desk.ts";
import type { LiveMessage } from "../../src/client/live-protocol.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();

/** Answers a list with an item that no page can show. */
async function answerBroken(route: Route): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, json: { ...(await response.json()), data: [null] } });
}

const broken = ({ page }: Screen) => page.getByText(common.partBroken);

describe.skipIf(!hasBrowser)("a part of a page that cannot be shown", () => {
  test("leaves the other cards of the desk as they are, and is read again on request", async () => {
    const company = await app().company();
    await company.machine("Press");
    const screen = await app().screen();
    const { page } = screen;
    screen.expectErrors(/^uncaught: TypeError/);
    await screen.enterAs(company);
    const url = /\/v1\/shift-records\?/;
    await page.route(url, answerBroken);
    await page.goto("/desk/day");
    await broken(screen).waitFor();
    for (const name of [/machine by machine/, desk.dayView.unknownTitle]) await page.getByRole("region", { name }).waitFor();
    expect(await broken(screen).count()).toBe(1);
    await screen.expectSound("a desk with a broken card");
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: common.tryAgain }).click();
    await page.getByRole("region", { name: desk.dayView.shifts }).waitFor();
    expect(await broken(screen).count()).toBe(0);
    screen.expectClean();
  });

  test("leaves the buttons of a terminal as they are", async () => {
    const company = await app().company();
    await company.cause("Jam");
    const { Press } = await company.plant({ Press: "stands" });
    const screen = await app().screen({ viewport: { width: 1024, height: 768 } });
    const { page } = screen;
    screen.expectErrors(/^uncaught: TypeError/);
    await screen.enterAs(company);
    await page.route(/\/v1\/timeline\?/, answerBroken);
    await page.goto(`/floor/${Press?.id}`);
    await broken(screen).waitFor();
    await screen.expectSound("a terminal with a broken card");
    await page.getByRole("button", { name: "Jam", exact: true }).click();
    await page.getByText("Every stop of this shift has a cause.").waitFor();
    // The speed of the last hour shows stops, too.
    await expect.poll(() => broken(screen).count()).toBe(2);
    await page.unrouteAll({ behavior: "wait" });
    // If the next reading is sooner, the button is gone.
    await page.evaluate(() => document.querySelector<HTMLButtonElement>("main [role=alert] .button")?.click());
    await page.locator(".floor-timeline").waitFor();
    await expect.poll(() => broken(screen).count()).toBe(0);
    expect(await broken(screen).count()).toBe(0);

    // A dialog, too.
    await page.route(/\/v1\/work-orders\?/, answerBroken);
    await page.getByRole("button", { name: "Order, SKU" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(common.partBroken).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator(".floor-timeline").waitFor();
    screen.expectClean();
  });

  test("leaves the other tiles of a wall as they are, and comes back with the machine's next message", async () => {
    const company = await app().company();
    const { Press, Saw } = await company.plant({ Press: "runs", Saw: "runs" });
    if (!Press || !Saw) throw new Error("there are a press and a saw");
    const screen = await app().screen();
    const { page } = screen;
    screen.expectErrors(/^uncaught: TypeError/);
    await screen.enterAs(company);
    let isBroken = true;
    await page.routeWebSocket(/\/v1\/live/, (socket) => {
      socket.connectToServer().onMessage((text) => {
        if (!isBroken || text === "pong") return socket.send(text);
        const message = JSON.parse(String(text)) as LiveMessage;
        const call = { since: new Date().toISOString(), message: null, calledBy: null };
        const rows = message.rows.map((row) => (row.machine.id === Press.id ? { ...row, helpCall: call } : row));
        return socket.send(JSON.stringify({ ...message, rows }));
      });
    });
    await page.goto("/wall");
    await broken(screen).waitFor();
    await page.locator(`[data-machine="${Saw.id}"]`).waitFor();
    expect(await page.locator(".tile").count()).toBe(2);
    await screen.expectSound("a wall with a broken tile");
    isBroken = false;
    await company.count(Press);
    await page.locator(`[data-machine="${Press.id}"]`).waitFor();
    expect(await broken(screen).count()).toBe(0);
    screen.expectClean();
  });
});
