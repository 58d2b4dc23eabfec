import { describe, expect, test } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import { lookAt, looksOf } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();

/** A terminal that is paired with a machine, and opened with who works there. */
async function openTerminal(company: Company, machineId: number): Promise<Screen> {
  const screen = await app().screen({ viewport: { width: 1280, height: 800 }, hasTouch: true });
  const { page } = screen;
  await page.goto("/floor");
  const code = await page.getByText(/^[CDFGHJKMNPQRTVWXY34679]{4}-[CDFGHJKMNPQRTVWXY34679]{4}$/).innerText();
  await company.send("POST", "/v1/terminal-pairings/confirm", { code, name: "Terminal 1", machineIds: [machineId] });
  await page.locator(".floor-who").tap();
  await page.getByLabel("Operator's code or badge").waitFor();
  return screen;
}

describe.skipIf(!hasBrowser)("a PIN", () => {
  test("is given in the set-up; the terminal then asks for it, says that it is wrong, locked, or cannot be checked", async () => {
    const company = await app().company();
    const { Press: press } = await company.plant({ Press: "runs" });
    if (!press) throw new Error("There is no press.");
    const [ana] = [
      await company.send("POST", "/v1/operators", { name: "Ana Ruiz", code: "O-17" }),
      await company.send("POST", "/v1/operators", { name: "Luis", code: "O-18" }),
    ];
    const desk = await app().screen();
    await desk.enterAs(company);
    await desk.page.goto("/desk/setup?kind=people");
    await desk.page.getByRole("button", { name: "Give a PIN: Ana Ruiz" }).click();
    await desk.page.getByLabel("New PIN of Ana Ruiz").fill("0417");
    await desk.expectSound("giving a PIN");
    await desk.page.getByRole("button", { name: "Save" }).click();
    await desk.page.getByRole("button", { name: "Change the PIN: Ana Ruiz" }).waitFor();
    await desk.page.getByLabel("Name of the new operator").fill("Zoe");
    await desk.page.getByLabel("Number or badge of the new operator").fill("O-19");
    await desk.page.getByRole("button", { name: "Add" }).click();
    await desk.page.getByRole("button", { name: "Give a PIN: Zoe" }).waitFor();
    desk.expectClean();

    const terminal = await openTerminal(company, press.id);
    const { page } = terminal;
    const names = page.getByRole("region", { name: "With a PIN" });
    expect(await names.getByRole("button").allInnerTexts()).toEqual(["Ana Ruiz"]);
    await terminal.expectSound("choosing a name");
    await names.getByRole("button", { name: "Ana Ruiz" }).tap();
    const field = page.getByLabel("PIN, 4 to 8 digits");
    const enter = async (pin: string) => {
      await field.fill(pin);
      await field.press("Enter");
    };
    await app().disconnect();
    terminal.expectErrors(/ERR_|WebSocket|status of 4(00|29)/);
    await enter("0417");
    await page.getByRole("alert").getByText("A PIN cannot be checked without the network.").waitFor({ timeout: 30_000 });
    expect(await page.evaluate(() => Object.values(localStorage).join())).not.toContain("0417");
    await app().reconnect();
    for (let tries = 1; tries <= 5; tries++) {
      await enter("9999");
      await page.getByText("This is not the PIN of Ana Ruiz.").waitFor();
      await expect.poll(() => field.inputValue()).toBe("");
    }
    await enter("0417");
    await page.getByText(/^Five wrong PINs: wait \d+ s, or use the badge\.$/).waitFor();
    await terminal.expectSound("a PIN that is locked");
    expect((await company.row(press)).operators).toEqual([]);
    // The badge works, and so does the PIN of another one.
    await page.getByRole("button", { name: "Back" }).tap();
    await page.getByLabel("Operator's code or badge").fill("O-17");
    await page.getByRole("button", { name: "Sign in or out" }).tap();
    await page.getByRole("button", { name: "Sign Ana Ruiz out" }).waitFor();
    await company.send("PATCH", `/v1/operators/${ana.id}`, { pin: null });
    await company.send("PATCH", `/v1/operators/${(await company.send("GET", "/v1/operators?code=O-18")).data[0].id}`, {
      pin: "22222222",
    });
    await page.reload();
    await page.locator(".floor-who").tap();
    await names.getByRole("button", { name: "Luis" }).tap();
    await enter("22222222");
    await expect
      .poll(async () => (await company.row(press)).operators?.map(({ name }) => name).sort())
      .toEqual(["Ana Ruiz", "Luis"]);
  });

  test("looks right in every language and size, and finds one of many names", async () => {
    const company = await app().company();
    const { Press: press } = await company.plant({ Press: "runs" });
    if (!press) throw new Error("There is no press.");
    const long = "Kunststoffspritzgießmaschine Donaueschi";
    for (let n = 0; n < 14; n++)
      await company.send("POST", "/v1/operators", { name: `${long} ${n}`, code: `O-${n}`, pin: "1234" });
    const terminal = await openTerminal(company, press.id);
    const { page } = terminal;
    const desk = await app().screen();
    await desk.enterAs(company);
    for (const look of looksOf(0)) {
      const { language, size, colorScheme } = look;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      await page.goto(`/floor?lang=${language}`);
      await page.locator(".floor-who").tap();
      await page.locator(".floor-names button").nth(11).waitFor();
      await terminal.expectSound(`names in ${language} on a ${size.name}`);
      await page.locator("input[type=search]").fill("O-13");
      await expect.poll(() => page.locator(".floor-names button").count()).toBe(1);
      await page.locator(".floor-names button").tap();
      await page.locator("input[type=password]").waitFor();
      await terminal.expectSound(`a PIN in ${language} on a ${size.name}`);
      await lookAt(desk, "/desk/setup?kind=people", look, () => desk.page.locator("tbody tr").nth(13).waitFor());
    }
    terminal.expectClean();
    desk.expectClean();
  });
});
