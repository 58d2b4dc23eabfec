import { refuseAbove } from "../../../core/actor.ts";
import { type Asked, refuse, rule } from "../rules.ts";
import type { ApiTokenRow } from "./queries.ts";

interface SentToken {
  companyId?: number;
  expiresAt?: number | null;
}

export const storeApiToken = rule(
  () => [],
  ({ actor, sent, before, next }: Asked<ApiTokenRow, SentToken>) => {
    refuseAbove(actor, next.role);
    const { expiresAt = null } = sent;
    const message = "must be in the future";
    refuse(expiresAt !== null && expiresAt <= Date.now() ? [{ pointer: "/expiresAt", code: "not_after_now", message }] : []);
    return before ? {} : { values: { createdBy: actor.userId, lastUsedAt: null } };
  },
);

export const revokeApiToken = rule(
  () => [],
  ({ actor, next }: Asked<ApiTokenRow>) => {
    refuseAbove(actor, next.role);
    return {};
  },
);
