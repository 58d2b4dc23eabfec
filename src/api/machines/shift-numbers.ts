import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import {
  type ProductionInputs,
  type ProductionMetrics,
  productionMetrics,
  type ShiftIndicators,
  shiftIndicators,
} from "../../oee/metrics.ts";
import type { ShiftSums } from "../../oee/shift-ledger.ts";

/** The inputs of the formulas: times in ms, counts, units. */
interface Inputs {
  availableMs: number;
  noDataMs: number;
  programmedMs: number;
  nonProgrammedMs: number;
  otherMs: number;
  lateStartMs: number;
  earlyStopMs: number;
  annotatedMs: number;
  cycles: number;
  total: number;
  defects: number;
  unitsWithoutTime: number;
  idealMs: number;
  cyclesWithStandard: number;
  lostByDefectsMs: number;
  standardCycleMs: number | null;
  recentUnits: number;
  recentMs: number;
}
type Formula = readonly [formula: string, ...inputs: (keyof Inputs)[]];

const minutesOf = (input: keyof Inputs): Formula => [`round(${input} / 60000, 2)`, input];
const availability = "availableMs / (availableMs + programmedMs + nonProgrammedMs)";
const netAvailability = "availableMs / (availableMs + nonProgrammedMs)";
const oeeOf = (ofTime: string) => `round(100 * ${ofTime} * idealMs / availableMs * (total - defects) / total, 0)`;

/** `round` rounds half up to the given number of decimals; a division by zero gives 0. */
const indicatorFormulas: Record<keyof ShiftIndicators, Formula> = {
  availableTime: minutesOf("availableMs"),
  noDataTime: minutesOf("noDataMs"),
  otherStopsTime: minutesOf("otherMs"),
  programmedDowntime: minutesOf("programmedMs"),
  nonProgrammedDowntime: minutesOf("nonProgrammedMs"),
  unavailableTime: ["round((programmedMs + nonProgrammedMs) / 60000, 2)", "programmedMs", "nonProgrammedMs"],
  lateStartTime: minutesOf("lateStartMs"),
  earlyStopTime: minutesOf("earlyStopMs"),
  annotatedDowntime: minutesOf("annotatedMs"),
  availability: [`round(100 * ${availability}, 2)`, "availableMs", "programmedMs", "nonProgrammedMs"],
  netAvailability: [`round(100 * ${netAvailability}, 2)`, "availableMs", "nonProgrammedMs"],
};
const metricFormulas: Record<keyof ProductionMetrics, Formula> = {
  cycleCount: ["cycles", "cycles"],
  total: ["round(total, 0)", "total"],
  defects: ["round(defects, 0)", "defects"],
  correct: ["round(total, 0) - round(defects, 0)", "total", "defects"],
  averageCycleSpeed: [
    "round(cycles * (total - unitsWithoutTime) / total * 3600000 / availableMs, 0); without units round(cycles * 3600000 / availableMs, 0)",
    ...(["cycles", "total", "unitsWithoutTime", "availableMs"] as const),
  ],
  averageSpeed: ["round((total - unitsWithoutTime) * 3600000 / availableMs, 0)", "total", "unitsWithoutTime", "availableMs"],
  actualSpeed: ["round(recentUnits * 3600000 / recentMs, 0)", "recentUnits", "recentMs"],
  cycleSpeed: [
    "round(cyclesWithStandard * 3600000 / idealMs, 0); without such cycles round(3600000 / standardCycleMs, 0)",
    "cyclesWithStandard",
    "idealMs",
    "standardCycleMs",
  ],
  minutesLostByLowSpeed: ["round(max(0, availableMs - idealMs) / 60000, 0)", "availableMs", "idealMs"],
  minutesLostByLowQuality: ["round(lostByDefectsMs / 60000, 0)", "lostByDefectsMs"],
  effectiveness: ["round(100 * idealMs / availableMs, 0)", "idealMs", "availableMs"],
  quality: ["round(100 * max(0, total - defects) / total, 0); 100 when total and defects are 0", "total", "defects"],
  oee: [oeeOf(availability), "availableMs", "programmedMs", "nonProgrammedMs", "idealMs", "total", "defects"],
  netOee: [oeeOf(netAvailability), "availableMs", "nonProgrammedMs", "idealMs", "total", "defects"],
  availability: [`round(100 * ${availability}, 0)`, "availableMs", "programmedMs", "nonProgrammedMs"],
  netAvailability: [`round(100 * ${netAvailability}, 0)`, "availableMs", "nonProgrammedMs"],
};

const explained = z
  .object({
    value: z.number().openapi({ description: "As in the report of metrics" }),
    formula: answerText.openapi({ example: "round(100 * idealMs / availableMs, 0)" }),
    inputs: z.record(answerText, z.number().nullable()).openapi({ description: "Times in ms, counts in cycles or units" }),
  })
  .openapi("ExplainedNumber");
type Explained = z.infer<typeof explained>;

function explainedAll<K extends string>(names: K[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, explained])) as Record<K, typeof explained>);
}

/** The published numbers of a shift, each with its formula and inputs. */
export const explainedIndicators = explainedAll(Object.keys(indicatorFormulas) as (keyof ShiftIndicators)[]);
export const explainedMetrics = explainedAll(Object.keys(metricFormulas) as (keyof ProductionMetrics)[]);

/** The values of `explainedIndicators` and `explainedMetrics` of a shift that has ended (`isClosed`) or not. */
export function explainNumbers(sums: ShiftSums, made: ProductionInputs, isClosed: boolean) {
  const { totalUnits: total, defectUnits: defects } = made;
  const earlyStopMs = isClosed ? sums.nonProgrammedSinceAvailableMs : 0;
  const inputs: Inputs = { ...sums, ...made, total, defects, earlyStopMs };
  return {
    shiftIndicators: explainAll(indicatorFormulas, shiftIndicators(sums, isClosed), inputs),
    productionMetrics: explainAll(metricFormulas, productionMetrics(sums, made), inputs),
  };
}

function explainAll<K extends string>(formulas: Record<K, Formula>, values: Record<K, number>, inputs: Inputs) {
  const names = Object.keys(formulas) as K[];
  const numbers = names.map((name): [K, Explained] => {
    const [formula, ...parts] = formulas[name];
    return [name, { value: values[name], formula, inputs: Object.fromEntries(parts.map((part) => [part, inputs[part]])) }];
  });
  return Object.fromEntries(numbers) as Record<K, Explained>;
}
