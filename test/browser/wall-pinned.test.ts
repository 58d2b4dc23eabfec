import { describe, expect, test } from "vitest";
import { common } from "../../src/board/texts/en/common.ts";
import { wall } from "../../src/board/texts/en/wall.ts";
import { wallParts } from "../../src/board/texts/en/wall-parts.ts";
import type { LiveMessage } from "../../src/client/live-protocol.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, Row, TestMachine } from "./support/company.ts";
import type { Screen } from "./support/screen.ts";

// What a wall has on each of its pages: the machines where somebody is needed.

const app = useApp();

/** A wall of a company at 5 m on a television, whose pages turn only by keys. */
async function wallOf(
  company: Company,
  query = "",
  change: (rows: Row[], type: LiveMessage["type"]) => Row[] = (rows) => rows,
): Promise<Screen> {
  const screen = await app().screen({ viewport: { width: 1920, height: 1080 } });
  await screen.enterAs(company);
  await screen.page.routeWebSocket(/\/v1\/live/, (socket) => {
    socket.connectToServer().onMessage((text) => {
      if (text === "pong") return socket.send(text);
      const message = JSON.parse(String(text)) as LiveMessage;
      return socket.send(JSON.stringify({ ...message, rows: change(message.rows, message.type) }));
    });
  });
  await screen.page.goto(`/wall?distance=5&page=3600${query}`);
  await screen.page.locator(".tile").first().waitFor();
  return screen;
}

/** Adds copies of a running machine to those of the first message, until there are so many. */
const upTo = (count: number) => (rows: Row[], type: LiveMessage["type"]) => {
  const first = rows.find(({ status }) => status === "A");
  if (!first || type !== "snapshot") return rows;
  const copies = Array.from({ length: count - rows.length }, (_, i) => ({
    ...{ ...first, helpCall: null },
    machine: { id: 1e9 + i, name: `Copy ${i + 1}`, ref: `COPY-${i}` },
  }));
  return [...rows, ...copies];
};

const namesOf = async (screen: Screen, within: string) => await screen.page.locator(`${within} .name`).allTextContents();
const figure = (screen: Screen, name: string) => screen.page.locator(`.wall-figure-${name} dd`).innerText();
const call = (company: Company, { id }: TestMachine, message: string) =>
  company.send("POST", `/v1/machines/${id}/help-calls`, { message });

