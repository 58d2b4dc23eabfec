import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { escapeHtml } from "../src/core/html.ts";

/** Older mails are discarded. */
const MAX_MAILS = 200;

/** A received mail. */
export interface Mail {
  /** As they were sent, each with its name. */
  headers: string[];
  receivedAt: string;
  messageId: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments: { name: string; type: string; content: string }[];
}

export interface Mailbox {
  smtpPort: number;
  /** The address of the page with the mails. `/mails.json` has them for programs. */
  url: string;
  mails: readonly Mail[];
  close(): Promise<void>;
}

/**
 * Receives mails on this computer, and shows them on a page.
 * @param options.smtpPort 0: any free one, also for `pagePort`
 * @param options.refuse returns the reason to refuse a recipient, such as `550 no such mailbox`
 */
export async function startMailbox({
  smtpPort,
  pagePort,
  refuse = () => null,
}: {
  smtpPort: number;
  pagePort: number;
  refuse?: (address: string) => string | null;
}): Promise<Mailbox> {
  const mails: Mail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo({ address }, _, done) {
      const reason = refuse(address);
      done(reason === null ? null : Object.assign(new Error(reason.slice(4)), { responseCode: Number(reason.slice(0, 3)) }));
    },
    onData(stream, _, done) {
      simpleParser(stream).then((parsed) => {
        mails.unshift(mailOf(parsed));
        mails.length = Math.min(mails.length, MAX_MAILS);
        done();
      }, done);
    },
  });
  // A sender that disconnects must not end the process.
  smtp.on("error", () => undefined);
  const smtpServer = await new Promise<AddressInfo>((done, fail) => {
    smtp.server.once("error", fail);
    const server = smtp.listen(smtpPort, "127.0.0.1", () => done(server.address() as AddressInfo));
  });
  const page = createServer(({ url = "/" }, answer) => {
    const { type, body } = pageOf(mails, url);
    // Mails may contain anything.
    answer.writeHead(200, {
      "content-type": type,
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    answer.end(body);
  });
  await listening(page, pagePort);
  return {
    smtpPort: smtpServer.port,
    url: `http://localhost:${(page.address() as AddressInfo).port}`,
    mails,
    async close() {
      page.closeAllConnections();
      await Promise.all([new Promise<void>((done) => smtp.close(done)), new Promise((done) => page.close(done))]);
    },
  };
}

async function listening(server: Server, port: number): Promise<void> {
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", done);
  });
}

function mailOf({ messageId = "", from, to, subject = "", text = "", html, attachments, headerLines }: ParsedMail): Mail {
  return {
    headers: headerLines.map(({ line }) => line),
    ...{ receivedAt: new Date().toISOString(), messageId, subject, text, html: html || "" },
    from: from?.text ?? "",
    to: [to ?? []]
      .flat()
      .map((one) => one.text)
      .join(", "),
    attachments: attachments.map(({ filename = "", contentType, content }) => {
      return { name: filename, type: contentType, content: content.toString("utf8") };
    }),
  };
}

/** `/`: the list; `/<n>`: the nth mail ever listed, as shown in a mail program; `/mails.json`. */
function pageOf(mails: readonly Mail[], path: string): { type: string; body: string } {
  if (path === "/mails.json") return { type: "application/json", body: JSON.stringify(mails) };
  const mail = mails.find((_, i) => path === `/${mails.length - i}`);
  if (mail) return { type: "text/html; charset=utf-8", body: mail.html || `<pre>${escapeHtml(mail.text)}</pre>` };
  const rows = mails.map(({ receivedAt, from, to, subject, attachments }, i) => {
    const cells = [receivedAt.slice(0, 19).replace("T", " "), from, to, attachments.map(({ name }) => name).join(", ")];
    const link = `<a href="/${mails.length - i}">${escapeHtml(subject)}</a>`;
    return `<tr><td>${link}</td>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`;
  });
  const empty = "<p>No mail yet. This page asks again every 5 seconds.</p>";
  return {
    type: "text/html; charset=utf-8",
    body: `<!doctype html><meta http-equiv="refresh" content="5"><title>Mailbox</title>
<style>body{font:16px system-ui;margin:2rem}td{padding:.3rem 1rem .3rem 0;border-top:1px solid #ccc}</style>
<h1>Mails that Andon sent</h1>${rows.length > 0 ? `<table>${rows.join("")}</table>` : empty}`,
  };
}
