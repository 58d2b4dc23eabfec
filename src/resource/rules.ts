import type { UserActor } from "../core/actor.ts";
import { type Fault, invalid } from "../core/problem.ts";
import type { CompanyDb } from "../db/client.ts";
import type { WouldBe } from "../objects/would-be-set-up.ts";
import type { Condition, Owner, Results, SetUpRow, Statement, Viewer } from "./queries.ts";

/** The facts about a write that are known before anything is read. */
export interface RuleContext<Sent> {
  /** The request's body; empty for a deletion. */
  sent: Sent;
  /** The company that owns the row, or will own it. */
  owner: Owner;
  viewer: Viewer;
  /** Undefined for a new row. */
  id: number | string | undefined;
  /** From when the change is to hold, if somebody said when (epoch ms). */
  from?: number | undefined;
}

/** A requested write. */
export interface RuleInput<Row, Sent = object> {
  db: CompanyDb;
  actor: UserActor;
  sent: Sent;
  /** The stored row; null for a new one. */
  before: Row | null;
  /** The row with the request's members, or marked as deleted. */
  next: Row;
  /** The time in which `next` is to hold, if somebody said when (epoch ms; `until` null: for ever). */
  at?: number | undefined;
  until?: number | null | undefined;
  /** Whether the members were accepted before: what they name may have been deleted since. */
  isAccepted?: boolean | undefined;
}

/** The effects of a write besides storing the request's members. */
export interface Effects<Row> {
  /** Values of the row that replace those of the request. */
  values?: Partial<Row>;
  /** Conditions that must still be true when the row is stored. */
  expect?: readonly Condition[];
  /** Statements that run before that of the row. */
  first?: readonly Statement[];
  /** Statements that run after that of the row. */
  rows?: readonly Statement[];
  /** Statements that run if the change holds in the past alone, so that the row stays as it is. */
  ofPast?: readonly Statement[];
  /** What `rows` and `ofPast` make of the set-ups of machines. */
  inSetUp?: { rows: WouldBe; ofPast: WouldBe };
  /** The machines whose numbers depend on the row. */
  machines?: readonly number[] | "all";
  /** The first instant whose numbers the write may change, apart from those after now, and the member that says it. Undefined: none before now. */
  changesFrom?: { at: number; pointer: string } | undefined;
  /** Members of the request that are never shown. The audit records that they were set. */
  hidden?: readonly string[];
}

/** The rule that decides on writes of a resource. */
export interface Rule<Row> {
  /** The statements that read what the decision needs besides the row itself. */
  read(db: CompanyDb, about: RuleContext<never>): readonly Statement[];
  /** Throws a Problem if the write is not allowed. Runs again if the data that was read has changed. */
  decide(asked: RuleInput<Row, never>, found: never): Effects<Row> | Promise<Effects<Row>>;
}

/** Makes a rule whose `decide` receives the results of the statements of `read`. */
export function rule<Row extends SetUpRow, Sent, const Q extends readonly Statement[]>(
  read: (db: CompanyDb, about: RuleContext<Sent>) => Q,
  decide: (asked: RuleInput<Row, Sent>, ...found: Results<Q>) => Effects<Row> | Promise<Effects<Row>>,
): Rule<Row> {
  return { read, decide: (asked, found: Results<Q>) => decide(asked, ...found) };
}

/** Allows everything. */
export const noRule = { read: () => [], decide: () => ({}) };

/** Throws 400 if there are any faults. */
export function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalid(faults);
}

/** The fault of the first id that is not among the rows found; empty if there is none. */
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
