import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { common } from "../../src/board/texts/en/common.ts";
import { wall } from "../../src/board/texts/en/wall.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import { makeOld } from "./support/chromium-79.ts";
import type { Company, Doing, TestMachine } from "./support/company.ts";
import { lookAt, someLooks } from "./support/looks.ts";
import { deficiencies, type Screen } from "./support/screen.ts";
import { likeness, seenOf } from "./support/seen.ts";

const app = useApp();

/** A television. */
async function newTelevision(): Promise<Screen> {
  const screen = await app().screen({ viewport: { width: 1920, height: 1080 } });
  return screen;
}

async function televisionOf(company: Company): Promise<Screen> {
  const screen = await newTelevision();
  await screen.enterAs(company);
  return screen;
}

/** One machine of each kind, by the class of its tile. */
const activities: Record<string, { name: string; doing: Doing; word: string }> = {
  running: { name: "Runner", doing: "runs", word: common.kinds.running },
  slow: { name: "Slow one", doing: "runs slowly", word: common.kinds.slow },
  stopped: { name: "Jammed <i>one</i>", doing: "stands", word: wall.noCause },
  planned: { name: "Setter", doing: "is in setup", word: "Cause of Setter" },
  outside: { name: "Outsider", doing: "is out of plan", word: "Cause of Outsider" },
  noData: { name: "Silent one", doing: "is silent", word: common.kinds.noData },
  off: { name: "Sleeper", doing: "is out of shift", word: common.kinds.off },
};
const everyDoing = Object.fromEntries(Object.values(activities).map(({ name, doing }) => [name, doing]));

const tile = (screen: Screen, machine: { id: number }) => screen.page.locator(`[data-machine="${machine.id}"]`);
const textOf = (screen: Screen, machine: { id: number }) => tile(screen, machine).innerText();
/** The difference to the target of this moment, as a tile shows it; NaN: none. */
const differenceOn = async (screen: Screen, machine: { id: number }) => {
  const shown = tile(screen, machine).locator(".tile-difference");
  const [text = ""] = (await shown.count()) > 0 ? (/[-−+]?[\d,]+$/.exec((await shown.innerText()).trim()) ?? []) : [];
  return text === "" ? Number.NaN : Number(text.replace("−", "-").replaceAll(",", ""));
};
/** The same by the API. */
const differenceOf = async (company: Company, machine: TestMachine) => {
  const { total, target } = await company.row(machine);
  return (total ?? Number.NaN) - (target ?? Number.NaN);
};
/** Whether a tile shows the API's difference, which falls by a unit in ten seconds. */
const isRight = async (screen: Screen, company: Company, machine: TestMachine) =>
  Math.abs((await differenceOn(screen, machine)) - (await differenceOf(company, machine))) < 10;
const wholeText = (screen: Screen) => screen.page.locator("body").innerText();

/** Checks that the states of these machines, all different, can be told apart with any colour vision: shape and word, in the picture itself. */
async function expectDistinct(screen: Screen, machines: TestMachine[]): Promise<void> {
  const partsOf = (selector: string) => machines.map((machine) => tile(screen, machine).locator(selector));
  const parts = [...partsOf(".tile-state svg"), ...partsOf(".tile-word")];
  const plain = await seenOf(screen, parts, "none");
  for (const eyes of deficiencies) {
    const seen = await seenOf(screen, parts, eyes);
    // Otherwise nothing was simulated.
    expect(
      seen.map(({ ink }) => ink),
      eyes,
    ).not.toEqual(plain.map(({ ink }) => ink));
    for (const [i, { contrast }] of seen.entries())
      expect(contrast, `${eyes} ${machines[i % machines.length]?.name}`).toBeGreaterThan(4.5);
    const shapes = seen.slice(0, machines.length);
    for (const [i, one] of shapes.entries()) {
      for (const other of shapes.slice(i + 1)) expect(likeness(one, other), `${eyes} ${machines[i]?.name}`).toBeLessThan(0.7);
    }
  }
}

