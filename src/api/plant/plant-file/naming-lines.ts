import { type Fault, withFaults } from "../../../core/problem.ts";

type Lines = ReadonlyMap<string, number>;

/**
 * Does work on a file, and adds lines to the faults that it throws.
 * @param lines the line of each value, by its JSON pointer
 */
export async function namingLines<T>(lines: Lines, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withFaults(error, (fault) => atLine(fault, lines));
  }
}

/** A fault with the line of its member. A member that the file lacks has the line of the one around it. */
function atLine(fault: Fault, lines: Lines): Fault {
  for (let at = fault.pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const line = lines.get(at);
    if (line !== undefined) return { ...fault, message: `line ${line}: ${fault.message}` };
  }
  return fault;
}
