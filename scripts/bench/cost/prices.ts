/**
 * The platform's prices beyond its paid plan's included amounts, in USD, as published on 22 November 2026. Included amounts are ignored:
 * the result is the cost of one more machine.
 */
export const pricesAsOf = "2026-11-22";

const MILLION = 1e6;

export const prices = {
  // https://developers.cloudflare.com/workers/platform/pricing/
  workerRequest: 0.3 / MILLION,
  workerCpuMs: 0.02 / MILLION,

  // https://developers.cloudflare.com/durable-objects/platform/pricing/
  // Each call by RPC, HTTP request and run of an alarm is a request. 20 incoming messages of a WebSocket count as one.
  objectRequest: 0.15 / MILLION,
  objectGbSecond: 12.5 / MILLION,
  objectRowRead: 0.001 / MILLION,
  /** Includes key-values, entries of an index, deletions. Each `setAlarm` is a row written. */
  objectRowWritten: 1 / MILLION,
  objectGbMonth: 0.2,

  // https://developers.cloudflare.com/d1/platform/pricing/
  d1RowRead: 0.001 / MILLION,
  d1RowWritten: 1 / MILLION,

  // https://developers.cloudflare.com/queues/platform/pricing/
  // A message is three operations: written, read, deleted.
  queueOperation: 0.4 / MILLION,

  // https://developers.cloudflare.com/r2/pricing/
  r2ClassA: 4.5 / MILLION,
  r2ClassB: 0.36 / MILLION,

  // https://developers.cloudflare.com/workers/observability/logs/workers-logs/
  // Lines of the service; invocation logs, which would be lines too, are off (wrangler.toml).
  logEvent: 0.6 / MILLION,
} as const;

/**
 * Times cannot be measured here as on the platform, so they are assumed: they are by far the smaller part of a bill. An object is charged
 * while it does something, with 128 MB; not while it could sleep.
 */
export const assumed = {
  /** CPU of the Worker, by kind of work; the results have 1.2 ms for a small request. */
  cpuMs: { ingest: 2, reader: 10, cron: 5, queue: 5 },
  /** An object's call or alarm by itself. */
  objectCallMs: 2,
  /** The time that it waits for a trip to D1. */
  databaseTripMs: 15,
  /** A hub gathers changes for 20 ms, and the machine that notified it waits. */
  tellMs: 25,
  objectGb: 0.128,
} as const;
