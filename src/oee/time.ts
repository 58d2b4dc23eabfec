import { isoText } from "./iso-text.ts";

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Half-open: `start` belongs to it, `end` does not. Epoch milliseconds UTC. */
export interface Interval {
  start: number;
  end: number;
}

/** The part of `interval` inside [start, end), or null when there is none. */
export function clip(interval: Interval, start: number, end: number): Interval | null {
  const from = Math.max(interval.start, start);
  const to = Math.min(interval.end, end);
  return from < to ? { start: from, end: to } : null;
}

/** Returns the rest of an interval without others, which are in order of their starts. */
export function without(interval: Interval, others: readonly Interval[]): Interval[] {
  const left: Interval[] = [];
  let cursor = interval.start;
  for (const other of others) {
    if (other.end <= cursor) continue;
    if (other.start >= interval.end) break;
    if (cursor < other.start) left.push({ start: cursor, end: other.start });
    cursor = Math.max(cursor, other.end);
  }
  if (cursor < interval.end) left.push({ start: cursor, end: interval.end });
  return left;
}

/** The start of the UTC day of an instant, both epoch ms. */
export function dayStartOf(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

/** Epoch ms as ISO 8601 with Z; null stays null. Throws RangeError where there is no such time. */
export function isoOf<T extends number | null>(at: T): T extends null ? null : string;
export function isoOf(at: number | null): string | null {
  return at === null ? null : isoText(at);
}

/** ISO weekday of a day number: Monday is 1, Sunday is 7. */
export function isoWeekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** By ISO number, from 1. */
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

export type Weekday = (typeof weekdays)[number];

/** The weekday of a day number. */
export function weekdayOf(day: number): Weekday {
  return weekdays[isoWeekday(day) - 1] as Weekday;
}

/** Minutes after midnight of a wall-clock `HH:mm`. */
export function minuteOfDay(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}
