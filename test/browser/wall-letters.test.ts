import { mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CAP, distances, pxPerArcMinute } from "../../src/board/domain/wall-layout.ts";
import type { LiveMessage } from "../../src/client/live-protocol.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Doing } from "./support/company.ts";
import { faintTexts } from "./support/ink-faults.ts";
import type { Screen } from "./support/screen.ts";

// Whether a wall can be read from its distance: the height of its letters, their contrast, and what is left out if there is no room.

const app = useApp();

/** Names of up to 40 letters, which differ at their ends. */
const doing: Record<string, Doing> = {
  "Spritzgießmaschine Engel e-motion 740/22": "stands",
  Kunststoffverpackungsmaschinenanlage: "stands for a cause",
  "Press 3": "runs",
  "Press 4": "runs slowly",
  "Etikettiermaschine Verpackungslinie 1012": "is in setup",
  "Vision 2": "is silent",
  "Outsider 7": "is out of plan",
  "Sleeper 8": "is out of shift",
};

/** Shows a page so many machines: those of the service, and copies of them with ids and names of their own. */
async function multiplied(screen: Screen, count: () => number): Promise<void> {
  await screen.page.routeWebSocket(/\/v1\/live/, (socket) => {
    socket.connectToServer().onMessage((text) => {
      if (text === "pong") return socket.send(text);
      const message = JSON.parse(String(text)) as LiveMessage;
      if (message.type !== "snapshot") return socket.send(text);
      const copies = Array.from({ length: count() - message.rows.length }, (_, i) => {
        const row = message.rows[i % message.rows.length] as LiveMessage["rows"][number];
        return { ...row, machine: { id: 1e9 + i, name: `${row.machine.name} of hall ${i}`, ref: `COPY-${i}` } };
      });
      return socket.send(JSON.stringify({ ...message, rows: [...message.rows, ...copies] }));
    });
  });
}

/** Runs in the page: the height of a capital of each text that must be read from afar, in px, by the face that it is shown in. */
function capitals(): { name: string; height: number; text: string }[] {
  const canvas = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
  const names = [".name", ".tile-word", ".tile-difference", ".tile-forecast", ".tile-elapsed", ".pin .name", ".wall-figure dd"];
  return names.flatMap((name) =>
    [...document.querySelectorAll<HTMLElement>(name)].map((one) => {
      const { fontWeight, fontSize, fontFamily } = getComputedStyle(one);
      // At a size at which pixels do not round the height.
      canvas.font = `${fontWeight} 1000px ${fontFamily}`;
      const { actualBoundingBoxAscent } = canvas.measureText("H");
      return { name, height: (actualBoundingBoxAscent / 1000) * Number.parseFloat(fontSize), text: one.innerText };
    }),
  );
}

/** Runs in the page: the faces that were loaded. */
function loadedFaces(): string[] {
  return [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family.replaceAll('"', ""));
}

const screens = [
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
];

async function expectReadable(screen: Screen, distance: number, height: number, where: string): Promise<void> {
  await expect.poll(() => screen.page.evaluate(loadedFaces)).toContain("Andon Wall");
  const found = await screen.page.evaluate(capitals);
  expect(found.length, where).toBeGreaterThan(3);
  for (const { name, height: px, text } of found)
    expect(px / pxPerArcMinute(distance, height), `${where}: ${name} ${text}`).toBeGreaterThanOrEqual(16);
  expect(await screen.page.evaluate(`(${faintTexts})(7)`), where).toEqual([]);
}

/** Every combination once; not every language and theme with each, but each often enough. */
const combinations = screens.flatMap((size) =>
  distances.flatMap((distance) => [8, 60, 300].map((count) => ({ size, distance, count }))),
);
const looks = combinations.map((look, i) => ({ ...look, language: ["en", "es"][i % 2], theme: i % 5 === 4 ? "light" : "dark" }));
/** `npm test` has each distance, screen, language and number of machines. */
const shown = process.env.ALL_LOOKS ? looks : looks.filter((_, i) => [4, 9, 16, 20, 24, 35].includes(i));

describe.skipIf(!hasBrowser)("a wall", () => {
  test("has names, causes and differences of 16 minutes of arc at every distance, on every screen, with any number of machines", async () => {
    const company = await app().company({ name: "Kunststoffverarbeitungsgesellschaft Nord" });
    await company.plant(doing);
    const screen = await app().screen({ viewport: { width: 1920, height: 1080 } });
    await screen.enterAs(company);
    const pictures = process.env.WALL_PICTURES;
    if (pictures) mkdirSync(pictures, { recursive: true });
    let machines = 0;
    await multiplied(screen, () => machines);
    for (const { size, distance, count, language, theme } of shown) {
      machines = count;
      const where = `${size.width}-${distance}m-${count}-${language}-${theme}`;
      await screen.page.setViewportSize(size);
      await screen.page.goto(`/wall?distance=${distance}&page=3600&lang=${language}&theme=${theme}`);
      await screen.page.locator(".tile").first().waitFor();
      await screen.page.locator(".strip").first().waitFor();
      if (pictures) await screen.page.screenshot({ path: `${pictures}/${where}.png` });
      await screen.expectSound(where);
      await expectReadable(screen, distance, size.height, where);
    }
    expect(CAP).toBeCloseTo(0.711, 3);
  }, 300_000);
});
