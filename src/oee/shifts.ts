import type { SettingsHistory } from "./settings.ts";
import { DAY_MS, HOUR_MS, type Interval, isoWeekday, localToUtc, MINUTE_MS, minuteOfDay } from "./time.ts";

/** No run of a shift is longer: 24 h, in the night that sets the clock back. */
export const MAX_SHIFT_MS = 25 * HOUR_MS;

export interface ShiftDefinition {
  id: number;
  /** Local wall clock `HH:mm`; an end at or before the start is on the next day, an equal one 24 h later. */
  start: string;
  end: string;
  /** ISO weekdays of the start: Monday is 1. */
  days: number[];
  breaks: { name: string; start: string; end: string; isIncludedInAvailability: boolean }[];
}

export interface PlannedBreak extends Interval {
  name: string;
  isIncludedInAvailability: boolean;
}

/** One run of a shift: 7, 8 or 9 hours long when its night changes the clock. */
export interface ShiftOccurrence extends Interval {
  shiftId: number;
  breaks: PlannedBreak[];
}

/**
 * The shift occurrences of one machine. An occurrence follows the settings in force at its start, so a change of the
 * definitions leaves the running shift alone. Occurrences never overlap: one ends at the latest where the next starts.
 */
export class ShiftCalendar {
  readonly #history: SettingsHistory;
  readonly #days = new Map<number, ShiftOccurrence[]>();
  #last: ShiftOccurrence | null = null;

  constructor(history: SettingsHistory) {
    this.#history = history;
  }

  /** The occurrence that contains an instant, or null outside shifts. */
  at(at: number): ShiftOccurrence | null {
    if (this.#last && this.#last.start <= at && at < this.#last.end) return this.#last;
    const found = this.between(at, at + 1)[0] ?? null;
    this.#last = found;
    return found;
  }

  /** Occurrences that overlap [from, to), in order. */
  between(from: number, to: number): ShiftOccurrence[] {
    if (from >= to) return [];
    // Zones reach 14 h from UTC, a shift lasts 25 h at most, and the one after tells where it ends.
    const firstDay = Math.floor(from / DAY_MS) - 3;
    const lastDay = Math.floor(to / DAY_MS) + 2;
    const found: ShiftOccurrence[] = [];
    for (let day = firstDay; day <= lastDay; day++) found.push(...this.#startingOn(day));
    found.sort((a, b) => a.start - b.start || b.shiftId - a.shiftId);
    const occurrences: ShiftOccurrence[] = [];
    for (const [i, occurrence] of found.entries()) {
      const end = Math.min(occurrence.end, found[i + 1]?.start ?? Number.POSITIVE_INFINITY);
      if (end <= occurrence.start || end <= from || occurrence.start >= to) continue;
      occurrences.push(end === occurrence.end ? occurrence : endingAt(end, occurrence));
    }
    return occurrences;
  }

  /** The next start or end of a shift or break after an instant, looking two weeks ahead; null when there is none. */
  nextEdge(at: number): number | null {
    for (let horizon = 2 * DAY_MS; horizon <= 16 * DAY_MS; horizon *= 2) {
      let next = Number.POSITIVE_INFINITY;
      for (const occurrence of this.between(at, at + horizon)) {
        for (const { start, end } of [occurrence, ...occurrence.breaks]) {
          if (start > at) next = Math.min(next, start);
          if (end > at) next = Math.min(next, end);
        }
      }
      if (next < Number.POSITIVE_INFINITY) return next;
    }
    return null;
  }

  #startingOn(day: number): ShiftOccurrence[] {
    const known = this.#days.get(day);
    if (known) return known;
    const occurrences: ShiftOccurrence[] = [];
    for (const [i, { since, timezone, shifts }] of this.#history.entries()) {
      const until = this.#history[i + 1]?.since ?? Number.POSITIVE_INFINITY;
      for (const shift of shifts) {
        if (!shift.days.includes(isoWeekday(day))) continue;
        const occurrence = occurrenceOn(shift, timezone, day);
        if ((i === 0 || occurrence.start >= since) && occurrence.start < until) occurrences.push(occurrence);
      }
    }
    this.#days.set(day, occurrences);
    return occurrences;
  }
}

function occurrenceOn(shift: ShiftDefinition, timezone: string, day: number): ShiftOccurrence {
  const at = (minute: number) => localToUtc(timezone, day, minute);
  const startMinute = minuteOfDay(shift.start);
  const endMinute = laterThan(minuteOfDay(shift.end), startMinute);
  const start = at(startMinute);
  const end = at(endMinute);
  const breaks = shift.breaks.map((planned) => {
    const breakStart = minuteOfDay(planned.start);
    const fromMinute = breakStart < startMinute ? breakStart + DAY_MS / MINUTE_MS : breakStart;
    const toMinute = laterThan(minuteOfDay(planned.end), fromMinute);
    return {
      name: planned.name,
      isIncludedInAvailability: planned.isIncludedInAvailability,
      start: Math.max(start, at(fromMinute)),
      end: Math.min(end, at(toMinute)),
    };
  });
  return { shiftId: shift.id, start, end, breaks: breaks.filter((b) => b.start < b.end).sort((a, b) => a.start - b.start) };
}

/** An occurrence that the next one cuts short, its breaks with it. */
function endingAt(end: number, { breaks, ...occurrence }: ShiftOccurrence): ShiftOccurrence {
  const left = breaks.map((planned) => ({ ...planned, end: Math.min(planned.end, end) }));
  return { ...occurrence, end, breaks: left.filter((planned) => planned.start < planned.end) };
}

function laterThan(minute: number, than: number): number {
  let later = minute;
  while (later <= than) later += DAY_MS / MINUTE_MS;
  return later;
}
