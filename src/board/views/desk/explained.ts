import type { ApiSchema } from "../../api.ts";
import type { ShiftTimes } from "../../model/desk/waterfall.ts";

export type Explanation = ApiSchema<"ShiftExplanation">;

/** The exact times behind the numbers of a shift, from its explanation. */
export function timesOf({ shift, asOf, segments, shiftIndicators, productionMetrics }: Explanation): ShiftTimes {
  const slow = productionMetrics.minutesLostByLowSpeed.inputs;
  const value = (inputs: Record<string, number | null>, name: string) => inputs[name] ?? 0;
  return {
    // From the commissioning, if that is in the shift.
    length: Date.parse(asOf) - Date.parse(segments[0]?.startTime ?? shift.startTime),
    noData: value(shiftIndicators.noDataTime.inputs, "noDataMs"),
    other: value(shiftIndicators.otherStopsTime.inputs, "otherMs"),
    programmed: value(shiftIndicators.programmedDowntime.inputs, "programmedMs"),
    nonProgrammed: value(shiftIndicators.nonProgrammedDowntime.inputs, "nonProgrammedMs"),
    available: value(slow, "availableMs"),
    ideal: value(slow, "idealMs"),
    defects: value(productionMetrics.minutesLostByLowQuality.inputs, "lostByDefectsMs"),
    hasStandard:
      value(productionMetrics.cycleSpeed.inputs, "cyclesWithStandard") > 0 ||
      value(productionMetrics.cycleCount.inputs, "cycles") === 0,
  };
}
