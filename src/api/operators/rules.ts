import { type RuleInput, rule } from "../../resource/rules.ts";
import type { OperatorRow } from "./queries.ts";

/** Machines sign a deleted operator out, and credit what plans say while the operator is there (machine/settings/sign-out-deleted.ts). */
export const concernAllMachines = rule(
  () => [],
  (_: RuleInput<OperatorRow>) => ({ machines: "all" }),
);
