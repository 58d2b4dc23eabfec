import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { apiClient } from "../src/client/client.ts";
import { findChromium } from "./browser/chromium.ts";
import { machines, password } from "./demo/plant.ts";

// Writes pictures of all views of the demo plant to docs/pictures/, or to the given folder: for inspection, and for the README.
//
//   npm run screenshots [-- FOLDER [ADDRESS]]    ADDRESS: of a running demo plant

const root = resolve(import.meta.dirname, "..");
const [folder = join(root, "docs/pictures"), running] = process.argv.slice(2);
const email = "admin@demo.test";
const START_WITHIN_MS = 300_000;
/** Quality of WebP: text stays sharp, and a picture below 150 kB. */
const QUALITY = 80;

interface Shot {
  name: string;
  path: string;
  /** Size of the screen, in CSS pixels. */
  size: [width: number, height: number];
  language?: "en" | "es";
  scheme?: "light" | "dark";
  /** Taken before signing in. */
  isOpen?: boolean;
  /** The whole page, not only the part that fits on the screen. */
  isWhole?: boolean;
}

const television: Shot["size"] = [1920, 1080];
const laptop: Shot["size"] = [1440, 900];
const tablet: Shot["size"] = [800, 1280];
const phone: Shot["size"] = [390, 844];

/** @param machine the ref of a stopped machine; if there is none, of any */
function shotsOf(machine: string, machineId: number): Shot[] {
  return [
    { name: "wall", path: "/wall?distance=3", size: television },
    { name: "wall-light", path: "/wall?distance=5&theme=light", size: television, language: "es" },
    { name: "wall-10-m", path: "/wall?distance=10", size: television },
    { name: "wall-phone", path: "/wall?distance=3", size: phone },
    { name: "wall-pairing", path: "/wall", size: television, isOpen: true },
    { name: "pair", path: "/pair", size: phone, language: "es" },
    { name: "sign-in", path: "/", size: phone, isOpen: true },
    { name: "start", path: "/", size: laptop },
    { name: "floor", path: `/floor/${machine}`, size: tablet },
    { name: "floor-pairing", path: "/floor", size: tablet, isOpen: true },
    { name: "floor-phone", path: `/floor/${machine}`, size: phone, language: "es", isWhole: true },
    { name: "floor-choice", path: "/floor", size: tablet },
    { name: "desk", path: "/desk", size: laptop },
    { name: "desk-dark", path: "/desk", size: laptop, language: "es", scheme: "dark" },
    ...["day", "shift", "hand-over", "losses", "actions", "hours", "trend", "compare", "orders", "people"].map((tab) => {
      const query = tab === "shift" || tab === "hours" ? `?machine=${machineId}` : "";
      return { name: `desk-${tab}`, path: `/desk/${tab}${query}`, size: laptop };
    }),
  ];
}

async function main(): Promise<void> {
  const { executablePath, env } = await findChromium();
  const demo = running ? { url: running, end: async () => undefined } : await startDemo();
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
    env: { ...process.env, ...env } as Record<string, string>,
  });
  try {
    if (!running) {
      await stopsHaveCauses(demo.url);
      await stopSome(demo.url);
    }
    await takeAll(browser, demo.url);
  } finally {
    await browser.close();
    await demo.end();
  }
}

