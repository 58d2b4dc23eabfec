import { describe, expect, test } from "vitest";
import { common } from "../../src/board/texts/en/common.ts";
import { wall } from "../../src/board/texts/en/wall.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import { faintTexts, moneyFormats, nativeTimes } from "./support/ink-faults.ts";
import type { Screen } from "./support/screen.ts";
import { foreignTexts, shownTexts } from "./support/translation-faults.ts";

const app = useApp();

/** Puts elements with texts at the end of a page. */
const put = ({ page }: Screen, ...texts: { text: string; style?: string; isDrawn?: boolean }[]) =>
  page.evaluate((all) => {
    for (const { text, style = "", isDrawn = false } of all) {
      const space = "http://www.w3.org/2000/svg";
      const one = isDrawn ? document.createElementNS(space, "text") : document.createElement("p");
      one.textContent = text;
      one.style.cssText = style;
      const drawing = document.createElementNS(space, "svg");
      if (isDrawn) {
        const ground = drawing.appendChild(document.createElementNS(space, "rect"));
        ground.style.cssText = "fill: rgb(0, 0, 0); width: 300px; height: 60px; pointer-events: none";
        one.setAttribute("y", "20");
        drawing.append(one);
      }
      document.body.append(isDrawn ? drawing : one);
    }
  }, texts);

describe.skipIf(!hasBrowser)("the checks of every page notice", () => {
  async function page(language: string): Promise<Screen> {
    const screen = await app().screen();
    await screen.page.goto(`/?lang=${language}`);
    await screen.page.locator("input[type=email]").waitFor();
    return screen;
  }

  test("texts with little contrast: in words, in drawings, seen through, and below the fold", async () => {
    const screen = await page("en");
    expect(await screen.page.evaluate(faintTexts, undefined)).toEqual([]);
    await put(
      screen,
      { text: "grey", style: "color: rgb(150, 150, 150); background: rgb(255, 255, 255)" },
      { text: "grey but large", style: "color: rgb(140, 140, 140); background: rgb(255, 255, 255); font-size: 30px" },
      { text: "pale", style: "opacity: 0.3; color: rgb(0, 0, 0); background: rgb(255, 255, 255)" },
      { text: "good", style: "color: rgb(0, 0, 0); background: rgb(255, 255, 255); margin-bottom: 2000px" },
      { text: "dark on dark", style: "fill: rgb(60, 60, 60); pointer-events: none", isDrawn: true },
      { text: "light on dark", style: "fill: rgb(255, 255, 255)", isDrawn: true },
    );
    const found = await screen.page.evaluate(faintTexts, undefined);
    expect(found.map((fault) => fault.split('"')[1])).toEqual(["grey", "pale", "dark on dark"]);
  });

  test("texts of the other language: whole ones, with values in them, among others, and in labels", async () => {
    const foundIn = async (screen: Screen) => {
      const language = await screen.page.evaluate(() => document.documentElement.lang);
      return foreignTexts(language, await screen.page.evaluate(shownTexts));
    };
    const [es, en] = [await page("es"), await page("en")];
    expect([await foundIn(es), await foundIn(en)]).toEqual([[], []]);
    await put(es, { text: common.stop }, { text: `Jam · ${wall.overrun("10:48")}` }, { text: "Andon" }, { text: "Press 3" });
    await es.page.evaluate((label) => document.querySelector("input")?.setAttribute("aria-label", label), common.password);
    expect((await foundIn(es)).map((fault) => fault.split('"')[1])).toEqual([
      common.stop,
      wall.overrun("10:48"),
      common.password,
    ]);
    await put(en, { text: "Parada" });
    expect(await foundIn(en)).toHaveLength(1);
  });

  test("money in several formats, and dates in the browser's format", async () => {
    const screen = await page("en");
    await put(screen, { text: "€1,234.50" }, { text: "€0.10" });
    expect(await screen.page.evaluate(moneyFormats)).toEqual([]);
    await put(screen, { text: "€1,235" });
    expect(await screen.page.evaluate(moneyFormats)).toHaveLength(1);
    const spanish = await page("es");
    await put(spanish, { text: "1.234,50 €" }, { text: "60,00 €" });
    expect(await spanish.page.evaluate(moneyFormats)).toEqual([]);
    await put(spanish, { text: "€ 60" });
    expect(await spanish.page.evaluate(moneyFormats)).toHaveLength(1);
    expect(await spanish.page.evaluate(nativeTimes)).toEqual([]);
    await spanish.page.evaluate(() => {
      document.body.append(Object.assign(document.createElement("input"), { type: "date" }));
    });
    expect(await spanish.page.evaluate(nativeTimes)).toHaveLength(1);
  });
});
