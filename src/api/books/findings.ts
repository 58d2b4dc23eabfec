import type { BooksFinding } from "../../db/values.ts";

/** What people have left open, of the counts that were read. */
export function findingsOf(found: { unclassified: number; silent: number; held: number } | undefined): BooksFinding[] {
  const { unclassified = 0, silent = 0, held = 0 } = found ?? {};
  const all: BooksFinding[] = [
    { code: "unclassified_stops", count: unclassified },
    { code: "silent_machines", count: silent },
    { code: "held_events", count: held },
  ];
  return all.filter(({ count }) => count > 0);
}
