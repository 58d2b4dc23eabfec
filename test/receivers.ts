import { createDecipheriv, createECDH, createHmac, type ECDH, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import type { TestProject } from "vitest/node";
import { startMailbox } from "../scripts/mailbox.ts";

/** Real servers for the messages that the service sends, in the tests' own process: received messages can be read at `/received`. */
export interface Receivers {
  smtpPort: number;
  mailsUrl: string;
  /** A mail server that greets, and closes the connection at the first command. */
  hangUpPort: number;
  /** Twilio, chat rooms and push services, by the first part of the path; `/<kind>/answer-<status>` answers with that status. */
  url: string;
  /** A key for the service, as a JSON Web Key. */
  vapidKey: string;
  /** A browser's subscription to a push service here. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
}

/** A received request. `push`: the message that the browser would have decrypted. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  push?: unknown;
}

/** Starts the servers for the tests of a project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const received: Received[] = [];
  const browser = createECDH("prime256v1");
  const auth = randomBytes(16);
  browser.generateKeys();
  const mailbox = await startMailbox({
    smtpPort: 0,
    pagePort: 0,
    refuse: (address) =>
      address.startsWith("nobody") ? "550 no such mailbox" : address.startsWith("later") ? "451 not now" : null,
  });
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    if (path === "/received") {
      response.end(JSON.stringify(received));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const push = path.startsWith("/push") ? { push: readPush(body, browser, auth) } : {};
    received.push({ path, headers: request.headers as Record<string, string>, body: body.toString("utf8"), ...push });
    // Asked for in words, because a plain number in a path is the id of a company.
    const status = Number(/\/answer-(\d{3})(?=\/|$)/.exec(path)?.[1] ?? 201);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(status < 300 ? '{"sid":"SM0123"}' : '{"code":21211,"message":"The number is not valid"}');
  });
  // Otherwise it closes idle connections after five seconds, perhaps while the service sends on one. The service tries again later, as it should, and
  // the test fails.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hangUp = createSocketServer((socket) => {
    socket.on("error", () => undefined);
    socket.write("220 hello\r\n");
    socket.once("data", () => socket.end());
  });
  await new Promise<void>((done) => hangUp.listen(0, "127.0.0.1", done));
  const keys = { p256dh: browser.getPublicKey("base64url"), auth: auth.toString("base64url") };
  const receivers: Receivers = {
    smtpPort: mailbox.smtpPort,
    hangUpPort: (hangUp.address() as AddressInfo).port,
    mailsUrl: `${mailbox.url}/mails.json`,
    url,
    vapidKey: JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })),
    subscription: { endpoint: `${url}/push`, keys },
  };
  project.provide("receivers" as never, receivers as never);
  return async () => {
    server.closeAllConnections();
    await Promise.all([mailbox.close(), new Promise((done) => server.close(done)), new Promise((done) => hangUp.close(done))]);
  };
}

/** The message that a browser would show; the error if it would show nothing. */
function readPush(body: Buffer, browser: ECDH, auth: Buffer): unknown {
  try {
    return JSON.parse(decrypted(body, browser, auth));
  } catch (error) {
    return { error: String(error) };
  }
}

/** Decrypts a body with content encoding aes128gcm (RFC 8188) for web push (RFC 8291), as a browser does. */
export function decrypted(body: Buffer, browser: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), senderKey]);
  const secret = hkdf(auth, browser.computeSecret(senderKey), info, 32);
  const key = hkdf(salt, secret, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = hkdf(salt, secret, Buffer.from("Content-Encoding: nonce\0"), 12);
  const opened = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()]);
  // A 2 ends the last record; zeros may follow it.
  return text.subarray(0, text.lastIndexOf(2)).toString("utf8");
}

function hkdf(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  const key = createHmac("sha256", salt).update(secret).digest();
  return createHmac("sha256", key)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest()
    .subarray(0, length);
}
