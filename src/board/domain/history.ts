import type { Row } from "../../client/live-protocol.ts";
import { kindOf } from "./machine-kind.ts";
import { HOUR_MS, MINUTE_MS } from "./time.ts";
import type { Stretch, TimelineRow } from "./timeline.ts";
import { machineDays } from "./timeline.ts";
import { lacksCause } from "./urgency.ts";

// What machines did in the last hours, for the strips of a wall. It is read every few minutes; in between, live rows continue it.

export const STRIP_MS = 8 * HOUR_MS;

/** Time of one kind, epoch ms. What was slow counts as running: the service keeps only stops. */
export interface Span {
  kind: Stretch["kind"];
  start: number;
  end: number;
}

export type Histories = ReadonlyMap<number, readonly Span[]>;

/** The strips of a timeline, by machine. */
export function historiesOf(rows: readonly TimelineRow[]): Histories {
  return new Map(machineDays(rows).map(({ id, stretches }) => [id, stretches]));
}

/**
 * A strip continued to `now` with the machine's present state, which may have begun before what was read. Time without a span is outside shifts.
 */
export function continued(spans: readonly Span[], row: Row, now: number): Span[] {
  const present = kindOf(row);
  const isShown = present !== "off" && row.shift !== null;
  const kind = present === "slow" ? "running" : lacksCause(row) ? "unknown" : present;
  const last = spans[spans.length - 1];
  const begun = row.since === null ? (last?.end ?? now) : Date.parse(row.since);
  const start = Math.min(now, isShown ? begun : now);
  const before = spans.filter((one) => one.start < start).map((one) => ({ ...one, end: Math.min(one.end, start) }));
  return isShown && kind !== "off" ? [...before, { kind, start, end: now }] : before;
}

/** The minutes of each kind in the strip up to `now`, in whole ones. */
export function minutesByKind(spans: readonly Span[], now: number): Map<Span["kind"], number> {
  const sums = new Map<Span["kind"], number>();
  for (const { kind, start, end } of spans) {
    const ms = Math.min(end, now) - Math.max(start, now - STRIP_MS);
    if (ms > 0) sums.set(kind, (sums.get(kind) ?? 0) + ms / MINUTE_MS);
  }
  return sums;
}
