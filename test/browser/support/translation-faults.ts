import { alerts as alertsEn } from "../../../src/board/texts/en/alerts.ts";
import { common as commonEn } from "../../../src/board/texts/en/common.ts";
import { desk as deskEn } from "../../../src/board/texts/en/desk.ts";
import { emptyPlant as emptyPlantEn } from "../../../src/board/texts/en/empty-plant.ts";
import { floor as floorEn } from "../../../src/board/texts/en/floor.ts";
import { home as homeEn } from "../../../src/board/texts/en/home.ts";
import { pair as pairEn } from "../../../src/board/texts/en/pair.ts";
import { past as pastEn } from "../../../src/board/texts/en/past.ts";
import { setUp as setUpEn } from "../../../src/board/texts/en/set-up.ts";
import { signals as signalsEn } from "../../../src/board/texts/en/signals.ts";
import { wall as wallEn } from "../../../src/board/texts/en/wall.ts";
import { wallParts as wallPartsEn } from "../../../src/board/texts/en/wall-parts.ts";
import { alerts as alertsEs } from "../../../src/board/texts/es/alerts.ts";
import { common as commonEs } from "../../../src/board/texts/es/common.ts";
import { desk as deskEs } from "../../../src/board/texts/es/desk.ts";
import { emptyPlant as emptyPlantEs } from "../../../src/board/texts/es/empty-plant.ts";
import { floor as floorEs } from "../../../src/board/texts/es/floor.ts";
import { home as homeEs } from "../../../src/board/texts/es/home.ts";
import { pair as pairEs } from "../../../src/board/texts/es/pair.ts";
import { past as pastEs } from "../../../src/board/texts/es/past.ts";
import { setUp as setUpEs } from "../../../src/board/texts/es/set-up.ts";
import { signals as signalsEs } from "../../../src/board/texts/es/signals.ts";
import { wall as wallEs } from "../../../src/board/texts/es/wall.ts";
import { wallParts as wallPartsEs } from "../../../src/board/texts/es/wall-parts.ts";

const texts = {
  en: [commonEn, alertsEn, deskEn, emptyPlantEn, floorEn, homeEn, pairEn, pastEn, setUpEn, signalsEn, wallEn, wallPartsEn],
  es: [commonEs, alertsEs, deskEs, emptyPlantEs, floorEs, homeEs, pairEs, pastEs, setUpEs, signalsEs, wallEs, wallPartsEs],
};

/** Stands for a parameter of a text. */
const HOLE = "\u0000";

/** All texts of a language, with holes for what they are given. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "function") return textsIn(value(...Array.from({ length: value.length }, () => HOLE)));
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const all = { en: new Set(textsIn(texts.en)), es: new Set(textsIn(texts.es)) };

/** Whether what is between the holes of a text is in another text, in its order. A text with too few letters of its own says nothing. */
function isOf(text: string, shown: string): boolean {
  const parts = text.split(HOLE);
  if (parts.length === 1) return shown === text;
  if (text.replace(/[^\p{L}]/gu, "").length < 4) return false;
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (!shown.startsWith(first) || !shown.endsWith(last)) return false;
  let at = 0;
  for (const part of parts) {
    at = shown.indexOf(part, at);
    if (at === -1) return false;
    at += part.length;
  }
  return true;
}

/** The texts of the other language among those that a page shows. */
export function foreignTexts(language: string, shown: readonly string[]): string[] {
  const [own, other] = language === "es" ? [all.es, all.en] : [all.en, all.es];
  const foreign = [...other].filter((text) => !own.has(text));
  const isOwn = (one: string) => [...own].some((text) => isOf(text, one));
  return [...new Set(shown.flatMap((text) => [text, ...text.split(" · ")]))]
    .filter((one) => foreign.some((text) => isOf(text, one)) && !isOwn(one))
    .map((one) => `"${one}" is not in the page's language, ${language}`);
}

/** Runs in the page: all texts that it shows or that a screen reader says. */
export function shownTexts(): string[] {
  const found = new Set<string>([document.title]);
  const keep = (text: string | null) => {
    const one = text?.replace(/\s+/g, " ").trim();
    if (one) found.add(one);
  };
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (!node.parentElement?.closest("script, style, noscript, pre, code")) keep(node.nodeValue);
  }
  for (const one of document.querySelectorAll("body *")) {
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext", "data-column"])
      keep(one.getAttribute(name));
  }
  return [...found];
}
