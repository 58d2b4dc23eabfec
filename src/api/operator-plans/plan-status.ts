export type PlanStatus = "future" | "Active" | "past";

/** What a plan's dates (epoch ms, `until` exclusive) make of it at an instant. */
export function statusOf({ since, until }: { since: number; until: number }, now: number): PlanStatus {
  if (until <= now) return "past";
  return since <= now ? "Active" : "future";
}
