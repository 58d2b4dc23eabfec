import { describe, expect, test } from "vitest";
import { hasBrowser, useHouse } from "./support/house.ts";

describe.skipIf(!hasBrowser)("the page of the API", () => {
  const house = useHouse();

  test("lets people sign in, and call operations as themselves", async () => {
    const company = await house().company();
    const screen = await house().screen();
    await screen.page.goto("/docs");
    await screen.signIn(company.admin);
    await expect.poll(() => screen.page.locator("#session").innerText()).toContain(company.admin.email);
    screen.expectClean();
  });
});
