import { beforeAll, describe, test, vi } from "vitest";
import { tabs } from "../../src/board/domain/desk-state.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import { openDesk, shown } from "./support/desk.ts";
import { lookAt, looksOf } from "./support/looks.ts";

const app = useApp();
const MINUTE = 60_000;

describe.skipIf(!hasBrowser)("the desk of a plant with long names", () => {
  // With a word that is longer than a column.
  const long = (what: string) =>
    `${what} der Kunststoffspritzgießmaschinenwartungsabteilung, third of the long hall in the north`;
  let path: (tab: (typeof tabs)[number]) => string;
  let company: Company;
  beforeAll(async () => {
    if (!hasBrowser) return;
    company = await app().company({ name: long("Plant") });
    await company.shift({ name: long("Shift") });
    // Not "Line": the English page has texts like "Line X", for which the check of languages would take this name.
    const line = await company.send("POST", "/v1/lines", { name: long("Hall") });
    const machine = await company.machine(long("Press"), { hourlyRate: 9_876_543, noDataAfterSeconds: null, lineId: line.id });
    const general = await company.cause(long("Jam"));
    const specific = await company.cause(long("Feeder"), { level: "specific", parentId: general.id });
    const component = await company.cause(long("Belt"), { level: "component" });
    const [operator] = [await company.send("POST", "/v1/operators", { code: "O-1", name: long("Ana") })];
    const skuId = "CAP-28-WITH-A-THREAD-AND-A-TAMPER-EVIDENT-BAND-IN-GREEN";
    await company.send("POST", "/v1/skus", { id: skuId, name: long("Cap") });
    await company.send("POST", "/work-orders/production-full", {
      workOrder: {
        code: "WO-2026-11-0000000000000000000000000001",
        name: long("Batch"),
        estimatedDeliveryTime: "2020-01-01T00:00:00.000Z",
      },
      machines: [{ machineId: machine.id }],
      targets: [{ skuId, targetQuantity: 1_000_000 }],
    });
    await company.send("POST", "/v1/alert-rules", {
      name: long("Stands"),
      when: { kind: "stop", minutes: 5 },
      levels: [{ afterMinutes: 0, personaIds: [company.personaId], chatRoomIds: [] }],
    });
    const at = new Date(Date.now() - 125 * MINUTE).toISOString();
    await company.ingest([
      { type: "operator", at, machineId: machine.id, operatorId: operator.id, action: "in" },
      { type: "sku", at, machineId: machine.id, skuId },
      ...company.counts(machine, 120, 60),
      ...company.counts(machine, 40, 15, 300),
      ...company.counts(machine, 14, 0, 0),
    ]);
    const of = async () => (await company.send("GET", `/v1/stops?machineIds=${machine.id}`)).data as { id: number }[];
    const soon = { timeout: 120_000, interval: 300 };
    await vi.waitUntil(async () => (await of()).length > 1 && (await company.row(machine)).stop !== null, soon);
    const said = {
      generalCauseId: general.id,
      specificCauseId: specific.id,
      componentId: component.id,
      description: long("Oil"),
    };
    const stops = await of();
    for (const { id } of stops) await company.send("PUT", `/v1/stops/${id}/classification`, said);
    await vi.waitUntil(async () => (await company.send("GET", "/v1/incidents")).data.length === 1, soon);
    const past = { reason: long("Glitch"), machineIds: [machine.id], from: at };
    const recalculation = await company.send("POST", "/v1/recalculations", past);
    const [{ id: incidentId }] = (await company.send("GET", "/v1/incidents")).data;
    const more = {
      day: `?stop=${stops[0]?.id}`,
      shift: "?bar=stops",
      losses: "?span=week&metric=money",
      compare: `?span=week&sku=${skuId}&operator=${operator.id}&vs=machine-${machine.id}`,
      incidents: `/${incidentId}?span=week`,
      changes: `?recalculation=${recalculation.id}`,
    };
    path = (tab) => `/desk/${tab}${more[tab as keyof typeof more] ?? "?span=week"}`;
  });

  test.each(tabs)("looks right: %s", async (tab) => {
    const screen = await openDesk(app(), company, path(tab));
    const place = tabs.indexOf(tab);
    // Charts and tables by turns: each with every size, language and scheme.
    for (const [i, look] of looksOf(place).entries()) {
      const isTable = Math.floor(i / 2) % 2 === 1;
      await lookAt(screen, isTable ? `${path(tab)}&table=1` : path(tab), look, () => shown(screen));
    }
  });
});
