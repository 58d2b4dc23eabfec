import { describe, expect, test } from "vitest";
import { floor as english } from "../../src/board/texts/en/floor.ts";
import { floor as spanish } from "../../src/board/texts/es/floor.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { languages } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

// The measures of a terminal across: its bars, columns, and targets, at 1280 x 800.

const app = useApp();
const texts = { en: english, es: spanish };
const MINUTE = 60_000;

/** Names of 40 letters. */
const machineName = "Spritzgießmaschine Engel e-motion 740/22";
const operatorName = "Ángeles Fernández-Villaverde y Rodríguez";
const causeNames = [
  ...[
    "Werkzeugmaschinenmechaniker nicht da 123",
    "Limpieza y mantenimiento autónomo diario",
    "Atasco en el alimentador de la tolva ocho",
  ],
  ...["Jam in the feeder behind the second belt", "Mould fault", "Robot fault", "No pellets", "Quality check"],
];

interface Made {
  company: Company;
  machine: TestMachine;
  screen: Screen;
}

/** A machine that has stood three times without a cause, and does so now if `isStopped`; with long names, an operator and an order. */
async function longNames({ isStopped }: { isStopped: boolean }): Promise<Made> {
  const at = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
  const company = await app().company();
  for (const [i, name] of causeNames.entries())
    await company.cause(name.slice(0, 40), i === 1 || i === 2 ? { isProgrammed: true } : {});
  await company.shift();
  const machine = await company.machine(machineName, { noDataAfterSeconds: null, commissionedAt: at(239) });
  await company.send("POST", "/v1/skus", {
    id: "CAP-38-WHITE-STANDARD-EXPORT-4711-000001",
    name: "Cap, 38 mm, white, for the export, glossy",
  });
  const estimatedDeliveryTime = new Date(Date.now() + 30 * 60 * MINUTE).toISOString();
  await company.send("POST", "/work-orders/production-full", {
    machines: [{ machineId: machine.id }],
    targets: [{ targetQuantity: 140_000, skuId: "CAP-38-WHITE-STANDARD-EXPORT-4711-000001" }],
    workOrder: { priority: 1, source: "ERP", status: "Planned", name: "Caps", code: "WO-2026-11-24-4711", estimatedDeliveryTime },
  });
  const [{ id: workOrderId }] = (await company.send("GET", "/v1/work-orders")).data;
  const { id: operatorId } = await company.send("POST", "/v1/operators", { name: operatorName, code: "O-1" });
  await company.ingest([
    { type: "operator", at: at(200), machineId: machine.id, operatorId, action: "in" },
    { type: "sku", at: at(199), machineId: machine.id, skuId: "CAP-38-WHITE-STANDARD-EXPORT-4711-000001", workOrderId },
    // Four minutes of nothing are a stop.
    ...company.counts(machine, 239, 100),
    ...company.counts(machine, 90, 60),
    ...company.counts(machine, 52, isStopped ? 20 : 0),
  ]);
  const screen = await app().screen({ viewport: { width: 1280, height: 800 }, hasTouch: true });
  await screen.enterAs(company);
  return { company, machine, screen };
}

async function open({ machine, screen }: Made, language: (typeof languages)[number]): Promise<void> {
  await screen.page.goto(`/floor/${machine.id}?lang=${language}`);
  await screen.page.locator(".floor-order-card strong", { hasText: "WO-2026" }).waitFor();
  await screen.page.locator(".floor-hour-now").waitFor();
}

