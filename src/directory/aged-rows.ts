import { gt } from "drizzle-orm";
import { deadLetters, loginAttempts, wallPairings } from "../db/schema/directory.ts";

// The rows of the directory that are deleted some time after an instant (epoch ms) in a column with an index.

/** Counters of failures, by their first one. */
export const agedFailures = {
  table: loginAttempts,
  time: loginAttempts.windowStart,
  of: gt(loginAttempts.failures, 0),
};
/** Addresses that are known for an account, and counters, by the last sign-in or the first failure. */
export const agedAttempts = { table: loginAttempts, time: loginAttempts.windowStart };
/** Pairings, by the end of their code or token. */
export const agedPairings = { table: wallPairings, time: wallPairings.expiresAt };
export const agedDeadLetters = { table: deadLetters, time: deadLetters.createdAt };
