import { violatedUnique } from "../db/errors.ts";
import { type Fault, type Problem, refusal } from "./problem.ts";

const inUse = (pointer: string): Fault => ({ pointer, code: "taken", message: "is already in use" });

const causeName: Fault = {
  pointer: "/name",
  code: "taken",
  message: "is already the name of another cause of this level under the same parent",
};

/** Columns of a unique index, as SQLite names them -> the fault of a value that another row already has. */
const faults: Record<string, Fault> = {
  "users.email": inUse("/email"),
  "defect_reasons.company_id, defect_reasons.name": inUse("/name"),
  "lines.company_id, lines.name": inUse("/name"),
  "machines.company_id, machines.ref": inUse("/ref"),
  "operators.company_id, operators.code": inUse("/code"),
  "skus.company_id, skus.id": inUse("/id"),
  "stop_causes.company_id, stop_causes.level, stop_causes.parent_id, stop_causes.name": causeName,
  "stop_causes.company_id, stop_causes.level, stop_causes.name": causeName,
  "work_orders.company_id, work_orders.code": {
    pointer: "/workOrder/code",
    code: "taken",
    message: "is already the code of another work order of this company",
  },
  "tag_keys.company_id, tag_keys.subject, tag_keys.tag_key": {
    pointer: "/tagKey",
    code: "taken",
    message: "is already the key of another tag of this subject",
  },
};

/** Returns the 409 for a batch that violated a unique index, or null for any other error. */
export function conflictOf(error: unknown): Problem | null {
  const fault = faults[violatedUnique(error) ?? ""];
  return fault ? refusal(409, [fault]) : null;
}
