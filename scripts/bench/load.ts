import { Agent, request as openRequest } from "node:http";

/** A request as sent. */
export interface BenchRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Returns the n-th request of a load. */
export type RequestAt = (n: number) => BenchRequest;

/** How a load is applied: the number of callers, each of which repeats as soon as it is answered, in slices that alternate with other loads. */
export interface LoadProfile {
  callers: number;
  sliceMs: number;
  rounds: number;
}

/** The result of a load: the medians of its slices, times in ms; p99 of all its answers. */
export interface Measured {
  perSecond: number;
  p50: number;
  /** The p50 of each slice, in order. */
  p50s: readonly number[];
  p99: number;
}

// Idle connections are closed before the server closes them, which could cross with a request.
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 2000 });

/** Measures loads in turns, so that other work on the computer affects all alike. Throws if an answer is not 2xx. */
export async function inTurns(requests: readonly RequestAt[], profile: LoadProfile): Promise<Measured[]> {
  const slices: number[][][] = requests.map(() => []);
  const rates: number[][] = requests.map(() => []);
  let sent = 0;
  for (let round = -1; round < profile.rounds; round++) {
    for (const [i, requestAt] of requests.entries()) {
      const startedAt = performance.now();
      const latencies = await closedLoop(() => requestAt(sent++), profile.callers, profile.sliceMs);
      const perSecond = (1000 * latencies.length) / (performance.now() - startedAt);
      // The first round is the warm-up.
      if (round >= 0) {
        slices[i]?.push(latencies);
        rates[i]?.push(perSecond);
      }
    }
  }
  return slices.map((ofAim, i) => {
    const p50s = ofAim.map(median);
    return { perSecond: median(rates[i] ?? []), p50: median(p50s), p50s, p99: quantile(ofAim.flat(), 0.99) };
  });
}

/** One load's p50 as a multiple of another's with which it alternated: the median over the turns, whose slices are adjacent. */
export function multipleOf(one: Measured, other: Measured): number {
  return median(one.p50s.map((p50, i) => p50 / (other.p50s[i] ?? Number.NaN)));
}

/** Sends requests for this many ms, each caller at least one. Returns the duration of each answer in ms. Throws if one is not 2xx. */
export async function closedLoop(next: () => BenchRequest, callers: number, ms: number): Promise<number[]> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const caller = async () => {
    do {
      const sentAt = performance.now();
      await send(next());
      latencies.push(performance.now() - sentAt);
    } while (performance.now() - startedAt < ms);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return latencies;
}

/** One request; its answer is read to the end. Throws if it is not 2xx. */
export function send({ url, method, headers, body }: BenchRequest): Promise<string> {
  return new Promise((done, fail) => {
    const length = body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sent = openRequest(url, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", fail);
      answer.on("end", () => {
        const text = Buffer.concat(parts).toString();
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) done(text);
        else fail(new Error(`${method} ${url.pathname} answered ${status}: ${text.slice(0, 500)}`));
      });
    });
    sent.on("error", fail);
    sent.end(body);
  });
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that is not exceeded by a share of the values; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
