import { seal, unseal } from "../core/cipher.ts";
import { configOf } from "../core/config.ts";
import { escapeHtml } from "../core/html.ts";

// The link in a report's mail by which its reader leaves the report: for the mail program (RFC 8058), and below the text. Whoever has it may take
// this one address off this one report, and nothing else, so it needs no sign-in and no end.

/** The path of the pages behind the links (src/api/report-subscriptions/leave-pages.ts), without the token. */
const leavePath = "/reports/leave";

export interface Reader {
  subscriptionId: string;
  address: string;
}

/** The link for a reader; null if the service does not know its own address (PUBLIC_URL). */
export async function leaveLinkOf(env: Env, reader: Reader): Promise<string | null> {
  const { PUBLIC_URL } = configOf(env);
  return PUBLIC_URL === "" ? null : `${PUBLIC_URL}${leavePath}/${await leaveTokenOf(env, reader)}`;
}

/** The token of a reader's link: sealed, so that nobody can make one for somebody else, and logs do not show the address. */
export async function leaveTokenOf(env: Env, { subscriptionId, address }: Reader): Promise<string> {
  const sealed = await seal(env, ["leave link"], JSON.stringify({ leaves: subscriptionId, address }));
  return sealed.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The reader of a token; null if it was changed, cut off, or made with another key. */
export async function readerOf(env: Env, token: string): Promise<Reader | null> {
  try {
    const { leaves, address } = JSON.parse(await unseal(env, ["leave link"], token));
    return typeof leaves === "string" && typeof address === "string" ? { subscriptionId: leaves, address } : null;
  } catch {
    return null;
  }
}

const words = { en: "Do not get this report any more", es: "No recibir más este informe" };

/** A report's mail with the link below it. */
export function withLeaveLink<Mail extends { html: string; text: string }>(
  mail: Mail,
  link: string,
  language: "en" | "es",
): Mail {
  const label = words[language];
  const html = `<p style="margin:8px 0 16px;text-align:center;font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif;font-size:13px"><a class="link" href="${escapeHtml(link)}" style="color:#0b6aa8">${label}</a></p>`;
  return { ...mail, text: `${mail.text}\n${label}: ${link}\n`, html: mail.html.replace("</body>", `${html}\n</body>`) };
}

/** The headers with which mail programs offer to leave. Leaving at one click needs https (RFC 8058). */
export function leaveHeaders(link: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${link}>`,
    ...(link.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
  };
}
