import { configOf } from "../core/config.ts";
import { callOut } from "./call-out.ts";
import { type Outcome, outcomeOf } from "./channel.ts";

/**
 * Sends a message through Twilio's Messages API (2010-04-01). Twilio has no idempotency key, so a message
 * whose answer was lost is sent twice.
 */
export async function sendByTwilio(env: Env, message: Record<string, string>): Promise<Outcome> {
  const { TWILIO_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = configOf(env);
  const answer = await callOut(env, {
    url: `${TWILIO_URL}/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}/Messages.json`,
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${TWILIO_ACCOUNT_SID}:${TWILIO_AUTH_TOKEN}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(message).toString(),
  });
  return outcomeOf(answer);
}
