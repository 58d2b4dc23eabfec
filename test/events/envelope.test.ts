import { describe, expect, test } from "vitest";
import { isTab } from "../../src/board/domain/desk-state.ts";
import { envelopeOf } from "../../src/events/envelope.ts";
import type { StoredEvent } from "../../src/events/event.ts";

const event = (type: StoredEvent["type"], machineId: number | null, data: object): StoredEvent => ({
  ...{ seq: 1, id: "e-1", companyId: 1, at: 0 },
  ...{ type, machineId, data: { ...data } },
});

describe("the link of an event", () => {
  test.each([
    [event("stop.opened", 7, { stopId: 3 }), "/floor/7"],
    [event("alert.opened", 7, { incidentId: "0f3a-1b" }), "/desk/incidents/0f3a-1b"],
    [event("alert.resolved", null, { incidentId: "0f3a-1b" }), "/desk/incidents/0f3a-1b"],
    [event("work_order.late", null, { workOrderId: "4" }), "/desk/orders"],
    [event("help.called", 7, {}), "/floor/7"],
  ])("opens the board's page of its subject", (about, path) => {
    expect(envelopeOf(about, "https://andon.test").url).toBe(`https://andon.test${path}`);
    const [view, ...rest] = path.split("/").slice(1);
    if (view === "desk") expect(isTab(rest)).toBe(true);
  });

  test("is null if the service does not know its address", () => {
    expect(envelopeOf(event("stop.opened", 7, {}), "").url).toBeNull();
  });
});
