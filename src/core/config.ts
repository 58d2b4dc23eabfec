import { z } from "zod";
import { jurisdictions } from "../db/values.ts";

const secret = z.string().refine((text) => Buffer.byteLength(text) >= 32, "must have 32 bytes or more");
const wholeNumber = (least: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= least, `must be ${least} or more`);
/** Days; 0: forever. */
const keptDays = (least: number) =>
  wholeNumber(0).refine((days) => days === 0 || days >= least, `must be 0, or ${least} or more`);

const encryptionKey = z.string().refine((text) => Buffer.from(text, "base64").length === 32, "must be base64 of 32 bytes");
const httpsOrHttp = /^https?$/;
/** Empty if not set. */
const optional = <T extends z.ZodType<string>>(rule: T) => z.union([z.literal(""), rule]).default("");
/** A sender: `andon@plant.example`, or `Andon <andon@plant.example>`. */
const sender = z.string().regex(/^([^<>\r\n"]+ <)?[^<>@\s]+@[^<>@\s]+>?$/, "must be an address, or a name and an address in <>");
const smtpUrl = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
}, "must be smtp://host:port or smtps://host:port, with user:password@ where the server asks for them");
const vapidKey = z.string().refine((text) => {
  try {
    const { kty, crv, x, y, d } = JSON.parse(text);
    return kty === "EC" && crv === "P-256" && [x, y, d].every((part) => /^[\w-]{43}$/.test(part));
  } catch {
    return false;
  }
}, "must be the private key of an elliptic curve P-256 as a JSON Web Key");

/** The accounts of the demo plant: `DemoPlant` of src/client/demo-plant.ts. Only `npm start` sets them. */
const demoPlant = z.string().refine((text) => {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}, "must be JSON");

const variables = z
  .object({
    JWT_SECRET: secret,
    JWT_SECRET_PREVIOUS: z.union([z.literal(""), secret]),
    ENCRYPTION_KEY: encryptionKey,
    ENCRYPTION_KEY_PREVIOUS: optional(encryptionKey),
    INSTALLATION_ID: optional(z.string().regex(/^[\w-]{1,64}$/, "must be letters, digits, - and _")),
    TOKEN_TTL_SECONDS: wholeNumber(60),
    CORS_ORIGINS: z.string().transform((text) => text.split(" ").filter(Boolean)),
    AUDIT_KEPT_DAYS: keptDays(30),
    ARCHIVE_KEPT_DAYS: keptDays(31),
    NOTIFICATIONS_KEPT_DAYS: keptDays(1),
    SUBSCRIPTION_LOGS_KEPT_DAYS: keptDays(1),
    HISTORY_KEPT_DAYS: keptDays(93),
    EVENTS_KEPT_DAYS: wholeNumber(7),
    PUBLIC_URL: z
      .union([z.literal(""), z.url({ protocol: httpsOrHttp })])
      .transform((url) => (url.endsWith("/") ? url.slice(0, -1) : url)),
    MAIL_FROM: optional(sender),
    SMTP_URL: optional(smtpUrl),
    VAPID_PRIVATE_KEY: optional(vapidKey),
    VAPID_CONTACT: optional(z.string().regex(/^(mailto:|https:\/\/)\S+$/, "must begin with mailto: or https://")),
    TWILIO_ACCOUNT_SID: optional(z.string().regex(/^AC\w+$/, "must begin with AC")),
    TWILIO_AUTH_TOKEN: optional(z.string()),
    TWILIO_SMS_FROM: optional(z.string().regex(/^(\+\d{5,15}|MG\w+)$/, "must be a number with +, or a messaging service MG…")),
    TWILIO_WHATSAPP_FROM: optional(z.string().regex(/^\+\d{5,15}$/, "must be a number with +")),
    TWILIO_WHATSAPP_TEMPLATE_EN: optional(z.string().regex(/^HX\w+$/, "must begin with HX")),
    TWILIO_WHATSAPP_TEMPLATE_ES: optional(z.string().regex(/^HX\w+$/, "must begin with HX")),
    TWILIO_URL: z.url({ protocol: httpsOrHttp }).default("https://api.twilio.com"),
    USER_RATE: wholeNumber(1),
    TOKEN_RATE: wholeNumber(1),
    GATEWAY_RATE: wholeNumber(1),
    ADDRESS_RATE: wholeNumber(1),
    MAX_REQUESTS_IN_FLIGHT: wholeNumber(1),
    DATABASE_LIMIT_BYTES: z
      .string()
      .regex(/^[1-9]\d{0,12}$/, "must be a whole number")
      .transform(Number),
    DB_0_JURISDICTION: optional(z.enum(jurisdictions, `must be one of ${jurisdictions.join(", ")}`)),
    WEBHOOK_RETRY_SECONDS: z
      .string()
      .regex(/^\d{1,7}( \d{1,7})*$/, "must be whole numbers separated by spaces")
      .transform((text) => text.split(" ").map(Number)),
    ALLOW_LOOPBACK: z.enum(["on", "off"]).transform((value) => value === "on"),
    TRUSTED_PROXY: z
      .string()
      .regex(/^[\da-f:. ]*$/i, "must be IP addresses, separated by spaces")
      .default("")
      .transform((text) => new Set(text.toLowerCase().split(" ").filter(Boolean))),
    REQUEST_LOG: z.enum(["all", "summary"]),
    DEMO_PLANT: optional(demoPlant),
    DEMO_START_CODE: optional(z.string().regex(/^[A-Z\d]{4}-[A-Z\d]{4}$/, "must be a code such as CDFG-3467")),
    LOCAL_PACING: z.enum(["on", "off"]).transform((value) => value === "on"),
  })
  .refine(({ ARCHIVE_KEPT_DAYS: days, AUDIT_KEPT_DAYS: before }) => days === 0 || days > before, {
    path: ["ARCHIVE_KEPT_DAYS"],
    message: "must be 0, or more than AUDIT_KEPT_DAYS",
  })
  .refine(({ ARCHIVE_KEPT_DAYS: days, EVENTS_KEPT_DAYS: before }) => days === 0 || days > before, {
    path: ["ARCHIVE_KEPT_DAYS"],
    message: "must be 0, or more than EVENTS_KEPT_DAYS",
  })
  .refine(({ JWT_SECRET, JWT_SECRET_PREVIOUS }) => JWT_SECRET !== JWT_SECRET_PREVIOUS, {
    path: ["JWT_SECRET_PREVIOUS"],
    message: "must not be JWT_SECRET",
  })
  .refine(({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }) => ENCRYPTION_KEY !== ENCRYPTION_KEY_PREVIOUS, {
    path: ["ENCRYPTION_KEY_PREVIOUS"],
    message: "must not be ENCRYPTION_KEY",
  });

/** The variables and secrets of the service, parsed. wrangler.toml says what each one is for. */
export type Config = z.infer<typeof variables>;

/** The configuration of the service is invalid. The message names each wrong variable, but never a value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const parsed = new WeakMap<Env, Config>();

/**
 * The configuration of this Worker, parsed once per isolate.
 * @throws ConfigError
 */
export function configOf(env: Env): Config {
  const known = parsed.get(env);
  if (known) return known;
  const { success, data, error } = variables.safeParse(env);
  if (!success) throw new ConfigError(error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; "));
  parsed.set(env, data);
  return data;
}
