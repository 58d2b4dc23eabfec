import { z } from "zod";
import { configOf } from "../core/config.ts";
import { callOut } from "./call-out.ts";
import { type Channel, emptyOf, outcomeOf, refused } from "./channel.ts";
import { encryptPush, publicKeyOf, vapidPermit } from "./web-push.ts";

/** A push service accepts at most 4,096 bytes, encrypted; a character may have four bytes. */
const MAX_BODY_LENGTH = 600;
/** An alert that reaches a telephone a day later is useless. */
const TTL_SECONDS = 4 * 3600;

const base64url = (bytes: number) =>
  z.string().refine((text) => Buffer.from(text, "base64url").length === bytes, `must be base64url of ${bytes} bytes`);

/** A browser's PushSubscription as `JSON.stringify` writes it. Other members are ignored. */
const subscription = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(1000),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
});
export type PushSubscription = z.infer<typeof subscription>;

/** The subscription in a text; null if it contains none. */
export function readSubscription(value: string): PushSubscription | null {
  try {
    return subscription.parse(JSON.parse(value));
  } catch {
    return null;
  }
}

/** Web push: encrypted for the browser alone, signed with the service's key. */
export const push: Channel = {
  missing: (env) => emptyOf(configOf(env), ["VAPID_PRIVATE_KEY", "VAPID_CONTACT"]),
  async send({ env }, to, { id, text, url }) {
    const { VAPID_PRIVATE_KEY, VAPID_CONTACT } = configOf(env);
    const subscription = readSubscription(to);
    if (!subscription) return refused("no_subscription");
    const { endpoint, keys } = subscription;
    const body = text.body.length > MAX_BODY_LENGTH ? `${text.body.slice(0, MAX_BODY_LENGTH - 1)}…` : text.body;
    // Because of the tag, a message that is sent twice is shown once.
    const payload = JSON.stringify({ title: text.title, body, url, tag: id });
    const answer = await callOut(env, {
      url: endpoint,
      method: "POST",
      headers: {
        authorization: await vapidPermit(endpoint, VAPID_PRIVATE_KEY, VAPID_CONTACT),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(TTL_SECONDS),
        topic: id,
        urgency: "high",
      },
      body: await encryptPush(keys, payload),
    });
    const outcome = outcomeOf(answer);
    const isGone = answer.status === 404 || answer.status === 410;
    return outcome.isSent ? outcome : { ...outcome, isGone };
  },
};

/** The public key with which browsers subscribe, in the form of `applicationServerKey`; null if push is off. */
export function pushKey(env: Env): string | null {
  if (push.missing(env).length > 0) return null;
  return publicKeyOf(configOf(env).VAPID_PRIVATE_KEY);
}
