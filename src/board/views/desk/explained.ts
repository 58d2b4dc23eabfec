import type { ApiSchema } from "../../data/api.ts";
import { type ShiftUse, shiftLength } from "../../domain/waterfall.ts";

export type Explanation = ApiSchema<"ShiftExplanation">;

/** The exact times behind the numbers of a shift, from its explanation. */
export function shiftUse(explanation: Explanation): ShiftUse {
  const { shiftIndicators, productionMetrics } = explanation;
  const slow = productionMetrics.minutesLostByLowSpeed.inputs;
  const value = (inputs: Record<string, number | null>, name: string) => inputs[name] ?? 0;
  return {
    length: shiftLength(explanation),
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
