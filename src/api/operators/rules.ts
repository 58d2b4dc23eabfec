import { hashPassword, type PasswordClient } from "../../core/password.ts";
import { type RuleInput, rule } from "../../resource/rules.ts";
import type { OperatorRow } from "./queries.ts";

interface SentOperator {
  pin?: string | null;
}

/** The rule of a new or changed operator. */
export function storeOperator(client: PasswordClient) {
  // A write may be decided several times.
  let hashed: Promise<string> | undefined;
  return rule(
    () => [],
    async ({ sent: { pin }, before }: RuleInput<OperatorRow, SentOperator>) => {
      if (pin === undefined) return {};
      if (pin === null) return { values: { pinHash: null }, hidden: before?.pinHash ? ["pin"] : [] };
      hashed ??= client.hashing(() => hashPassword(pin));
      return { values: { pinHash: await hashed }, hidden: ["pin"] };
    },
  );
}

/** Machines sign a deleted operator out, and credit what plans say while the operator is there (machine/settings/sign-out-deleted.ts). */
export const concernAllMachines = rule(
  () => [],
  (_: RuleInput<OperatorRow>) => ({ machines: "all" }),
);

/** Who is restored has no PIN: an admin decides anew. */
export const removeOperator = rule(
  () => [],
  (_: RuleInput<OperatorRow>) => ({ machines: "all", values: { pinHash: null } }),
);
