import type { GivenCauses } from "./causes.ts";
import { dayOf, type Interval, startOfDay } from "./days.ts";
import { maxOf, minOf } from "./extremes.ts";
import { kindOfStatus } from "./machine-kind.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time.ts";

// The day of a plant, with a row per machine: positions and zoom. Times are epoch ms, positions are percent of the width.

/** The used members of a row of `GET /v1/timeline`. */
export interface TimelineRow {
  machine: { id: number; name: string };
  line: { id: number; name: string } | null;
  shift: { id: number; name: string; startTime: string; endTime: string };
  status: "A" | "N" | "P" | "O" | "D";
  startTime: string;
  endTime: string;
  stop: (GivenCauses & { id: number; name: string; isOpen: boolean; isBreak: boolean; version: number }) | null;
}

export interface Stretch extends Interval {
  /** A stop without a cause is "unknown" while somebody should give one: if it is neither planned nor outside availability. */
  kind: "running" | "stopped" | "unknown" | "planned" | "outside" | "noData";
  shift: TimelineRow["shift"];
  stop: TimelineRow["stop"];
}

export interface MachineDay {
  id: number;
  name: string;
  line: TimelineRow["line"];
  stretches: Stretch[];
}

/** Groups the rows of a timeline by machine, in their order. */
export function machineDays(rows: readonly TimelineRow[]): MachineDay[] {
  const days = new Map<number, MachineDay>();
  for (const { machine, line, shift, status, startTime, endTime, stop } of rows) {
    let day = days.get(machine.id);
    if (!day) {
      day = { id: machine.id, name: machine.name, line, stretches: [] };
      days.set(machine.id, day);
    }
    const isUnknown = status === "N" && stop !== null && !stop.generalCause && !stop.specificCause;
    const kind = isUnknown ? "unknown" : kindOfStatus(status, stop?.isBreak ?? false);
    day.stretches.push({ kind, start: Date.parse(startTime), end: Date.parse(endTime), shift, stop });
  }
  return [...days.values()];
}

/** The time that a production day shows: from its first to its last shift, or the calendar day if it has none. While it lasts, it has at least 24 hours. */
export function limitsOf(days: readonly MachineDay[], { start, end }: Interval, isNow: boolean): Interval {
  const stretches = days.flatMap((day) => day.stretches);
  if (stretches.length === 0) return { start, end };
  const first = minOf(stretches.map((one) => one.start));
  const last = maxOf(stretches.map((one) => one.end));
  return { start: first, end: isNow ? Math.max(last, first + DAY_MS) : last };
}

/** The position of an interval; null: outside the window. */
export function placeOf({ start, end }: Interval, window: Interval): { x: number; width: number } | null {
  const [from, to] = [Math.max(start, window.start), Math.min(end, window.end)];
  if (from >= to) return null;
  const length = window.end - window.start;
  return { x: (100 * (from - window.start)) / length, width: (100 * (to - from)) / length };
}

/** The closest zoom. */
const SHORTEST_WINDOW_MS = 10 * MINUTE_MS;

/** Moves and shortens a window until it fits the limits. It has at least ten minutes. */
export function fitted({ start, end }: Interval, limits: Interval): Interval {
  const most = limits.end - limits.start;
  const length = Math.min(Math.max(end - start, SHORTEST_WINDOW_MS), most);
  const middle = (start + end) / 2;
  const from = Math.min(Math.max(Math.round(middle - length / 2), limits.start), limits.end - length);
  return { start: from, end: from + length };
}

/** Scales a window by a factor around an instant, which stays where it is on the screen. */
export function zoomed(window: Interval, at: number, factor: number, limits: Interval): Interval {
  const focus = Math.min(Math.max(at, window.start), window.end);
  return fitted({ start: focus - (focus - window.start) * factor, end: focus + (window.end - focus) * factor }, limits);
}

/** Moves a window by a part of its length. */
export function panned({ start, end }: Interval, part: number, limits: Interval): Interval {
  const by = (end - start) * part;
  return fitted({ start: start + by, end: end + by }, limits);
}

