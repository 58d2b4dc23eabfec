import { createECDH, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { decrypted } from "../receivers.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import { lookAt, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

// From the button to the notification. The tests' browser has neither a push service nor notifications: both are replaced by fakes. The
// service worker and its push event are the browser's own.

const app = useApp({
  VAPID_PRIVATE_KEY: JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })),
  VAPID_CONTACT: "mailto:andon@plant.example",
  ALLOW_LOOPBACK: "on",
  PUBLIC_URL: "https://andon.example",
});

/** The browser's own keys, which decrypt the messages of a push service. */
const keys = createECDH("prime256v1");
keys.generateKeys();
const auth = randomBytes(16);

/** The messages that the push service received, decrypted as in the browser, by the path of their subscription. */
const pushed: { path: string; message: string }[] = [];
const pushService = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  pushed.push({ path: request.url ?? "", message: decrypted(Buffer.concat(chunks), keys, auth) });
  response.writeHead(201).end();
});
// It does not close an idle connection while the service sends on it: see test/receivers.ts.
pushService.keepAliveTimeout = 0;
let pushUrl: string;
beforeAll(async () => {
  await new Promise<void>((done) => pushService.listen(0, "127.0.0.1", done));
  pushUrl = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`;
});
afterAll(async () => {
  pushService.closeAllConnections();
  await new Promise((done) => pushService.close(done));
});

type Answer = NotificationPermission;

/** Replaces what the browser lacks: a person who answers its prompt, and a push service. */
async function standIn({ context }: Screen, answer: Answer, path: string): Promise<void> {
  const subscription = {
    endpoint: pushUrl + path,
    keys: { p256dh: keys.getPublicKey("base64url"), auth: auth.toString("base64url") },
  };
  await context.addInitScript(
    ([answer, subscription]) => {
      const kept = () => localStorage.getItem("test.subscription");
      const made = () => {
        const own = JSON.parse(kept() ?? "null");
        if (!own) return null;
        const options = { applicationServerKey: new Uint8Array(own.key).buffer };
        return { ...subscription, options, toJSON: () => subscription, unsubscribe: async () => true };
      };
      let permission = kept() ? answer : "default";
      Object.defineProperty(Notification, "permission", { get: () => permission });
      Notification.requestPermission = async () => {
        permission = answer;
        return answer;
      };
      PushManager.prototype.getSubscription = async () => made() as unknown as PushSubscription;
      PushManager.prototype.subscribe = async (options) => {
        const key = [...new Uint8Array(options?.applicationServerKey as ArrayBuffer)];
        localStorage.setItem("test.subscription", JSON.stringify({ key }));
        return made() as unknown as PushSubscription;
      };
    },
    [answer, subscription] as const,
  );
}

async function deviceOf(company: Company, answer: Answer, path: string): Promise<Screen> {
  const screen = await app().screen();
  await standIn(screen, answer, path);
  await screen.enterAs(company);
  await screen.page.goto("/");
  await screen.page.locator(".bell summary").click();
  return screen;
}

const device = ({ page }: Screen) => page.locator(".bell-device");
const turnOn = (screen: Screen) => device(screen).getByRole("button", { name: "Notify me on this device" });
const turnOff = (screen: Screen) => device(screen).getByRole("button", { name: "Stop notifying me on this device" });
const endpoints = async (company: Company): Promise<string[]> => (await company.send("GET", "/v1/push-key")).endpoints;

/** The registered service worker, which records what it would show and open. */
async function workerOf({ context }: Screen) {
  const worker = context.serviceWorkers().find((one) => one.url().endsWith("/notify/worker.js"));
  if (!worker) throw new Error("There is no service worker");
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { noted: unknown[]; Clients: { prototype: { openWindow(url: string): void } } };
    scope.noted = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      scope.noted.push({ title, ...options });
    };
    scope.Clients.prototype.openWindow = async (url) => {
      scope.noted.push({ opened: url });
    };
  });
  return {
    noted: (): Promise<Record<string, unknown>[]> =>
      worker.evaluate(() => (globalThis as unknown as { noted: Record<string, unknown>[] }).noted),
    click: (data: unknown) =>
      worker.evaluate(async (data) => {
        let work: Promise<unknown> | undefined;
        const notification = { data, close: () => undefined };
        const waitUntil = (one: Promise<unknown>) => {
          work = one;
        };
        dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil }));
        await work;
      }, data),
  };
}

/** Delivers a push message to the browser, as its push service would. */
async function deliver({ context, page }: Screen, data: string): Promise<void> {
  const session = await context.newCDPSession(page);
  const registrationId = await new Promise<string>((found) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.endsWith("/notify/"));
      if (own) found(own.registrationId);
    });
    void session.send("ServiceWorker.enable");
  });
  await session.send("ServiceWorker.deliverPushMessage", { origin: app().url, registrationId, data });
}

describe.skipIf(!hasBrowser)("push messages to this device", () => {
  test("after the button is pressed, an alert becomes a notification that opens its incident", async () => {
    const company = await app().company();
    const press = await company.machine("Press 1");
    await company.shift();
    await company.send("POST", "/v1/alert-rules", {
      name: "Press stands",
      when: { kind: "stop", minutes: 5 },
      levels: [{ afterMinutes: 0, personaIds: [company.personaId], chatRoomIds: [] }],
    });
    const screen = await deviceOf(company, "granted", "/alert");
    await turnOn(screen).click();
    await device(screen).getByText("Your notifications are shown on this device, too.").waitFor();
    expect(await endpoints(company)).toEqual([`${pushUrl}/alert`]);

    await company.ingest([...company.counts(press, 60, 20), ...company.counts(press, 19, 0, 0)]);
    const came = () => pushed.find(({ path }) => path === "/alert");
    await vi.waitUntil(came, { timeout: 60_000, interval: 300 });
    const worker = await workerOf(screen);
    await deliver(screen, came()?.message ?? "");
    await expect.poll(worker.noted).toHaveLength(1);
    const [shown] = await worker.noted();
    const [{ id }] = (await company.send("GET", "/v1/incidents")).data;
    const page = `https://andon.example/desk/incidents/${id}`;
    expect(shown).toMatchObject({ title: "Press 1: Press stands", body: expect.stringContaining("Stopped"), data: page });
    await worker.click(shown?.data);
    await expect.poll(worker.noted).toEqual([shown, { opened: page }]);
    screen.expectClean();
  });

  test("pressing the button again ends it, also after a reload", async () => {
    const company = await app().company();
    const screen = await deviceOf(company, "granted", "/off");
    await turnOn(screen).click();
    await turnOff(screen).waitFor();
    // No rule names the admin.
    await device(screen).getByText("no alert rule or report notifies you yet").waitFor();
    await screen.page.reload();
    await screen.page.locator(".bell summary").click();
    await turnOff(screen).click();
    await turnOn(screen).waitFor();
    expect(await endpoints(company)).toEqual([]);
    screen.expectClean();
  });

  test("says why it is impossible: blocked or not supported by the browser", async () => {
    const company = await app().company();
    const denied = await deviceOf(company, "denied", "/denied");
    await turnOn(denied).click();
    await device(denied).getByText("Notifications are blocked for this site").waitFor();
    expect(await device(denied).getByRole("button").count()).toBe(0);
    const old = await app().screen();
    await old.context.addInitScript("delete window.PushManager");
    await old.enterAs(company);
    await old.page.goto("/floor");
    await old.page.locator(".bell summary").click();
    await device(old).getByText("This browser cannot receive push messages.").waitFor();
    expect(await endpoints(company)).toEqual([]);
    denied.expectClean();
    old.expectClean();
  });

  // A page each: in all looks, three of them took longer than one test may on a busy computer.
  test.each(["/", "/floor", "/floor/PRESS-1"])("looks right on the home page and the terminal: %s", async (path) => {
    const company = await app().company();
    // A name that is no text of the page.
    await company.machine("Fräse 1", { ref: "PRESS-1" });
    await company.shift();
    const screen = await deviceOf(company, "granted", "/looks");
    for (const look of someLooks) {
      await lookAt(screen, path, look, async () => {
        await screen.page.locator(".bell summary").click();
        await screen.page.locator(".bell-device button").waitFor();
      });
    }
  });
});

const plain = useApp();

describe.skipIf(!hasBrowser)("without keys of the service", () => {
  test("says that it does not send push messages", async () => {
    const company = await plain().company();
    const screen = await plain().screen();
    await screen.enterAs(company);
    await screen.page.goto("/");
    await screen.page.locator(".bell summary").click();
    await device(screen).getByText("This service does not send push messages").waitFor();
    expect(await device(screen).getByRole("button").count()).toBe(0);
    screen.expectClean();
  });
});
