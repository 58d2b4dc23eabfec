import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserServer, chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { findChromium } from "../../scripts/browser/chromium.ts";
import { preparedFolder } from "../e2e/prepare.ts";
import { type Accounts, settle } from "./support/accounts.ts";

/** Values provided to the test files: the browser's address, or the reason why there is none. */
export interface ProvidedBrowser {
  address: string | null;
  reason: string;
  /** The accounts in every app's state; null without a browser. */
  accounts: Accounts | null;
}

/**
 * Starts one browser for all files of the project, and creates the initial state of their services. Where no browser runs, the
 * tests are skipped with a clear message; under CI the run fails.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: BrowserServer | undefined;
  const stateFolder = mkdtempSync(join(tmpdir(), "andon-app-"));
  let provided: ProvidedBrowser;
  try {
    server = await launch();
    cpSync(join(await preparedFolder(), "state"), stateFolder, { recursive: true });
    provided = { address: server.wsEndpoint(), reason: "", accounts: await settle(stateFolder) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const line = "=".repeat(100);
    process.stderr.write(`\n${line}\nNO BROWSER: the pages are NOT tested. ${reason}\n${line}\n\n`);
    if (process.env.CI) throw new Error(`No browser runs, and CI is set: ${reason}`);
    provided = { address: null, reason, accounts: null };
  }
  project.provide("browser" as never, provided as never);
  return async () => {
    await server?.close();
    rmSync(stateFolder, { recursive: true, force: true });
  };
}

async function launch(): Promise<BrowserServer> {
  const { executablePath, env } = await findChromium();
  // Without the sandbox: root and most containers have none, and only the service's own pages are opened.
  const args = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"];
  return await chromium.launchServer({ executablePath, args, env: { ...process.env, ...env } as Record<string, string> });
}
