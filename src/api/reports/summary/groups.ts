/** Groups of time: local hours, days, weeks, months (oee/report-buckets.ts). */
export const timeGroups = ["hour", "day", "week", "month"] as const;
export type TimeGroup = (typeof timeGroups)[number];

/** Groups of the rows of a summary. */
export const groups = ["machine", "line", "shift", ...timeGroups, "sku", "order", "operator", "cause", "defectReason"] as const;
export type Group = (typeof groups)[number];

/** One group or two. */
export type GroupBy = readonly Group[];

/** The groups that can be combined with defect reasons, which corrections have. */
const ofReasons: GroupBy = ["defectReason", "machine", "line", "shift", ...timeGroups, "sku", "order"];

/** The groups that can be combined with operators, whose numbers are kept per machine and shift. */
const ofOperators: GroupBy = ["operator", "machine", "line", "shift", "day", "week", "month"];

/** The time group among one or two groups; undefined if there is none. */
export function timeGroupOf(groupBy: GroupBy): TimeGroup | undefined {
  return timeGroups.find((time) => groupBy.includes(time));
}

/** Whether what is made outside shifts, which is kept per machine and hour, can be divided by these groups. */
export function divideOutside(groupBy: GroupBy): boolean {
  return groupBy.every((group) => group === "machine" || group === "line" || (timeGroups as GroupBy).includes(group));
}

/** The fault of a list of groups; null if there is none. */
export function faultOf(groupBy: GroupBy): string | null {
  if (groupBy.length < 1 || groupBy.length > 2) return "must be one group, or two separated by a comma";
  const [first, second] = groupBy;
  if (first === second) return "names the same group twice";
  if (groupBy.every((group) => (timeGroups as GroupBy).includes(group)) && second) {
    return `names two groups of time: take one of ${timeGroups.join(", ")}`;
  }
  const other = groupBy.find((group) => !ofOperators.includes(group));
  if (groupBy.includes("operator") && other) {
    const partners = ofOperators.slice(1).join(", ");
    return `cannot divide operators by ${other}, because their numbers are kept per machine and shift: combine operator with one of ${partners}`;
  }
  if (groupBy.includes("defectReason") && groupBy.some((group) => !ofReasons.includes(group))) {
    return `cannot divide defect reasons by ${groupBy.find((group) => !ofReasons.includes(group))}: combine defectReason with one of ${ofReasons.slice(1).join(", ")}`;
  }
  return null;
}
