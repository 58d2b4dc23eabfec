import { describe, expect, test } from "vitest";
import { wall } from "../../src/board/texts/en/wall.ts";
import { wallParts } from "../../src/board/texts/en/wall-parts.ts";
import { newPng } from "../support/pictures.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { lookAt, looksOf } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

// Machines on a picture of the plant: placed on the desk, and shown on walls.

const app = useApp();
const PICTURE = { name: "hall.png", mimeType: "image/png", buffer: Buffer.from(newPng(300, 200)) };

async function open(company: Company, path: string): Promise<Screen> {
  const screen = await app().screen({ viewport: { width: 1920, height: 1080 } });
  await screen.enterAs(company);
  await screen.page.goto(path);
  return screen;
}

/** Stores a map with machines in rows of ten. */
async function newMap(company: Company, machines: readonly TestMachine[]): Promise<{ id: string }> {
  const [across, down] = [Math.min(10, machines.length), Math.ceil(machines.length / 10)];
  const share = (i: number, of: number) => (i + 0.5) / of;
  const places = machines.map(({ id }, i) => ({ machineId: id, x: share(i % 10, across), y: share(Math.floor(i / 10), down) }));
  const title = { en: "Nave <b>norte</b>", es: "Nave <b>norte</b>" };
  return await company.send("POST", "/v1/widgets", {
    ...{ title, description: { en: "", es: "" }, spec: { type: "plant-map", places } },
  });
}

/** Where the middle of a box is within another one, as shares of its size. */
async function shareOf(screen: Screen, inner: string, outer: string): Promise<{ x: number; y: number }> {
  const [box, all] = await Promise.all([inner, outer].map((one) => screen.page.locator(one).first().boundingBox()));
  if (!box || !all) throw new Error(`${inner} or ${outer} is not shown`);
  return { x: (box.x + box.width / 2 - all.x) / all.width, y: (box.y + box.height / 2 - all.y) / all.height };
}

