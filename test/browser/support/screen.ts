import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { BrowserContext, CDPSession, Page, Route } from "playwright-core";
import { expect } from "vitest";
import { faintTexts, moneyFormats, nativeTimes } from "./ink-faults.ts";
import { blankEnd, cutWords, manySizes, overlappingTexts, sidewaysBoxes } from "./text-faults.ts";
import { foreignTexts, shownTexts } from "./translation-faults.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Kinds of colour blindness, as CDP names them. */
export const deficiencies = ["protanopia", "deuteranopia", "tritanopia", "achromatopsia"] as const;

/**
 * What Chromium warns of on a terminal once the service worker keeps its page: what it had preloaded without the worker is loaded again, and not used.
 * That may be in any test that opens a terminal twice.
 */
const keptPage =
  /service worker resource mismatch|preloaded using link preload but not used within a few seconds.* \S+\/floor\b/s;

/** One device of a person: a page, and all errors on it. */
export class Screen {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #faults: string[] = [];
  readonly #expected: RegExp[] = [keptPage];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        this.#faults.push(`console ${message.type()}: ${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => this.#faults.push(`uncaught: ${error.stack ?? error.message}`));
    page.on("crash", () => this.#faults.push("the page crashed"));
  }

  static async on(context: BrowserContext): Promise<Screen> {
    // As long as a test hangs (vitest.config.ts), not as long as a page may take: how busy the computer is must not decide whether a test passes.
    context.setDefaultTimeout(180_000);
    // Violations of the policy are also errors on the console.
    return new Screen(context, await context.newPage());
  }

