import { conflict, invalid, Problem } from "../../core/problem.ts";
import type { Failed } from "../../db/checked-batch.ts";
import type { SetUpCheck } from "./queries.ts";

/** The problem of failed checks: an unknown company comes before unknown references, and those before conflicts. Null: overtaken. */
export function refusalOf(failed: readonly Failed<SetUpCheck>[]): Problem | null {
  for (const status of [404, 400, 409] as const) {
    const errors = failed.filter(({ check }) => check.status === status).map(({ check, found }) => check.fault(found));
    if (errors.length === 0) continue;
    if (status === 400) return invalid(errors);
    const detail = errors.map(({ pointer, message }) => `${pointer || "body"}: ${message}`).join("; ");
    return status === 404 ? new Problem(404, detail, { errors }) : conflict(detail, errors);
  }
  return null;
}
