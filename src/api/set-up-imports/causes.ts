import type { Fault } from "../../core/problem.ts";
import type { Item } from "../../resource/resource.ts";
import type { StopCauseRow } from "../plant/stop-causes/queries.ts";

// Stop causes in a file: each line names a cause, and the causes above it from the topmost one down, as `Breakdown > Jam`.

const BETWEEN = ">";

/** A cause as far as a file names it. */
type Cause = Pick<StopCauseRow, "id" | "level" | "parentId" | "name">;

export function pathText(path: readonly string[]): string {
  return path.join(` ${BETWEEN} `);
}

/** The names of the causes above a cause, from the topmost one down. */
function namesAbove(above: unknown): string[] {
  const names = String(above ?? "").split(BETWEEN);
  return names.map((one) => one.trim()).filter((one) => one !== "");
}

/** The causes of a company by their paths, also those that a file creates. */
export class CauseTree {
  readonly #byId = new Map<number, Cause>();
  readonly #byPath = new Map<string, Cause[]>();

  constructor(rows: readonly Cause[]) {
    for (const row of rows) this.#byId.set(row.id, row);
    for (const row of rows) this.#note(row);
  }

  add(row: Cause): void {
    this.#byId.set(row.id, row);
    this.#note(row);
  }

  #note(row: Cause): void {
    const path = JSON.stringify(this.pathOf(row));
    this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), row]);
  }

  at(path: readonly string[]): readonly Cause[] {
    return this.#byPath.get(JSON.stringify(path)) ?? [];
  }

  pathOf(row: Cause): string[] {
    const path: string[] = [];
    const seen = new Set<number>();
    for (let at: Cause | undefined = row; at && !seen.has(at.id); at = this.#byId.get(at.parentId ?? 0)) {
      seen.add(at.id);
      path.unshift(at.name);
    }
    return path;
  }
}

/** The level of the cause of a line: the one in the line, that of the one cause of this path, or what its depth says. */
function levelOf({ level, above, name }: Item, causes: CauseTree): StopCauseRow["level"] {
  if (typeof level === "string") return level as StopCauseRow["level"];
  const path = namesAbove(above);
  const [known, other] = causes.at([...path, String(name)]);
  if (known && !other) return known.level;
  return path.length === 0 ? "general" : "specific";
}

/** What tells a cause apart from others: its level, and the names from the topmost cause above it down to its own. */
export function causeKey(sent: Item, causes: CauseTree): { level: StopCauseRow["level"]; path: string[] } {
  return { level: levelOf(sent, causes), path: [...namesAbove(sent.above), String(sent.name)] };
}

/** The members of the row of a line, whose level is known. */
export function causeValues(sent: Item, causes: CauseTree): Item | Fault[] {
  const { name, above, isProgrammed, isIncludedInAvailability } = sent;
  const level = sent.level as StopCauseRow["level"];
  const parentId = parentOf(namesAbove(above), level, causes);
  if (typeof parentId === "object" && parentId !== null) return [parentId];
  return {
    ...{ name, level, parentId },
    ...(isProgrammed !== undefined && { ownIsProgrammed: isProgrammed }),
    ...(isIncludedInAvailability !== undefined && { ownIsIncludedInAvailability: isIncludedInAvailability }),
  };
}

function parentOf(path: readonly string[], level: StopCauseRow["level"], causes: CauseTree): number | null | Fault {
  const refused = (code: Fault["code"], message: string): Fault => ({ pointer: "/above", code, message });
  if (path.length === 0) return level === "specific" ? refused("required", "is required of a specific cause") : null;
  if (level === "general") return refused("not_allowed", "is only for specific causes and components");
  const parents = causes.at(path).filter((one) => level !== "specific" || one.level === "general");
  if (parents.length > 1) return refused("ambiguous", "names several causes of different levels");
  const [parent] = parents;
  if (parent) return parent.id;
  return refused("not_found", `is no ${level === "specific" ? "general cause" : "cause"} of this company or this file`);
}

/** The columns of a cause. */
export function causeShown(row: StopCauseRow, causes: CauseTree): Item {
  return {
    name: row.name,
    above: pathText(causes.pathOf(row).slice(0, -1)),
    level: row.level,
    isProgrammed: row.ownIsProgrammed,
    isIncludedInAvailability: row.ownIsIncludedInAvailability,
  };
}