  /** From now on matching errors are ignored: the browser itself reports every failed request. */
  expectErrors(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  /** Expects no unexpected faults so far: no error or warning on the console, no exception, no violation of the policy. */
  expectClean(where = ""): void {
    expect(
      this.#faults.filter((fault) => !this.#expected.some((pattern) => pattern.test(fault))),
      where,
    ).toEqual([]);
  }

  /** Provides the pages with a session, as if someone had signed in before. */
  async enterAs({ session }: { session: object }): Promise<void> {
    await this.context.addInitScript((kept) => {
      if (!localStorage.getItem("andon.session")) localStorage.setItem("andon.session", kept);
    }, JSON.stringify(session));
  }

  /** Signs in on the sign-in page, also at a terminal or wall, which shows a code for its pairing first. */
  async signIn({ email, password }: { email: string; password: string }): Promise<void> {
    const instead = this.page.locator(".pairing .button");
    await instead.or(this.page.locator("input[type=email]")).first().waitFor();
    if (await instead.isVisible()) await instead.click();
    await this.page.locator("input[type=email]").fill(email);
    await this.page.locator("input[type=password]").fill(password);
    await this.page.locator("input[type=password]").press("Enter");
  }

  /**
   * Holds back the next answers to requests for a URL: each has the data of its request, and arrives when the test releases it.
   * @returns functions that release them, in the order of the requests; the list grows with each
   */
  async holdAnswers(url: RegExp, count: number): Promise<(() => void)[]> {
    const held: (() => void)[] = [];
    const hold = async (route: Route) => {
      const response = await route.fetch();
      await new Promise<void>((pass) => held.push(pass));
      await route.fulfill({ response });
    };
    await this.page.route(url, hold, { times: count });
    return held;
  }

  /** The visible text of the page, with single spaces. */
  async text(): Promise<string> {
    return (await this.page.locator("body").innerText()).replaceAll(/\s+/g, " ");
  }

  /** Checks the rules for all pages: no errors, accessible, within the screen's width, and all text readable. */
  async expectSound(where = ""): Promise<void> {
    expect(await this.#asPainted(overflow), where).toEqual([]);
    expect(await this.#asPainted(clippedTexts), where).toEqual([]);
    expect(await this.#asPainted(overlappingTexts), where).toEqual([]);
    expect(await this.#asPainted(cutWords), where).toEqual([]);
    expect(await this.#asPainted(blankEnd), where).toEqual([]);
    expect(await this.#asPainted(sidewaysBoxes), where).toEqual([]);
    expect(await this.#asPainted(manySizes), where).toEqual([]);
    expect(await this.#asPainted(faintTexts), where).toEqual([]);
    expect(await this.page.evaluate(moneyFormats), where).toEqual([]);
    expect(await this.page.evaluate(nativeTimes), where).toEqual([]);
    const language = await this.page.evaluate(() => document.documentElement.lang);
    expect(foreignTexts(language, await this.page.evaluate(shownTexts)), where).toEqual([]);
    expect(await this.axeFindings(), where).toEqual([]);
    this.expectClean(where);
  }

  /**
   * The result of a check just after a frame. Between a change and its frame, texts of the wall are not fitted into their boxes yet, which nobody
   * sees.
   */
  async #asPainted(check: () => string[]): Promise<string[]> {
    return await this.page.evaluate(
      `document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done((${check})())))))`,
    );
  }

  /** The findings of axe, of any severity: rule, element, and the fault. */
  async axeFindings(): Promise<string[]> {
    // As a debugger expression: the page's policy refuses foreign scripts.
    if (!(await this.page.evaluate(() => "axe" in globalThis))) await this.page.evaluate(axe);
    const results = await this.page.evaluate(async () => {
      // biome-ignore lint/suspicious/noExplicitAny: the script was just put there.
      const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ["violations"] });
      return violations;
    });
    return results.flatMap(({ id, nodes }: { id: string; nodes: { target: string[]; failureSummary: string }[] }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  }

  /** Does something while the page is shown as people with this colour blindness see it. */
  async asSeenWith<T>(type: (typeof deficiencies)[number], work: () => Promise<T>): Promise<T> {
    const session: CDPSession = await this.context.newCDPSession(this.page);
    try {
      await session.send("Emulation.setEmulatedVisionDeficiency", { type });
      return await work();
    } finally {
      await session.send("Emulation.setEmulatedVisionDeficiency", { type: "none" });
      await session.detach();
    }
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

/** Runs in the page: the elements that make it wider than the screen. */
function overflow(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  // What is placed absolutely is not clipped by the boxes between it and the one that it is placed in.
  const boxOf = (one: Element) =>
    getComputedStyle(one).position === "absolute" && one instanceof HTMLElement ? one.offsetParent : one.parentElement;
  const isClipped = (one: Element) => {
    for (let above = boxOf(one); above; above = boxOf(above)) if (getComputedStyle(above).overflowX !== "visible") return true;
    return false;
  };
  const wide = [...document.querySelectorAll("body *")].filter((one) => {
    return one.getBoundingClientRect().right > clientWidth + 1 && !isClipped(one);
  });
  const names = wide.slice(-5).map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute("class")}`);
  return [`the page is ${scrollWidth} wide on a screen of ${clientWidth}: ${names.join(", ")}`];
}

/** Runs in the page: texts that are cut off without a way to see the rest. An ellipsis is fine if the title or label has the whole text. */
function clippedTexts(): string[] {
  const found: string[] = [];
  for (const one of document.querySelectorAll<HTMLElement>("body *")) {
    const text = one.innerText?.trim();
    if (!text || one.clientWidth === 0 || one.clientHeight === 0) continue;
    const style = getComputedStyle(one);
    // For screen readers only.
    if (style.clipPath !== "none" || style.clip !== "auto" || style.visibility === "hidden") continue;
    const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
    const isCutAcross = hides(style.overflowX) && one.scrollWidth > one.clientWidth + 1;
    const isCutBelow = hides(style.overflowY) && one.scrollHeight > one.clientHeight + 2;
    if (!isCutAcross && !isCutBelow) continue;
    const isExplained = Boolean(one.closest("[title], [aria-label]"));
    if (isCutAcross && !isCutBelow && style.textOverflow === "ellipsis" && isExplained) continue;
    const sizes = `${one.scrollWidth}x${one.scrollHeight} in ${one.clientWidth}x${one.clientHeight}`;
    found.push(`${one.tagName.toLowerCase()}.${one.getAttribute("class")}: ${sizes}: ${text.slice(0, 60)}`);
  }
  return found;
}
