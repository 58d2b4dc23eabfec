import { isoOf, MINUTE_MS } from "../oee/time.ts";

/** The number of requests of a route and minute whose durations are kept. */
const MOST_DURATIONS = 1000;
/** More routes than the service has. */
const MOST_ROUTES = 500;

/** What requests cost. */
interface Cost {
  dbTrips: number;
  rowsRead: number;
  rowsWritten: number;
  objectCalls: number;
}

interface Route {
  method: string;
  route: string;
}

interface Counted extends Route, Cost {
  requests: number;
  durations: number[];
}

/** The line for a minute in which an isolate answered requests. */
interface Summary {
  event: "requests";
  /** The start of the minute. */
  minute: string;
  routes: (Route & Cost & { requests: number; p50: number; p99: number })[];
}

/** Counts the requests that have no line of their own, by route and minute: one line a minute, however many they are. */
export class RequestSummary {
  #minute = 0;
  readonly #routes = new Map<string, Counted>();

  /** The summary of the last minute with requests, if that is over: an array of one, or none. */
  endBefore(now: number): Summary[] {
    if (this.#routes.size === 0 || minuteOf(now) === this.#minute) return [];
    const routes = [...this.#routes.values()].map(({ durations, ...counted }) => {
      const sorted = durations.toSorted((a, b) => a - b);
      return { ...counted, p50: partOf(sorted, 0.5), p99: partOf(sorted, 0.99) };
    });
    this.#routes.clear();
    return [{ event: "requests", minute: isoOf(this.#minute), routes }];
  }

  add({ method, route }: Route, cost: Cost, durationMs: number, now: number): void {
    this.#minute = minuteOf(now);
    const key = `${method} ${route}`;
    const known = this.#routes.get(key);
    if (!known && this.#routes.size >= MOST_ROUTES) return;
    const counted = known ?? {
      method,
      route,
      requests: 0,
      dbTrips: 0,
      rowsRead: 0,
      rowsWritten: 0,
      objectCalls: 0,
      durations: [],
    };
    this.#routes.set(key, counted);
    counted.requests += 1;
    counted.dbTrips += cost.dbTrips;
    counted.rowsRead += cost.rowsRead;
    counted.rowsWritten += cost.rowsWritten;
    counted.objectCalls += cost.objectCalls;
    if (counted.durations.length < MOST_DURATIONS) counted.durations.push(durationMs);
  }
}

const minuteOf = (at: number) => Math.floor(at / MINUTE_MS) * MINUTE_MS;

/** The smallest of sorted numbers that is not exceeded by this part of them. */
function partOf(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
