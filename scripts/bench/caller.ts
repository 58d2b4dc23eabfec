import { randomUUID } from "node:crypto";
import type { Asked } from "./bare-worker.ts";
import { fire, inTurns, type Pace, type Shot } from "./load.ts";
import type { Asking } from "./operations.ts";
import { recordAsked } from "./record.ts";
import type { Cost, Server } from "./server.ts";
import type { Line } from "./table.ts";

/** A caller with a token, which sends requests to a server and measures them. */
export class Caller {
  readonly #server: Server;
  readonly #token: string;
  readonly #pace: Pace;

  constructor(server: Server, token: string, pace: Pace) {
    this.#server = server;
    this.#token = token;
    this.#pace = pace;
  }

  /** The request as it is sent to the service. */
  shot({ method, path, body }: Asking): Shot {
    const headers = { authorization: `Bearer ${this.#token}`, ...(body && { "content-type": "application/json" }) };
    return { url: new URL(path, this.#server.andon), method, headers, body: body ? JSON.stringify(body) : null };
  }

  /** The answer to a request. */
  async ask<T>(asking: Asking): Promise<T> {
    return JSON.parse((await fire(this.shot(asking))) || "null") as T;
  }

  /** The cost of one request that comes alone, and is not the first. */
  async costOf(shot: Shot): Promise<Cost> {
    const requestId = randomUUID();
    const line = this.#server.nextLine<Cost>("callerRequestId", requestId);
    await fire({ ...shot, headers: { ...shot.headers, "x-request-id": requestId } });
    return await line;
  }

  /** Compares a read with its storage requests alone, or with the simplest queries for the same data. */
  async compare(asking: Asking): Promise<Line> {
    const shot = this.shot(asking);
    const twin = await this.#twinOf(asking, shot);
    await fire(shot);
    const cost = await this.costOf(shot);
    const [andon, bare] = await inTurns([() => shot, () => twin], this.#pace);
    if (!andon || !bare) throw new Error("two loads, two results");
    return { name: asking.name, andon, bare, cost };
  }

  /** Measures requests without a bare counterpart. Each may differ from the previous one. */
  async measure(name: string, askingAt: (n: number) => Asking, pace = this.#pace): Promise<Line> {
    await fire(this.shot(askingAt(-1)));
    const cost = await this.costOf(this.shot(askingAt(-2)));
    const [andon] = await inTurns([(n) => this.shot(askingAt(n))], pace);
    if (!andon) throw new Error("one load, one result");
    return { name, andon, bare: null, cost };
  }

  async #twinOf(asking: Asking, shot: Shot): Promise<Shot> {
    const asked = asking.plain ? { trips: [asking.plain], calls: [] } : await this.#recorded(asking, shot);
    const url = new URL(`/${encodeURIComponent(asking.name)}`, this.#server.bare);
    await fire({ url, method: "PUT", headers: {}, body: JSON.stringify(asked) });
    return { url, method: "GET", headers: {}, body: null };
  }

  async #recorded({ path }: Asking, { method, headers, body }: Shot): Promise<Asked> {
    const request = () => new Request(new URL(path, "http://localhost"), { method, headers, body });
    // The first one also loads data that is cached for the next.
    await recordAsked(this.#server.env, request());
    return await recordAsked(this.#server.env, request());
  }
}
