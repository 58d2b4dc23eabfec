import { cpSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { login } from "../../e2e/api.ts";
import { type BuiltService, migratedFolder, startBuilt, stopBuilt } from "../../e2e/built-service.ts";
import { freePort, freshStateFolder } from "../../e2e/plant.ts";
import type { ProvidedBrowser } from "../prepare.ts";
import type { Account, Accounts } from "./accounts.ts";
import { Company } from "./company.ts";
import { Screen } from "./screen.ts";

const provided = inject("browser" as never) as ProvidedBrowser;

/** True if there is a browser: otherwise the page tests are skipped, and prepare.ts has reported it. */
export const hasBrowser = provided.address !== null;

/** A service with a browser, for the tests of one file. */
export class TestApp {
  /** The address of the service for pages: through a proxy, which can disconnect. */
  readonly url: string;
  readonly #untaken: Account[];
  readonly #superuser: Accounts["superuser"];
  readonly #browser: Browser;
  readonly #network: NetworkProxy;
  readonly #start: () => Promise<BuiltService>;
  #service: BuiltService;
  readonly #screens = new Set<Screen>();

  private constructor(
    browser: Browser,
    network: NetworkProxy,
    service: BuiltService,
    { admins, superuser }: Accounts,
    start: () => Promise<BuiltService>,
  ) {
    this.url = network.url;
    this.#browser = browser;
    this.#network = network;
    this.#service = service;
    this.#untaken = [...admins];
    this.#superuser = superuser;
    this.#start = start;
  }

  static async open(stateFolder: string, accounts: Accounts, variables: Record<string, string>): Promise<TestApp> {
    const port = await freePort();
    const start = () => startBuilt({ stateFolder, port, variables });
    const [service, browser, network] = await Promise.all([
      start(),
      chromium.connect(provided.address ?? ""),
      NetworkProxy.start(port),
    ]);
    return new TestApp(browser, network, service, accounts, start);
  }

  /** A separate company, with an admin who can sign in. */
  async company(changes: { name?: string; timezone?: string } = {}): Promise<Company> {
    const account = this.#untaken.shift();
    if (!account) throw new Error("All companies are taken: support/accounts.ts makes too few");
    return await Company.take(this.#service.url, account, changes);
  }

  /** The superuser, of the last company. */
  get superuser(): { email: string; password: string } {
    return this.#superuser;
  }

  /** Gives a permission to another role than the one that has the grant, as a superuser. */
  async regrant(grantId: string, grant: { roleId: string; permissionId: string }): Promise<void> {
    await this.sendAsSuperuser("PUT", `/role-permissions/${grantId}`, grant);
  }

  /** Sends a request as a superuser, of the last company. Throws on a refusal, with its text. */
  async sendAsSuperuser(method: string, path: string, body: object): Promise<void> {
    const token = await login(this.#service.url, this.#superuser);
    const response = await fetch(this.#service.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} of a superuser: ${response.status} ${await response.text()}`);
  }

  /** A separate screen, like another device: 1440 x 900 and English by default. */
  async screen(options: BrowserContextOptions = {}): Promise<Screen> {
    const context = await this.#browser.newContext({
      baseURL: this.url,
      viewport: { width: 1440, height: 900 },
      locale: "en-GB",
      timezoneId: "UTC",
      ...options,
    });
    const screen = await Screen.on(context);
    this.#screens.add(screen);
    return screen;
  }

  /** Cuts the network between screens and service: open connections break, new ones are refused. */
  disconnect(): void {
    this.#expectFailures();
    this.#network.disconnect();
  }

  /** Ends the cut. */
  reconnect(): void {
    this.#network.reconnect();
  }

  /** Kills the service, and starts it again over the same state after `downMs`. */
  async restart(downMs = 0): Promise<void> {
    this.#expectFailures();
    await this.#service.kill();
    await new Promise((done) => setTimeout(done, downMs));
    this.#service = await this.#start();
  }

  /** The browser itself reports every failed request: ignores these on the present screens. */
  #expectFailures(): void {
    for (const screen of this.#screens) screen.expectErrors(/net::ERR_|WebSocket connection/);
  }

  /** Restores the initial state after a test. */
  async reset(): Promise<void> {
    this.reconnect();
    const screens = [...this.#screens];
    this.#screens.clear();
    await Promise.all(screens.map((screen) => screen.close()));
  }

  async close(): Promise<void> {
    await this.reset();
    await this.#browser.close();
    await this.#network.remove();
  }
}

/**
 * Opens an app before the tests of a file and closes it afterwards. Without a browser there is none.
 * @param variables replace those of wrangler.toml in its service; maybe depending on its accounts
 */
export function useApp(variables: Record<string, string> | ((accounts: Accounts) => Record<string, string>) = {}): () => TestApp {
  return useAppOf((accounts, stateFolder) => {
    cpSync(accounts.stateFolder, stateFolder, { recursive: true });
    return TestApp.open(stateFolder, accounts, typeof variables === "function" ? variables(accounts) : variables);
  });
}

/** The same without any user or company. `prepare` is called before the service starts. */
export function useEmptyApp(prepare: (stateFolder: string) => Promise<void>): () => TestApp {
  return useAppOf(async (accounts, stateFolder) => {
    cpSync(migratedFolder(), stateFolder, { recursive: true });
    await prepare(stateFolder);
    return await TestApp.open(stateFolder, { ...accounts, admins: [] }, {});
  });
}

type ProvidedAccounts = NonNullable<ProvidedBrowser["accounts"]>;

function useAppOf(open: (accounts: ProvidedAccounts, stateFolder: string) => Promise<TestApp>): () => TestApp {
  let app: TestApp | undefined;
  let stateFolder: string | undefined;
  beforeAll(async () => {
    if (!provided.accounts) return;
    stateFolder = freshStateFolder();
    app = await open(provided.accounts, stateFolder);
  });
  afterEach(async () => await app?.reset());
  afterAll(async () => {
    await app?.close();
    await stopBuilt();
    if (stateFolder) rmSync(stateFolder, { recursive: true, force: true });
  });
  return () => {
    if (!app) throw new Error("There is no app before the tests begin, nor without a browser.");
    return app;
  };
}

/** Forwards connections to a port of this computer, until it is cut. */
class NetworkProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #state: { isCut: boolean };

  private constructor(server: Server, port: number, sockets: Set<Socket>, state: { isCut: boolean }) {
    this.url = `http://localhost:${port}`;
    this.#server = server;
    this.#sockets = sockets;
    this.#state = state;
  }

  static async start(to: number): Promise<NetworkProxy> {
    const sockets = new Set<Socket>();
    const state = { isCut: false };
    const server = createServer((near) => {
      if (state.isCut) return near.destroy();
      const far = connect(to, "127.0.0.1");
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.pipe(other);
        one.on("error", () => other.destroy());
        one.on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
      }
      return undefined;
    });
    const port = await freePort();
    await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
    return new NetworkProxy(server, port, sockets, state);
  }

  disconnect(): void {
    this.#state.isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  reconnect(): void {
    this.#state.isCut = false;
  }

  async remove(): Promise<void> {
    this.disconnect();
    await new Promise((done) => this.#server.close(done));
  }
}
