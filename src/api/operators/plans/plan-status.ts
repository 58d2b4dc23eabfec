export type PlanStatus = "future" | "Active" | "past";

/** The status of a plan at an instant, from its dates (epoch ms, `until` exclusive). */
export function statusOf({ since, until }: { since: number; until: number }, now: number): PlanStatus {
  if (until <= now) return "past";
  return since <= now ? "Active" : "future";
}
