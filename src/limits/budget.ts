// D1 answers at most 1,000 queries of one invocation of the Worker. Work that grows with the number of companies counts its statements, and what is
// left over gets an invocation of its own.

/** Counts the statements of an invocation. */
export class Budget {
  readonly limit: number;
  statements = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get isUsed(): boolean {
    return this.statements >= this.limit;
  }
}

/**
 * How many statements an invocation runs before it begins nothing new: far below the platform's limit, because the work that is begun is also
 * finished.
 */
export const STATEMENTS = 600;

const budgets = new WeakMap<object, Budget>();

/** The bindings for one invocation: every database that is opened with them counts its statements in the budget. */
export function withBudget<E extends object>(env: E, limit: number = STATEMENTS): { env: E; budget: Budget } {
  const budget = new Budget(limit);
  const own = { ...env };
  budgets.set(own, budget);
  return { env: own, budget };
}

/** The budget of an invocation; undefined: it has none. */
export function budgetOf(env: object): Budget | undefined {
  return budgets.get(env);
}
