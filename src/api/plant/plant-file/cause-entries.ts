import type { Fault } from "../../../core/problem.ts";
import type { StopCauseRow } from "../stop-causes/queries.ts";
import { sorted } from "./sorted.ts";

/** A stop cause with the names of the causes from the topmost one above it down to its own. With its level, that is its key. */
interface CauseEntry {
  row: StopCauseRow;
  path: string[];
}

/** The stop causes of a plant file, sorted by their keys. */
export function causeEntries(rows: readonly StopCauseRow[]): CauseEntry[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const entries = rows.map((row) => ({ row, path: pathOf(row, byId) }));
  return sorted(entries, ({ row, path }) => [...path, "", row.level]);
}

function pathOf(row: StopCauseRow, byId: ReadonlyMap<number, StopCauseRow>): string[] {
  const path: string[] = [];
  const seen = new Set<StopCauseRow>();
  for (
    let at: StopCauseRow | undefined = row;
    at && !seen.has(at);
    at = at.parentId === null ? undefined : byId.get(at.parentId)
  ) {
    seen.add(at);
    path.unshift(at.name);
  }
  return path;
}

/**
 * The faults of components whose parent a path does not tell from another cause: causes of different levels may have the same path. The parent of
 * a specific cause is general, so that it is always told.
 */
export function ambiguousParents(entries: readonly CauseEntry[]): Fault[] {
  const ofPath = Map.groupBy(entries, ({ path }) => JSON.stringify(path));
  const parents = entries.flatMap(({ row, path }) => (row.level === "component" ? JSON.stringify(path.slice(0, -1)) : []));
  return [...new Set(parents)].flatMap((parent): Fault[] => {
    const all = ofPath.get(parent) ?? [];
    if (all.length < 2) return [];
    const ids = all
      .map(({ row }) => row.id)
      .sort((a, b) => a - b)
      .join(", ");
    const message = `the stop causes ${ids} have the same names, ${JSON.parse(parent).join(" / ")}: rename all but one, so that a file can name the one above a component`;
    return [{ pointer: "/stopCauses", code: "ambiguous", message }];
  });
}
