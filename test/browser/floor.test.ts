import { describe, expect, test } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { lookAt, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();

interface Terminal {
  company: Company;
  machine: TestMachine;
  screen: Screen;
  /** The name of the open stop's general cause in the API; null without one. */
  cause(): Promise<string | null>;
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** A machine that is stopped without a cause, and its terminal. */
async function terminal(): Promise<Terminal> {
  const company = await app().company();
  for (const name of ["Jam", "Cleaning", "No pellets"]) await company.cause(name);
  const { Press: machine } = await company.plant({ Press: "stands" });
  if (!machine) throw new Error("there is a press");
  const screen = await app().screen(phone);
  await open(screen, `/floor/${machine.id}`, company);
  const cause = async () => (await company.row(machine)).stop?.generalCause?.name ?? null;
  return { company, machine, screen, cause };
}

async function open(screen: Screen, path: string, company: Company): Promise<void> {
  await screen.page.goto(path);
  await screen.signIn(company.admin);
  await screen.page.locator(".floor-cause").first().waitFor();
}

/** A button by its text. */
const button = ({ page }: Screen, name: string) => page.getByRole("button", { name, exact: true });
const inDialog = ({ page }: Screen, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

describe.skipIf(!hasBrowser)("the terminal of a machine", () => {
  test("asks for the cause of a stop, accepts it by touch, digit or arrow keys, and can undo it", async () => {
    const { screen, cause } = await terminal();
    const { page } = screen;
    await button(screen, "Jam").tap();
    await expect.poll(cause).toBe("Jam");
    await page.getByText("Every stop of this shift has a cause.").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).tap();
    await expect.poll(cause).toBeNull();
    await button(screen, "Jam").waitFor();
    await page.keyboard.press("2");
    await expect.poll(cause).toBe("Cleaning");
    await page.getByRole("button", { name: /^Undo/ }).press("Enter");
    await button(screen, "Jam").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(cause).toBe("No pellets");
    await expect.poll(async () => (await page.getByRole("status").allInnerTexts()).join()).toContain("No pellets");
    screen.expectClean();
  });

  test("can undo a cause that was chosen while the stops were loading", async () => {
    const { screen, cause } = await terminal();
    const { page } = screen;
    const give = async (name: string) => {
      await button(screen, name).tap();
      await expect.poll(cause).toBe(name);
      await page.getByText("Every stop of this shift has a cause.").waitFor();
    };
    const takeBack = async () => {
      await page.getByRole("button", { name: /^Undo/ }).tap();
      await expect.poll(cause).toBeNull();
      await button(screen, "Cleaning").waitFor();
    };
    await give("Jam");
    await takeBack();
    const readings = await screen.holdAnswers(/\/v1\/stops\?/, 2);
    // Every action reloads all data.
    await button(screen, "Call for help").tap();
    await inDialog(screen, "Quality").tap();
    await expect.poll(() => readings.length).toBe(1);
    await give("Cleaning");
    readings[0]?.();
    await expect.poll(() => readings.length, { message: "the reading that follows" }).toBe(2);
    await takeBack();
    readings[1]?.();
    expect(await page.getByText("Not saved").count()).toBe(0);
    screen.expectClean();
  });

  test("keeps actions without a network, also through a reload, and sends them once and in order", async () => {
    const { company, machine, screen, cause } = await terminal();
    const { page } = screen;
    screen.expectErrors(/ERR_FAILED/);
    const writes = /\/v1\/(stops\/\d+|machines\/\d+\/help-calls)/;
    await page.route(writes, (route) => (route.request().method() === "GET" ? route.continue() : route.abort()));
    await button(screen, "Cleaning").tap();
    await button(screen, "Call for help").tap();
    await inDialog(screen, "No material").tap();
    await page.getByText("2 inputs wait for the network").waitFor();
    expect(await cause()).toBeNull();
    await page.unroute(writes);
    await page.reload();
    await expect.poll(cause, { timeout: 120_000 }).toBe("Cleaning");
    const calls = async () => (await company.send("GET", `/v1/help-calls?machineIds=${machine.id}`)).data;
    await expect.poll(async () => (await calls()).map(({ message }: { message: string }) => message)).toEqual(["No material"]);
    const { stop } = await company.row(machine);
    expect((await company.send("GET", `/v1/stops/${stop?.id}`)).version).toBe(1);
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("andon.floor"))))
      .toEqual([]);
    screen.expectClean();
  });

  test("shows what others changed in the meantime, and lets the person decide", async () => {
    const { company, machine, screen, cause } = await terminal();
    const { page } = screen;
    screen.expectErrors(/ERR_FAILED|status of 409/);
    const answerLate = async (name: string) => {
      await page.route(/classification/, (route) => route.abort());
      await button(screen, name).tap();
      await page.getByText("1 input waits for the network").waitFor();
    };
    await answerLate("Jam");
    const { stop } = await company.row(machine);
    const other = (await company.send("GET", "/v1/stop-causes")).data.find(({ name }: { name: string }) => name === "Cleaning");
    await company.send("PUT", `/v1/stops/${stop?.id}/classification`, { generalCauseId: other.id });
    await page.unroute(/classification/);
    await page.getByText("It is now: Cleaning").waitFor({ timeout: 120_000 });
    expect(await cause()).toBe("Cleaning");
    await screen.expectSound("a refused answer");
    await button(screen, "Save mine anyway").tap();
    await expect.poll(cause).toBe("Jam");
    expect(await page.getByText("Not saved").count()).toBe(0);
  });

  test("opens the machine that was tapped, also if its ref is the id of another one", async () => {
    const { company, machine, screen } = await terminal();
    const { page } = screen;
    await company.machine("Twin", { ref: String(machine.id) });
    await page.goto("/floor");
    await page.getByRole("link", { name: /^Twin/ }).tap();
    await page.getByRole("heading", { name: "Twin" }).waitFor();
    await page.goto("/floor");
    await page.getByRole("link", { name: /^Press/ }).tap();
    await page.getByRole("heading", { name: "Press" }).waitFor();
    screen.expectClean();
  });

  test("keeps the note and component of a stop when it changes or removes its cause", async () => {
    const { company, machine, screen, cause } = await terminal();
    const { page } = screen;
    const belt = await company.send("POST", "/v1/stop-causes", { level: "component", name: "Belt" });
    const { stop } = await company.row(machine);
    const path = `/v1/stops/${stop?.id}`;
    const noted = { componentId: belt.id, description: "Torn at <b>both</b> ends" };
    await company.send("PUT", `${path}/classification`, noted);
    const kept = { component: { id: belt.id }, description: noted.description };
    await page.reload();
    await button(screen, "Jam").tap();
    await expect.poll(cause).toBe("Jam");
    expect((await company.send("GET", path)).classification).toMatchObject(kept);
    await page.getByText("Every stop of this shift has a cause.").waitFor();
    await page.getByRole("button", { name: "Stops, 1" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: /^Jam/ }).tap();
    await button(screen, "No cause").tap();
    await expect.poll(cause).toBeNull();
    expect((await company.send("GET", path)).classification).toMatchObject({ ...kept, generalCause: null });
    screen.expectClean();
  });

  test("never undoes or overwrites what a colleague said, and shows it with its note", async () => {
    const { company, machine, screen, cause } = await terminal();
    const { page } = screen;
    screen.expectErrors(/ERR_FAILED|status of 409/);
    const { stop } = await company.row(machine);
    const path = `/v1/stops/${stop?.id}`;
    const causes = (await company.send("GET", "/v1/stop-causes")).data;
    const say = async (name: string, description: string) => {
      const { id } = causes.find((one: { name: string }) => one.name === name);
      await company.send("PUT", `${path}/classification`, { generalCauseId: id, description });
    };
    // A colleague classifies after the terminal did, and before its person takes back the own choice.
    await button(screen, "Jam").tap();
    await expect.poll(cause).toBe("Jam");
    await say("Cleaning", "Oil on the belt");
    await page.getByRole("button", { name: /^Undo/ }).tap();
    await page.getByText("It is now: Cleaning · Oil on the belt").waitFor();
    expect(await cause()).toBe("Cleaning");
    await button(screen, "Leave it").tap();
    await page.getByText("Not saved").waitFor({ state: "detached" });
    // The terminal's choice is refused: there is nothing to undo.
    await page.getByRole("button", { name: "Stops, 1" }).tap();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Cleaning/ })
      .tap();
    await page.route(/classification/, (route) => route.abort());
    await button(screen, "Jam").tap();
    await page.getByText("1 input waits for the network").waitFor();
    await say("Cleaning", "Oil everywhere");
    await page.unroute(/classification/);
    await page.getByText("It is now: Cleaning · Oil everywhere").waitFor({ timeout: 120_000 });
    expect(await page.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
    await button(screen, "Save mine anyway").tap();
    await expect.poll(cause).toBe("Jam");
    expect((await company.send("GET", path)).classification.description).toBe("Oil everywhere");
  });

  test("calls for help until someone is there", async () => {
    const { company, machine, screen } = await terminal();
    const { page } = screen;
    await button(screen, "Call for help").tap();
    await button(screen, "Quality").tap();
    await expect.poll(async () => (await company.row(machine)).helpCall?.message).toBe("Quality");
    await page.getByRole("button", { name: /^Help is here/ }).tap();
    await inDialog(screen, "Help is here").tap();
    await expect.poll(async () => (await company.row(machine)).helpCall).toBeNull();
    await button(screen, "Call for help").waitFor();
    screen.expectClean();
  });

  test("signs operators in and out by code, and splits a stop by keyboard", async () => {
    const { company, machine, screen } = await terminal();
    const { page } = screen;
    await company.send("POST", "/v1/operators", { name: "Ana Ruiz", code: "O-17" });
    const names = async () => (await company.row(machine)).operators?.map(({ name }) => name);
    await page.locator(".floor-who").tap();
    await page.getByLabel("Operator's code or badge").fill("O-99");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("No operator has the code “O-99”.").waitFor();
    await page.getByLabel("Operator's code or badge").fill("O-17");
    await page.keyboard.press("Enter");
    await expect.poll(names).toEqual(["Ana Ruiz"]);
    await button(screen, "Sign Ana Ruiz out").tap();
    await expect.poll(names).toEqual([]);
    await page.keyboard.press("Escape");

    await button(screen, "Split").tap();
    const mark = page.getByRole("slider", { name: "Start of the second part" });
    const before = Number(await mark.inputValue());
    await mark.press("ArrowRight");
    expect(Number(await mark.inputValue())).toBe(before + 1);
    await mark.press("Enter");
    const stops = async () => (await company.send("GET", `/v1/stops?machineIds=${machine.id}`)).data;
    await expect.poll(async () => (await stops()).length).toBe(2);
    const [second, first] = await stops();
    expect(first.endTime).toBe(second.startTime);
    // Both need a cause: one answer for both.
    await button(screen, "Jam").waitFor();
    await page.locator(".floor-others button").first().tap();
    await button(screen, "Jam").tap();
    await expect.poll(async () => (await stops()).map(({ name }: { name: string }) => name)).toEqual(["Jam", "Jam"]);
    screen.expectClean();
  });

  test("takes fast keys that end with Enter for a badge, wherever the focus is", async () => {
    const { company, machine, screen, cause } = await terminal();
    const { page } = screen;
    for (const [name, code] of Object.entries({ Ana: "12345", "José <i>Gil</i>": "O 17" })) {
      await company.send("POST", "/v1/operators", { name, code });
    }
    const names = async () => (await company.row(machine)).operators?.map(({ name }) => name);
    // The times of the keys are those of a reader, however busy the computer is on which the test runs.
    const keyboard = await page.context().newCDPSession(page);
    const read = async (code: string) => {
      const seconds = Date.now() / 1000;
      for (const [i, key] of [...code, "Enter"].entries()) {
        const windowsVirtualKeyCode = key === "Enter" ? 13 : key.charCodeAt(0);
        const pressed = { key, windowsVirtualKeyCode, timestamp: seconds + i / 100 };
        await keyboard.send("Input.dispatchKeyEvent", { type: "keyDown", text: key === "Enter" ? "\r" : key, ...pressed });
        await keyboard.send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed });
      }
    };
    // With the focus nowhere, and then on a button: neither digits, nor a space, nor Enter press anything.
    await read("12345");
    await page.getByText("Ana is signed in").waitFor();
    await button(screen, "Split").focus();
    await read("O 17");
    await page.getByText("José <i>Gil</i> is signed in").waitFor();
    await expect.poll(names).toEqual(["Ana", "José <i>Gil</i>"]);
    expect([await cause(), await page.getByRole("dialog").count()]).toEqual([null, 0]);
    // Right after a dialog was opened, and in a field that keeps what was typed by a person.
    // Within three seconds the same badge counts once.
    await page.waitForTimeout(3000);
    await page.locator(".floor-who").tap();
    await page.getByRole("dialog").waitFor();
    await read("O 17");
    await page.getByRole("dialog").getByText("José <i>Gil</i> is signed out").waitFor();
    await page.keyboard.press("Escape");
    await button(screen, "Call for help").tap();
    const message = page.getByRole("textbox", { name: "Something else" });
    await message.fill("It smokes");
    await message.focus();
    await page.waitForTimeout(100);
    await read("12345");
    await page.getByRole("dialog").getByText("Ana is signed out").waitFor();
    expect(await message.inputValue()).toBe("It smokes");
    await expect.poll(names).toEqual([]);
    expect((await company.row(machine)).helpCall).toBeNull();
    // A code that nobody has is said, too, and slow keys are a person's.
    await page.keyboard.press("Escape");
    await read("99999");
    await page.getByText("No operator has the code “99999”.").waitFor();
    await page.waitForTimeout(300);
    await page.keyboard.press("2");
    await expect.poll(cause).toBe("Cleaning");
    screen.expectClean();
  });

  test("does not let the second tap of a double tap, or a bouncing key, press what has appeared", async () => {
    const { company, machine, screen } = await terminal();
    const { page } = screen;
    const { stop } = await company.row(machine);
    const half = new Date(Date.parse(stop?.since ?? "") + 60_000).toISOString();
    await company.send("POST", `/v1/stops/${stop?.id}/split`, { at: half });
    await page.getByText("The same cause also for").waitFor({ timeout: 120_000 });
    const named = async () => {
      const { data } = await company.send("GET", `/v1/stops?machineIds=${machine.id}`);
      return data.map(({ name }: { name: string }) => name).sort();
    };
    // In the page, as soon as it has changed, so that the way to the browser adds nothing to the time between the taps.
    const twice = async (name: string | RegExp) => {
      const box = await page.getByRole("button", { name, exact: true }).first().boundingBox();
      await page.evaluate(
        async ([clientX, clientY]) => {
          const tap = () =>
            document
              .elementFromPoint(clientX, clientY)
              ?.dispatchEvent(new MouseEvent("click", { clientX, clientY, detail: 1, bubbles: true, cancelable: true }));
          tap();
          await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
          tap();
        },
        [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20] as const,
      );
    };
    // What is answered late is seen too: nothing else was sent.
    const stays = async (names: readonly string[]) => {
      await expect.poll(named).toEqual(names);
      await page.waitForTimeout(700);
      expect(await named()).toEqual(names);
    };
    await twice("Jam");
    await stays(["Jam", "Stop"]);
    await twice("All causes");
    await page.getByRole("dialog").waitFor();
    await stays(["Jam", "Stop"]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Undo/ }).tap();
    await expect.poll(named).toEqual(["Stop", "Stop"]);
    await page.waitForTimeout(700);
    // By the page's own clock, so that the way to the browser adds nothing.
    await page.evaluate(() => {
      const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true }));
      press();
      setTimeout(press, 200);
    });
    await stays(["Cleaning", "Stop"]);
    screen.expectClean();
  });

  test("shows how it reads a number of units before it is sent, confirms the report, and can undo it", async () => {
    const { company, machine, screen } = await terminal();
    const { page } = screen;
    await company.send("POST", "/v1/skus", { id: "CAP-28", name: "Cap" });
    const workOrder = { code: "WO-7", name: "Caps", source: "ERP", priority: 1, status: "Planned" };
    const due = { ...workOrder, estimatedDeliveryTime: new Date(Date.now() + 86_400_000).toISOString() };
    const targets = [{ targetQuantity: 5000, skuId: "CAP-28" }];
    const machines = [{ machineId: machine.id }];
    await company.send("POST", "/work-orders/production-full", { machines, targets, workOrder: due });
    const [order] = (await company.send("GET", "/v1/work-orders")).data;
    await company.send("POST", `/v1/machines/${machine.id}/run`, { skuId: "CAP-28", workOrderId: order.id });
    const scrap = async () => (await company.send("GET", `/v1/work-orders/${order.id}`)).progress[0].defects;
    await expect.poll(() => page.locator(".floor-details").innerText()).toContain("WO-7");
    await button(screen, "Scrap").tap();
    const units = page.getByLabel("Rejected units of CAP-28");
    for (const wrong of ["1.000", "1e3", "-5"]) {
      await units.fill(wrong);
      expect(await button(screen, "Report").isDisabled(), wrong).toBe(true);
    }
    await units.fill("1,000");
    await page.getByText("1,000 scrap, order WO-7").waitFor();
    await button(screen, "Report").tap();
    // Longer than a double tap: the button may be where "Report" was.
    await page.waitForTimeout(600);
    await button(screen, "Yes, report it").tap();
    await page.getByText("Reported: 1,000 scrap, order WO-7").first().waitFor();
    await expect.poll(scrap).toBe(1000);
    await page.waitForTimeout(600);
    await page.getByRole("button", { name: /^Undo/ }).tap();
    await expect.poll(scrap).toBe(0);
    screen.expectClean();
  });

  test("reports scrap without an order, with a reason, as a correction of the machine, and undoes it", async () => {
    const { company, machine, screen } = await terminal();
    const { page } = screen;
    await company.send("POST", "/v1/defect-reasons", { name: "Scratch" });
    await page.reload();
    await page.locator(".floor-cause").first().waitFor();
    await button(screen, "Scrap").tap();
    await page.getByLabel("Rejected units").fill("3");
    await page.getByLabel("Reason").selectOption("Scratch");
    await page.getByText("3 scrap, Scratch").waitFor();
    await button(screen, "Report").tap();
    // Longer than a double tap: the button may be where "Report" was.
    await page.waitForTimeout(600);
    await button(screen, "Yes, report it").tap();
    const corrections = async () => {
      const { data } = await company.send("GET", `/v1/corrections?machineIds=${machine.id}&includeUndone=true`);
      return data.map(({ defects, reason, undoneAt }: { defects: number; reason: { name: string }; undoneAt: string | null }) => [
        ...[defects, reason.name, undoneAt !== null],
      ]);
    };
    await expect.poll(corrections).toEqual([[3, "Scratch", false]]);
    await page.getByText("Reported: 3 scrap, Scratch").first().waitFor();
    await page.waitForTimeout(600);
    await page.getByRole("button", { name: /^Undo/ }).tap();
    await expect.poll(corrections).toEqual([[3, "Scratch", true]]);
    screen.expectClean();
  });

  test("says that a machine does not exist, and links back", async () => {
    const { company, screen } = await terminal();
    const { page } = screen;
    screen.expectErrors(/status of 404/);
    for (const name of ["999999999", "no such press"]) {
      await page.goto(`/floor/${name}`);
      await page.getByText(`no machine with the id or ref “${name}”`).waitFor();
      await page.getByRole("link", { name: "All machines" }).click();
      await page.getByRole("link", { name: /^Press/ }).waitFor();
    }
    await page.getByRole("link", { name: /^Press/ }).click();
    await page.getByRole("heading", { name: "Press" }).waitFor();
    expect(company.id).toBeGreaterThan(0);
    screen.expectClean();
  });

  test("keeps the input if the session ends", async () => {
    const { company, screen, cause } = await terminal();
    const { page } = screen;
    screen.expectErrors(/status of 401|WebSocket/);
    await page.evaluate(() => {
      const kept = JSON.parse(localStorage.getItem("andon.session") ?? "{}");
      localStorage.setItem("andon.session", JSON.stringify({ ...kept, token: `${kept.token}x` }));
    });
    await page.reload();
    await page.getByRole("dialog").waitFor();
    await screen.signIn(company.admin);
    await button(screen, "Jam").tap();
    await expect.poll(cause).toBe("Jam");
  });

  test.each(someLooks)("looks right with long names and a shift of 24 hours in $language on a $size.name", async (look) => {
    const company = await app().company();
    await company.shift();
    const machine = await company.machine("Press with a hydraulic pump, third of the long hall in the n", {
      noDataAfterSeconds: null,
    });
    const operator = await company.send("POST", "/v1/operators", {
      code: "O-1",
      name: "Bartholomäusz Wolfeschlegelsteinhausen-Bergerdorff the third",
    });
    const at = new Date(Date.now() - 199 * 60_000).toISOString();
    await company.ingest([
      { type: "operator", at, machineId: machine.id, operatorId: operator.id, action: "in" },
      ...company.counts(machine, 200, 0),
    ]);
    const screen = await app().screen();
    await screen.enterAs(company);
    const { page } = screen;
    await lookAt(screen, `/floor/${machine.id}`, look, () => page.locator(".floor-bars .fill-made").first().waitFor());
  });

  test.each(someLooks)("the form for scrap looks right in $language on a $size.name", async (look) => {
    const { company, machine, screen } = await terminal();
    const { page } = screen;
    await company.send("POST", "/v1/defect-reasons", { name: "Scratch" });
    const scrap = look.language === "es" ? "Rechazo" : "Scrap";
    await lookAt(screen, `/floor/${machine.id}`, look, async () => {
      await page.locator(".floor-cause").first().waitFor();
      await button(screen, scrap).tap();
      await page.getByRole("dialog").locator("input").fill("12");
      await page.getByRole("dialog").locator("select option").nth(1).waitFor({ state: "attached" });
    });
  });

  test.each(someLooks)("looks right in $language on a $size.name", async (look) => {
    const { company, machine, screen } = await terminal();
    await company.send("POST", `/v1/machines/${machine.id}/help-calls`, { message: "A mould leaks <b>badly</b>" });
    await lookAt(screen, `/floor/${machine.id}`, look, () => screen.page.locator(".floor-cause").first().waitFor());
    await lookAt(screen, "/floor", look, () => screen.page.locator(".floor-machines a").first().waitFor());
  });
});
