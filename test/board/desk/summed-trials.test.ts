import { describe, expect, it } from "vitest";
import { summedTrials } from "../../../src/board/domain/summed-trials.ts";

type DryRun = Parameters<typeof summedTrials>[0][number];

const none = {
  ...{ shifts: 0, oee: 0, netOee: 0, availability: 0, netAvailability: 0, effectiveness: 0, quality: 100, total: 0, defects: 0 },
  ...{ availableTime: 0, programmedDowntime: 0, nonProgrammedDowntime: 0, otherStopsTime: 0, noDataTime: 0 },
};

/** What a machine says: a shift of so many available minutes, with its ideal minutes and units. */
function trialOf(
  machineId: number,
  start: string,
  [before, after]: readonly [Partial<typeof none>, Partial<typeof none>],
): DryRun {
  const shift = { machineId, shiftId: 1, start, end: start, before: {}, after: {} };
  return {
    ...{ recalculationId: null, machineCount: 1, shiftCount: 1, shifts: [shift] },
    ...{ before: { ...none, shifts: 1, ...before }, after: { ...none, shifts: 1, ...after } },
  };
}

describe("what a change of several machines would do", () => {
  it("has the sums of all, with percentages of the sums, and the shifts by time", () => {
    const large = { availableTime: 400, nonProgrammedDowntime: 100, effectiveness: 50, total: 100, defects: 10 };
    const small = { availableTime: 100, programmedDowntime: 100, effectiveness: 100, total: 100, defects: 0, noDataTime: 5 };
    const both = summedTrials([
      trialOf(2, "2026-11-02T06:00:00.000Z", [large, { ...large, effectiveness: 25 }]),
      trialOf(1, "2026-11-01T06:00:00.000Z", [small, small]),
    ]);
    expect(both).toMatchObject({ recalculationId: null, machineCount: 2, shiftCount: 2 });
    expect(both.shifts.map(({ machineId }) => machineId)).toEqual([1, 2]);
    // 500 of 700 minutes, 300 ideal ones of 500, 190 good units of 200.
    expect(both.before).toEqual({
      ...{ shifts: 2, availability: 71.43, effectiveness: 60, quality: 95, oee: 40.71, netAvailability: 83.33, netOee: 47.5 },
      ...{ total: 200, defects: 10, availableTime: 500, programmedDowntime: 100, nonProgrammedDowntime: 100 },
      ...{ otherStopsTime: 0, noDataTime: 5 },
    });
    expect(both.after).toMatchObject({ effectiveness: 40, oee: 27.14 });
  });

  it("is nothing without machines that would change", () => {
    expect(summedTrials([])).toMatchObject({ machineCount: 0, shiftCount: 0, shifts: [], before: none, after: none });
  });
});
