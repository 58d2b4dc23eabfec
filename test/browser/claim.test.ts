import { describe, expect, test } from "vitest";
import { makeClaimCode } from "../../scripts/claim-code.ts";
import { claim } from "../../src/board/texts/en/claim.ts";
import { start } from "../../src/board/texts/en/start.ts";
import { hasBrowser, useEmptyApp } from "./support/app.ts";
import { lookAt, someLooks } from "./support/looks.ts";

describe.skipIf(!hasBrowser)("the first page of a service without users", () => {
  let code = "";
  const app = useEmptyApp(async (stateFolder) => {
    code = await makeClaimCode(stateFolder);
  });

  test("looks right in every language and size", async () => {
    const screen = await app().screen();
    for (const look of someLooks) {
      await lookAt(screen, `/?code=${code}`, look, async () => {
        await screen.page.locator("input[type=password][autocomplete=new-password]").waitFor();
      });
    }
  });

  test("makes the first account and the plant by keyboard alone, says at its field what is wrong, and signs in", async () => {
    const screen = await app().screen({ timezoneId: "America/Mexico_City" });
    const { page } = screen;
    await page.goto("/?code=CDFG-3467");
    const field = (label: string) => page.getByLabel(label, { exact: true });
    await field(claim.name).waitFor();
    // The time zone is that of the browser, with its time.
    expect(await field(claim.timezone).inputValue()).toBe("America/Mexico_City");
    await page.getByText(/^In America\/Mexico_City it is \d\d:\d\d now/).waitFor();
    const faultOf = async (label: string) => {
      const id = (await field(label).getAttribute("aria-describedby")) ?? "none";
      return (await page.locator(`[id="${id}"]`).allInnerTexts()).join();
    };
    await page.getByRole("button", { name: claim.send }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => faultOf(claim.name)).toBe(claim.required);
    for (const [label, text] of [
      [claim.name, "Ana Ruiz"],
      [claim.email, "ana@plant.test"],
      [claim.password, "ana ruiz at plant"],
      [claim.company, "Caps & Co"],
    ] as const) {
      await field(label).focus();
      await page.keyboard.type(text);
    }
    await field(claim.timezone).fill("Europe/Nowhere");
    await page.keyboard.press("Enter");
    await expect.poll(() => faultOf(claim.timezone)).toBe(claim.unknownZone);
    await field(claim.timezone).fill("Europe/Madrid");
    screen.expectErrors(/status of 400/);
    // Enter in the field itself chooses from its list.
    await field(claim.company).press("Enter");
    await expect.poll(() => faultOf(claim.code)).toMatch(/is not the code/);
    await field(claim.code).fill(code.toLowerCase());
    await page.keyboard.press("Enter");
    await expect.poll(() => faultOf(claim.password)).toMatch(/easy to guess/);
    await field(claim.password).fill("seven violet kettles hum");
    await page.keyboard.press("Enter");
    // What comes next is on the next page.
    await page.waitForURL((url) => url.pathname === "/start");
    await page.getByRole("heading", { name: start.title }).waitFor();
    await page.goto("/desk");
    await page.getByText("Caps & Co · Europe/Madrid").waitFor();
    screen.expectClean();
  });

  test("is the sign-in once somebody has an account", async () => {
    const screen = await app().screen();
    const { page } = screen;
    await page.goto(`/?code=${code}`);
    await page.locator("input[autocomplete=current-password]").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.locator("input[autocomplete=new-password]").count()).toBe(0);
    screen.expectClean();
  });
});
