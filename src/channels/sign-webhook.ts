import { createHmac } from "node:crypto";

const prefix = "whsec_";
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return `${prefix}${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64")}`;
}

/**
 * The headers of a call according to Standard Webhooks, with a signature for each secret.
 * @param at the time of the call, epoch ms
 */
export function webhookHeaders(secrets: readonly string[], { id, at, body }: { id: string; at: number; body: string }) {
  const timestamp = Math.floor(at / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
