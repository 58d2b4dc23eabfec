import { urlFaults } from "../../channels/public-url.ts";
import { newWebhookSecret } from "../../channels/sign-webhook.ts";
import { seal } from "../../core/cipher.ts";
import { areThere } from "../../core/references.ts";
import { selectOwned } from "../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../resource/rules.ts";
import { lineTable } from "../plant/lines/queries.ts";
import { machineTable } from "../plant/machines/queries.ts";
import { cancelDeliveries, hasNoSecret, insertSecret, type SubscriptionRow, selectSecret } from "./queries.ts";
import { firstSecret } from "./secrets.ts";

interface SentSubscription {
  machineIds?: number[] | null;
  lineIds?: number[] | null;
  isActive?: boolean;
  /** For a new subscription: stored for its company if that has no secret yet. */
  sealedCompanySecret?: string;
}

const notEnded = { endedAt: null, endedBecause: null, failingSince: null };

export const storeWebhookSubscription = rule(
  (db, { sent, owner }: RuleContext<SentSubscription>) => [
    selectOwned(db, machineTable, owner, sent.machineIds ?? []),
    selectOwned(db, lineTable, owner, sent.lineIds ?? []),
    selectSecret(db, owner),
  ],
  ({ db, sent, before, next }: RuleInput<SubscriptionRow, SentSubscription>, machines, lines, [companySecret]) => {
    const message = "must be null beside `machineIds`";
    const isBoth = next.machineIds !== null && next.lineIds !== null;
    // Ids of objects that have been deleted since may stay in the list: nothing happens there any more.
    const known = (ids: number[] | null | undefined) => (ids ?? []).map((id) => ({ id }));
    refuse([
      ...(isBoth ? [{ pointer: "/lineIds", code: "not_allowed", message } as const] : []),
      ...unknownIds(
        next.machineIds ?? [],
        [...known(before?.machineIds), ...machines],
        (i) => `/machineIds/${i}`,
        "is not a machine of this company",
      ),
      ...unknownIds(
        next.lineIds ?? [],
        [...known(before?.lineIds), ...lines],
        (i) => `/lineIds/${i}`,
        "is not a line of this company",
      ),
    ]);
    const added = (ids: number[] | null, earlier: number[] | null | undefined) =>
      (ids ?? []).filter((id) => !earlier?.includes(id));
    const named = [
      areThere("machine", next.companyId, added(next.machineIds, before?.machineIds)),
      areThere("line", next.companyId, added(next.lineIds, before?.lineIds)),
    ];
    if (before) return { expect: named, ...(before.endedAt !== null && sent.isActive && { values: notEnded }) };
    const values = { ...notEnded, previousSealedSecret: null, previousUntil: null };
    if (companySecret || sent.sealedCompanySecret === undefined) return { values, expect: named };
    const secret = firstSecret(next.companyId, sent.sealedCompanySecret);
    return { values, expect: [...named, hasNoSecret(next.companyId)], first: [insertSecret(db, secret)] };
  },
);

export const removeWebhookSubscription = rule(
  () => [],
  ({ db, next }: RuleInput<SubscriptionRow>) => ({ rows: [cancelDeliveries(db, next.id, Date.now())] }),
);

/** Throws 400 for a URL that the service must not call. */
export function refuseUrl(env: Env, url: string | undefined): void {
  refuse(url === undefined ? [] : urlFaults(env, "/url", url));
}

/** A new secret of a subscription, or of its company if that has none yet: as shown (null: never), and as stored. */
export async function newSecret(env: Env, owner: { subscriptionId: string } | { companyId: number }) {
  const secret = newWebhookSecret();
  if ("subscriptionId" in owner) {
    const sealedSecret = await seal(env, ["webhook_subscriptions.sealed_secret", owner.subscriptionId], secret);
    return { shown: secret, stored: { sealedSecret } };
  }
  const sealedCompanySecret = await seal(env, ["webhook_secrets.sealed_secret", owner.companyId], secret);
  return { shown: null, stored: { sealedSecret: null, sealedCompanySecret } };
}
