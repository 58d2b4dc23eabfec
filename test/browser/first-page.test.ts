import { describe, expect, test } from "vitest";
import { claim } from "../../src/board/texts/en/claim.ts";
import { home } from "../../src/board/texts/en/home.ts";
import { start } from "../../src/board/texts/en/start.ts";
import type { DemoPlant } from "../../src/client/demo-plant.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import { lookAt, someLooks } from "./support/looks.ts";

// The page at `/`: in the demo, of a real plant, and as the day of whoever is signed in.

describe.skipIf(!hasBrowser)("the first page of the demo plant", () => {
  const app = useApp(({ admins: [first] }) => {
    const { email = "", password = "" } = first ?? {};
    const people = { manager: email, operator: email, lead: email, admin: email };
    const demo = { password, wall: email, people } satisfies DemoPlant;
    return { DEMO_PLANT: JSON.stringify(demo), DEMO_START_CODE: "CDFG-3467" };
  });

  test("shows its wall live, and opens each page for its people with one click", async () => {
    const company = await app().company({ name: 'Plant of "caps" & <closures>' });
    const press = await company.machine("Press 7");
    const screen = await app().screen();
    const { page } = screen;
    await page.goto("/");
    await page.getByRole("heading", { name: home.sentence }).waitFor();
    const wall = page.frameLocator("iframe");
    await wall.getByText(press.name).waitFor();
    const late = await company.machine("Press 8");
    await wall.getByText(late.name).waitFor();
    for (const [person, path] of [
      [home.people.manager, "/desk/brief"],
      [home.people.operator, "/floor"],
      [home.people.lead, "/desk/shift"],
      [home.people.admin, "/desk/setup"],
    ] as const) {
      await page.goto("/");
      await page.getByRole("button", { name: person }).click();
      await page.waitForURL((url) => url.pathname === path);
      await page.locator("main").waitFor();
      await page.evaluate(() => localStorage.removeItem("andon.session"));
    }
    screen.expectClean();
  });

  test("starts an empty plant beside it, by keyboard alone, and the demo plant stays", async () => {
    const screen = await app().screen();
    const { page } = screen;
    const press = (name: string) => page.getByRole("button", { name }).press("Enter");
    const shownCompany = () => page.evaluate(() => JSON.parse(localStorage.getItem("andon.session") ?? "{}").companyId);
    await page.goto("/");
    await press(claim.start);
    await page.getByLabel(claim.name, { exact: true }).fill("Ben Ode");
    await page.getByLabel(claim.email).fill("ben@own.test");
    await page.getByLabel(claim.password).fill("nine copper lanterns sing");
    await page.getByLabel(claim.company).fill("A plant of one's own");
    await press(claim.send);
    await page.getByRole("heading", { name: start.title }).waitFor();
    await page.getByText(start.machine.hint).waitFor();
    expect(new URL(page.url()).pathname).toBe("/start");
    const own = await shownCompany();
    await page.goto("/");
    await page.getByRole("heading", { name: "A plant of one's own" }).waitFor();
    await page.getByRole("button", { name: home.signOut, exact: true }).press("Enter");
    await press(home.people.lead);
    await page.waitForURL("**/desk/shift");
    await page.locator("main").waitFor();
    expect(await shownCompany()).not.toBe(own);
    screen.expectClean();
  });

  test("opens the wall without signing in, and nothing else", async () => {
    const screen = await app().screen();
    const { page } = screen;
    await page.goto("/");
    await page.getByRole("link", { name: home.openWall }).click();
    await page.getByText("Press 7").waitFor();
    await page.goto("/desk");
    await page.locator("input[type=password]").waitFor();
    await page.goto("/");
    await page.getByRole("heading", { name: home.lookAround }).waitFor();
    screen.expectClean();
  });

  test("looks right in every language and size", async () => {
    const screen = await app().screen();
    for (const look of someLooks) {
      await lookAt(screen, "/", look, async () => {
        await screen.page.locator(".first-people").nth(1).waitFor();
        if (look.size.width >= 700) await screen.page.frameLocator("iframe").getByText("Press 7").waitFor();
      });
    }
  });
});

describe.skipIf(!hasBrowser)("the first page of a real plant", () => {
  const app = useApp();

  test("says what this is and signs in, and has no accounts and no wall", async () => {
    const screen = await app().screen();
    await screen.page.goto("/");
    await screen.page.getByRole("heading", { name: home.sentence }).waitFor();
    await screen.page.locator("input[type=email]").waitFor();
    expect(await screen.page.locator("iframe, .first-people").count()).toBe(0);
    screen.expectClean();
  });

  test("is, after the sign-in, the day: who is needed, what waits, and how the shift goes", async () => {
    const company = await app().company();
    const machines = await company.plant({
      Ladle: "stands",
      Furnace: "runs",
      Mould: "stands for a cause",
      Oven: "is silent",
    });
    const at = async (name: string) => await company.row(machines[name] as never);
    await expect.poll(async () => (await at("Oven")).status).toBe("D");
    await company.send("POST", `/v1/machines/${machines.Furnace?.id}/help-calls`, { message: "No granulate" });
    await company.send("POST", "/v1/skus", { id: "CAP", name: "Cap" });
    await company.send("POST", "/work-orders/production-full", {
      workOrder: { code: "WO-9", name: "Late", estimatedDeliveryTime: "2020-01-01T00:00:00.000Z" },
      machines: [{ machineId: machines.Furnace?.id }],
      targets: [{ skuId: "CAP", targetQuantity: 500 }],
    });
    const screen = await app().screen();
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto("/");
    const needs = page.locator(".need");
    await expect.poll(() => needs.locator("strong").allInnerTexts()).toEqual(["Furnace", "Ladle", "Oven"]);
    expect(await needs.first().innerText()).toContain("No granulate");
    expect(await needs.first().getAttribute("href")).toBe(`/floor/${machines.Furnace?.id}`);
    await page.getByText(home.lateOrders("1")).waitFor();
    await page.getByText(home.ofMachines("1", "4")).waitFor();
    for (const name of [home.oee, home.difference]) await page.getByText(name, { exact: true }).waitFor();
    // It is live: the call is answered, and nobody is needed there any more.
    const [call] = (await company.send("GET", "/v1/help-calls?isOpen=true")).data;
    await company.send("POST", `/v1/help-calls/${call.id}/answer`);
    await expect.poll(() => needs.locator("strong").allInnerTexts()).toEqual(["Ladle", "Oven"]);
    for (const look of someLooks) await lookAt(screen, "/", look, () => page.locator(".need").first().waitFor());
  });
});
