/** Calls to machines' objects: how many, and the time during which at least one was under way. */
export interface ObjectUsage {
  calls: number;
  durationMs: number;
  underWay: number;
  since: number;
}

export function newObjectUsage(): ObjectUsage {
  return { calls: 0, durationMs: 0, underWay: 0, since: 0 };
}