describe.skipIf(!hasBrowser)("the wall", () => {
  test("of a plant without machines shows commands that create one and send its first count", async () => {
    const company = await app().company();
    const screen = await televisionOf(company);
    await screen.page.goto("/desk");
    const ofDesk = await screen.page.locator("pre").innerText();
    await screen.page.goto("/wall");
    const commands = await screen.page.locator("pre").innerText();
    expect(ofDesk).toBe(commands);
    await promisify(execFile)("bash", ["-c", commands], { env: { ...process.env, TOKEN: company.token } });
    await screen.page.getByText("Press 1").first().waitFor();
    const seen = async () =>
      (await company.send("GET", "/v1/state")).data.map(
        ({ machine, lastEventAt }: { machine: { ref: string }; lastEventAt: string | null }) => [machine.ref, lastEventAt],
      );
    await expect.poll(seen).toEqual([["PRESS-1", expect.any(String)]]);
    screen.expectClean();
  });

  test("shows each state by colour, shape and text, stopped ones first, with the API's figures, and never scrolls", async () => {
    const company = await app().company({ name: "Plant <script>alert(1)</script>" });
    const machines = await company.plant(everyDoing);
    const screen = await televisionOf(company);
    await screen.page.goto("/wall?distance=3");
    await expect.poll(() => screen.page.locator(".tile").count()).toBe(7);
    const shapes = new Set<string | null>();
    const colours = new Set<string>();
    for (const [kind, { name, word }] of Object.entries(activities)) {
      const one = tile(screen, machines[name] as TestMachine);
      expect(await one.locator(".name").textContent(), kind).toBe(name);
      expect(await one.locator(".tile-word").innerText()).toBe(word);
      shapes.add(await one.locator(".tile-state svg path").getAttribute("d"));
      colours.add(await one.locator(".tile-state").evaluate((state) => getComputedStyle(state).color));
    }
    expect(shapes.size).toBe(7);
    // No data and off shift are both grey: hatched and plain.
    expect(colours.size).toBeGreaterThanOrEqual(6);
    expect(await screen.page.locator(".tile .name").first().textContent()).toBe("Jammed <i>one</i>");
    for (const row of await company.state()) {
      // What stands without a cause is in the column, and has no figures there.
      if (!row.shift || row.total === null || row.machine.name === activities.stopped?.name) continue;
      const { total, target, forecast, targetAtEnd } = row;
      expect(Math.abs((await differenceOn(screen, row.machine)) - (total - (target ?? 0))), row.machine.name).toBeLessThan(10);
      // What is silent has the difference of its last event only.
      if (row.status === "D") continue;
      const share = Math.round((100 * (forecast ?? 0)) / (targetAtEnd ?? 0));
      const shown = Number.parseInt(await tile(screen, row.machine).locator(".tile-forecast").innerText(), 10);
      expect(Math.abs(shown - share), row.machine.name).toBeLessThanOrEqual(1);
    }
    expect(await wholeText(screen)).toContain("Plant <script>alert(1)</script>");
    expect(await wholeText(screen)).toContain("Long shift");
    await expectDistinct(
      screen,
      Object.values(activities).map(({ name }) => machines[name] as TestMachine),
    );
    await screen.expectSound("wall");
    const heights = () => screen.page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
    const [content, window] = await heights();
    expect(content).toBe(window);
  });

  test("shows a call for help on every page and in the header within two seconds", async () => {
    const company = await app().company();
    await company.shift();
    const machines: TestMachine[] = [];
    for (let i = 1; i <= 12; i++) machines.push(await company.machine(`Machine ${i}`));
    const screen = await televisionOf(company);
    const { page } = screen;
    await page.goto("/wall?distance=8&page=3600");
    await expect.poll(() => wholeText(screen)).toMatch(/Page \d of [2-9]/);
    const last = machines[11] as TestMachine;
    const isShown = () => tile(screen, last).isVisible();
    for (let i = 0; i < 9 && (await isShown()); i++) await page.keyboard.press("ArrowRight");
    expect(await isShown()).toBe(false);
    await company.send("POST", `/v1/machines/${last.id}/help-calls`, { message: "No <b>material</b>" });
    await expect.poll(isShown, { timeout: 2000, interval: 100 }).toBe(true);
    for (let i = 0; i < 4; i++) {
      expect([await isShown(), await page.locator(".wall-figure-calls dd").innerText()]).toEqual([true, "1"]);
      await page.keyboard.press("ArrowRight");
    }
    await screen.expectSound("a wall with a call");
  });

  test("says that counts are held back, until an admin has decided about them", async () => {
    const company = await app().company();
    const { Runner } = (await company.plant({ Runner: "runs" })) as Record<"Runner", TestMachine>;
    const screen = await televisionOf(company);
    await screen.page.goto("/wall");
    await expect.poll(() => textOf(screen, Runner)).toContain(common.kinds.running);
    expect(await wholeText(screen)).not.toContain("held");
    await company.count(Runner, 999_999_999);
    await expect.poll(() => wholeText(screen)).toContain(common.heldCounts(1));
    await screen.expectSound("a wall with held counts");
    // The terminal says it, too.
    await screen.page.goto(`/floor/${Runner.id}`);
    await expect.poll(() => wholeText(screen)).toContain(common.heldCounts(1));
    await screen.page.goto("/wall");
    const entries = async () => (await company.send("GET", "/v1/held-events")).data;
    await expect.poll(async () => (await entries()).length, { timeout: 120_000 }).toBe(1);
    await company.send("POST", `/v1/held-events/${(await entries())[0].id}/drop`, {});
    await expect.poll(() => wholeText(screen)).not.toContain("held");
  });

  test("loads itself again after an error, as soon as that helps", async () => {
    const company = await app().company();
    const machines = await company.plant({ Runner: "runs" });
    const screen = await televisionOf(company);
    const { page } = screen;
    screen.expectErrors(/time zone|RangeError|Nonsense/i);
    const spoil = async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), timezone: "Nonsense/Zone" } });
    };
    await page.route(/\/v1\/companies\//, spoil);
    await page.goto("/wall");
    await page.getByText(common.partBroken).first().waitFor();
    await page.unroute(/\/v1\/companies\//);
    await expect.poll(() => page.getByText(common.partBroken).count(), { timeout: 120_000 }).toBe(0);
    await tile(screen, machines.Runner as TestMachine).waitFor();
  });

  test("can be used again after a part of it could not be loaded", async () => {
    const company = await app().company();
    await company.plant({ Runner: "runs" });
    const screen = await televisionOf(company);
    const { page } = screen;
    screen.expectErrors(/ERR_FAILED/);
    await page.goto("/wall");
    await expect.poll(() => wholeText(screen)).toContain("Runner");
    let failures = 0;
    await page.route(/board\/part-/, (route) => (failures++ < 1 ? route.abort() : route.continue()));
    await page.keyboard.press("s");
    // Browsers may remember that a script could not be loaded, so that only loading the page again helps.
    const opened = async () => {
      if (await page.getByRole("dialog").isVisible()) return true;
      await page.keyboard.press("s");
      return false;
    };
    await expect.poll(opened, { timeout: 120_000, interval: 500 }).toBe(true);
    expect(failures).toBeGreaterThan(0);
  });

  test("loads itself again if a script of its page, or later a part of it, is gone since a deployment", async () => {
    const company = await app().company();
    const { Runner: machine } = (await company.plant({ Runner: "runs" })) as { Runner: TestMachine };
    const screen = await televisionOf(company);
    const { page } = screen;
    screen.expectErrors(/status of 404|dynamically imported module|MIME type/);
    let isOld = true;
    const gone: string[] = [];
    await page.clock.install();
    await page.route(/board\/(wall|part)-\w+\.js/, async (route) => {
      if (!isOld) return route.continue();
      gone.push(route.request().url());
      return route.fulfill({ status: 404, body: "" });
    });
    await page.goto("/wall");
    await page.clock.runFor(15_000);
    expect([gone.length > 0, await page.locator("#app > *").count()]).toEqual([true, 0]);
    gone.length = 0;
    isOld = false;
    await page.clock.fastForward(16_000);
    await tile(screen, machine).waitFor();

    isOld = true;
    await page.keyboard.press("s");
    // The page is loaded again, which names the parts of the new version.
    await expect.poll(() => page.clock.runFor(2000).then(() => page.getByText(common.broken).count())).toBe(1);
    expect(gone.length).toBeGreaterThan(0);
    isOld = false;
    await expect.poll(() => page.clock.runFor(5000).then(() => tile(screen, machine).count())).toBe(1);
    await page.keyboard.press("s");
    await page.getByRole("dialog").waitFor();
    screen.expectClean();
  });

  test("shows states and messages of a newer service as well as it can", async () => {
    const company = await app().company();
    const machines = await company.plant({ Runner: "runs", Newcomer: "runs" });
    const { Runner, Newcomer } = machines as Record<"Runner" | "Newcomer", TestMachine>;
    const screen = await televisionOf(company);
    const { page } = screen;
    // What this page knows nothing about: a status, a member, and a kind of message.
    const newer = (text: string) => {
      const message = JSON.parse(text);
      for (const row of message.rows) {
        if (row.machine.id === Newcomer.id) Object.assign(row, { status: "X", phase: { name: "Warming up" } });
      }
      return JSON.stringify(message);
    };
    await page.routeWebSocket(/\/v1\/live/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) => {
        socket.send(JSON.stringify({ type: "news", at: new Date().toISOString() }));
        socket.send(text === "pong" ? text : newer(String(text)));
      });
    });
    await page.goto("/wall");
    await expect.poll(() => textOf(screen, Newcomer)).toContain(common.kinds.noData);
    expect(await textOf(screen, Runner)).toContain(common.kinds.running);
    expect(await isRight(screen, company, Newcomer)).toBe(true);
    await company.count(Runner, 1000);
    await expect.poll(() => isRight(screen, company, Runner)).toBe(true);
    expect(await differenceOn(screen, Runner)).toBeGreaterThan(500);
    expect(await wholeText(screen)).toContain(common.live);
    screen.expectClean();
  });

  test("shows a stop within seconds of its signals, and a call for help, on an old television", async () => {
    const company = await app().company();
    await company.shift();
    const [lathe, press] = [await company.stateMachine("Lathe"), await company.stateMachine("Press")];
    const screen = await televisionOf(company);
    await makeOld(screen);
    await screen.page.goto("/wall");
    await expect.poll(() => textOf(screen, lathe)).toContain(common.kinds.running);
    expect(await screen.page.evaluate("typeof [].at + typeof structuredClone")).toBe("undefinedundefined");
    await company.tell(lathe, "down", 3);
    await expect.poll(() => textOf(screen, lathe), { timeout: 5000 }).toContain(wall.noCause);
    expect(await textOf(screen, lathe)).toMatch(/(2:5|3:[0-3])\d/);
    expect(await textOf(screen, press)).toContain(common.kinds.running);
    const cause = await company.cause("Tool broke");
    const { stop } = await company.row(lathe);
    await company.send("PUT", `/v1/stops/${stop?.id}/classification`, { generalCauseId: cause.id });
    await expect.poll(() => textOf(screen, lathe), { timeout: 5000 }).toContain("Tool broke");
    await company.send("POST", `/v1/machines/${press.id}/help-calls`, { message: "No <b>material</b>" });
    await expect.poll(() => textOf(screen, press), { timeout: 5000 }).toContain("No <b>material</b>");
    await company.tell(lathe, "running", 0);
    await expect.poll(() => textOf(screen, lathe), { timeout: 5000 }).toContain(common.kinds.running);
    screen.expectClean();
  });

  test("says that its data is old while the network or the service is down, and then is right again", async () => {
    const company = await app().company();
    const { Press: machine } = (await company.plant({ Press: "runs" })) as { Press: TestMachine };
    const screen = await televisionOf(company);
    screen.expectErrors(/status of 50\d/);
    await screen.page.goto("/wall");
    await expect.poll(() => wholeText(screen)).toContain(common.live);
    await expect.poll(() => isRight(screen, company, machine)).toBe(true);
    const before = await differenceOn(screen, machine);

    const lost = common.lostSince("").trim();
    screen.expectErrors(/net::ERR_|WebSocket connection/);
    // The browser knows it: said at once, before the seconds of grace.
    await screen.page.context().setOffline(true);
    await expect.poll(() => wholeText(screen), { timeout: 1500, interval: 50 }).toContain(lost);
    await screen.page.context().setOffline(false);
    await expect.poll(() => wholeText(screen)).toContain(common.live);

    // A cut that only the service's silence shows. Polls also find it out: here they must not be what tells.
    await screen.page.route(/\/v1\/live/, () => undefined);
    app().disconnect();
    await expect.poll(() => wholeText(screen), { timeout: 120_000 }).toContain(lost);
    await screen.page.unroute(/\/v1\/live/);
    await company.count(machine, 1000);
    expect(await differenceOn(screen, machine)).toBeLessThanOrEqual(before);
    app().reconnect();
    await expect.poll(() => isRight(screen, company, machine)).toBe(true);
    expect(await differenceOn(screen, machine)).toBeGreaterThan(before + 500);
    await expect.poll(() => wholeText(screen)).toContain(common.live);

    await app().restart(4000);
    await company.count(machine, 1000);
    await expect.poll(() => isRight(screen, company, machine)).toBe(true);
    expect(await differenceOn(screen, machine)).toBeGreaterThan(before + 1500);
    await expect.poll(() => wholeText(screen)).toContain(common.live);
    screen.expectClean();
  });

  // Waits for a quarter of a minute: only in `npm run verify`.
  test.runIf(process.env.ALL_LOOKS === "1")("polls every ten seconds if WebSockets are blocked, and says so", async () => {
    const company = await app().company();
    const { Press: machine } = (await company.plant({ Press: "runs" })) as { Press: TestMachine };
    const screen = await televisionOf(company);
    await screen.page.routeWebSocket(/\/v1\/live/, (socket) => socket.close());
    await screen.page.goto("/wall");
    await expect.poll(() => wholeText(screen)).toContain(common.polling);
    await company.count(machine, 1000);
    await expect.poll(() => isRight(screen, company, machine)).toBe(true);
    screen.expectClean();
  });

  test("is paired by a code that an admin confirms on another device, and asks for a new one after its token is revoked", async () => {
    const company = await app().company();
    const { Press: machine } = (await company.plant({ Press: "runs" })) as { Press: TestMachine };
    const television = await newTelevision();
    await television.page.goto("/wall");
    const shown = television.page.getByText(/^[CDFGHJKMNPQRTVWXY34679]{4}-[CDFGHJKMNPQRTVWXY34679]{4}$/);
    await shown.waitFor();
    await television.expectSound("the wall's code");
    const code = await shown.innerText();

    const phone = await app().screen({ viewport: { width: 390, height: 844 } });
    await phone.enterAs(company);
    await phone.page.goto("/pair");
    await phone.expectSound("pairing");
    await phone.page.locator("input[name=code]").fill(code.toLowerCase());
    await phone.page.locator("input[name=name]").fill("Hall <b>1</b>");
    await phone.page.locator("button[type=submit]").click();
    await expect.poll(() => textOf(television, machine)).toContain(common.kinds.running);
    television.expectClean();
    phone.expectClean();

    const { data } = await company.send("GET", "/v1/api-tokens");
    expect(data).toMatchObject([{ name: "Hall <b>1</b>", role: "readonly", isReadOnly: true }]);
    await television.page.reload();
    await expect.poll(() => textOf(television, machine)).toContain(common.kinds.running);
    television.expectErrors(/status of 401|WebSocket connection/);
    await company.send("DELETE", `/v1/api-tokens/${data[0].id}`);
    // A revoked token is still valid for half a minute.
    await expect.poll(() => television.page.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/).count(), { timeout: 45_000 }).toBe(1);
    television.expectClean();
  });

  test("looks right in every language and size", async () => {
    const company = await app().company({ name: "Kunststoffverarbeitungsgesellschaft Donaueschingen" });
    const names = {
      "Kunststoffspritzgießmaschine Donaueschingen 14": "stands for a cause",
      "Runner 2": "runs",
      "Setter 3": "is in setup",
    } as const;
    await company.plant(names);
    const screen = await televisionOf(company);
    for (const look of someLooks) {
      for (const path of ["/wall?distance=3", "/wall?distance=10&theme=light"]) {
        await lookAt(screen, path, look, () => screen.page.locator(".tile").first().waitFor());
      }
    }
  });
});
