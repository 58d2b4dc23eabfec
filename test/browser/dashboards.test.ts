import { beforeAll, describe, expect, test } from "vitest";
import { dashboards as t } from "../../src/board/texts/en/dashboards.ts";
import { resource } from "../../src/board/texts/en/resource.ts";
import { dashboards as es } from "../../src/board/texts/es/dashboards.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import { openDesk, shown, stoppedPlant } from "./support/desk.ts";
import { lookAt, someLooks } from "./support/looks.ts";

const app = useApp();
const texts = { en: t, es };
/** The smallest picture. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

interface Instance {
  id: string;
  widgetId: string;
  widget: { title: { en: string } };
  specOverride: object;
  visualConfig: Record<string, number>;
}

const named = (en: string) => ({ title: { en, es: `${en} (es)` }, description: { en: `About ${en}`, es: "" } });

describe.skipIf(!hasBrowser)("dashboards on the desk", () => {
  let company: Company;
  let boardId: string;
  const widgetNamed = async (name: string) =>
    (await company.send("GET", "/v1/widgets?limit=500")).data.find(({ title }: { title: { en: string } }) => title.en === name);

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

  test("are favourites of the one who says so, who then has them first, and of nobody else", async () => {
    const { id } = await company.send("POST", "/v1/dashboards", { ...named("Zones"), spec: {} });
    const reader = await company.user("readonly");
    const screen = await app().screen();
    const { page } = screen;
    await page.goto(`/desk/dashboards?item=${id}`);
    await screen.signIn(reader);
    const button = page.getByRole("button", { name: t.myFavorite });
    expect(await button.getAttribute("aria-pressed")).toBe("false");
    await button.press("Enter");
    await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("link", { name: t.back }).click();
    await expect.poll(() => page.locator(".dashboard-list li").first().innerText()).toMatch(/Zones[\s\S]*favourite/);
    await page.getByRole("link", { name: "Zones" }).click();
    await button.click();
    await expect.poll(() => button.getAttribute("aria-pressed")).toBe("false");
    expect((await company.send("GET", `/v1/dashboards/${id}`)).isFavorited).toBe(false);
    await company.send("DELETE", `/v1/dashboards/${id}`);
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
    const widgets = page.getByRole("region", { name: t.widgets, exact: true });
    await widgets.getByRole("button", { name: resource.add, exact: true }).press("Enter");
    const form = page.getByRole("form", { name: resource.newOne });
    const add = () => form.getByRole("button", { name: resource.add, exact: true }).press("Enter");
    await form.getByLabel(t.name, { exact: true }).fill("Count of <s>stops</s>");
    await form.getByLabel(t.kind).selectOption("pareto");
    await form.getByLabel(t.metric, { exact: true }).selectOption("oee");
    await add();
    await form.getByText(t.wrongMetric).waitFor();
    await form.getByLabel(t.metric, { exact: true }).selectOption("count");
    await form.getByLabel(t.daysField).fill("93");
    await add();
    await form.getByText(t.wrongDays).waitFor();
    await form.getByLabel(t.daysField).fill("3");
    await add();
    await page.getByText(resource.added).waitFor();
    await press(t.newDashboard);
    await press(t.make);
    await page.getByText(t.required).waitFor();
    await page.getByLabel(t.name, { exact: true }).fill("Söhne 1");
    await page.getByRole("checkbox", { name: "Count of <s>stops</s>" }).check();
    await press(t.make);
    await page.getByRole("link", { name: "Söhne 1" }).click();
    await page.getByRole("region", { name: "Count of <s>stops</s>" }).waitFor();
    expect((await widgetNamed("Count of <s>stops</s>")).spec).toEqual({ kind: "pareto", metric: "count", days: 3 });
    screen.expectClean();
  });

  test("widgets are changed, get a picture and are deleted by admins; another client's spec stays as it is", async () => {
    const made = await company.send("POST", "/v1/widgets", { ...named("A plan"), spec: { kind: "plan", layers: [2] } });
    const screen = await openDesk(app(), company, "/desk/dashboards");
    const { page } = screen;
    const press = (name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
    await press(resource.of(t.picture, "A plan"));
    await page
      .getByLabel(t.choosePicture)
      .setInputFiles({ name: "plan.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    screen.expectErrors(/status of 4/);
    await page.locator(".refusal").waitFor();
    await page.getByLabel(t.choosePicture).setInputFiles({ name: "plan.png", mimeType: "image/png", buffer: png });
    await page.locator(".widget-picture").waitFor();
    await press(resource.of(resource.change, "A plan"));
    const form = page.getByRole("form", { name: "A plan" });
    expect(await form.getByLabel(t.kind).count()).toBe(0);
    await form.getByLabel(t.name, { exact: true }).fill("The plan");
    await form.getByRole("button", { name: resource.save }).click();
    await page.getByText(resource.changed).waitFor();
    expect(await widgetNamed("The plan")).toMatchObject({
      ...{ id: made.id, title: { en: "The plan", es: "A plan (es)" }, spec: { kind: "plan", layers: [2] } },
      thumbnailUrl: expect.stringContaining("/thumbnails/"),
    });
    await press(resource.of(resource.remove, "The plan"));
    await page.getByText(t.sureWidget("The plan")).waitFor();
    await press(resource.remove);
    await expect.poll(async () => (await widgetNamed("The plan")) ?? null).toBeNull();
    screen.expectClean();
  });

  test("a dashboard's title and columns are changed, and what somebody else has changed meanwhile is said", async () => {
    const { id } = await company.send("POST", "/v1/dashboards", { ...named("Old"), spec: { columns: 2, other: 1 } });
    const screen = await openDesk(app(), company, `/desk/dashboards?item=${id}`);
    const { page } = screen;
    await page.getByRole("button", { name: t.change, exact: true }).click();
    const form = page.getByRole("form", { name: "Old" });
    await form.getByLabel(t.name, { exact: true }).fill("New <i>title</i>");
    await company.send("PATCH", `/v1/dashboards/${id}`, { spec: { columns: 4, other: 2 } });
    screen.expectErrors(/status of 412/);
    await form.getByRole("button", { name: resource.save }).click();
    await form.getByText(`${t.columnsField}: 2 → 4`).waitFor();
    await form.getByRole("button", { name: resource.save }).click();
    await page.getByRole("heading", { name: "New <i>title</i>", level: 2 }).waitFor();
    expect(await company.send("GET", `/v1/dashboards/${id}`)).toMatchObject({
      ...{ title: { en: "New <i>title</i>", es: "Old (es)" }, spec: { columns: 4, other: 2 } },
    });
    await page.getByRole("button", { name: t.remove, exact: true }).click();
    await page.getByText(t.sure("New <i>title</i>")).waitFor();
    await page.getByRole("button", { name: t.remove, exact: true }).click();
    await page.getByRole("button", { name: t.newDashboard }).waitFor();
    await page.getByRole("link", { name: "New <i>title</i>" }).waitFor({ state: "detached" });
    screen.expectClean();
  });

  test("widgets of a dashboard are put on it, moved by keys and by dragging, widened and taken off, also beside somebody else", async () => {
    const ids: Record<string, string> = {};
    for (const name of ["One", "Two", "Three"]) {
      ids[name] = (await company.send("POST", "/v1/widgets", { ...named(name), spec: { kind: "number" } })).id;
    }
    const instances = [{ widgetId: ids.One, specOverride: { days: 2 } }, { widgetId: ids.Two }];
    const { id } = await company.send("POST", "/v1/dashboards", { ...named("Arranged"), spec: {}, instances });
    const screen = await openDesk(app(), company, `/desk/dashboards?item=${id}`);
    const { page } = screen;
    const stored = async () => (await company.send("GET", `/v1/dashboards/${id}`)).instances;
    const inOrder = async () =>
      (await stored())
        .map(({ widget, visualConfig: { x, y, w } }: Instance) => [y, x, w, widget.title.en])
        .sort()
        .map((place: unknown[]) => place.join(" "));
    const form = page.getByRole("form", { name: t.arrange });
    const names = () => form.locator("li > span:first-child").allInnerTexts();

    await page.getByRole("button", { name: t.arrange }).click();
    await form.getByLabel(t.another).selectOption(ids.Three ?? "");
    await form.getByRole("button", { name: t.put }).click();
    await form.getByRole("button", { name: t.up("Three") }).press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText(t.moved("Three", 1, 3)).waitFor();
    // At the top there is only the way down.
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(t.down("Three"));
    await form.locator("li", { hasText: "Two" }).dragTo(form.locator("li", { hasText: "Three" }));
    expect(await names()).toEqual(["Two", "Three", "One"]);
    await form.getByLabel(t.width("Two")).selectOption("2");
    await form.getByRole("button", { name: t.save, exact: true }).click();
    await form.waitFor({ state: "detached" });
    expect(await inOrder()).toEqual(["0 0 2 Two", "1 0 1 Three", "1 1 1 One"]);
    expect((await stored()).find(({ widgetId }: Instance) => widgetId === ids.One).specOverride).toEqual({ days: 2 });

    await page.getByRole("button", { name: t.arrange }).click();
    await form.getByRole("button", { name: t.takeOffNamed("Two") }).click();
    const kept = (await stored()).filter(({ widgetId }: Instance) => widgetId !== ids.Three);
    const others = kept.map(({ id: one, widgetId, specOverride, visualConfig }: Instance) => {
      return { id: one, widgetId, specOverride, visualConfig };
    });
    await company.send("PATCH", `/v1/dashboards/${id}`, {
      instances: [...others, { widgetId: ids.Two, specOverride: { days: 9 } }],
    });
    screen.expectErrors(/status of 412/);
    await form.getByRole("button", { name: t.save, exact: true }).click();
    await form.getByText(t.meanwhile).waitFor();
    // What the other one took off is gone, and what the other one put on is there.
    expect(await names()).toEqual(["One", "Two"]);
    await form.getByRole("button", { name: t.save, exact: true }).click();
    await form.waitFor({ state: "detached" });
    expect(await inOrder()).toEqual(["0 0 1 One", "0 1 1 Two"]);
    screen.expectClean();
  });

  test("those of every plant are shown as such, and nobody but superusers gets a button that changes them", async () => {
    await app().sendAsSuperuser("POST", "/v1/widgets", { ...named("Of all"), spec: { kind: "number" }, isSystem: true });
    const screen = await openDesk(app(), company, "/desk/dashboards");
    const { page } = screen;
    const row = page.getByRole("row", { name: /Of all/ });
    await row.getByText(t.everyPlant).waitFor();
    expect(await row.getByRole("button").count()).toBe(0);
    screen.expectClean();
  });

  test("look right in every language and size", async () => {
    const screen = await openDesk(app(), company, "/desk/dashboards");
    for (const look of someLooks) {
      const t = texts[look.language];
      await lookAt(screen, `/desk/dashboards?item=${boardId}`, look, () => shown(screen));
      for (const does of [t.change, t.arrange, t.remove]) {
        await screen.page.getByRole("button", { name: does, exact: true }).click();
        await screen.page.getByRole("button", { name: t.cancel }).waitFor();
        await shown(screen);
        await screen.expectSound(`${does}, ${look.language} ${look.size.name}`);
        await screen.page.getByRole("button", { name: t.cancel }).click();
      }
      await lookAt(screen, "/desk/dashboards", look, () => shown(screen));
      await screen.page.getByRole("button", { name: /^(Change|Cambiar): OEE of a week/ }).click();
      await screen.expectSound(`a widget, ${look.language} ${look.size.name}`);
    }
  });
});
