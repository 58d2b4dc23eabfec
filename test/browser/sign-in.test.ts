import type { WebSocketRoute } from "playwright-core";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { common } from "../../src/board/texts/en/common.ts";
import { closeCodes } from "../../src/client/live-protocol.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import { lookAt, someLooks } from "./support/looks.ts";

const app = useApp();

/** Pages that ask again and again by themselves. */
const polling = ["/", "/wall", "/floor", "/floor/M-1", "/desk/day", "/desk/incidents"];

describe.skipIf(!hasBrowser)("signing in", () => {
  test("is needed for every view, and then opens that view", async () => {
    const { admin, name } = await app().company({ name: "<img src=x onerror=alert(1)> & Söhne" });
    const screen = await app().screen();
    const { page } = screen;
    await page.goto("/desk");
    await page.locator("input[type=password]").waitFor();
    // A terminal is paired, or somebody signs in there.
    await page.goto("/floor");
    await page.getByRole("button", { name: "Sign in on this screen instead" }).click();
    await page.locator("input[type=password]").waitFor();
    await page.goto("/");
    await screen.signIn(admin);
    // Markup in a name is text.
    await page.getByRole("heading", { name }).waitFor();
    await page.getByText(`Andon, version ${packageJson.version}`, { exact: true }).waitFor();
    for (const view of ["wall", "floor", "desk", "pair"]) await page.locator(`a[href="/${view}"]`).waitFor();
    await page.reload();
    await page.getByRole("heading", { name }).waitFor();
    screen.expectClean();
  });

  test("shows what is wrong, and keeps the input", async () => {
    const { admin } = await app().company();
    const screen = await app().screen({ locale: "es-ES" });
    screen.expectErrors(/status of 401/);
    await screen.page.goto("/");
    await screen.signIn({ ...admin, password: "not the password" });
    await expect.poll(() => screen.page.getByRole("alert").innerText()).not.toBe("");
    expect(await screen.page.locator("input[type=email]").inputValue()).toBe(admin.email);
    app().disconnect();
    await screen.signIn(admin);
    await expect.poll(() => screen.page.getByRole("alert").innerText()).toContain("No se puede contactar con el servicio");
    app().reconnect();
    await screen.signIn(admin);
    await screen.page.getByRole("navigation").waitFor();
    await screen.page.getByText(`Andon, versión ${packageJson.version}`, { exact: true }).waitFor();
    screen.expectClean();
  });

  test("is needed again after the session has ended, and returns to the same place", async () => {
    const { admin, name } = await app().company();
    const screen = await app().screen();
    const { page } = screen;
    screen.expectErrors(/status of 401/);
    await page.goto("/");
    await screen.signIn(admin);
    await page.getByRole("heading", { name }).waitFor();
    await page.evaluate(() => {
      const kept = JSON.parse(localStorage.getItem("andon.session") ?? "{}");
      localStorage.setItem("andon.session", JSON.stringify({ ...kept, token: `${kept.token}x` }));
    });
    await page.reload();
    await page.getByRole("dialog").waitFor();
    await screen.expectSound("the dialogue");
    await screen.signIn(admin);
    await page.getByRole("heading", { name }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    screen.expectClean();
  });

  test.each(polling)("is waited for without piling up requests after the session has ended: %s", async (path) => {
    const company = await app().company();
    await company.machine("Press");
    const screen = await app().screen();
    const { page } = screen;
    screen.expectErrors(/status of 401|WebSocket/);
    await page.clock.install();
    await screen.enterAs(company);
    const sockets: WebSocketRoute[] = [];
    let isEnded = false;
    let asked = 0;
    await page.routeWebSocket(/\/v1\/live/, (socket) => {
      if (isEnded) asked++;
      sockets.push(socket);
      if (isEnded) socket.close({ code: closeCodes.badToken });
      else socket.connectToServer();
    });
    await page.route(/\/v1\//, (route) => {
      if (isEnded) asked++;
      return isEnded && !route.request().url().includes("login") ? route.fulfill({ status: 401, json: {} }) : route.continue();
    });
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    await expect.poll(() => page.locator(".card-wait, [aria-busy=true]").count()).toBe(0);
    isEnded = true;
    for (const socket of sockets) await socket.close({ code: closeCodes.badToken });
    await page.clock.fastForward(61_000);
    await page.getByText(common.signInAgain).waitFor();
    for (let i = 0; i < 20; i++) await page.clock.runFor(60_000);
    expect(asked).toBeLessThan(10);
    isEnded = false;
    let after = 0;
    page.on("request", (request) => {
      if (request.url().includes("/v1/")) after++;
    });
    await screen.signIn(company.admin);
    await page.getByText(common.signInAgain).waitFor({ state: "detached" });
    await page.clock.runFor(1000);
    await page.waitForLoadState("networkidle");
    expect(after).toBeLessThan(15);
  });

  test("is possible with only the keyboard", async () => {
    const { admin, name } = await app().company();
    const { page } = await app().screen();
    await page.goto("/");
    await page.locator("input[type=email]").waitFor();
    for (const text of [admin.email, admin.password]) {
      await page.keyboard.press("Tab");
      await page.keyboard.type(text);
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name }).waitFor();
  });

  test("looks right in every language and size, like the home page and an unknown address", async () => {
    const { admin, name } = await app().company({ name: "Kunststoffverarbeitungsgesellschaft Donaueschingen" });
    const [outside, inside] = await Promise.all([app().screen(), app().screen()]);
    await inside.page.goto("/");
    await inside.signIn(admin);
    inside.expectErrors(/status of 404/);
    for (const look of someLooks) {
      await lookAt(outside, "/", look, () => outside.page.locator("input[type=email]").waitFor());
      await lookAt(inside, "/", look, () => inside.page.getByRole("heading", { name }).waitFor());
      await lookAt(inside, "/desk/nowhere", look, () => inside.page.locator("main").waitFor());
    }
  });
});
