import { clockFrom, type WeekStart, weekdays } from "./days.ts";
import type { ShiftTimes } from "./shifts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time.ts";

// The working hours of a week, as they are drawn. Minutes are of the plant's clock, as if no clock changed in the week.

export const DAY_MINUTES = DAY_MS / MINUTE_MS;
export const HOUR_MINUTES = HOUR_MS / MINUTE_MS;

/** A shift with its breaks. */
export interface WeekShift extends ShiftTimes {
  breaks: readonly { start: string; end: string }[];
}

/** The minutes since midnight of a time of day as people type it; null: it is none. */
export function minutesOf(clock: string): number | null {
  const found = clockFrom(clock);
  return found === null ? null : Number(found.slice(0, 2)) * HOUR_MINUTES + Number(found.slice(3, 5));
}

/** A time of day: "06:05". Minutes of the days before and after are those of the clock, too. */
export function clockOf(minutes: number): string {
  const ofDay = wrapped(minutes, DAY_MINUTES);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${two(Math.floor(ofDay / HOUR_MINUTES))}:${two(ofDay % HOUR_MINUTES)}`;
}

/** A value within a period, also of one before it. */
export function wrapped(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** When a shift begins, in minutes since midnight, and how long it is. One that ends at the time at which it starts is 24 h long. */
export function spanOf({ start, end }: Pick<ShiftTimes, "start" | "end">): { from: number; length: number } {
  const from = minutesOf(start) ?? 0;
  return { from, length: wrapped((minutesOf(end) ?? from) - from, DAY_MINUTES) || DAY_MINUTES };
}

/**
 * The time of day, in minutes, at which the columns of a week begin: midnight, or where fewer shifts would be cut in two. With a night shift
 * from 22:00 to 06:00 they are from 06:00 to 06:00.
 */
export function axisOf(shifts: readonly Pick<ShiftTimes, "start" | "end">[]): number {
  const spans = shifts.map(spanOf);
  const cutAt = (at: number) =>
    spans.filter(({ from, length }) => {
      const inside = wrapped(at - from, DAY_MINUTES);
      return inside > 0 && inside < length;
    }).length;
  const places = [0, ...spans.map(({ from }) => from).sort((a, b) => a - b)];
  return places.reduce((best, at) => (cutAt(at) < cutAt(best) ? at : best), 0);
}

/** A part of a shift in one column of a week's picture. Minutes are since the begin of the column. */
export interface Block<S> {
  shift: S;
  /** 0..6, from the first day of the week. */
  column: number;
  from: number;
  to: number;
  /** Whether the shift starts and ends with it, and does not go on in another column. */
  hasStart: boolean;
  hasEnd: boolean;
  /** The breaks in it. */
  gaps: { from: number; to: number }[];
  /** Shifts of other machines may run at the same time: which of how many beside each other it is. */
  lane: number;
  lanes: number;
}

/** The blocks of shifts in a week. What goes on after the last column is in the first one. @param axis see `axisOf` */
export function blocksOf<S extends WeekShift>(shifts: readonly S[], axis: number, weekStart: WeekStart): Block<S>[] {
  const blocks = shifts.flatMap((shift) => {
    const { from, length } = spanOf(shift);
    return shift.days.flatMap((day) => {
      const column = wrapped(weekdays.indexOf(day) - (weekStart === "monday" ? 1 : 0), 7);
      const begin = wrapped(column * DAY_MINUTES + from - axis, 7 * DAY_MINUTES);
      return piecesOf(begin, length).map((piece) => ({ ...piece, shift, gaps: gapsOf(shift, begin, piece) }));
    });
  });
  return inLanes(blocks);
}

interface Piece {
  column: number;
  from: number;
  to: number;
  hasStart: boolean;
  hasEnd: boolean;
}

/** The parts of a time of a week in its columns. */
function piecesOf(begin: number, length: number): Piece[] {
  const pieces: Piece[] = [];
  const end = begin + length;
  for (let at = begin; at < end; ) {
    const next = Math.min(end, (Math.floor(at / DAY_MINUTES) + 1) * DAY_MINUTES);
    const column = Math.floor(at / DAY_MINUTES);
    const [from, to] = [at - column * DAY_MINUTES, next - column * DAY_MINUTES];
    pieces.push({ column: column % 7, from, to, hasStart: at === begin, hasEnd: next === end });
    at = next;
  }
  return pieces;
}

function gapsOf({ start, breaks }: WeekShift, begin: number, { column, from, to }: Piece): { from: number; to: number }[] {
  return breaks.flatMap((one) => {
    const after = wrapped((minutesOf(one.start) ?? 0) - (minutesOf(start) ?? 0), DAY_MINUTES);
    const length = wrapped((minutesOf(one.end) ?? 0) - (minutesOf(one.start) ?? 0), DAY_MINUTES);
    return piecesOf(begin + after, length)
      .map((piece) => ({ ...piece, from: Math.max(piece.from, from), to: Math.min(piece.to, to) }))
      .filter((piece) => piece.column === column && piece.from < piece.to)
      .map((piece) => ({ from: piece.from, to: piece.to }));
  });
}

/** Puts blocks of the same time beside each other. */
function inLanes<S>(blocks: readonly Omit<Block<S>, "lane" | "lanes">[]): Block<S>[] {
  const columns = [...new Set(blocks.map((one) => one.column))];
  return columns.flatMap((column) => {
    const sorted = blocks.filter((one) => one.column === column).sort((a, b) => a.from - b.from || b.to - a.to);
    const lanes: number[] = [];
    const placed = sorted.map((block) => {
      const free = lanes.findIndex((end) => end <= block.from);
      const lane = free === -1 ? lanes.length : free;
      lanes[lane] = block.to;
      return { ...block, lane };
    });
    return placed.map((block) => ({ ...block, lanes: lanes.length }));
  });
}

/** The first column in which each shift starts, and in which it ends, by its id and "start" or "end". */
export function firstColumns(blocks: readonly Block<{ id: string }>[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  const note = (key: string, column: number) => columns.set(key, Math.min(column, columns.get(key) ?? column));
  for (const { shift, column, hasStart, hasEnd } of blocks) {
    if (hasStart) note(`${shift.id} start`, column);
    if (hasEnd) note(`${shift.id} end`, column);
  }
  return columns;
}
