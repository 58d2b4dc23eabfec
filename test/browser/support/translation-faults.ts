import { alerts as alertsEn } from "../../../src/board/texts/alerts.en.ts";
import { alerts as alertsEs } from "../../../src/board/texts/alerts.es.ts";
import { common as commonEn } from "../../../src/board/texts/common.en.ts";
import { common as commonEs } from "../../../src/board/texts/common.es.ts";
import { desk as deskEn } from "../../../src/board/texts/desk.en.ts";
import { desk as deskEs } from "../../../src/board/texts/desk.es.ts";
import { floor as floorEn } from "../../../src/board/texts/floor.en.ts";
import { floor as floorEs } from "../../../src/board/texts/floor.es.ts";
import { home as homeEn } from "../../../src/board/texts/home.en.ts";
import { home as homeEs } from "../../../src/board/texts/home.es.ts";
import { pair as pairEn } from "../../../src/board/texts/pair.en.ts";
import { pair as pairEs } from "../../../src/board/texts/pair.es.ts";
import { past as pastEn } from "../../../src/board/texts/past.en.ts";
import { past as pastEs } from "../../../src/board/texts/past.es.ts";
import { setUp as setUpEn } from "../../../src/board/texts/set-up.en.ts";
import { setUp as setUpEs } from "../../../src/board/texts/set-up.es.ts";
import { wall as wallEn } from "../../../src/board/texts/wall.en.ts";
import { wall as wallEs } from "../../../src/board/texts/wall.es.ts";

const texts = {
  en: [commonEn, alertsEn, deskEn, floorEn, homeEn, pairEn, pastEn, setUpEn, wallEn],
  es: [commonEs, alertsEs, deskEs, floorEs, homeEs, pairEs, pastEs, setUpEs, wallEs],
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
