import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";

/** How a receiver answers: at once, ten times with 500 first, never, or with a redirect to where nobody may be led. */
export type Manner = "good" | "shaky" | "hanging" | "redirecting";

const FAILURES = 10;

/** Someone who is told of events. */
export class Receiver {
  readonly manner: Manner;
  readonly url: string;
  /** Of its subscription; set once that is made. */
  secret = "";
  /** The ids of the events, and their machines, in the order in which it said 2xx to each the first time. */
  readonly taken = new Map<string, number | null>();
  /** How often it said so. */
  accepted = 0;
  refused = 0;

  constructor(manner: Manner, url: string) {
    this.manner = manner;
    this.url = url;
  }

  /** Takes a call. Throws when its signature is wrong. */
  take(headers: IncomingMessage["headers"], body: string): number | null {
    const event = new Webhook(this.secret).verify(body, headers as Record<string, string>) as {
      id: string;
      data: { machineId?: number };
    };
    if (headers["webhook-id"] !== event.id) throw new Error("an id that is not that of the event");
    if (this.manner === "hanging") return null;
    if (this.manner === "redirecting") return 302;
    if (this.manner === "shaky" && this.refused < FAILURES) {
      this.refused++;
      return 500;
    }
    this.accepted++;
    if (!this.taken.has(event.id)) this.taken.set(event.id, event.data.machineId ?? null);
    return 204;
  }
}

/** A server with receivers, and a page inside that none may lead to. */
export class Receivers {
  readonly list: Receiver[] = [];
  readonly faults: string[] = [];
  innerCalls = 0;
  readonly #server = createServer((request, response) => this.#answer(request, response));

  async start(manners: readonly Manner[]): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("No port");
    for (const [i, manner] of manners.entries()) {
      this.list.push(new Receiver(manner, `http://127.0.0.1:${address.port}/${i}`));
    }
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const receiver = this.list[Number(request.url?.slice(1))];
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    // A call that the service's end cut off.
    request.on("error", () => undefined);
    request.on("end", () => {
      if (!receiver) {
        this.innerCalls++;
        response.writeHead(200).end("inside");
        return;
      }
      try {
        const status = receiver.take(request.headers, body);
        if (status !== null) response.writeHead(status, status === 302 ? { location: "/inner" } : {}).end();
      } catch (error) {
        this.faults.push(`${receiver.url}: ${error}`);
        response.writeHead(400).end();
      }
    });
  }
}
