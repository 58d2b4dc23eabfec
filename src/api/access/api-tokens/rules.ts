import { refuseAbove } from "../../../core/actor.ts";
import { refusal } from "../../../core/problem.ts";
import { type RuleInput, refuse, rule } from "../../../resource/rules.ts";
import type { ApiTokenRow } from "./queries.ts";

interface SentToken {
  companyId?: number;
  isOfCompany?: boolean;
  expiresAt?: number | null;
}

export const storeApiToken = rule(
  () => [],
  ({ actor, sent, before, next }: RuleInput<ApiTokenRow, SentToken>) => {
    refuseAbove(actor, next.role);
    const { expiresAt = null } = sent;
    const message = "must be in the future";
    refuse(expiresAt !== null && expiresAt <= Date.now() ? [{ pointer: "/expiresAt", code: "not_after_now", message }] : []);
    if (next.isOfCompany && !next.machineIds && !(next.role === "readonly" && next.isReadOnly)) {
      const only = "is only for tokens with the role readonly that may only read, and those of terminals";
      refuse([{ pointer: "/isOfCompany", code: "not_allowed", message: only }]);
    }
    if (before && before.createdBy !== actor.userId && isLater(next.expiresAt, before.expiresAt)) {
      const later = "ends a token that acts for another user: only that user can put it off, or revive the token";
      throw refusal(409, [{ pointer: "/expiresAt", code: "not_allowed", message: later }]);
    }
    return before ? {} : { values: { createdBy: actor.userId, lastUsedAt: null, machineIds: null } };
  },
);

/** True if an end (null: never) is later than another. */
function isLater(one: number | null, other: number | null): boolean {
  return other !== null && (one === null || one > other);
}

export const revokeApiToken = rule(
  () => [],
  ({ actor, next }: RuleInput<ApiTokenRow>) => {
    refuseAbove(actor, next.role);
    return {};
  },
);
