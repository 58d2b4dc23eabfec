import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { freePort } from "../e2e/plant.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();
let deployed: Deployment | undefined;
afterEach(() => deployed?.close());

/** The service with other versions of the terminal: the page's script has another name in each, and only that of the present one is there. */
class Deployment {
  readonly url: string;
  /** Null: that of before terminals had a service worker. */
  version: string | null = "AAAAAAAA";
  isCut = false;
  /** Paths that are answered with 503. */
  isRefusing: RegExp | null = null;
  readonly #server: Server;
  readonly #to: URL;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number, to: string) {
    this.url = `http://localhost:${port}`;
    this.#to = new URL(to);
    this.#server = createServer((asked, answer) => void this.#pass(asked, answer));
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      if (this.isCut) socket.destroy();
    });
    this.#server.on("upgrade", (asked, socket, head) => {
      const far = connect(Number(this.#to.port), this.#to.hostname, () => {
        const headers = asked.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : []));
        far.write(`GET ${asked.url} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
        far.write(head);
        far.pipe(socket).pipe(far);
      });
      for (const one of [far, socket]) one.on("error", () => far.destroy() && socket.destroy());
      socket.on("close", () => far.destroy());
    });
  }

  static async start(to: string): Promise<Deployment> {
    const port = await freePort();
    const made = new Deployment(port, to);
    await new Promise<void>((done) => made.#server.listen(port, "127.0.0.1", done));
    return made;
  }

  /** Cuts the network, or ends the cut. */
  cut(isCut: boolean): void {
    this.isCut = isCut;
    if (isCut) for (const socket of this.#sockets) socket.destroy();
  }

  close(): Promise<unknown> {
    this.cut(true);
    return new Promise((done) => this.#server.close(done));
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = asked.url ?? "";
    const named = /^\/board\/floor-(\w+)\.js$/.exec(path)?.[1];
    if (this.isRefusing?.test(path)) return void answer.writeHead(503, { "retry-after": "1" }).end();
    if (path === "/terminal/worker.js" && this.version === null) return void answer.writeHead(404).end();
    if (named && /^([A-Z])\1{7}$/.test(named) && named !== (this.version ?? "ZZZZZZZZ")) return void answer.writeHead(404).end();
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    const original = named ? await this.#entry() : null;
    const to = { hostname: this.#to.hostname, port: this.#to.port, method: asked.method, headers, path: original ?? path };
    const far = request(to, (found) => {
      const isNamed = /^\/(floor|terminal\/worker\.js)/.test(path);
      if (!isNamed) return void found.pipe(answer.writeHead(found.statusCode ?? 500, found.headers));
      const parts: Buffer[] = [];
      found.on("data", (part: Buffer) => parts.push(part));
      found.on("end", () => {
        const { "content-length": _, etag: __, ...others } = found.headers;
        const text = Buffer.concat(parts)
          .toString()
          .replaceAll(/(board\/floor-)\w+(\.js)/g, `$1${this.version ?? "ZZZZZZZZ"}$2`);
        // A version is named after its files.
        const said = path.startsWith("/floor") ? text : text.replaceAll("floor ", `floor ${this.version} `);
        answer.writeHead(found.statusCode ?? 500, others).end(said);
      });
    });
    far.on("error", () => answer.destroy());
    asked.pipe(far);
  }

  /** The path of the built script. */
  async #entry(): Promise<string> {
    const page = await (await fetch(new URL("/floor", this.#to))).text();
    return `/board/${/board\/(floor-\w+\.js)/.exec(page)?.[1]}`;
  }
}

const tablet = { viewport: { width: 1280, height: 800 }, hasTouch: true };
const heading = ({ page }: Screen, name: string) => page.getByRole("heading", { name, exact: true });
const scriptOf = ({ page }: Screen) => page.locator("script[type=module]").getAttribute("src");

/** A terminal that is paired with a machine, and whose page is kept. */
async function newTerminal(company: Company, machineId: number, baseURL?: string): Promise<Screen> {
  const screen = await app().screen({ ...tablet, ...(baseURL !== undefined && { baseURL }) });
  const { page } = screen;
  await page.goto("/floor");
  const code = await page.getByText(/^[CDFGHJKMNPQRTVWXY34679]{4}-[CDFGHJKMNPQRTVWXY34679]{4}$/).innerText();
  await company.send("POST", "/v1/terminal-pairings/confirm", { code, name: "Terminal 1", machineIds: [machineId] });
  await heading(screen, "Press").waitFor();
  await page.getByRole("button", { name: "Jam", exact: true }).waitFor();
  const isActive = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration("/floor"))?.active?.state === "activated");
  await expect.poll(isActive, { timeout: 20_000 }).toBe(true);
  return screen;
}

/** How many answers of the API are among what the service worker keeps, and how many pages. */
const keptOf = ({ page }: Screen) =>
  page.evaluate(async () => {
    const names = (await caches.keys()).sort();
    const kept = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)));
    const paths = kept.flat().map((url) => new URL(url).pathname);
    return { names, others: paths.filter((path) => !path.startsWith("/board/")) };
  });

describe.skipIf(!hasBrowser)("a terminal's page", () => {
  test("opens after a reload without a network, with what waits to be sent, and sends it when the network is back", async () => {
    const company = await app().company();
    await company.cause("Jam");
    const { Press: press } = await company.plant({ Press: "stands" });
    if (!press) throw new Error("There is no press.");
    const terminal = await newTerminal(company, press.id);
    const { page } = terminal;
    expect((await keptOf(terminal)).others).toEqual(["/floor"]);
    app().disconnect();
    terminal.expectErrors(/ERR_|WebSocket|Failed to (load|fetch)|update a ServiceWorker/i);
    await page.getByRole("button", { name: "Jam", exact: true }).tap();
    await page.getByText(/1 input waits/).waitFor();
    await page.reload();
    await heading(terminal, "Press").waitFor();
    await page.getByText(/1 input waits for the network: Jam/).waitFor();
    // A part that is loaded later, and the other language.
    await page.locator(".floor-who").tap();
    await page.getByLabel("Operator's code or badge").waitFor();
    await page.goto("/floor?lang=es");
    await page
      .getByText(/1 entrada espera|1 dato espera|espera/)
      .first()
      .waitFor();
    await page.goto("/floor?lang=en");
    await heading(terminal, "Press").waitFor();
    expect((await company.row(press)).stop?.generalCause ?? null).toBeNull();
    app().reconnect();
    await expect.poll(async () => (await company.row(press)).stop?.generalCause?.name, { timeout: 30_000 }).toBe("Jam");
    await page.getByText(/everything is sent/).waitFor({ timeout: 30_000 });
  });

  test("takes a newer version, and an earlier one again, with what waits to be sent", async () => {
    const company = await app().company();
    await company.cause("Jam");
    const { Press: press } = await company.plant({ Press: "stands" });
    if (!press) throw new Error("There is no press.");
    deployed = await Deployment.start(app().url);
    const terminal = await newTerminal(company, press.id, deployed.url);
    const { page } = terminal;
    terminal.expectErrors(/ERR_|WebSocket|status of (404|503)|Failed to (load|fetch)|ServiceWorker/i);
    expect(await scriptOf(terminal)).toBe("/board/floor-AAAAAAAA.js");
    deployed.isRefusing = /\/classification$/;
    await page.getByRole("button", { name: "Jam", exact: true }).tap();
    await page.getByText(/1 input waits/).waitFor();
    const isKept = (version: string) => async () =>
      (await keptOf(terminal)).names.filter((name) => name.startsWith(`floor ${version} `)).length;
    await expect.poll(isKept("AAAAAAAA")).toBe(1);

    deployed.version = "BBBBBBBB";
    await page.reload();
    await page.getByText(/1 input waits/).waitFor();
    expect(await scriptOf(terminal)).toBe("/board/floor-BBBBBBBB.js");
    await expect.poll(isKept("BBBBBBBB"), { timeout: 20_000 }).toBe(1);
    await expect.poll(async () => (await keptOf(terminal)).others.length, { timeout: 20_000 }).toBe(2);
    deployed.cut(true);
    await expect
      .poll(
        async () => {
          await page.reload();
          return await scriptOf(terminal);
        },
        { timeout: 20_000 },
      )
      .toBe("/board/floor-BBBBBBBB.js");
    await heading(terminal, "Press").waitFor();
    await page.getByText(/1 input waits/).waitFor();

    // The deployment is rolled back, to a version that knows no service worker.
    deployed.version = null;
    deployed.cut(false);
    await page.reload();
    await heading(terminal, "Press").waitFor();
    expect(await scriptOf(terminal)).toBe("/board/floor-ZZZZZZZZ.js");
    await page.getByText(/1 input waits/).waitFor();
    deployed.isRefusing = null;
    await expect.poll(async () => (await company.row(press)).stop?.generalCause?.name, { timeout: 40_000 }).toBe("Jam");
  });
});
