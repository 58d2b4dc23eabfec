import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** The time after which a client gives up; 429 and 503 come at once. */
const PATIENCE_MS = 10_000;

/** A request of the load. `done` receives its result. */
export interface Ask {
  /** Its kind in the mix. */
  kind: string;
  method: string;
  path: string;
  token?: string;
  body?: string;
  done?(answer: Answer): void;
}

/** The result of a request: `status` is 0 if no complete answer came, and `body` is the reason. */
export interface Answer {
  kind: string;
  status: number;
  retryAfter: string | undefined;
  body: string;
  ms: number;
}

/** Sends requests to one service over persistent connections. */
export class Sender {
  readonly #url: URL;
  // Idle connections are closed before the server closes them, which could cross with a request.
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 1000, timeout: 2000 });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Never rejects. */
  send({ kind, method, path, token, body, done }: Ask): Promise<Answer> {
    const startedAt = performance.now();
    return new Promise<Answer>((resolve) => {
      const end = (status: number, text: string, retryAfter?: string) => {
        clearTimeout(patience);
        resolve({ kind, status, retryAfter, body: text, ms: performance.now() - startedAt });
      };
      const headers = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
      };
      const { hostname, port } = this.#url;
      const sent = request({ agent: this.#agent, hostname, port, method, path, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => end(response.statusCode ?? 0, Buffer.concat(parts).toString(), response.headers["retry-after"]));
        response.on("error", (error) => end(0, String(error)));
      });
      const patience = setTimeout(() => sent.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
      sent.on("error", (error) => end(0, `${(error as NodeJS.ErrnoException).code ?? ""} ${error.message}`));
      sent.end(body);
    }).then((answer) => {
      done?.(answer);
      return answer;
    });
  }

  /** Runs this many callers, each of which waits for an answer before its next request. Returns all answers. */
  async closedLoop(callers: number, seconds: number, next: () => Ask, pauseMs = 0): Promise<Answer[]> {
    const answers: Answer[] = [];
    const until = performance.now() + seconds * 1000;
    const caller = async () => {
      while (performance.now() < until) {
        answers.push(await this.send(next()));
        if (pauseMs > 0) await sleep(pauseMs);
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    return answers;
  }

  /** Sends this many requests a second, answered or not. Returns all answers. */
  async openLoop(perSecond: number, seconds: number, next: () => Ask): Promise<Answer[]> {
    const answers: Promise<Answer>[] = [];
    const startedAt = performance.now();
    for (let at = 0; at < seconds * 1000; at = performance.now() - startedAt) {
      while (answers.length < (at / 1000) * perSecond) answers.push(this.send(next()));
      await sleep(5);
    }
    return await Promise.all(answers);
  }
}

/** The time in ms within which this share of the answers came. */
export function quantile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The results that are neither an answer nor a refusal with Retry-After, each with its number. */
export function faultsAmong(answers: readonly Answer[]): Record<string, number> {
  const faults = answers.filter(({ status, retryAfter }) => {
    const isRefusal = (status === 429 || status === 503) && Number(retryAfter) >= 1;
    return !isRefusal && (status < 200 || status >= 300);
  });
  return countBy(faults, ({ kind, status, body }) => `${kind} ${status} ${body.replace(/,"instance".*/, "")}`);
}

/** The number of items of each sort. */
export function countBy<T>(items: readonly T[], sortOf: (item: T) => string | number): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(items, sortOf)].map(([sort, { length }]) => [sort, length]));
}
