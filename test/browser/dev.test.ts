import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";
import { cloneInto, Terminal } from "../e2e/fresh-clone.ts";
import { freePort } from "../e2e/plant.ts";
import type { ProvidedBrowser } from "./prepare.ts";

const { address } = inject("browser" as never) as ProvidedBrowser;

test.skipIf(address === null)(
  "npm run dev shows a change of the board in its open pages at once, and goes on after one that cannot be built",
  { timeout: 180_000 },
  async () => {
    const clone = mkdtempSync(join(tmpdir(), "andon-dev-"));
    onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
    cloneInto(clone);
    const port = await freePort();
    const terminal = new Terminal("npm run dev -- --empty", clone, { PORT: String(port), ANDON_STATE: join(clone, "state") });
    onTestFinished(() => terminal.ctrlC());
    await terminal.shows(/The wall is on/, 120_000);

    const browser = await chromium.connect(address ?? "");
    const page = await browser.newPage();
    onTestFinished(() => browser.close());
    const refused: string[] = [];
    page.on("console", (message) => /Content.Security.Policy/i.test(message.text()) && refused.push(message.text()));
    await page.goto(`http://localhost:${port}/wall`);
    await page.locator("body *").first().waitFor();
    const margin = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollMarginTop).catch(() => "");
    expect(await margin()).toBe("0px");

    const styles = join(clone, "src/board/ui/base.css");
    const good = readFileSync(styles, "utf8");
    const changedAt = Date.now();
    appendFileSync(styles, "html { scroll-margin-top: 7px; }\n");
    await expect.poll(margin, { interval: 20 }).toBe("7px");
    const ms = Date.now() - changedAt;
    // On two quiet cores less than a second.
    expect(ms).toBeLessThan(5000);

    writeFileSync(styles, '@import "./none.css";\n');
    await terminal.shows(/cannot be built/, 10_000);
    writeFileSync(styles, `${good}html { scroll-margin-top: 9px; }\n`);
    await expect.poll(margin, { interval: 20 }).toBe("9px");
    expect(refused).toEqual([]);

    const served = async (path: string) => (await fetch(`http://localhost:${port}${path}`)).status;
    expect([
      await served("/health"),
      await served("/docs"),
      await served("/v1/tags"),
      await served("/board/none.js"),
      await served("//"),
    ]).toEqual([200, 200, 401, 404, 404]);
  },
);
