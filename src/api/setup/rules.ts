import type { UserActor } from "../../core/actor.ts";
import { type Fault, invalid } from "../../core/problem.ts";
import type { Db } from "../../db/client.ts";
import type { Condition, Owner, Results, SetUpRow, Statement, Viewer } from "./queries.ts";

/** What is known of a write before anything is read. */
export interface About<Sent> {
  /** The request's body; empty for a deletion. */
  sent: Sent;
  /** The company that owns the row, or will. */
  owner: Owner;
  viewer: Viewer;
  /** Undefined for a new row. */
  id: number | string | undefined;
}

/** A requested write. */
export interface Asked<Row, Sent = object> {
  db: Db;
  actor: UserActor;
  sent: Sent;
  /** The row as it is; null for a new one. */
  before: Row | null;
  /** The row with what was sent, or marked as deleted. */
  next: Row;
}

/** What a write does besides storing what was sent. */
export interface Effects<Row> {
  /** Values of the row that replace those that were sent. */
  values?: Partial<Row>;
  /** Conditions that must still hold when the row is stored. */
  expect?: readonly Condition[];
  /** Statements that run before that of the row. */
  first?: readonly Statement[];
  /** Statements that run after that of the row. */
  rows?: readonly Statement[];
  /** The machines whose numbers depend on the row. */
  machines?: readonly number[] | "all";
  /** Members that were sent but are never shown. The audit tells that they were sent. */
  hidden?: readonly string[];
}

/** How a write to a kind of row is judged. */
export interface Rule<Row> {
  /** The statements that read what matters besides the row itself. */
  read(db: Db, about: About<never>): readonly Statement[];
  /** Throws a Problem if the write is not allowed. Runs again if others changed what was read. */
  judge(asked: Asked<Row, never>, found: never): Effects<Row> | Promise<Effects<Row>>;
}

/** Makes a rule whose `judge` gets the results of the statements of `read`. */
export function rule<Row extends SetUpRow, Sent, const Q extends readonly Statement[]>(
  read: (db: Db, about: About<Sent>) => Q,
  judge: (asked: Asked<Row, Sent>, ...found: Results<Q>) => Effects<Row> | Promise<Effects<Row>>,
): Rule<Row> {
  return { read, judge: (asked, found: Results<Q>) => judge(asked, ...found) };
}

/** Allows everything. */
export const noRule = { read: () => [], judge: () => ({}) };

/** Throws 400 if there are any faults. */
export function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalid(faults);
}

/** The fault of the first id that is not among the rows found, if there is one. */
export function unknownIds<T extends number | string>(
  ids: readonly T[],
  found: readonly { id: unknown }[],
  pointerOf: (index: number) => string,
  message: string,
): Fault[] {
  const known = new Set(found.map(({ id }) => id));
  const index = ids.findIndex((id) => !known.has(id));
  return index < 0 ? [] : [{ pointer: pointerOf(index), code: "not_found", message }];
}
