import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import type { LiveMessage, Row } from "../../src/client/live-protocol.ts";

/** A client of `GET /v1/live` over a WebSocket: it keeps the messages it receives, and assembles the rows as a screen does. */
export class LiveClient {
  readonly messages: LiveMessage[] = [];
  readonly rows = new Map<number, Row>();
  /** Receives text that is not a message. */
  onText: (text: string) => void = () => undefined;
  /** How the service closed the connection. */
  closed: { code: number; reason: string } | null = null;
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      if (text.startsWith("{")) this.#take(JSON.parse(text) as LiveMessage);
      else this.onText(text);
      this.#wake();
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
      this.#wake();
    });
    socket.accept();
  }

  get last(): LiveMessage {
    const last = this.messages.at(-1);
    if (!last) throw new Error("no message came");
    return last;
  }

  /** The parameters with which the client reconnects. */
  get place(): string {
    return `epoch=${this.last.epoch}&since=${this.last.seq}`;
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  leave(): void {
    if (!this.closed) this.#socket.close(1000);
  }

  /** Waits until a condition is true, which is checked after each message. */
  async until(holds: (client: this) => boolean, ms = 5000): Promise<void> {
    const deadline = Date.now() + ms;
    while (!holds(this)) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`it did not come within ${ms} ms: ${JSON.stringify(this.messages.slice(-2))}`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, left);
        this.#waiting.add(wake);
      });
    }
  }

  /** Waits until the row of a machine has these members, and returns it. */
  async row(machineId: number, like: object, ms?: number): Promise<Row> {
    const isLike = () => {
      const row = this.rows.get(machineId);
      if (!row) return false;
      try {
        expect(row).toMatchObject(like);
        return true;
      } catch {
        return false;
      }
    };
    await this.until(isLike, ms).catch(() => expect(this.rows.get(machineId)).toMatchObject(like));
    return this.rows.get(machineId) as Row;
  }

  #take(message: LiveMessage): void {
    this.messages.push(message);
    if (message.type === "snapshot") this.rows.clear();
    else for (const machineId of message.removed) this.rows.delete(machineId);
    for (const row of message.rows) this.rows.set(row.machine.id, row);
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

/** Requests a WebSocket from the service. */
export async function shake(token: string | null, query = "", headers: Record<string, string> = {}): Promise<Response> {
  const protocols = ["andon.v1", ...(token === null ? [] : [`bearer.${token}`])].join(", ");
  const request = new Request(`http://andon.test/v1/live${query && `?${query}`}`, {
    headers: { upgrade: "websocket", "sec-websocket-protocol": protocols, ...headers },
  });
  return await exports.default.fetch(request);
}

/** Connects, and waits for the first message. */
export async function watch(token: string, query = ""): Promise<LiveClient> {
  const response = await shake(token, query);
  if (!response.webSocket) throw new Error(`${response.status} ${await response.text()}`);
  const client = new LiveClient(response.webSocket);
  await client.until(({ messages, closed }) => messages.length > 0 || closed !== null);
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of messages and of answers.
type AnyRow = Record<string, any>;

/** Rows by machine id, without the members that grow by themselves. */
export function still(rows: Iterable<AnyRow>): AnyRow[] {
  const growing = /^(asOf|target|targetAtEnd|forecast|oee|availability|effectiveness|.*[Tt]ime)$/;
  return [...rows]
    .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !growing.test(name))))
    .sort((a, b) => a.machine.id - b.machine.id);
}
