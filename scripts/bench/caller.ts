import { randomUUID } from "node:crypto";
import type { StorageCalls } from "./bare-worker.ts";
import { type BenchRequest, inTurns, type LoadProfile, send } from "./load.ts";
import type { BenchRead } from "./operations.ts";
import { recordStorageCalls } from "./record.ts";
import type { Cost, Server } from "./server.ts";
import type { Line } from "./table.ts";

/** A caller with a token, which sends requests to a server and measures them. */
export class Caller {
  readonly #server: Server;
  readonly #token: string;
  readonly #profile: LoadProfile;

  constructor(server: Server, token: string, profile: LoadProfile) {
    this.#server = server;
    this.#token = token;
    this.#profile = profile;
  }

  /** The request as it is sent to the service. */
  requestFor({ method, path, body }: BenchRead): BenchRequest {
    const headers = { authorization: `Bearer ${this.#token}`, ...(body && { "content-type": "application/json" }) };
    return { url: new URL(path, this.#server.andon), method, headers, body: body ? JSON.stringify(body) : null };
  }

  /** The answer to a request. */
  async ask<T>(asking: BenchRead): Promise<T> {
    return JSON.parse((await send(this.requestFor(asking))) || "null") as T;
  }

  /** The cost of one request that comes alone, and is not the first. */
  async costOf(request: BenchRequest): Promise<Cost> {
    const requestId = randomUUID();
    const line = this.#server.nextLine<Cost>("callerRequestId", requestId);
    await send({ ...request, headers: { ...request.headers, "x-request-id": requestId } });
    return await line;
  }

  /** Compares a read with its storage requests alone, or with the simplest queries for the same data. */
  async compare(asking: BenchRead): Promise<Line> {
    const request = this.requestFor(asking);
    const twin = await this.#twinOf(asking, request);
    await send(request);
    const cost = await this.costOf(request);
    const [andon, bare] = await inTurns([() => request, () => twin], this.#profile);
    if (!andon || !bare) throw new Error("two loads, two results");
    return { name: asking.name, andon, bare, cost };
  }

  /** Measures requests without a bare counterpart. Each may differ from the previous one. */
  async measure(name: string, readAt: (n: number) => BenchRead, profile = this.#profile): Promise<Line> {
    await send(this.requestFor(readAt(-1)));
    const cost = await this.costOf(this.requestFor(readAt(-2)));
    const [andon] = await inTurns([(n) => this.requestFor(readAt(n))], profile);
    if (!andon) throw new Error("one load, one result");
    return { name, andon, bare: null, cost };
  }

  async #twinOf(asking: BenchRead, request: BenchRequest): Promise<BenchRequest> {
    const asked = asking.plain ? { trips: [asking.plain], calls: [] } : await this.#recorded(asking, request);
    const url = new URL(`/${encodeURIComponent(asking.name)}`, this.#server.bare);
    await send({ url, method: "PUT", headers: {}, body: JSON.stringify(asked) });
    return { url, method: "GET", headers: {}, body: null };
  }

  async #recorded({ path }: BenchRead, { method, headers, body }: BenchRequest): Promise<StorageCalls> {
    const request = () => new Request(new URL(path, "http://localhost"), { method, headers, body });
    // The first one also loads data that is cached for the next.
    await recordStorageCalls(this.#server.env, request());
    return await recordStorageCalls(this.#server.env, request());
  }
}
