import { configOf } from "../core/config.ts";
import { type Channel, emptyOf } from "./channel.ts";
import { sendByTwilio } from "./twilio.ts";

/** Three parts of a text message in the alphabet with accents. A link after it is never cut. */
const MAX_LENGTH = 200;

export const sms: Channel = {
  missing: (env) => emptyOf(configOf(env), ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_SMS_FROM"]),
  async send({ env }, to, { text, url }) {
    const { TWILIO_SMS_FROM: from } = configOf(env);
    const full = `${text.title}\n${text.body}`;
    const body = full.length > MAX_LENGTH ? `${full.slice(0, MAX_LENGTH - 1)}…` : full;
    const sender = from.startsWith("MG") ? { MessagingServiceSid: from } : { From: from };
    return await sendByTwilio(env, { To: to, ...sender, Body: url === null ? body : `${body}\n${url}` });
  },
};
