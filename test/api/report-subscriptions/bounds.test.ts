import { expect, it } from "vitest";
import { callBodyOf } from "../../../src/api/report-subscriptions/call-webhooks.ts";
import type { Report, StopReport } from "../../../src/api/report-subscriptions/gather.ts";
import { renderCsv } from "../../../src/api/report-subscriptions/render-csv.ts";
import { renderHtml } from "../../../src/api/report-subscriptions/render-html.ts";
import { renderText } from "../../../src/api/report-subscriptions/render-text.ts";
import { wordsOf } from "../../../src/api/report-subscriptions/report-words.ts";

const start = Date.parse("2026-03-02T06:00:00Z");
const named = (id: number) => ({ id, name: `Thing ${id}` });
const noFigures = {} as Report["total"];

/** A report of a day with this many machines and stops. */
function reportOf({ machines, stops }: { machines: number; stops: number }, hasMore = false): Report {
  const stopOf = (_: unknown, i: number): StopReport => ({
    ...{ id: i, machine: named(1), line: null, shift: named(1), name: "", generalCause: null, specificCause: null },
    ...{ isProgrammed: false, isDowntime: true, start, end: start + 60_000, durationMs: 60_000, cost: null },
  });
  const scope = { companyId: 1, companyName: "Plant", name: "Daily", kind: "daily", language: "en", timezone: "UTC" } as const;
  return {
    scope: { ...scope, machineIds: null, lineIds: null, shift: null, period: { start, end: start + 86_400_000 } },
    ...{ at: start + 86_400_000, total: noFigures, before: null, hasCosts: false, unclassified: 1, held: [], handOvers: [] },
    machines: Array.from({ length: machines }, (_, i) => {
      return { machine: named(i), line: null, figures: noFigures, stopCount: 0, runs: null };
    }),
    stops: Array.from({ length: stops }, stopOf),
    late: { orders: [], hasMore } as unknown as Report["late"],
  };
}

it("the mail says that the attached file does not have all stops", () => {
  const report = reportOf({ machines: 1, stops: 10_001 });
  const [, file] = renderCsv(report, { summary: "summary", stops: "stops" });
  expect(file?.content.trim().split("\n")).toHaveLength(1 + 10_000);
  const line = "The attached file has 10,000 of the 10,001 stops, in this order.";
  const words = wordsOf(report, "");
  expect(renderText(words)).toContain(line);
  expect(renderHtml(words)).toContain(line);
  const spanish = wordsOf({ ...report, scope: { ...report.scope, language: "es" } }, "");
  expect(renderText(spanish)).toContain("El archivo adjunto tiene 10.000 de las 10.001 paradas, en este orden.");
});

it("the mail says nothing of it if the file has all stops", () => {
  const words = wordsOf(reportOf({ machines: 1, stops: 10_000 }), "");
  expect(words.notAttached).toBeNull();
  expect(renderText(words)).not.toContain("attached file");
});

it("a webhook's report says how many machines, stops and late orders there are besides those that it lists", () => {
  const log = { id: "l1", subscriptionId: "s1" } as Parameters<typeof callBodyOf>[0];
  const { data } = JSON.parse(callBodyOf(log, reportOf({ machines: 51, stops: 7 }, true), null));
  expect([data.machines.length, data.machineCount]).toEqual([50, 51]);
  expect([data.stops.length, data.stopCount]).toEqual([5, 7]);
  expect(data.hasMoreLateOrders).toBe(true);
});
