import { type Fault, Problem } from "../../../core/problem.ts";

type Lines = ReadonlyMap<string, number>;

/**
 * Does work on a file. The faults that it finds say their lines, too.
 * @param lines the line of each value, by its JSON pointer
 */
export async function namingLines<T>(lines: Lines, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || !error.extras.errors) throw error;
    const errors = error.extras.errors.map((fault) => atLine(fault, lines));
    throw new Problem(error.status, error.detail, { ...error.extras, errors });
  }
}

/** A fault with the line of its member, or of the nearest one that the file has. */
function atLine(fault: Fault, lines: Lines): Fault {
  for (let at = fault.pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const line = lines.get(at);
    if (line !== undefined) return { ...fault, message: `line ${line}: ${fault.message}` };
  }
  return fault;
}
