import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { sentEvent } from "../../../src/api/ingest/event.ts";

export interface ReceivedEvent {
  id: string;
  at: string;
  since?: string;
  type: string;
  machineRef: string;
  sensor?: string;
  value?: number;
  state?: string;
  /** When it came first, by the service's clock. */
  receivedAt: number;
}

/** What the service says to an event instead of storing it; null: it stores it. */
type Refusal = { code: string; message: string; isTransient: boolean } | null;

/**
 * A service that takes events as Andon does: an id with the same content is a duplicate, with another one a conflict. What it answers can be
 * replaced while it runs.
 */
export async function startFakeAndon() {
  const stored = new Map<string, string>();
  const andon = {
    url: "",
    events: [] as ReceivedEvent[],
    statuses: [] as {
      version: string;
      queue: { events: number; dropped: { machineRef: string; events: number }[] };
      sources: object[];
      clockSkewMs: number;
    }[],
    requests: 0,
    conflicts: 0,
    /** Answers a whole request: a status other than 200. */
    answer: (_events: readonly unknown[]): { status: number; headers?: Record<string, string> } | null => null,
    /** Whether it stores what it is sent, and the answer is lost. */
    isAnswerLost: () => false,
    refuse: (_event: ReceivedEvent): Refusal => null,
    /** The service's clock. */
    now: () => Date.now(),
    total: (machine: string) =>
      andon.events.filter(({ machineRef }) => machineRef === machine).reduce((sum, { value = 0 }) => sum + value, 0),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  function take(events: ReceivedEvent[]) {
    let [accepted, duplicates] = [0, 0];
    const rejected: object[] = [];
    for (const [index, event] of events.entries()) {
      // As the service reads it: what is not well-formed would be refused for good.
      sentEvent.parse(event);
      const known = stored.get(event.id);
      const refusal = known === undefined ? andon.refuse(event) : null;
      if (refusal) rejected.push({ index, ...refusal });
      else if (known === undefined) {
        stored.set(event.id, JSON.stringify(event));
        andon.events.push({ ...event, receivedAt: andon.now() });
        accepted += 1;
      } else if (known === JSON.stringify(event)) duplicates += 1;
      else {
        andon.conflicts += 1;
        rejected.push({ index, code: "conflict", message: "Another event has its id.", isTransient: false });
      }
    }
    return { accepted, duplicates, rejected, warnings: [] };
  }
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const failure = andon.answer((body as { events?: unknown[] } | null)?.events ?? []);
    if (failure) {
      response.writeHead(failure.status, { "content-type": "application/problem+json", ...failure.headers });
      return response.end(JSON.stringify({ title: "refused by the test", status: failure.status }));
    }
    if (request.url === "/v1/ingest") andon.requests += 1;
    if (request.method === "PUT") andon.statuses.push(body as (typeof andon.statuses)[number]);
    const answer = request.url === "/v1/ingest" ? take((body as { events: ReceivedEvent[] }).events) : {};
    if (andon.isAnswerLost()) return request.socket.destroy();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...answer, now: new Date(andon.now()).toISOString() }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  andon.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return andon;
}

export type FakeAndon = Awaited<ReturnType<typeof startFakeAndon>>;

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
  return text.length === 0 ? null : JSON.parse(text.toString());
}
