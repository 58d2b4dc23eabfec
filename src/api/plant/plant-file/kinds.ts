/** The content type of a plant file that is not JSON. */
export const YAML = "application/yaml";

/** The most faults of a file that an answer names. */
export const MOST_FAULTS = 100;

/** The kinds of set-up in a plant file, in its order: what others name comes before them. */
export const plantKinds = [
  "company",
  "lines",
  "machines",
  "shifts",
  "calendarDays",
  "skus",
  "stopCauses",
  "defectReasons",
] as const;
export type PlantKind = (typeof plantKinds)[number];

/** The kinds whose keys the entries of a kind name. */
export const namedBy: Record<PlantKind, readonly PlantKind[]> = {
  company: [],
  lines: [],
  machines: ["lines"],
  shifts: ["machines"],
  calendarDays: ["lines", "machines", "shifts"],
  skus: ["machines"],
  stopCauses: [],
  defectReasons: [],
};
