import { isoOf } from "../oee/time.ts";
import { type Problem, refusal } from "./problem.ts";

// Nothing changes before the instant up to which the books of a company are closed. Every refusal because of that is made by `closedBooks`, so that clients
// always get the same code, and the member that names a time in closed books.

/**
 * The refusal of what would change closed books.
 * @param pointer the member of the request whose time is in closed books
 * @param to up to when the books are closed (epoch ms)
 */
export function closedBooks(pointer: string, to: number): Problem {
  return refusal(409, [{ pointer, code: "closed_books", message: closedBooksText(to) }]);
}

/** Refuses a request if a machine refused it because of closed books. */
export function refuseIfClosed(answer: object, pointer: string): void {
  if ("closedTo" in answer && typeof answer.closedTo === "number") throw closedBooks(pointer, answer.closedTo);
}

/** Why nothing of before an instant can change. */
export function closedBooksText(to: number): string {
  return `the books are closed up to ${isoOf(to)}: nothing before that changes until an admin reopens them`;
}
