import { z } from "@hono/zod-openapi";
import { callWebhook } from "../../channels/call-webhook.ts";
import { newWebhookSecret } from "../../channels/sign-webhook.ts";
import { companyOf } from "../../core/actor.ts";
import { answerText } from "../../core/answer-text.ts";
import type { AuditAction } from "../../core/audit.ts";
import type { Caller } from "../../core/caller.ts";
import { seal } from "../../core/cipher.ts";
import { conflict, invalid, notFound, type Problem } from "../../core/problem.ts";
import { write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import { hasId } from "../../events/queries.ts";
import { sendQueueMessages } from "../../events/queues.ts";
import { isoOf } from "../../oee/time.ts";
import { testsPerHour, tooManyTests } from "../alerting/messages/send-tests.ts";
import {
  countReplayed,
  hasFewerPings,
  isSince,
  isSubscription,
  isUnchangedSubscription,
  makeDue,
  replayDeliveries,
  type SecretRow,
  type SubscriptionRow,
  selectOwn,
  selectRecentPings,
  selectSecretOf,
  updateOwnSecret,
} from "./queries.ts";
import { previousOf, type Rotated, secretsOf, wakeCalled } from "./secrets.ts";

/** The maximum number of deliveries that one request starts. */
const MAX_REPLAYED = 10_000;

/** The result of a call, as `ping` and the list of deliveries show it. */
export const callMembers = {
  durationMs: z.int(),
  status: z.int().nullable().openapi({ description: "Of the answer; null: there was none" }),
  answer: answerText.openapi({ description: "The first 1,024 bytes of the answer" }),
  error: answerText.nullable().openapi({ description: "Why it failed; null: it succeeded" }),
};

/**
 * Gives a subscription a new secret of its own. The previous one, or the company's if it had none, also signs for 24 h. If that was
 * unreadable, the calls that waited for a new one are made now.
 */
export async function rotateOwnSecret(caller: Caller, id: string): Promise<Rotated> {
  let wasLost = false;
  const secret = newWebhookSecret();
  const sealedSecret = await seal(caller.env, ["webhook_subscriptions.sealed_secret", id], secret);
  const { answer } = await write(
    caller,
    (db) => [selectOwn(db, id, companyOf(caller.actor)), selectSecretOf(db, id)],
    async ([before], [companySecret]) => {
      if (!before) throw noSubscription(id);
      const replaced = replacedSecret(before, companySecret);
      const now = Date.now();
      const previous = await previousOf(caller.env, replaced, ["webhook_subscriptions.previous_sealed_secret", id], now);
      wasLost = replaced !== null && previous.previousSealedSecret === null;
      const next = { sealedSecret, ...previous, updatedAt: nextUpdatedAt(before) };
      const previousUntil = isoOf(previous.previousUntil);
      return {
        expect: [isUnchangedSubscription(before)],
        rows: [updateOwnSecret(caller.db, id, next), ...(wasLost ? [makeDue(caller.db, isSubscription(id), now)] : [])],
        audit: auditOf("rotate-secret", before, { previousUntil }),
        answer: { secret, previousUntil },
        keptAnswer: { secret: null, previousUntil },
      };
    },
  );
  if (wasLost) caller.afterwards(wakeCalled(caller, isSubscription(id)));
  return answer;
}

/** The secret that a subscription's new one replaces: its own or its company's. Null: there is none. */
function replacedSecret({ id, companyId, sealedSecret }: SubscriptionRow, companySecret: SecretRow | undefined) {
  if (sealedSecret !== null) return { place: ["webhook_subscriptions.sealed_secret", id] as const, sealed: sealedSecret };
  if (!companySecret) return null;
  return { place: ["webhook_secrets.sealed_secret", companyId] as const, sealed: companySecret.sealedSecret };
}

/** The events to send again: one, or those since a time (epoch ms). */
export type Replayed = { eventId: string } | { since: number };

/**
 * Queues events that a subscription wants for redelivery to it. Returns their number.
 * @throws Problem 404 if there is no such event; 400 if there are too many; 409 if the subscription receives no calls
 */
export async function replayEvents(caller: Caller, id: string, which: Replayed): Promise<{ replayed: number }> {
  const { db, env } = caller;
  const condition = "since" in which ? isSince(id, which.since) : hasId(which.eventId);
  const { answer } = await write(
    caller,
    (read) => [selectOwn(read, id, companyOf(caller.actor)), countReplayed(read, id, condition, MAX_REPLAYED + 1)],
    ([before], [counted]) => {
      if (!before) throw noSubscription(id);
      const replayed = counted?.count ?? 0;
      if ("eventId" in which && replayed === 0)
        throw notFound(`There is no event ${which.eventId} that this subscription wants.`);
      if (replayed > MAX_REPLAYED) {
        const message = `more than ${MAX_REPLAYED} events match: choose a later time`;
        throw invalid([{ pointer: "/since", code: "too_many", message }]);
      }
      if (!before.isActive || before.endedAt !== null)
        throw conflict("The subscription is not active, so nothing is sent to it: set isActive first.");
      const after = "since" in which ? { since: isoOf(which.since), replayed } : { ...which, replayed };
      return {
        expect: [isUnchangedSubscription(before)],
        rows: [replayDeliveries(db, id, condition, Date.now())],
        audit: auditOf("replay", before, after),
        answer: { replayed },
      };
    },
  );
  caller.afterwards(sendQueueMessages(env, [{ queue: "WEBHOOKS", body: { subscriptionId: id } }]));
  return answer;
}

/**
 * Calls a subscription's receiver with an event of type `ping`, which is not stored, and returns the result. Throws 429 after as many pings in
 * an hour as there may be tests of other recipients.
 */
export async function pingSubscription(caller: Caller, id: string) {
  const { env } = caller;
  const at = Date.now();
  const { answer } = await write(
    caller,
    (db) => [selectOwn(db, id, companyOf(caller.actor)), selectSecretOf(db, id), selectRecentPings(db, id, at)],
    ([subscription], [companySecret], [recent]) => {
      if (!subscription) throw noSubscription(id);
      if ((recent?.count ?? 0) >= testsPerHour) throw tooManyTests();
      return {
        expect: [hasFewerPings(caller.db, id, at, testsPerHour)],
        audit: auditOf("ping", subscription, {}),
        answer: { subscription, companySecret },
      };
    },
  );
  const { subscription, companySecret } = answer;
  const secrets = await secretsOf(env, subscription, companySecret, at);
  const event = { id: `ping_${crypto.randomUUID()}`, type: "ping", timestamp: isoOf(at), data: {}, url: null };
  const body = JSON.stringify(event);
  return await caller.outside(() => callWebhook(env, subscription.url, secrets, { id: event.id, at, body }));
}

/** The 404 for a subscription that does not exist or belongs to another company. */
export function noSubscription(id: string): Problem {
  return notFound(`There is no webhook subscription ${id}.`);
}

function auditOf(verb: "rotate-secret" | "replay" | "ping", { id, companyId }: SubscriptionRow, after: object) {
  return {
    action: `webhook-subscription.${verb}` satisfies AuditAction as AuditAction,
    companyId,
    objectId: id,
    before: null,
    after,
  };
}
