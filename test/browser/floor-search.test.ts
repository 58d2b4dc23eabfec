import { describe, expect, test } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import { sizesOf } from "./support/looks.ts";

const app = useApp();

describe.skipIf(!hasBrowser)("what the machine makes", () => {
  test("is found among many orders and SKUs, by keyboard and by touch", async () => {
    const company = await app().company();
    const { Press: press } = await company.plant({ Press: "runs" });
    if (!press) throw new Error("There is no press.");
    const many = Number(process.env.FLOOR_ORDERS ?? 120);
    const skus = Array.from({ length: 52 }, (_, n) => `BOTTLE-${n + 100}`);
    for (const id of skus) await company.send("POST", "/v1/skus", { id, name: `Bottle ${id.slice(-3)} ml` });
    for (let n = 0; n < many; n++) {
      const workOrder = { code: `WO-${1000 + n}`, name: `Batch ${n}`, status: "Planned", priority: 1, source: "test" };
      const targets = [{ skuId: skus[n % skus.length], targetQuantity: 100 }];
      await company.send("POST", "/work-orders/production-full", { machines: [{ machineId: press.id }], targets, workOrder });
    }
    const screen = await app().screen({ viewport: { width: 1280, height: 800 }, hasTouch: true });
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto(`/floor/${press.id}`);
    const open = async () => {
      await page.getByRole("button", { name: "Order, SKU" }).tap();
      await page.locator(".floor-dialog .floor-order").nth(10).waitFor();
    };
    const choices = page.locator(".floor-dialog .floor-order");
    await open();
    // By keyboard alone.
    const field = page.getByLabel("Find an order or a SKU");
    await field.focus();
    await page.keyboard.type("batch 77", { delay: 120 });
    await page.getByRole("status").getByText("Found: orders 1, SKUs 0").waitFor();
    expect(await choices.allInnerTexts()).toEqual([expect.stringContaining("WO-1077")]);
    await screen.expectSound("an order that was looked for");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await company.row(press)).workOrder?.code).toBe("WO-1077");
    // By touch: a SKU without an order.
    await open();
    await field.fill("bottle-133");
    await page
      .getByRole("status")
      .getByText(/^Found: orders \d, SKUs 1$/)
      .waitFor();
    for (const size of sizesOf(0)) {
      await page.setViewportSize(size);
      await screen.expectSound(`a SKU that was looked for on a ${size.name}`);
    }
    await choices.filter({ hasText: "Bottle 133 ml" }).last().tap();
    await expect.poll(async () => (await company.row(press)).sku?.id).toBe("BOTTLE-133");
    expect((await company.row(press)).workOrder).toBeNull();
    // More than are shown at first.
    await open();
    await page.getByRole("button", { name: "40 are shown. Show more" }).first().tap();
    await page.getByRole("button", { name: "80 are shown. Show more" }).waitFor();
    await field.fill("nothing like that");
    await expect.poll(() => page.getByText("None has these words.").count()).toBe(2);
    screen.expectClean();
  });
});
