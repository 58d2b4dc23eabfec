import fc from "fast-check";
import { expect, it } from "vitest";
import { type SlotStatus, slotsOf } from "../../../src/api/report-subscriptions/slots.ts";

const period = { start: 1000, end: 1100 };
const shown = (runs: ReturnType<typeof slotsOf>) => runs.map(({ status, slots }) => status.repeat(slots)).join("");

it("shows the state of most of each part, or a stop that took a fifth of it", () => {
  const stretches = [
    { status: "A" as const, start: 1010, end: 1042 },
    { status: "N" as const, start: 1042, end: 1044 },
    { status: "A" as const, start: 1044, end: 1058 },
    { status: "N" as const, start: 1058, end: 1059 },
    { status: "P" as const, start: 1059, end: 1070 },
    { status: "D" as const, start: 1070, end: 1200 },
  ];
  expect(shown(slotsOf(period, 10, stretches))).toBe("UAAANAPDDD");
  expect(slotsOf(period, 10, [])).toEqual([{ status: "U", slots: 10 }]);
});

it("has the requested number of parts, whatever the pieces", () => {
  const status = fc.constantFrom<SlotStatus>("A", "N", "P", "O", "D");
  const lengths = fc.array(fc.record({ status, gap: fc.integer({ min: 0, max: 20 }), length: fc.integer({ min: 1, max: 40 }) }));
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 200 }), (all, count) => {
      let at = 980;
      const stretches = all.map(({ status, gap, length }) => {
        const start = at + gap;
        at = start + length;
        return { status, start, end: at };
      });
      const runs = slotsOf(period, count, stretches);
      expect(runs.reduce((sum, { slots }) => sum + slots, 0)).toBe(count);
      for (const [i, { status }] of runs.entries()) expect(runs[i - 1]?.status).not.toBe(status);
    }),
  );
});