describe.skipIf(!hasBrowser)("a plant map", () => {
  test("is made on the desk by pointer and keyboard, and a wall shows its machines where they stand and why", async () => {
    const company = await app().company();
    const machines = await company.plant({ Prensa: "stands for a cause", Torno: "runs" });
    const { Prensa: press, Torno: lathe } = machines as Record<"Prensa" | "Torno", TestMachine>;
    const desk = await open(company, "/desk/setup?kind=maps");
    const { page } = desk;
    await page.getByLabel("Name of the new map").fill("Nave");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByLabel(/^Its picture/).setInputFiles(PICTURE);
    await page.locator(".place-box img").waitFor();
    await page.getByRole("combobox", { name: "Machine to put on the map" }).selectOption("Prensa");
    const box = page.locator(".place-box");
    const { width, height } = (await box.boundingBox()) as { width: number; height: number };
    await box.click({ position: { x: 0.25 * width, y: 0.7 * height } });
    await page.getByRole("button", { name: /^Prensa: 25 % from the left, 70 % from the top$/ }).waitFor();
    // The other one by keyboard alone: into the middle, then 3 % to the right and 5 % up.
    await page.getByRole("button", { name: /^Put Torno here/ }).press("Enter");
    const placed = page.getByRole("button", { name: /^Torno: / });
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowUp"]) await placed.press(key);
    await page.getByRole("button", { name: /^Torno: 53 % from the left, 45 % from the top$/ }).waitFor();
    await page.getByText("All machines are on the map.").waitFor();
    await desk.expectSound("a map that is not saved");
    await page.getByRole("button", { name: "Save places" }).click();
    const stored = async () => {
      const places: { machineId: number; x: number; y: number }[] = (await company.send("GET", "/v1/widgets")).data[0].spec
        .places;
      return places.map(({ machineId, x, y }) => [machineId, Math.round(100 * x), Math.round(100 * y)]);
    };
    await expect.poll(stored).toEqual([
      [press.id, 25, 70],
      [lathe.id, 53, 45],
    ]);
    // What is saved, and read again for another reason, is not a change that somebody could lose.
    const save = page.getByRole("button", { name: "Save places" });
    await expect.poll(() => save.isDisabled()).toBe(true);
    const shownPicture = () => page.locator(".place-box img").getAttribute("src");
    for (const [places, buffer] of [
      ["saved", newPng(301, 200)],
      ["not saved", newPng(302, 200)],
    ] as const) {
      const before = await shownPicture();
      if (places === "not saved") await placed.press("ArrowLeft");
      await page.getByLabel("Another picture").setInputFiles({ ...PICTURE, buffer: Buffer.from(buffer) });
      await expect.poll(shownPicture, { message: places }).not.toBe(before);
      expect(await save.isDisabled(), places).toBe(places === "saved");
    }
    await page.getByRole("button", { name: /^Torno: 52 % from the left/ }).waitFor();
    await placed.press("ArrowRight");
    // What is moved while places are being saved stays, and is not saved yet.
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route(/\/v1\/widgets\//, async (route) => {
      await held;
      await route.continue();
    });
    await save.click();
    await placed.press("ArrowLeft");
    const readAgain = page.waitForResponse((answer) => /\/v1\/widgets\?/.test(answer.url()));
    release();
    await (await readAgain).finished();
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 100))));
    expect(await save.isDisabled()).toBe(false);
    await save.click();
    await expect.poll(async () => (await stored())[1]).toEqual([lathe.id, 52, 45]);
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Show on a wall" }).click();

    await page.locator(`[data-machine="${press.id}"]`).waitFor();
    await expect.poll(() => page.locator("img[alt=Nave]").evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(302);
    for (const [machine, x, y] of [
      [press, 0.25, 0.7],
      [lathe, 0.52, 0.45],
    ] as const) {
      const at = () => shareOf(desk, `[data-machine="${machine.id}"]`, "img[alt=Nave]");
      await expect.poll(async () => Math.abs((await at()).x - x)).toBeLessThan(0.01);
      expect(Math.abs((await at()).y - y)).toBeLessThan(0.02);
    }
    expect(await page.locator(`[data-machine="${press.id}"]`).innerText()).toContain("Cause of Prensa");
    await desk.expectSound("a wall with a map");
  });

  test("of a wall lists below who needs someone and is not on it, and is chosen in the settings", async () => {
    const company = await app().company();
    const machines = await company.plant({ Prensa: "stands", Torno: "runs", Sierra: "runs" });
    const { Torno: lathe } = machines as Record<"Torno", TestMachine>;
    const screen = await open(company, "/wall");
    const { page } = screen;
    await page.locator(".tile").first().waitFor();
    await page.keyboard.press("s");
    await page.getByLabel(wallParts.show).selectOption("map");
    await page.getByRole("button", { name: wallParts.close }).click();
    await page.getByText(wallParts.noMap).waitFor();
    await newMap(company, [lathe]);
    await page.reload();
    await expect.poll(() => page.locator(".map .name").allInnerTexts()).toEqual(["Torno", "Prensa"]);
    expect(await page.locator(".map .tile").last().innerText()).toContain(wall.noCause);
    await screen.expectSound("a map without a picture");
  });

  test("of 60 machines shows the shape of those that run, and the words of the others", async () => {
    const company = await app().company();
    await company.shift();
    const machines: TestMachine[] = [];
    for (let i = 1; i <= 60; i++) machines.push(await company.machine(`Máquina ${i}`, { noDataAfterSeconds: null }));
    await company.ingest(machines.flatMap((machine) => company.counts(machine, 3, 0)));
    await newMap(company, machines);
    const screen = await open(company, "/wall?show=map");
    await expect.poll(() => screen.page.locator(".map .tile-running").count(), { timeout: 120_000 }).toBe(60);
    expect(await screen.page.locator(".map .name").count()).toBe(0);
    await screen.expectSound("60 machines on a map");
  });

  test("looks right in every language and size", async () => {
    const company = await app().company();
    const long = "Kunststoffspritzgießmaschine Donaueschi";
    const machines = await company.plant({
      [`${long} 1`]: "stands for a cause",
      [`${long} 2`]: "runs",
      [`${long} 3`]: "is in setup",
    });
    await newMap(company, Object.values(machines).slice(0, 2));
    const screen = await open(company, "/desk/setup?kind=maps");
    for (const look of looksOf(1)) {
      await lookAt(screen, "/desk/setup?kind=maps", look, () => screen.page.locator(".place").nth(1).waitFor());
    }
    for (const look of looksOf(2)) {
      await lookAt(screen, "/wall?show=map&distance=3", look, () => screen.page.locator(".map .tile").nth(1).waitFor());
    }
  });
});
