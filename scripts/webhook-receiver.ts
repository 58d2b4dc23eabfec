import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { MINUTE_MS, SECOND_MS } from "../src/oee/time.ts";

// A receiver of webhooks as one would write it for one's own system, with Node alone: it verifies each call according to Standard Webhooks,
// and prints the event. `npm start -- --receiver` starts it beside the demo plant.

/** Far more than the size of an event. */
const MAX_BYTES = 64 * 1024;
/** A call that is older, or this far in the future, may be a replay. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/**
 * The reason why a call was not signed with the secret; null: it was.
 * @param secret `whsec_` and base64
 * @param body exactly as received, byte for byte
 * @param now epoch ms
 */
export function callFault(secret: string, headers: IncomingHttpHeaders, body: Buffer, now: number): string | null {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string") {
    return "webhook-id, webhook-timestamp or webhook-signature is missing";
  }
  if (!(Math.abs(now - Number(timestamp) * SECOND_MS) <= TOLERANCE_MS)) return "it was not signed within the last five minutes";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  // While a secret is being rotated there are two signatures, one with each.
  const isSigned = signatures.split(" ").some((one) => {
    const [version, value = ""] = one.split(",", 2);
    const given = Buffer.from(value, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? null : "the signature is not by our secret";
}

/** The members of an event that the receiver reads; docs/events.md describes all of them. */
interface CalledEvent {
  id: string;
  type: string;
  timestamp: string;
  /** Missing in a ping. */
  data?: { machineName?: string | null };
}

/** The line that the receiver prints for an event: its time, type, machine and id. */
export function lineOf(body: string): string {
  const { id, type, timestamp, data } = JSON.parse(body) as CalledEvent;
  return [timestamp, type, data?.machineName, id].filter(Boolean).join("  ");
}

/** A running receiver. */
export interface Receiver {
  url: string;
  close(): void;
}

/**
 * Starts the receiver on a port of this computer; 0: any free one.
 * @param say receives a line for each call
 * @throws if the port is in use
 */
export async function startReceiver(port: number, secret: string, say: (line: string) => void): Promise<Receiver> {
  // An event may come again if an answer was lost: consumers must remember the ids of events.
  const seen = new Set<string>();
  const server = createServer(async (request, answer) => {
    const body = await bodyOf(request).catch(() => null);
    if (body === null) return void answer.writeHead(413).end();
    const fault = callFault(secret, request.headers, body, Date.now());
    if (fault !== null) {
      say(`Webhook refused: ${fault}`);
      return void answer.writeHead(401).end();
    }
    const id = String(request.headers["webhook-id"]);
    try {
      say(`Webhook  ${lineOf(body.toString())}${seen.has(id) ? "  (again)" : ""}`);
    } catch {
      return void answer.writeHead(400).end();
    }
    seen.add(id);
    answer.writeHead(204).end();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === "EADDRINUSE" ? `Port ${port}, for the receiver, is taken.` : error.message);
  });
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}/`, close: () => server.close().closeAllConnections() };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error("too long");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
