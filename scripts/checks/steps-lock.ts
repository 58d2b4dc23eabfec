import { createHash } from "node:crypto";

// The lock of the steps of an object's storage: a line for each step, with its id and the checksum of its SQL. An object does not compare the
// steps that it has taken with those of the code, so an edited step would change new objects only.

interface Step {
  id: string;
  sql: string;
}

/** The line of a step in the lock. */
export function lockLineOf({ id, sql }: Step): string {
  return `${id} ${createHash("sha256").update(sql).digest("hex").slice(0, 16)}`;
}

/** Returns what is wrong with steps, by their lock; nothing if the lock lists them as they are. */
export function checkSteps(steps: readonly Step[], lock: string): string[] {
  const lines = linesOf(lock);
  const byId = new Map(steps.map((step) => [step.id, step]));
  const locked = lines.map((line) => line.split(" ")[0] ?? "");
  const old = lines.flatMap((line, i) => {
    const step = byId.get(locked[i] ?? "");
    if (!step) return [`Step ${locked[i]} was removed or renamed: objects have taken it.`];
    return lockLineOf(step) === line
      ? []
      : [`Step ${step.id} was edited: objects that have taken it would differ. Add a new step.`];
  });
  const added = steps.filter(({ id }) => !locked.includes(id));
  const missing = added.map((step) => `Step ${step.id} is not in the lock. If it is final, append the line: ${lockLineOf(step)}`);
  const numbers = steps.map(({ id }) => id.slice(0, 4));
  const isInOrder = numbers.every((number, i) => number === String(i).padStart(4, "0"));
  const unordered = isInOrder ? [] : ["The steps are not numbered from 0000 without gaps, in order."];
  return [...old, ...missing, ...unordered];
}

/** Returns what is wrong with a lock, by that of the released version: lines are only appended. */
export function checkLock(lock: string, released: string): string[] {
  const lines = linesOf(lock);
  return linesOf(released).flatMap((line, i) =>
    lines[i] === line ? [] : [`The lock's line "${line}" is released, and was changed or removed.`],
  );
}

function linesOf(lock: string): string[] {
  return lock.split("\n").filter((line) => line !== "");
}
