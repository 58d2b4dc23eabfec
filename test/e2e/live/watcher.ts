import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveMessage, Row } from "../../../src/client/live-protocol.ts";

/** The time before a watcher reconnects. */
const AGAIN_MS = 100;

/** A screen: it watches over a WebSocket, and resumes where it was whenever the connection breaks. */
export class Screen {
  readonly rows = new Map<number, Row>();
  /** Called with each row and the time of its arrival. */
  onRow: (row: Row, at: number) => void = () => undefined;
  frames = 0;
  bytes = 0;
  readonly #url: string;
  readonly #token: string;
  #socket: WebSocket | null = null;
  #place: { epoch: string; seq: number } | null = null;
  #isClosed = false;

  constructor(url: string, token: string) {
    this.#url = url.replace(/^http/, "ws");
    this.#token = token;
    this.#connect();
  }

  get isReady(): boolean {
    return this.#place !== null && this.#socket?.readyState === WebSocket.OPEN;
  }

  /** The number of changes that the hub received: it numbers them. */
  get seq(): number {
    return this.#place?.seq ?? 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  #connect(): void {
    const place = this.#place;
    const query = place ? `?epoch=${place.epoch}&since=${place.seq}` : "";
    const socket = new WebSocket(`${this.#url}/v1/live${query}`, ["andon.v1", `bearer.${this.#token}`]);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#take(String(data)));
    socket.addEventListener("close", async () => {
      if (this.#isClosed) return;
      await sleep(AGAIN_MS);
      this.#connect();
    });
    socket.addEventListener("error", () => undefined);
  }

  #take(text: string): void {
    const at = performance.now();
    const message = JSON.parse(text) as LiveMessage;
    this.frames += 1;
    this.bytes += text.length;
    this.#place = { epoch: message.epoch, seq: message.seq };
    if (message.type === "snapshot") this.rows.clear();
    else for (const id of message.removed) this.rows.delete(id);
    for (const row of message.rows) {
      this.rows.set(row.machine.id, row);
      this.onRow(row, at);
    }
  }
}

/** Opens a socket and never reads from it. */
export async function openDeaf(url: string, token: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = [
    "GET /v1/live HTTP/1.1",
    `Host: ${hostname}:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${Buffer.from("sixteen bytes ok").toString("base64")}`,
    `Sec-WebSocket-Protocol: andon.v1, bearer.${token}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString("latin1"))));
  socket.pause();
  if (!answer.startsWith("HTTP/1.1 101")) throw new Error(answer.slice(0, 200));
  return socket;
}

/** Waits until a condition is true. */
export async function until(holds: () => boolean, ms: number, what: string): Promise<void> {
  const deadline = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${ms} ms`);
    await sleep(10);
  }
}
