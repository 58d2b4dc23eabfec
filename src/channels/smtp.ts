import { failed, type Outcome, refused, sent } from "./channel.ts";
import { loadWorkerMailer } from "./worker-mailer.ts";

export interface Mail {
  from: { name: string; email: string };
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  /** `content` in base64. */
  attachments: { name: string; type: string; content: string }[];
}

const TIMEOUT_MS = 15_000;
/** The library's `LogLevel.NONE`. */
const silent = 4;

/**
 * Sends a mail through `smtp://` (encrypted if the server offers STARTTLS) or `smtps://` (encrypted from the start).
 * After a permanent refusal by the server (5xx) there is no other attempt.
 */
export async function sendBySmtp(smtpUrl: string, mail: Mail): Promise<Outcome> {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const isSecure = protocol === "smtps:";
  const options = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    startTls: !isSecure,
    logLevel: silent,
    socketTimeoutMs: TIMEOUT_MS,
    authType: ["plain" as const, "login" as const],
    ...(username && { credentials: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }),
  };
  const { name, email } = mail.from;
  const attachments = mail.attachments.map(({ name, type, content }) => ({ filename: name, mimeType: type, content }));
  try {
    const mailer = await loadWorkerMailer();
    await mailer.send(options, { ...mail, from: name ? { name, email } : email, attachments });
    return sent;
  } catch (error) {
    const reason = `SMTP: ${(error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").slice(0, 200)}`;
    return /(^|[:\s])5\d\d[\s-]/.test(reason) ? refused(reason) : failed(reason);
  }
}