/** The box of the only visible element of a selector. */
async function boxOf({ page }: Screen, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not there`);
  return box;
}

/** Where the parts are that stand at the same places in every state. */
async function placesOf(screen: Screen): Promise<Record<string, object>> {
  const fixed = [".floor-head", ".floor-band", ".floor-actions", ".floor-right", ".floor-foot"];
  return Object.fromEntries(await Promise.all(fixed.map(async (part) => [part, await boxOf(screen, part)])));
}

describe.skipIf(!hasBrowser)("a terminal across", () => {
  test.each(languages)("has the measures of its sketch without scrolling, with long names, in %s", async (language) => {
    const made = await longNames({ isStopped: true });
    const { screen } = made;
    const { page } = screen;
    await open(made, language);
    await page.getByRole("button", { name: texts[language].answerTogether(3) }).waitFor();
    await screen.expectSound(`three stops without a cause, ${language}`);
    expect(await page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth])).toEqual([
      800, 1280,
    ]);
    expect(await placesOf(screen)).toMatchObject({
      ".floor-head": { x: 0, y: 0, width: 1280, height: 72 },
      ".floor-band": { x: 0, y: 72, width: 1280, height: 88 },
      ".floor-right": { x: 848, y: 160, width: 432, height: 604 },
      ".floor-foot": { x: 0, y: 764, width: 1280, height: 36 },
    });
    // Left 832 px, right 400 px, with a margin of 16 px.
    expect(await boxOf(screen, ".floor-favourites")).toMatchObject({ x: 16, width: 832 });
    for (const card of await page.locator(".floor-right > .floor-card").all()) {
      expect(await card.boundingBox()).toMatchObject({ x: 864, width: 400 });
    }
    const causes = await Promise.all((await page.locator(".floor-cause").all()).map((one) => one.boundingBox()));
    expect(causes.length).toBe(8);
    const columns = new Set(causes.map((box) => box?.x));
    const rows = new Set(causes.map((box) => box?.y));
    expect([columns.size, rows.size]).toEqual([4, 2]);
    const [first, second] = causes;
    expect((second?.x ?? 0) - (first?.x ?? 0) - (first?.width ?? 0)).toBeCloseTo(10, 0);
    const targets = await page.locator("main button:visible, main a:visible, main summary:visible").all();
    expect(targets.length).toBeGreaterThan(16);
    for (const target of targets) {
      const { height = 0 } = (await target.boundingBox()) ?? {};
      // The header's line takes one of its 72 px.
      expect(height, await target.innerText()).toBeGreaterThanOrEqual(71);
    }
    const sizes = await page.evaluate(() => {
      const found = new Map<string, number>();
      for (const one of document.querySelectorAll<HTMLElement>("main *")) {
        const isText = [...one.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim());
        if (isText && !one.closest(".unseen")) found.set(one.className, Number.parseFloat(getComputedStyle(one).fontSize));
      }
      return [...new Set(found.values())].sort((a, b) => b - a);
    });
    expect(sizes).toEqual([60, 44, 34, 26, 20, 16]);
    expect(await page.locator(".floor-clock").evaluate((one) => getComputedStyle(one).fontSize)).toBe("60px");
    // Filled red, with white words.
    const band = await page
      .locator(".floor-band")
      .evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]);
    expect(band).toEqual(["rgb(201, 42, 30)", "rgb(255, 255, 255)"]);
  });

  test("has its actions, its numbers and its connection at the same places in every state", async () => {
    const made = await longNames({ isStopped: false });
    const { company, machine, screen } = made;
    const { page } = screen;
    await open(made, "en");
    // Two stops of before wait for a cause.
    await page.getByRole("button", { name: english.allCauses }).waitFor();
    const asked = await placesOf(screen);
    const give = async () => {
      await page.locator(".floor-cause").first().tap();
      await page.getByRole("button", { name: new RegExp(`^${english.undo}`) }).waitFor();
    };
    await page.getByRole("button", { name: /^\d\d:\d\d, / }).tap();
    await give();
    await page.getByRole("heading", { name: english.nothingWaits }).waitFor();
    expect(await placesOf(screen)).toEqual(asked);
    const [notice, connection] = [await boxOf(screen, ".floor-undo"), await boxOf(screen, ".floor-foot")];
    expect(notice.y + notice.height).toBeLessThanOrEqual(connection.y);
    await page.locator(".speed-line").waitFor({ state: "attached" });
    await screen.expectSound("a running machine");
    const { height } = await boxOf(screen, ".floor-terminal");
    expect(height).toBe(800);
    await page.getByText(english.allSent).waitFor();
    // A refused or waiting action does not hide the connection, nor does a small screen.
    await page.setViewportSize({ width: 1280, height: 560 });
    const foot = await boxOf(screen, ".floor-foot");
    expect(foot.y + foot.height).toBe(560);
    expect((await company.row(machine)).stop).toBeNull();
    screen.expectClean();
  });

  test("is one column on an upright tablet, with the numbers below and the actions in reach", async () => {
    const made = await longNames({ isStopped: true });
    const { screen } = made;
    const { page } = screen;
    await page.setViewportSize({ width: 800, height: 1280 });
    await open(made, "es");
    const [left, right] = [await boxOf(screen, ".floor-left"), await boxOf(screen, ".floor-right")];
    expect(right.y).toBeGreaterThanOrEqual(left.y + left.height);
    const actions = await boxOf(screen, ".floor-actions");
    expect(actions.y + actions.height).toBeLessThanOrEqual(1280 - 36);
    await screen.expectSound("an upright tablet");
  });
});

describe.skipIf(!hasBrowser)("at a terminal", () => {
  test("one answer is for all stops without a cause, and undoing it takes it back from all of them", async () => {
    const made = await longNames({ isStopped: true });
    const { company, machine, screen } = made;
    const { page } = screen;
    await open(made, "en");
    const names = async () => {
      const { data } = await company.send("GET", `/v1/stops?machineIds=${machine.id}`);
      return [...new Set(data.map(({ name }: { name: string }) => name))];
    };
    await page.getByRole("button", { name: english.answerTogether(3) }).tap();
    await page.getByRole("button", { name: "Mould fault" }).tap();
    await expect.poll(names).toEqual(["Mould fault"]);
    await page.getByText("Saved: Mould fault, for 3 stops").first().waitFor();
    await page.waitForTimeout(600);
    await page.getByRole("button", { name: new RegExp(`^${english.undo}`) }).tap();
    await expect.poll(names).toEqual(["Stop"]);
    screen.expectClean();
  });

  test("a note is written on a stop and taken back, and the next shift reads it", async () => {
    const company = await app().company();
    await company.cause("Jam");
    const { Press: machine } = await company.plant({ Press: "stands" });
    if (!machine) throw new Error("there is a press");
    const screen = await app().screen({ viewport: { width: 1280, height: 800 }, hasTouch: true });
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto(`/floor/${machine.id}`);
    const note = async () => {
      const { stop } = await company.row(machine);
      return (await company.send("GET", `/v1/stops/${stop?.id}`)).classification?.description ?? null;
    };
    await page.getByRole("button", { name: english.note, exact: true }).tap();
    await page.getByRole("dialog").getByRole("textbox").fill("Nozzle 7 <b>dribbles</b>");
    await screen.expectSound("the form of a note");
    await page.getByRole("button", { name: english.keepNote }).tap();
    await expect.poll(note).toBe("Nozzle 7 <b>dribbles</b>");
    // The stop still has no cause.
    await page.getByRole("heading", { name: english.why }).waitFor();
    await page.waitForTimeout(600);
    await page.getByRole("button", { name: new RegExp(`^${english.undo}`) }).tap();
    await expect.poll(note).toBeNull();
    await page.getByRole("button", { name: english.note, exact: true }).tap();
    await page.getByRole("dialog").getByRole("textbox").fill("Keep at 208 °C");
    await page.getByRole("button", { name: english.keepNote }).tap();
    await page.getByRole("button", { name: "Jam" }).tap();
    await expect.poll(note).toBe("Keep at 208 °C");
    await page.locator(".floor-note", { hasText: "Keep at 208 °C" }).waitFor();
    await page.getByRole("button", { name: "Stops, 1" }).tap();
    await page.getByRole("dialog").getByText("Keep at 208 °C").waitFor();
    screen.expectClean();
  });

  test("a planned stop that was announced is the cause of the machine's next stop, also after a reload", async () => {
    const company = await app().company();
    await company.shift();
    await company.cause("Jam");
    await company.cause("Changeover", { isProgrammed: true });
    const machine = await company.stateMachine("Lathe", { stopAfterSeconds: 1 });
    const screen = await app().screen({ viewport: { width: 1280, height: 800 }, hasTouch: true });
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto(`/floor/${machine.id}`);
    const announce = page.getByRole("button", { name: "Changeover", exact: true });
    await announce.tap();
    await page.getByText(/^announced at /).waitFor();
    await page.reload();
    await announce.waitFor();
    expect(await announce.getAttribute("aria-pressed")).toBe("true");
    // Taken back, and announced again.
    await announce.tap();
    await page.getByText(english.announceHint).waitFor();
    await page.waitForTimeout(600);
    await announce.tap();
    await page.getByText(/^announced at /).waitFor();
    const from = new Date(Date.now() + 500).toISOString();
    await page.waitForTimeout(700);
    await company.ingest([{ type: "state", machineId: machine.id, state: "down", at: from }]);
    const cause = async () => (await company.row(machine)).stop?.generalCause?.name ?? null;
    await expect.poll(cause, { timeout: 120_000 }).toBe("Changeover");
    await page.locator(".band-planned", { hasText: "Changeover" }).waitFor();
    screen.expectClean();
  });
});
