import { newWebhookSecret } from "../../channels/sign-webhook.ts";
import type { Caller } from "../../core/caller.ts";
import { isReadable, type Place, seal, unseal } from "../../core/cipher.ts";
import { conflict } from "../../core/problem.ts";
import { write } from "../../core/write.ts";
import { sendQueueMessages } from "../../events/queues.ts";
import { HOUR_MS, isoOf } from "../../oee/time.ts";
import {
  hasNoSecret,
  hasSecretOf,
  insertSecret,
  isSecret,
  makeDue,
  type SecretRow,
  type SubscriptionRow,
  selectCalledAmong,
  selectSecret,
  updateSecret,
  type WhichSubscriptions,
} from "./queries.ts";

/** How long the previous secret still signs after a rotation. */
const overlapMs = 24 * HOUR_MS;

/** The secret that signs the webhook calls of the caller's company. It is created on first use. */
export async function getWebhookSecret(caller: Caller): Promise<string> {
  const { companyId } = caller.actor;
  const { answer: sealed } = await write(
    caller,
    (db) => [selectSecret(db, companyId)],
    async ([kept]) => {
      if (kept) return { answer: kept.sealedSecret };
      const sealedSecret = await seal(caller.env, ["webhook_secrets.sealed_secret", companyId], newWebhookSecret());
      return {
        expect: [hasNoSecret(companyId)],
        rows: [insertSecret(caller.db, firstSecret(companyId, sealedSecret))],
        audit: { action: "webhook-secret.create", companyId, objectId: companyId, before: null, after: {} },
        answer: sealedSecret,
      };
    },
  );
  const place = ["webhook_secrets.sealed_secret", companyId] as const;
  if (!(await isReadable(caller.env, place, sealed)))
    throw conflict(
      "The secret was encrypted with a key that this service no longer has: replace it with POST /v1/webhook-secret/rotate.",
    );
  return await unseal(caller.env, place, sealed);
}

/** The row of a company's first secret. */
export function firstSecret(companyId: number, sealedSecret: string): SecretRow {
  return { companyId, sealedSecret, createdAt: Date.now(), previousSealedSecret: null, previousUntil: null };
}

/** A new secret, which is shown only this once, and the time until which the previous one also signs (null: there was none). */
export interface Rotated {
  secret: string | null;
  previousUntil: string | null;
}

/** Replaces the secret of the caller's company. If the old one was unreadable, the calls that waited for a new one are made now. */
export async function rotateWebhookSecret(caller: Caller): Promise<Rotated> {
  const { companyId } = caller.actor;
  const secret = newWebhookSecret();
  const place = ["webhook_secrets.sealed_secret", companyId] as const;
  const sealedSecret = await seal(caller.env, place, secret);
  let wasLost = false;
  const { answer } = await write(
    caller,
    (db) => [selectSecret(db, companyId)],
    async ([before]) => {
      const now = Date.now();
      const replaced = before ? { place, sealed: before.sealedSecret } : null;
      const previousPlace = ["webhook_secrets.previous_sealed_secret", companyId] as const;
      const next = before
        ? { ...before, sealedSecret, createdAt: now, ...(await previousOf(caller.env, replaced, previousPlace, now)) }
        : firstSecret(companyId, sealedSecret);
      const previousUntil = isoOf(next.previousUntil);
      wasLost = before !== undefined && next.previousSealedSecret === null;
      return {
        expect: [before ? isSecret(before) : hasNoSecret(companyId)],
        rows: [
          before ? updateSecret(caller.db, next) : insertSecret(caller.db, next),
          ...(wasLost ? [makeDue(caller.db, hasSecretOf(companyId), now)] : []),
        ],
        audit: {
          action: "webhook-secret.rotate",
          companyId,
          objectId: companyId,
          before: before ? {} : null,
          after: { previousUntil },
        },
        answer: { secret, previousUntil },
        keptAnswer: { secret: null, previousUntil },
      };
    },
  );
  if (wasLost) caller.afterwards(wakeCalled(caller, hasSecretOf(companyId)));
  return answer;
}

/** Starts the due calls of those of some subscriptions that receive calls. */
export async function wakeCalled({ db, env }: Caller, which: WhichSubscriptions): Promise<void> {
  const called = await selectCalledAmong(db, which);
  await sendQueueMessages(
    env,
    called.map(({ id }) => ({ queue: "WEBHOOKS", body: { subscriptionId: id } })),
  );
}

/**
 * The members that let a replaced secret go on signing for a while; none if it cannot be read any more.
 * @param place where it is stored from now on
 */
export async function previousOf(env: Env, replaced: { place: Place; sealed: string } | null, place: Place, now: number) {
  const goesOn = replaced !== null && (await isReadable(env, replaced.place, replaced.sealed));
  if (!goesOn) return { previousSealedSecret: null, previousUntil: null };
  const secret = await unseal(env, replaced.place, replaced.sealed);
  return { previousSealedSecret: await seal(env, place, secret), previousUntil: now + overlapMs };
}

/**
 * The unsealed secrets that sign the calls of a subscription: its own or its company's, and the previous one while it is still valid.
 * @throws if there is none
 */
export async function secretsOf(
  env: Env,
  subscription: SubscriptionRow,
  companySecret: SecretRow | undefined,
  now: number,
): Promise<string[]> {
  const isOwn = subscription.sealedSecret !== null;
  const { sealedSecret, previousSealedSecret, previousUntil } = isOwn ? subscription : (companySecret ?? none);
  if (sealedSecret === null) throw new Error(`The company ${subscription.companyId} has no secret to sign webhooks with.`);
  const [place, previousPlace]: [Place, Place] = isOwn
    ? [
        ["webhook_subscriptions.sealed_secret", subscription.id],
        ["webhook_subscriptions.previous_sealed_secret", subscription.id],
      ]
    : [
        ["webhook_secrets.sealed_secret", subscription.companyId],
        ["webhook_secrets.previous_sealed_secret", subscription.companyId],
      ];
  const secrets = [await unseal(env, place, sealedSecret)];
  const isBoth = previousSealedSecret !== null && previousUntil !== null && now < previousUntil;
  const isSigning = isBoth && (await isReadable(env, previousPlace, previousSealedSecret));
  return isSigning ? [...secrets, await unseal(env, previousPlace, previousSealedSecret)] : secrets;
}

const none = { sealedSecret: null, previousSealedSecret: null, previousUntil: null };
