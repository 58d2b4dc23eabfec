import { describe, expect, it } from "vitest";
import { byNeed, countText, incidentLength, needsSomeone } from "../../src/board/domain/alerts.ts";

const at = (minute: number) => `2026-11-22T10:${String(minute).padStart(2, "0")}:00.000Z`;
const incident = (id: string, openedAt: number, acknowledgedAt: number | null = null, resolvedAt: number | null = null) => ({
  id,
  openedAt: at(openedAt),
  acknowledgedAt: acknowledgedAt === null ? null : at(acknowledgedAt),
  resolvedAt: resolvedAt === null ? null : at(resolvedAt),
});

describe("incidents", () => {
  it("are sorted by urgency: unacknowledged, acknowledged, resolved; each with the newest first", () => {
    const incidents = [
      incident("over", 9, null, 10),
      incident("known, old", 1, 4),
      incident("new, old", 2),
      incident("known", 7, 8),
      incident("new", 6),
    ];
    const ids = ["new", "new, old", "known", "known, old", "over"];
    expect(byNeed(incidents).map(({ id }) => id)).toEqual(ids);
    expect(incidents[0]?.id).toBe("over");
    expect(incidents.filter(needsSomeone).map(({ id }) => id)).toEqual(["new, old", "new"]);
  });

  it("last until they are resolved, and never have a negative duration", () => {
    expect(incidentLength({ since: at(1), resolvedAt: null }, Date.parse(at(3)))).toBe(120_000);
    expect(incidentLength({ since: at(1), resolvedAt: at(2) }, Date.parse(at(30)))).toBe(60_000);
    // The clocks of browser and service may differ.
    expect(incidentLength({ since: at(1), resolvedAt: null }, Date.parse(at(0)))).toBe(0);
  });
});

describe("a count", () => {
  it("of a list that was read up to a limit shows that there may be more", () => {
    expect([0, 19, 20].map((count) => countText(count, 20))).toEqual(["0", "19", "20+"]);
  });
});
