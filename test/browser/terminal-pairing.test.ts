import { describe, expect, test } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import { lookAt, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();

const tablet = { viewport: { width: 1280, height: 800 }, hasTouch: true };
const codeOf = ({ page }: Screen) => page.getByText(/^[CDFGHJKMNPQRTVWXY34679]{4}-[CDFGHJKMNPQRTVWXY34679]{4}$/);
const heading = ({ page }: Screen, name: string) => page.getByRole("heading", { name, exact: true });

/** A terminal that shows a code. */
async function newTerminal(): Promise<Screen> {
  const screen = await app().screen(tablet);
  await screen.page.goto("/floor");
  await codeOf(screen).waitFor();
  return screen;
}

/** An admin's phone at the form for codes, with the terminal's form chosen. */
async function phoneOf(company: Company): Promise<Screen> {
  const phone = await app().screen({ viewport: { width: 390, height: 844 } });
  await phone.enterAs(company);
  await phone.page.goto("/pair");
  await phone.page.getByLabel("A terminal at machines").check();
  return phone;
}

/** Pairs the terminal that shows a code, as an admin does. */
async function pair(company: Company, terminal: Screen, machineIds: readonly number[]): Promise<{ id: number }> {
  const code = await codeOf(terminal).innerText();
  return await company.send("POST", "/v1/terminal-pairings/confirm", { code, name: "Terminal 1", machineIds });
}

describe.skipIf(!hasBrowser)("a terminal without a session", () => {
  test("is paired by a code that an admin confirms with a machine, opens on it, and shows no other one", async () => {
    const company = await app().company();
    await company.cause("Jam");
    const { Press: press, Saw: saw } = await company.plant({ Press: "stands", Saw: "runs" });
    const terminal = await newTerminal();
    await terminal.expectSound("the terminal's code");
    const phone = await phoneOf(company);
    await phone.page.locator("input[name=code]").fill((await codeOf(terminal).innerText()).toLowerCase());
    await phone.page.locator("input[name=name]").fill("Terminal <b>1</b>");
    await phone.page.locator("button[type=submit]").click();
    await phone.page.getByText("Choose at least one machine.").waitFor();
    await phone.page.getByLabel("Press").check();
    await phone.expectSound("pairing a terminal");
    await phone.page.locator("button[type=submit]").click();
    await phone.page.getByText("Terminal <b>1</b> is paired").waitFor();

    await heading(terminal, "Press").waitFor();
    const { page } = terminal;
    await page.getByRole("button", { name: "Jam", exact: true }).tap();
    await page.getByText("Every stop of this shift has a cause.").waitFor();
    await expect.poll(async () => (press ? (await company.row(press)).stop?.generalCause?.name : null)).toBe("Jam");
    await page.reload();
    await heading(terminal, "Press").waitFor();
    await terminal.expectSound("a paired terminal");
    terminal.expectClean();
    terminal.expectErrors(/status of 404/);
    await page.goto(`/floor/${saw?.id}`);
    await page.getByText("There is no such machine.").waitFor();
    const { data } = await company.send("GET", "/v1/api-tokens");
    expect(data).toMatchObject([{ name: "Terminal <b>1</b>", role: "user", machineIds: [press?.id] }]);
    phone.expectClean();
  });

  test("of several machines shows one of these at a time", async () => {
    const company = await app().company();
    const { Saw: saw } = await company.plant({ Saw: "runs", Mill: "runs" });
    const press = await company.machine("Press", { ref: "PRESS-01" });
    const terminal = await newTerminal();
    await pair(company, terminal, [press.id, saw?.id ?? 0]);
    await heading(terminal, "Press").waitFor();
    // The tabs are loaded after the machine.
    await expect.poll(() => terminal.page.locator(".floor-machine-tab").count()).toBe(2);
    await terminal.page.getByRole("button", { name: /^Saw/ }).tap();
    await heading(terminal, "Saw").waitFor();
    await terminal.page.goto("/floor/PRESS-01");
    await heading(terminal, "Press").waitFor();
    terminal.expectClean();
  });

  test("shows a code again after its token is deleted, and keeps what waits to be sent for its next pairing", async () => {
    const company = await app().company();
    await company.cause("Jam");
    const { Press: press } = await company.plant({ Press: "stands" });
    const cause = async () => (press ? ((await company.row(press)).stop?.generalCause?.name ?? null) : null);
    const terminal = await newTerminal();
    const { page } = terminal;
    const { id } = await pair(company, terminal, [press?.id ?? 0]);
    await heading(terminal, "Press").waitFor();
    terminal.expectErrors(/status of 401|WebSocket connection|ERR_FAILED/);
    await page.route(/\/classification$/, (route) => route.abort());
    await page.getByRole("button", { name: "Jam", exact: true }).tap();
    await page.getByText(/1 input waits/).waitFor();
    await company.send("DELETE", `/v1/api-tokens/${id}`);
    // A deleted token is still valid for half a minute.
    await codeOf(terminal).waitFor({ timeout: 45_000 });
    expect(await cause()).toBeNull();
    await page.unroute(/\/classification$/);
    await pair(company, terminal, [press?.id ?? 0]);
    await expect.poll(cause, { timeout: 120_000 }).toBe("Jam");
    terminal.expectClean();
  });

  test("still lets a person sign in", async () => {
    const company = await app().company();
    await company.plant({ Press: "runs" });
    const terminal = await newTerminal();
    await terminal.page.getByRole("button", { name: "Sign in on this screen instead" }).tap();
    await terminal.signIn(company.admin);
    await terminal.page.getByRole("link", { name: /^Press/ }).waitFor();
    terminal.expectClean();
  });

  test("looks right in every language and size, and so does the form for its code", async () => {
    const company = await app().company();
    const names = ["Kunststoffspritzgießmaschine Donaueschingen 14", ...Array.from({ length: 27 }, (_, i) => `M-${i}`)];
    for (const name of names) await company.machine(name);
    const terminal = await app().screen(tablet);
    const phone = await app().screen();
    await phone.enterAs(company);
    for (const look of someLooks) {
      await lookAt(terminal, "/floor", look, () => terminal.page.locator(".pairing-code").waitFor());
      await lookAt(phone, "/pair", look, async () => {
        await phone.page.locator("input[value=terminal]").check();
        await phone.page.locator("input[type=search]").waitFor();
      });
    }
  });
});
