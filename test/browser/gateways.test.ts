import { describe, expect, test } from "vitest";
import { access } from "../../src/board/texts/en/access.ts";
import { gateways as t } from "../../src/board/texts/en/gateways.ts";
import { start } from "../../src/board/texts/en/start.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import { openDesk } from "./support/desk.ts";
import { lookAt, looksOf, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();
const page = "/desk/setup?kind=gateways";
const longName = "Brücke am Nordtor der Spritzgießerei, Schaltschrank 17 hinter der Presse";

async function request(method: string, path: string, body: object, token?: string) {
  const headers = { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(app().url + path, { method, headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return await answer.json();
}

/** What a bridge does with the code on the page. Returns its token. */
async function pair(screen: Screen): Promise<string> {
  const code = await screen.page.locator(".pair-gateway-code").innerText();
  await screen.page.getByText(`npx andon-bridge pair ${code}`).waitFor();
  await screen.page.getByText(t.pair.commands(app().url)).waitFor();
  return (await request("POST", "/v1/gateway-pairings/confirm", { code })).token;
}

const report = (token: string, changes: object = {}) => {
  const at = new Date().toISOString();
  const queue = { events: 0, oldestAt: null, bytes: 0, quarantined: 0, dropped: [] };
  const status = { version: "1.2.0", startedAt: at, queue, sources: [], clockSkewMs: 0, ...changes };
  return request("PUT", "/v1/gateways/self/status", status, token);
};

/** A report with everything that can be wrong. */
function troubled() {
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const source = { id: "hall-io", type: "modbus", state: "ok", lastAt: at(0), perMinute: 61.5, error: null };
  const error = "connect ECONNREFUSED 10.0.4.17:1883";
  return {
    queue: {
      ...{ events: 1532, oldestAt: at(42), bytes: 183_000, quarantined: 5 },
      dropped: [{ machineRef: "PRESS-1", events: 120, from: at(900), to: at(600) }],
    },
    sources: [source, { ...source, id: "Broker <b>2</b>", type: "mqtt", state: "failed", lastAt: null, error }],
    clockSkewMs: 137_000,
  };
}

describe.skipIf(!hasBrowser)("a bridge", () => {
  test("is connected on the first steps by a code, and the page says so by itself", async () => {
    const company = await app().company();
    await company.machine("Mill 9");
    const screen = await app().screen();
    await screen.enterAs(company);
    await screen.page.goto("/start");
    await screen.page.getByRole("heading", { name: t.pair.title }).waitFor();
    await screen.page.getByLabel(t.pair.name).fill("Hall 1");
    await screen.page.getByRole("button", { name: t.pair.make }).click();
    await screen.page.getByText(t.pair.waiting).waitFor();
    await screen.expectSound("the first steps with a code");
    await pair(screen);
    await screen.page.getByText(t.pair.connected("Hall 1")).waitFor();
    await screen.page.getByText(t.pair.connectedHint).waitFor();
    expect((await company.send("GET", "/v1/gateways")).data).toMatchObject([{ name: "Hall 1", status: null }]);
    await screen.page.getByText(start.connect.waiting).waitFor();
    screen.expectClean();
  });

  test("is connected in the set-up, where its reports are then shown: sources, queue, clock, and what is missing", async () => {
    const company = await app().company();
    const screen = await openDesk(app(), company, page);
    await screen.page.getByText(access.gateways.none).waitFor();
    await screen.page.getByRole("button", { name: t.pair.open }).click();
    await screen.page.getByLabel(t.pair.name).fill(" ");
    await screen.page.getByRole("button", { name: t.pair.make }).click();
    await screen.page.getByText(t.pair.needed).waitFor();
    await screen.page.getByLabel(t.pair.name).fill(longName);
    await screen.page.keyboard.press("Enter");
    await screen.page.getByText(t.pair.waiting).waitFor();
    const token = await pair(screen);
    await screen.page.getByText(t.pair.connected(longName)).waitFor();
    const row = screen.page.getByRole("row").filter({ hasText: longName });
    await row.getByText(t.states.none).waitFor();
    await report(token);
    await row.getByText(t.states.ok).waitFor({ timeout: 30_000 });
    await row.getByText("1.2.0").waitFor();

    await report(token, troubled());
    await row.getByText(t.states.trouble).waitFor({ timeout: 30_000 });
    for (const text of [/1,532 events since /, /5 refused, 120 lost/, t.works("1", "2"), t.ahead("137")]) {
      await row.getByText(text).waitFor();
    }
    await screen.page.getByRole("button", { name: `${t.details}: ${longName}` }).click();
    const details = screen.page.locator("section").filter({ has: screen.page.locator("#gateway-details") });
    await details.getByText("connect ECONNREFUSED 10.0.4.17:1883").last().waitFor();
    await details.getByText("Broker <b>2</b>").last().waitFor();
    await details.getByText("PRESS-1").last().waitFor();
    await screen.expectSound("a gateway in trouble");
    screen.expectClean();
  });

  test("looks right in every language and size", async () => {
    const company = await app().company();
    const { code } = await company.send("POST", "/v1/gateway-pairings", { name: longName });
    const { token } = await request("POST", "/v1/gateway-pairings/confirm", { code });
    await company.send("POST", "/v1/gateway-tokens", { name: "HTTP" });
    await report(token, troubled());
    const screen = await openDesk(app(), company, page);
    for (const look of someLooks) {
      await lookAt(screen, page, look, async () => {
        await screen.page.locator(".gateway-state.is-trouble").first().waitFor();
        await screen.page.locator("td button.tool[aria-label*='Brücke']").first().click();
        await screen.page.locator("#gateway-details").waitFor();
      });
    }
    await company.machine("Mill 9");
    for (const look of looksOf(0)) {
      await lookAt(screen, "/start", look, async () => {
        await screen.page.locator(".pair-gateway .button").click();
        await screen.page.locator(".pair-gateway-code").waitFor();
      });
    }
  });
});
