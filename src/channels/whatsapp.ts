import { configOf } from "../core/config.ts";
import { type Channel, emptyOf, refused } from "./channel.ts";
import { sendByTwilio } from "./twilio.ts";

const MAX_VARIABLE_LENGTH = 500;

/** WhatsApp lets a business start a conversation only with an approved template. There is one per language, with the variables title, text and link. */
export const whatsapp: Channel = {
  missing: (env) =>
    emptyOf(configOf(env), [
      "TWILIO_ACCOUNT_SID",
      "TWILIO_AUTH_TOKEN",
      "TWILIO_WHATSAPP_FROM",
      "TWILIO_WHATSAPP_TEMPLATE_EN",
      "TWILIO_WHATSAPP_TEMPLATE_ES",
      "PUBLIC_URL",
    ]),
  async send({ env }, to, { text, url, language }) {
    const config = configOf(env);
    const variables = { 1: variable(text.title), 2: variable(text.body), 3: url ?? "" };
    const missing = Object.entries(variables).find(([, value]) => value === "");
    if (missing) return refused(`missing_variable {{${missing[0]}}}`);
    return await sendByTwilio(env, {
      To: `whatsapp:${to}`,
      From: `whatsapp:${config.TWILIO_WHATSAPP_FROM}`,
      ContentSid: language === "es" ? config.TWILIO_WHATSAPP_TEMPLATE_ES : config.TWILIO_WHATSAPP_TEMPLATE_EN,
      ContentVariables: JSON.stringify(variables),
    });
  },
};

/** A variable must not contain line breaks or runs of spaces. */
function variable(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, MAX_VARIABLE_LENGTH);
}