describe.skipIf(!hasBrowser)("the column of a wall", () => {
  test("has calls, then stops without a cause, on every page, and each machine once; the tiles never move", async () => {
    const company = await app().company();
    const machines = await company.plant({ Press: "runs", Saw: "runs", Lathe: "stands", Mill: "stands for a cause" });
    const { Press, Saw } = machines as Record<"Press" | "Saw", TestMachine>;
    const screen = await wallOf(company, "", upTo(30));
    const { page } = screen;
    const place = () => page.locator(".tiles").boundingBox();
    const before = await place();
    await expect.poll(() => namesOf(screen, ".pins")).toEqual(["Lathe"]);
    await call(company, Saw, "Material");
    await expect.poll(() => namesOf(screen, ".pins"), { timeout: 2000, interval: 100 }).toEqual(["Saw", "Lathe"]);
    await call(company, Press, "Mechanic");
    // A new call comes first for half a minute.
    await expect.poll(() => namesOf(screen, ".pins")).toEqual(["Press", "Saw", "Lathe"]);
    expect([await figure(screen, "calls"), await figure(screen, "uncaused")]).toEqual(["2", "1"]);
    // The wall also turns its pages by itself, so each is read at once with its number.
    const shown = () =>
      page.evaluate(() => ({
        page: Number(/Page (\d) of 2/.exec(document.body.innerText)?.[1]),
        names: [...document.querySelectorAll(".tiles .name")].map(({ textContent }) => textContent ?? ""),
      }));
    const seen = new Map<number, string[]>();
    const read = async () => {
      const { page: number, names } = await shown();
      seen.set(number, names);
      await page.keyboard.press("ArrowRight");
      expect(await namesOf(screen, ".pins")).toEqual(["Press", "Saw", "Lathe"]);
      expect(await place()).toEqual(before);
      return [...seen.keys()].sort();
    };
    await expect.poll(read).toEqual([1, 2]);
    expect([...seen.values()].flat().sort()).toEqual(["Mill", ...Array.from({ length: 26 }, (_, i) => `Copy ${i + 1}`)].sort());
    expect(await page.locator(".counts").innerText()).toContain(wall.allMachines(30));
    await screen.expectSound("a wall with calls");
  });

  test("says how many more there are than fit, and that nobody is needed if there are none", async () => {
    const company = await app().company();
    const { Lathe } = (await company.plant({ Lathe: "stands", Press: "runs" })) as Record<"Lathe", TestMachine>;
    const screen = await wallOf(company, "", (rows) => {
      const standing = rows.filter(({ machine }) => machine.id === Lathe.id);
      return [
        ...rows,
        ...Array.from({ length: 14 }, (_, i) =>
          standing.map((row) => ({ ...row, machine: { id: 1e9 + i, name: `Lathe ${i}`, ref: `L-${i}` } })),
        ).flat(),
      ];
    });
    const pinned = await screen.page.locator(".pin").count();
    expect(pinned).toBeGreaterThan(2);
    expect(await screen.page.locator(".counts").innerText()).toContain(wall.more(15 - pinned));
    expect(await figure(screen, "uncaused")).toBe("15");
    // None of them is cut off.
    const [{ bottom }, top] = await screen.page.evaluate(
      () =>
        [
          [...document.querySelectorAll(".pin")].at(-1)?.getBoundingClientRect() ?? { bottom: Number.NaN },
          document.querySelector(".counts")?.getBoundingClientRect().top ?? Number.NaN,
        ] as const,
    );
    expect(bottom).toBeLessThanOrEqual(top);
    await screen.expectSound("a wall with many stops");

    const calm = await app().company();
    await calm.plant({ Press: "runs" });
    const quiet = await wallOf(calm);
    expect(await quiet.text()).toContain(wall.nobody);
    await quiet.page.locator(".hours svg").waitFor();
    await quiet.expectSound("a wall on which nobody is needed");
  });

  test("leaves each machine at its place with a fixed order, which is chosen in the settings", async () => {
    const company = await app().company();
    await company.plant({ Alpha: "runs", Beta: "stands", Gamma: "runs" });
    const screen = await wallOf(company);
    expect(await namesOf(screen, ".tiles")).toEqual(["Alpha", "Gamma"]);
    await screen.page.keyboard.press("s");
    await screen.page.getByLabel(wallParts.order).selectOption("fixed");
    await screen.page.getByRole("button", { name: wallParts.close }).click();
    await expect.poll(() => namesOf(screen, ".tiles")).toEqual(["Alpha", "Beta", "Gamma"]);
    expect(await namesOf(screen, ".pins")).toEqual(["Beta"]);
    expect(screen.page.url()).toContain("order=fixed");
  });

  test("and all tiles stay when a row is broken, and it is right again with the next message", async () => {
    const company = await app().company();
    const { Press, Saw } = (await company.plant({ Press: "runs", Saw: "runs" })) as Record<"Press" | "Saw", TestMachine>;
    let isBroken = true;
    const screen = await wallOf(company, "", (rows) =>
      rows.map((row) => (isBroken && row.machine.id === Press.id ? { ...row, status: "N", stop: undefined as never } : row)),
    );
    screen.expectErrors(/TypeError/);
    await screen.page.getByText(common.partBroken).waitFor();
    expect(await namesOf(screen, ".tiles")).toEqual(["Saw"]);
    expect(await figure(screen, "oee")).toMatch(/%/);
    isBroken = false;
    await company.count(Press);
    await screen.page.locator(`[data-machine="${Press.id}"]`).waitFor();
    expect(await screen.page.getByText(common.partBroken).count()).toBe(0);
    await screen.page.locator(`[data-machine="${Saw.id}"]`).waitFor();
  });
});
