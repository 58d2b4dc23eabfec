import { beforeAll, describe, test } from "vitest";
import { dayOf } from "../../src/board/domain/days.ts";
import { tabs } from "../../src/board/domain/desk-state.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import { openDesk, type StoppedPlant, shown, stoppedPlant } from "./support/desk.ts";
import { lookAt, looksOf } from "./support/looks.ts";

const app = useApp();

describe.skipIf(!hasBrowser)("the desk", () => {
  let it: StoppedPlant;
  beforeAll(async () => {
    if (hasBrowser) it = await stoppedPlant(app());
  });

  test.each(tabs)("looks right in every language and size: %s", async (tab) => {
    const day = dayOf(Date.parse(it.stops[0]?.startTime ?? ""), "UTC");
    const screen = await openDesk(app(), it.company, `/desk/${tab}`);
    const more = {
      brief: "",
      day: `&stop=${it.stops[0]?.id}`,
      // Stops without a cause, whose name is the page's own.
      shift: `&bar=stops&machine=${it.press.id}`,
      handover: "",
      losses: "",
      actions: "",
      hours: "",
      trend: "",
      compare: `&vsDay=${day}&vs=machine-${it.press.id}`,
      orders: "",
      people: "",
      incidents: "",
      changes: "",
      dashboards: "",
      setup: "",
    };
    const [charts, table] = [`/desk/${tab}?day=${day}${more[tab]}`, `/desk/${tab}?table=1`];
    const place = tabs.indexOf(tab);
    for (const look of looksOf(place)) await lookAt(screen, charts, look, () => shown(screen));
    for (const look of looksOf(place + 1)) await lookAt(screen, table, look, () => shown(screen));
  });
});
