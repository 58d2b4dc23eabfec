import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";

/** How a receiver answers: at once, with 500 the first ten times, never, or with a redirect to a forbidden address. */
export type Manner = "good" | "shaky" | "hanging" | "redirecting";

const FAILURES = 10;

/** A receiver of events. */
export class Receiver {
  readonly manner: Manner;
  readonly url: string;
  /** The secret of its subscription; set once that is created. */
  secret = "";
  /** The events by id and their machines, in the order in which it first answered each with 2xx. */
  readonly taken = new Map<string, number | null>();
  /** The number of its 2xx answers. */
  accepted = 0;
  refused = 0;

  constructor(manner: Manner, url: string) {
    this.manner = manner;
    this.url = url;
  }

  /** Receives a call. Throws if its signature is wrong. */
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

/** A server with receivers, and an internal page to which no call may be redirected. */
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
    // A call that was interrupted by the end of the service.
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
