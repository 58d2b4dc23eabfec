import { beforeAll, describe, expect, test } from "vitest";
import { dashboards as t } from "../../src/board/texts/en/dashboards.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import { openDesk, shown, stoppedPlant } from "./support/desk.ts";
import { lookAt, someLooks } from "./support/looks.ts";

const app = useApp();
const named = (en: string) => ({ title: { en, es: `${en} (es)` }, description: { en: `About ${en}`, es: "" } });

describe.skipIf(!hasBrowser)("dashboards on the desk", () => {
  let company: Company;
  let boardId: string;

  beforeAll(async () => {
    if (!hasBrowser) return;
    ({ company } = await stoppedPlant(app()));
    const specs = {
      "OEE of a week": { kind: "number", days: 7 },
      "Units by day": { kind: "trend", metric: "correct", days: 7 },
      "Largest <b>losses</b>": { kind: "pareto", metric: "count" },
      "Machines of a week": { kind: "table", days: 7 },
      "States of today": { kind: "timeline" },
      "A map": { kind: "map", layers: [1] },
    };
    const instances: object[] = [];
    for (const [i, [name, spec]] of Object.entries(specs).entries()) {
      const { id } = await company.send("POST", "/v1/widgets", { ...named(name), spec });
      // In the reverse order of their places.
      instances.unshift({ widgetId: id, visualConfig: { x: i % 3, y: Math.floor(i / 3), w: i === 3 ? 2 : 1 } });
    }
    const board = { ...named("Morning <i>meeting</i>"), spec: { columns: 3 }, instances };
    boardId = (await company.send("POST", "/v1/dashboards", board)).id;
    await company.send("POST", "/v1/dashboards", { ...named("Empty"), spec: { columns: "many" } });
  });

  test("are listed, and one shows its widgets in their places, each as its spec says, and its table", async () => {
    const screen = await openDesk(app(), company, "/desk/brief");
    const { page } = screen;
    page.setDefaultTimeout(20_000);
    await page.locator(".desk-menu summary").click();
    await page.getByRole("link", { name: t.title }).click();
    await page.getByRole("link", { name: "Morning <i>meeting</i>" }).click();
    await page.waitForURL(`**/desk/dashboards?item=${boardId}`);
    const card = (name: string) => page.getByRole("region", { name, exact: true });
    await expect.poll(() => card("OEE of a week").locator(".dashboard-number").innerText()).toMatch(/^\d+\.\d\s?%$/);
    await card("Units by day").locator("circle").first().waitFor();
    await card("Largest <b>losses</b>").locator(".bar-rows li").first().waitFor();
    await card("Machines of a week").getByRole("row").nth(1).waitFor();
    await card("States of today").locator(".tl-track, .empty").first().waitFor();
    await card("A map").getByText(t.other).waitFor();
    await card("A map").getByText("About A map").waitFor();
    expect(await page.locator(".dashboard .card").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).toEqual(
      [...["OEE of a week", "Units by day", "Largest <b>losses</b>", "Machines of a week", "States of today", "A map"]],
    );
    await page.goto(`/desk/dashboards?item=${boardId}&table=1`);
    await card("Units by day").getByRole("table").waitFor();
    await card("Largest <b>losses</b>").getByRole("table").waitFor();
    await page.getByRole("link", { name: t.back }).click();
    await page.getByRole("link", { name: "Empty" }).click();
    await page.getByText(t.noWidgets).waitFor();
    await page.goto("/desk/dashboards?item=gone");
    await page.getByText(t.unknown).waitFor();
    screen.expectClean();
  });

  test("are archived and used again by admins, and the list says so", async () => {
    const screen = await openDesk(app(), company, `/desk/dashboards?item=${boardId}`);
    const { page } = screen;
    const isArchived = async () => (await company.send("GET", `/v1/dashboards/${boardId}`)).archivedAt !== null;
    await page.getByRole("button", { name: t.archive, exact: true }).press("Enter");
    await page.getByRole("button", { name: t.unarchive }).waitFor();
    expect(await isArchived()).toBe(true);
    await page.getByRole("link", { name: t.back }).click();
    await page.locator(".dashboard-list li").last().getByText(t.archived).waitFor();
    await page.getByRole("link", { name: "Morning <i>meeting</i>" }).click();
    await page.getByRole("button", { name: t.unarchive }).click();
    await page.getByRole("button", { name: t.archive, exact: true }).waitFor();
    expect(await isArchived()).toBe(false);
    screen.expectClean();
  });

  test("are made by admins from widgets, which a form makes, and nothing is made of what cannot be drawn", async () => {
    const screen = await openDesk(app(), company, "/desk/dashboards");
    const { page } = screen;
    const press = (name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
    await press(t.newWidget);
    await page.getByLabel(t.name, { exact: true }).fill("Count of <s>stops</s>");
    await page.getByLabel(t.kind).selectOption("pareto");
    await page.getByLabel(t.metric, { exact: true }).selectOption("oee");
    await press(t.make);
    await page.getByText(t.wrongMetric).waitFor();
    await page.getByLabel(t.metric, { exact: true }).selectOption("count");
    await page.getByLabel(t.daysField).fill("93");
    await press(t.make);
    await page.getByText(t.wrongDays).waitFor();
    await page.getByLabel(t.daysField).fill("3");
    await press(t.make);
    await page.getByRole("button", { name: t.newDashboard }).waitFor();
    await press(t.newDashboard);
    await press(t.make);
    await page.getByText(t.required).waitFor();
    await page.getByLabel(t.name, { exact: true }).fill("Hall 1");
    await page.getByLabel("Count of <s>stops</s>").check();
    await press(t.make);
    await page.getByRole("link", { name: "Hall 1" }).click();
    await page.getByRole("region", { name: "Count of <s>stops</s>" }).waitFor();
    const made = (await company.send("GET", "/v1/widgets")).data.filter(({ title }: { title: { en: string } }) =>
      /stops/.test(title.en),
    );
    expect(made.map(({ spec }: { spec: object }) => spec)).toEqual([{ kind: "pareto", metric: "count", days: 3 }]);
    screen.expectClean();
  });

  test("look right in every language and size", async () => {
    const screen = await openDesk(app(), company, "/desk/dashboards");
    for (const look of someLooks) {
      await lookAt(screen, `/desk/dashboards?item=${boardId}`, look, () => shown(screen));
    }
  });
});