/** Starts the demo plant in a separate folder, and waits until its history is loaded. */
async function startDemo(): Promise<{ url: string; end(): Promise<void> }> {
  const stateFolder = mkdtempSync(join(tmpdir(), "andon-pictures-"));
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, "scripts/start.ts")], {
    env: { ...process.env, PORT: String(port), ANDON_STATE: stateFolder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const end = async () => {
    child.kill("SIGINT");
    await ended;
    rmSync(stateFolder, { recursive: true, force: true });
  };
  try {
    let printed = "";
    await new Promise<void>((resolve, reject) => {
      setTimeout(
        () => reject(new Error(`The demo plant is not there after ${START_WITHIN_MS / 1000} s:\n${printed}`)),
        START_WITHIN_MS,
      ).unref();
      ended.then(() => reject(new Error(`The demo plant ended:\n${printed}`)));
      child.stdout.on("data", (text) => {
        printed += text;
        if (printed.includes("goes on producing")) resolve();
      });
    });
  } catch (error) {
    await end();
    throw error;
  }
  return { url: `http://localhost:${port}`, end };
}

/** Waits until the people of the demo plant have classified almost all stops of the last day. */
async function stopsHaveCauses(url: string): Promise<void> {
  const api = apiClient(url, (await signedIn(url)).jwt.token);
  const from = new Date(Date.now() - 24 * 3_600_000).toISOString();
  const query = { from, isProgrammed: false, isOpen: false, isIncludedInAvailability: true, limit: 500 };
  for (const deadline = Date.now() + START_WITHIN_MS; Date.now() < deadline; await sleep(1000)) {
    const { data } = await api.GET("/v1/stops", { params: { query } });
    const stops = data?.data ?? [];
    const classified = stops.filter(({ classification }) => classification?.generalCause);
    if (stops.length >= 50 && classified.length > 0.9 * stops.length) return;
  }
  throw new Error("The stops of the demo plant have no causes yet");
}

/** Makes a machine break down and another one start a setup eight minutes ago: by chance all may be running. */
async function stopSome(url: string): Promise<void> {
  const api = apiClient(url, (await signedIn(url)).jwt.token);
  const at = new Date(Date.now() - 8 * 60_000).toISOString();
  const [down, setup] = machines.filter(({ signal }) => signal === "states");
  if (!down || !setup) throw new Error("The demo plant has no two machines that tell their states");
  const events = [
    { type: "state" as const, at, machineId: down.id, state: "down" as const },
    { type: "state" as const, at, machineId: setup.id, state: "setup" as const },
  ];
  const { data } = await api.POST("/v1/ingest", { body: { events } });
  if (data?.accepted !== events.length) throw new Error(`The demo plant did not take the stops: ${JSON.stringify(data)}`);
}

async function signedIn(url: string) {
  const { data } = await apiClient(url).POST("/identity/login", { body: { email, password } });
  if (!data) throw new Error(`${email} cannot sign in at ${url}`);
  return data.data;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}

async function takeAll(browser: Browser, url: string): Promise<void> {
  const { id: userId, role, companyId, jwt } = await signedIn(url);
  const session = JSON.stringify({ kind: "user", token: jwt.token, userId, email, role, companyId });
  const state = await apiClient(url, jwt.token).GET("/v1/state");
  const rows = state.data && "data" in state.data ? state.data.data : [];
  const { machine } = rows.find(({ status, stop }) => status === "N" && !stop?.generalCause) ?? rows[0] ?? {};
  if (!machine) throw new Error("The demo plant has no machine");
  mkdirSync(folder, { recursive: true });
  for (const shot of shotsOf(machine.ref, machine.id)) {
    const [width, height] = shot.size;
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width, height },
      locale: shot.language === "es" ? "es-ES" : "en-GB",
      colorScheme: shot.scheme ?? "light",
    });
    if (!shot.isOpen) await context.addInitScript((kept) => localStorage.setItem("andon.session", kept), session);
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") console.error(`${shot.name}: ${message.text()}`);
    });
    await page.goto(shot.path);
    const bytes = await take(page, shot);
    writeFileSync(join(folder, `${shot.name}.webp`), bytes);
    console.log(`${shot.name}.webp ${width} x ${height}, ${Math.round(bytes.length / 1024)} KiB`);
    await context.close();
  }
}

/** A picture as WebP, taken once nothing on the page is pending. */
async function take(page: Page, { isWhole = false }: Shot): Promise<Buffer> {
  await page.waitForLoadState("networkidle");
  // Not waitForFunction, which evaluates text in the page: its policy forbids that.
  const pending = page.locator("[aria-busy=true], .card-wait");
  for (const until = Date.now() + 20_000; (await pending.count()) > 0; await page.waitForTimeout(200)) {
    if (Date.now() > until) throw new Error(`${page.url()} is still loading after 20 s`);
  }
  await page.waitForTimeout(1000);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: QUALITY,
    captureBeyondViewport: isWhole,
  });
  return Buffer.from(data, "base64");
}

await main();
