import { type RuleInput, rule } from "../../resource/rules.ts";
import type { OperatorRow } from "./queries.ts";

/** Machines sign a deleted operator out, and no longer credit what plans say (machine/settings/sign-out-deleted.ts). */
export const removeOperator = rule(
  () => [],
  (_: RuleInput<OperatorRow>) => ({ machines: "all" }),
);
