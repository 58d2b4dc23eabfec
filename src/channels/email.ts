import { configOf } from "../core/config.ts";
import { escapeHtml } from "../core/html.ts";
import { type Channel, emptyOf, failed, type Outgoing, sent } from "./channel.ts";
import { leaveHeaders } from "./leave-link.ts";
import { type Mail, sendBySmtp } from "./smtp.ts";

/** The platform's e-mail binding, if the deployment has one. */
const bindingOf = (env: Env) => (env as Env & { EMAIL?: SendEmail }).EMAIL;

/** Sends with the platform's binding if there is one, otherwise by SMTP. */
export const email: Channel = {
  missing(env) {
    const config = configOf(env);
    return emptyOf(config, bindingOf(env) ? ["MAIL_FROM"] : ["MAIL_FROM", "SMTP_URL"]);
  },
  async send({ env }, to, message) {
    const { MAIL_FROM, SMTP_URL } = configOf(env);
    const mail = mailOf(MAIL_FROM, to, message);
    const binding = bindingOf(env);
    if (!binding) return await sendBySmtp(SMTP_URL, mail);
    const { from, subject, text, html, headers } = mail;
    const attachments = mail.attachments.map(({ name, type, content }) => {
      return { disposition: "attachment" as const, filename: name, type, content };
    });
    try {
      await binding.send({ from, to, subject, text, html, headers, attachments });
      return sent;
    } catch (error) {
      return failed(`e-mail: ${error instanceof Error ? error.message : error}`);
    }
  },
};

/** A line break in a header would begin another header. */
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

function mailOf(sender: string, to: string, { id, text, url, openLink, mail, leaveLink }: Outgoing): Mail {
  const [, name = "", address = sender] = /^(.+) <(.+)>$/.exec(sender) ?? [];
  const domain = address.slice(address.indexOf("@") + 1);
  const link = url === null ? "" : `<p><a href="${escapeHtml(url)}">${openLink}</a></p>`;
  const paragraphs = text.body.split("\n").map((line) => `<p>${escapeHtml(line)}</p>`);
  return {
    from: { name, email: address },
    to,
    subject: oneLine(text.title),
    text: mail?.text ?? [text.body, ...(url === null ? [] : ["", url])].join("\n"),
    html: mail?.html ?? `<h1 style="font-size:1.2em">${escapeHtml(text.title)}</h1>${paragraphs.join("")}${link}`,
    // A mail that is sent twice has the same id both times, so most mailboxes show it once.
    headers: {
      "Message-ID": `<${id}@${domain}>`,
      "Auto-Submitted": "auto-generated",
      ...(leaveLink !== undefined && leaveHeaders(leaveLink)),
    },
    attachments: (mail?.attachments ?? []).map((one) => ({ ...one, content: Buffer.from(one.content).toString("base64") })),
  };
}