const steps = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * MINUTE_MS);

/** At most `most` round times of the plant's clock inside a window. */
export function ticksOf(window: Interval, zone: string, most: number): number[] {
  const step = steps.find((one) => (window.end - window.start) / one <= most) ?? DAY_MS;
  const ticks: number[] = [];
  let day = dayOf(window.start, zone);
  while (startOfDay(day, zone) <= window.end) {
    const start = startOfDay(day, zone);
    const next = dayOf(start + 26 * HOUR_MS, zone);
    const end = Math.min(startOfDay(next, zone) - 1, window.end);
    for (let at = start; at <= end; at += step) if (at >= window.start) ticks.push(at);
    day = next;
  }
  return ticks;
}

/** The starts of shifts inside a window, each once, with the names of the shifts that start then. */
export function shiftMarks(days: readonly MachineDay[], window: Interval): { at: number; names: string[] }[] {
  const marks = new Map<number, Set<string>>();
  for (const { stretches } of days) {
    for (const { shift } of stretches) {
      const at = Math.max(Date.parse(shift.startTime), window.start);
      if (at >= window.end || Date.parse(shift.endTime) <= window.start) continue;
      const names = marks.get(at) ?? new Set();
      marks.set(at, names.add(shift.name));
    }
  }
  return [...marks].map(([at, names]) => ({ at, names: [...names] })).sort((a, b) => a.at - b.at);
}

/** The stretch of a machine that has the keyboard focus. */
export interface Place {
  row: number;
  index: number;
}

/** The next place to the left or right whose stretch is not running; the same one at the end of the row. */
export function beside(days: readonly MachineDay[], { row, index }: Place, direction: 1 | -1): Place {
  const stretches = days[row]?.stretches ?? [];
  for (let i = index + direction; i >= 0 && i < stretches.length; i += direction) {
    if (stretches[i]?.kind !== "running") return { row, index: i };
  }
  return { row, index };
}

/** The place in the row above or below that is at the same time, or nearest to it. */
export function across(days: readonly MachineDay[], { row, index }: Place, direction: 1 | -1): Place {
  const next = row + direction;
  const stretches = days[next]?.stretches;
  if (!stretches) return { row, index };
  const at = middleOf(days[row]?.stretches[index]);
  let best = 0;
  for (const [i, stretch] of stretches.entries()) {
    if (distance(stretch, at) < distance(stretches[best] as Stretch, at)) best = i;
  }
  return { row: next, index: best };
}

function middleOf(stretch: Interval | undefined): number {
  return stretch ? (stretch.start + stretch.end) / 2 : 0;
}

function distance({ start, end }: Interval, at: number): number {
  return at < start ? start - at : at > end ? at - end : 0;
}

/** All stops of a day, each once and as far as the day shows it, by machine and start. */
export function stopsOf(days: readonly MachineDay[]): (Stretch & { stop: NonNullable<Stretch["stop"]>; machine: MachineDay })[] {
  return days.flatMap((machine) => {
    const found: (Stretch & { stop: NonNullable<Stretch["stop"]>; machine: MachineDay })[] = [];
    for (const stretch of machine.stretches) {
      const { stop } = stretch;
      if (!stop) continue;
      const last = found[found.length - 1];
      // The parts of a stop that crosses the edge of a shift are one stop.
      if (last?.stop.id === stop.id) last.end = stretch.end;
      else found.push({ ...stretch, stop, machine });
    }
    return found;
  });
}

/** The stops directly before and after a stop of the same machine, which it can be merged with. */
export function neighboursOf(days: readonly MachineDay[], stopId: number) {
  const stops = stopsOf(days);
  const one = stops.find(({ stop }) => stop.id === stopId);
  const near = one ? stops.filter(({ machine }) => machine.id === one.machine.id) : [];
  return {
    before: near.find(({ end, stop }) => end === one?.start && stop.id !== stopId) ?? null,
    after: near.find(({ start, stop }) => start === one?.end && stop.id !== stopId) ?? null,
  };
}
