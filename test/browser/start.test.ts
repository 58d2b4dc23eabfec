import { describe, expect, test } from "vitest";
import { makeClaimCode } from "../../scripts/claim-code.ts";
import { check } from "../../src/board/texts/en/check.ts";
import { claim } from "../../src/board/texts/en/claim.ts";
import { left } from "../../src/board/texts/en/left.ts";
import { start } from "../../src/board/texts/en/start.ts";
import { hasBrowser, useApp, useEmptyApp } from "./support/app.ts";
import { lookAt, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

/** What is shown of the machine. */
const machine = ({ page }: Screen) => page.locator(".start-machine");
const button = ({ page }: Screen, name: string) => page.getByRole("button", { name, exact: true });
const marks = ({ page }: Screen) => page.locator(".card-head .start-mark").allInnerTexts();
/** The list of what is left: each name with its mark. */
const listed = async ({ page }: Screen) =>
  Object.fromEntries(
    await page
      .locator(".start-left li")
      .evaluateAll((all) => all.map((one) => ["strong", ".start-mark"].map((part) => one.querySelector(part)?.textContent))),
  );

describe.skipIf(!hasBrowser)("the first steps, from an empty service", () => {
  let code = "";
  const app = useEmptyApp(async (stateFolder) => {
    code = await makeClaimCode(stateFolder);
  });

  test("lead to the first count with at most 25 clicks and fields, within a minute", async () => {
    const screen = await app().screen();
    const { page } = screen;
    const startedAt = performance.now();
    let actions = 0;
    const fill = async (label: string, text: string) => {
      actions += 1;
      await page.getByLabel(label, { exact: true }).fill(text);
    };
    const press = async (name: string) => {
      actions += 1;
      await button(screen, name).click();
    };
    await page.goto(`/?code=${code}`);
    await fill(claim.name, "Ana Ruiz");
    await fill(claim.email, "ana@plant.test");
    await fill(claim.password, "seven violet kettles hum");
    await fill(claim.company, "Caps & Co");
    await press(claim.send);
    actions += 1;
    await page.getByLabel(start.hours.templates.always).check();
    await press(start.hours.use);
    await fill(start.machine.name, "Press 1");
    await fill(start.machine.seconds, "0.75");
    await press(start.machine.add);
    await press(start.connect.try);
    await expect.poll(() => machine(screen).innerText()).toMatch(/^Press 1\s+1 units in this shift/);
    expect(actions).toBeLessThanOrEqual(25);
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    expect(await marks(screen)).toEqual(Array(3).fill(start.done));
    screen.expectClean();
  });
});

describe.skipIf(!hasBrowser)("the first steps of a plant", () => {
  const app = useApp();

  test("take working hours whose edges were moved in the picture: the next shift follows", async () => {
    const company = await app().company();
    const screen = await app().screen();
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto("/start");
    const end = page.getByRole("slider", { name: start.hours.edges.end(start.hours.names.morning) });
    await end.press("ArrowUp");
    await page.getByText(/Afternoon 13:55–22:00/).waitFor();
    await page.locator(".week-edge.is-start").first().hover();
    const column = await page.locator(".week-column").first().boundingBox();
    const edge = await page.locator(".week-edge.is-start").first().boundingBox();
    if (!column || !edge) throw new Error("there is no edge");
    const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + column.height / 24, { steps: 4 });
    await page.mouse.up();
    await page.getByText(/Morning 07:00–13:55/).waitFor();
    await screen.expectSound("the working hours with moved edges");
    await button(screen, start.hours.use).click();
    await page.getByText(/Morning 07:00–13:55, Afternoon 13:55–22:00/).waitFor();
    const { data } = await company.send("GET", "/v1/shifts");
    expect(data.map(({ start: from, end: to }: { start: string; end: string }) => `${from} ${to}`)).toEqual([
      "07:00 13:55",
      "13:55 22:00",
    ]);
    screen.expectClean();
  });

  test("can be done in any order and on another device, by keyboard alone, and end in the same plant", async () => {
    const plants: unknown[] = [];
    for (const isMachineFirst of [true, false]) {
      const company = await app().company();
      const setHours = async (screen: Screen) => {
        await screen.page.getByLabel(start.hours.templates.three, { exact: true }).focus();
        await screen.page.keyboard.press("Space");
        await button(screen, start.hours.use).press("Enter");
        await screen.page.getByText(/Morning 06:00–14:00, Afternoon/).waitFor();
      };
      const addMachine = async (screen: Screen) => {
        await screen.page.getByLabel(start.machine.name, { exact: true }).fill("Öfen 2/b");
        await screen.page.getByLabel(start.machine.seconds).fill("90");
        await screen.page.getByLabel(start.machine.kind).selectOption("cnc");
        await screen.page.getByLabel(start.machine.seconds).press("Enter");
        await machine(screen).getByText(start.connect.waiting).waitFor();
      };
      for (const step of isMachineFirst ? [addMachine, setHours] : [setHours, addMachine]) {
        const screen = await app().screen();
        await screen.enterAs(company);
        await screen.page.goto("/start");
        await step(screen);
        screen.expectClean();
        await screen.close();
      }
      const screen = await app().screen();
      await screen.enterAs(company);
      await screen.page.goto("/start");
      await button(screen, start.connect.try).press("Enter");
      await expect.poll(() => marks(screen)).toEqual(Array(3).fill(start.done));
      // A device counts by the command that is shown.
      await button(screen, start.connect.makeToken).press("Enter");
      const command = await screen.page.locator("section[aria-labelledby=connect] pre").innerText();
      const [, token = ""] = /Bearer (\S+)"/.exec(command) ?? [];
      const [, event = ""] = /-d '(.*)'$/.exec(command) ?? [];
      const body = event.replace(/'\$\(.*\)'/, new Date().toISOString());
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(`${app().url}/v1/ingest`, { method: "POST", headers, body });
      expect(await answer.json()).toMatchObject({ accepted: 1, rejected: [] });
      screen.expectClean();
      const [shifts, machines, causes] = await Promise.all(
        ["shifts", "machines", "stop-causes"].map(async (kind) => (await company.send("GET", `/v1/${kind}`)).data),
      );
      const plain = ({
        id: _,
        companyId: _c,
        createdAt: _a,
        updatedAt: _u,
        commissionedAt: _o,
        ...item
      }: Record<string, unknown>) => item;
      plants.push([shifts, machines, causes].map((items: Record<string, unknown>[]) => items.map(plain)));
      expect(machines).toMatchObject([{ ref: "OFEN-2-B", standardCycleSeconds: 90, stopAfterSeconds: 600 }]);
      expect([shifts.length, causes.length]).toEqual([3, 8]);
    }
    expect(plants[0]).toEqual(plants[1]);
  });

  test("say at the field what is wrong", async () => {
    const company = await app().company();
    const screen = await app().screen();
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto("/start");
    await page.getByLabel(start.machine.seconds).fill("0");
    await button(screen, start.machine.add).click();
    await page.getByText(start.required).waitFor();
    await page.getByText(start.number).waitFor();
    expect((await company.send("GET", "/v1/machines")).data).toEqual([]);
    screen.expectClean();
  });

  test("end with a list of what is left, which knows what is done, and remembers what is skipped", async () => {
    const company = await app().company();
    const screen = await app().screen();
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto("/start");
    const open = Object.fromEntries(Object.values(left.names).map((name) => [name, left.open]));
    await expect.poll(() => listed(screen)).toEqual(open);

    await button(screen, left.skipName(left.names.wall)).press("Enter");
    await button(screen, left.skipName(left.names.skus)).click();
    await button(screen, left.againName(left.names.skus)).click();
    await button(screen, left.isMadeName).click();
    await company.send("POST", "/v1/stop-causes", { level: "general", name: "Jam" });
    await company.send("POST", "/v1/operators", { name: "Ana", code: "7" });
    await company.machine("Press");
    const levels = [{ afterMinutes: 0, personaIds: [company.personaId], chatRoomIds: [] }];
    await company.send("POST", "/v1/alert-rules", { name: "Long stop", when: { kind: "stop", minutes: 30 }, levels });
    await page.reload();
    const { causes, operators, alerts, wall, backup } = left.names;
    const done = { [causes]: left.done, [operators]: left.done, [alerts]: left.done, [backup]: left.done };
    await expect.poll(() => listed(screen)).toEqual({ ...open, ...done, [wall]: left.skipped });
    await page.getByRole("link", { name: causes }).click();
    await page.waitForURL("**/desk/setup?kind=cause");
    screen.expectClean();
  });

  test("lead to what the set-up lacks, in words, with a link to where each is put right", async () => {
    const company = await app().company();
    const press = await company.machine("Press <b>1</b>", { standardCycleSeconds: null });
    const screen = await app().screen();
    const { page } = screen;
    await screen.enterAs(company);
    await page.goto("/start");
    await page.getByRole("link", { name: /missing in the set-up$/ }).click();
    await page.getByText(check.findings.no_standard_cycle).waitFor();
    await page.getByText(check.findings.no_shift).waitFor();
    await page.getByRole("row", { name: check.findings.no_standard_cycle }).getByRole("link").click();
    await page.waitForURL(`**/desk/setup?item=${press.id}`);
    for (const look of someLooks) {
      await lookAt(screen, "/desk/setup?kind=check", look, async () => void (await page.getByText(press.name).first().waitFor()));
    }
  });

  test("look right in every language and size, before and after", async () => {
    const company = await app().company({ timezone: "Europe/Madrid" });
    const screen = await app().screen();
    await screen.enterAs(company);
    for (const look of someLooks) {
      await lookAt(screen, "/start", look, async () => void (await screen.page.locator(".week, .start-left").nth(1).waitFor()));
    }
    await company.plant({ Press: "runs" });
    for (const look of someLooks)
      await lookAt(
        screen,
        "/start",
        look,
        async () => void (await screen.page.locator(".start-machine, .start-left").nth(1).waitFor()),
      );
  });
});
