import { type BrowserServer, chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { findChromium } from "../../scripts/browser/chromium.ts";

/** What is provided to the test files: the browser's address, or why there is none. */
export interface ProvidedBrowser {
  address: string | null;
  reason: string;
}

/** Starts one browser for all files of the project. Where none runs, the tests are skipped, loudly; under CI the run fails. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: BrowserServer | undefined;
  let provided: ProvidedBrowser;
  try {
    server = await launch();
    provided = { address: server.wsEndpoint(), reason: "" };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const line = "=".repeat(100);
    process.stderr.write(`\n${line}\nNO BROWSER: the pages are NOT tested. ${reason}\n${line}\n\n`);
    if (process.env.CI) throw new Error(`No browser runs, and CI is set: ${reason}`);
    provided = { address: null, reason };
  }
  project.provide("browser" as never, provided as never);
  return async () => await server?.close();
}

async function launch(): Promise<BrowserServer> {
  const { executablePath, env } = await findChromium();
  // Without the sandbox: as root, and in most containers, there is none; nothing but the service's own pages is opened.
  const args = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"];
  return await chromium.launchServer({ executablePath, args, env: { ...process.env, ...env } as Record<string, string> });
}
