import { type ChartBucket, chartBuckets } from "./buckets.ts";
import { CalendarDays } from "./calendar-day.ts";
import { append, maxOf } from "./extremes.ts";
import { type SettingsHistory, settingsAt } from "./settings.ts";
import type { ShiftDefinition } from "./shift-definition.ts";
import { clip, DAY_MS, HOUR_MS, type Interval, isoWeekday, MINUTE_MS, minuteOfDay } from "./time.ts";
import { localInterval, localToUtc } from "./zone.ts";

/** The longest possible occurrence: 24 h on the day that sets the clock back. */
export const MAX_SHIFT_MS = 25 * HOUR_MS;
/** More than the local hours of the longest occurrence. */
const MAX_HOURS = 100;

interface PlannedBreak extends Interval {
  name: string;
  isIncludedInAvailability: boolean;
}

/** One run of a shift. A night shift of 8 hours has 7 or 9 when the clock changes. */
export interface ShiftOccurrence extends Interval {
  shiftId: number;
  breaks: PlannedBreak[];
}

/** Consecutive settings with the same definitions, in force from `since` until `until`. */
interface Era {
  since: number;
  until: number;
  timezone: string;
  shifts: ShiftDefinition[];
}

/** An occurrence and the local day (since 1970) on which it starts. */
interface Run extends ShiftOccurrence {
  day: number;
}

/** The local hour of a shift that an instant in the shift belongs to. */
export function hourAt(hours: readonly ChartBucket[], at: number): ChartBucket {
  return hours.findLast(({ start }) => start <= at) as ChartBucket;
}

/**
 * The shift occurrences of one machine. They never overlap: if two definitions do, the one that starts later takes over at
 * its start.
 *
 * A change of the definitions or the time zone applies from the next occurrence. The occurrence that is running at the change keeps
 * its start, end and breaks. Its shift does not start a second time on the same day, and a new occurrence that would begin
 * before its end begins at its end. If no shift has run before, a new definition also applies to the occurrence that contains
 * the change: a machine whose first shift is created at 10:00 is in the shift that began at 06:00.
 *
 * A calendar day has its own shifts in place of those of its weekday, whenever that was said: it also changes the running shift, and past ones.
 *
 * No shift runs while the machine is deleted: the one that runs then ends, unless it still runs when the machine is restored.
 */
export class ShiftCalendar {
  readonly #eras: Era[];
  /** By era and local day: the occurrences as defined, before any is clipped or left out. */
  readonly #planned: Map<number, Run[]>[];
  /** By era: the occurrences that were running when it, or an era shortly before it, began. */
  readonly #carried = new Map<number, Run[]>();
  readonly #hasRunBefore = new Map<number, boolean>();
  readonly #signOuts = new Map<number, number>();
  readonly #history: SettingsHistory;
  readonly #days: CalendarDays;
  readonly #deletedTimes: readonly (readonly [number, number])[];
  #last: ShiftOccurrence | null = null;
  /** The local hours of the last requested occurrence. */
  #hours: { of: Interval; hours: readonly ChartBucket[] } | null = null;

  constructor(history: SettingsHistory) {
    this.#history = history;
    this.#eras = erasOf(history);
    this.#days = new CalendarDays(history[0].calendarDays ?? []);
    this.#deletedTimes = history.at(-1)?.deletedTimes ?? [];
    this.#planned = this.#eras.map(() => new Map());
  }

  /** The occurrence that contains an instant, or null outside shifts. */
  at(at: number): ShiftOccurrence | null {
    if (this.#last && this.#last.start <= at && at < this.#last.end) return this.#last;
    const found = this.between(at, at + 1)[0] ?? null;
    this.#last = found;
    return found;
  }

  /** The local hours of an occurrence, in order and clipped to it. The time zone at its start applies to all of it. */
  hours({ start, end }: Interval): readonly ChartBucket[] {
    if (this.#hours?.of.start !== start || this.#hours.of.end !== end) {
      const { timezone } = settingsAt(this.#history, start);
      this.#hours = { of: { start, end }, hours: chartBuckets(timezone, "hour", { start, end }, MAX_HOURS) };
    }
    return this.#hours.hours;
  }

  /** The local hour of an instant, by the time zone then. */
  localHourOf(at: number): Interval {
    const { timezone } = settingsAt(this.#history, at);
    const [hour] = chartBuckets(timezone, "hour", { start: at, end: at + 1 }, 1) as [ChartBucket];
    return { start: hour.x, end: hour.xEnd };
  }

  /** Occurrences that overlap [from, to), in order. */
  between(from: number, to: number): ShiftOccurrence[] {
    if (from >= to) return [];
    const occurrences = this.#eras.flatMap((era, i) => {
      // Occurrences of an era may end after it, and at most one begins before it.
      if (era.since - MAX_SHIFT_MS >= to || era.until + MAX_SHIFT_MS <= from) return [];
      return this.#runs(i, from, to).filter(({ start, end }) => start < era.until && end > from && start < to);
    });
    const runs = this.#deletedTimes.length === 0 ? occurrences : this.#inService(occurrences, { start: from, end: to });
    return runs.map(({ day: _, ...occurrence }) => occurrence).sort((a, b) => a.start - b.start);
  }

  /**
   * Cuts off the time in which the machine was deleted. A shift in which it was deleted and restored stays whole. Returns what overlaps the window.
   */
  #inService(runs: readonly Run[], window: Interval): Run[] {
    return runs.flatMap((run) => {
      let { start, end } = run;
      for (const [deletedAt, restoredAt] of this.#deletedTimes) {
        if (deletedAt <= start && start < restoredAt) start = Math.min(restoredAt, end);
        else if (deletedAt < end && end <= restoredAt) end = deletedAt;
      }
      const isLeft = start < end && start < window.end && window.start < end;
      return isLeft ? [clippedTo(start, end, run)] : [];
    });
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

  /**
   * Returns when an operator who signs in at an instant is signed out automatically: at the first later end of a shift at which the company
   * signs operators out. Infinity when none is known.
   */
  signOutAt(since: number): number {
    const known = this.#signOuts.get(since) ?? this.#findSignOut(since);
    this.#signOuts.set(since, known);
    return known;
  }

  #findSignOut(since: number): number {
    for (const [i, settings] of this.#history.entries()) {
      const until = this.#history[i + 1]?.since ?? Number.POSITIVE_INFINITY;
      if (!settings.signOutAtShiftEnd || until <= since) continue;
      const from = Math.max(since, settings.since);
      // Each shift runs at least once a week.
      const ends = this.between(from, Math.min(until, from + 16 * DAY_MS)).map(({ end }) => end);
      const end = ends.find((at) => at > from && at <= until);
      if (end !== undefined) return end;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The occurrences of an era that can overlap [from, to), as if no era came after it. */
  #runs(i: number, from: number, to: number): Run[] {
    const { since, until, shifts } = this.#eras[i] as Era;
    if (shifts.length === 0 && this.#days.isEmpty) return [];
    // Zones are up to 14 h from UTC, a shift lasts up to 25 h, and the next shift may end it.
    const firstDay = Math.floor(Math.max(from, since - MAX_SHIFT_MS) / DAY_MS) - 3;
    const lastDay = Math.floor(Math.min(to, until + MAX_SHIFT_MS) / DAY_MS) + 2;
    const canBeCarriedOver = i > 0 && firstDay * DAY_MS < since + 3 * DAY_MS;
    const carried = canBeCarriedOver ? this.#carriedInto(i) : [];
    const includesRunning = canBeCarriedOver && !this.#hasShiftRunBefore(i);
    const planned: Run[] = [];
    for (let day = firstDay; day <= lastDay; day++) append(planned, this.#plannedOn(i, day));
    const inForce = planned
      .filter(({ start, end }) => start >= since || (includesRunning && end > since))
      .filter((run) => !carried.some(({ shiftId, day }) => shiftId === run.shiftId && day === run.day))
      .sort((a, b) => a.start - b.start || b.shiftId - a.shiftId);
    return inForce.flatMap((run, n) => {
      const start = maxOf([run.start, ...carried.map((one) => one.end)]);
      const end = Math.min(run.end, inForce[n + 1]?.start ?? run.end);
      const isStillRunning = run.start >= since || end > since;
      return start < end && isStillRunning ? [clippedTo(start, end, run)] : [];
    });
  }

  /** The occurrences of earlier eras that are running when an era begins, or were running when an era shortly before it began. */
  #carriedInto(i: number): Run[] {
    const known = this.#carried.get(i);
    if (known) return known;
    const { since } = this.#eras[i] as Era;
    const before = this.#eras[i - 1] as Era;
    const running = this.#runs(i - 1, since - 1, since).filter(({ start, end }) => start < since && since < end);
    const older = i > 1 && since - before.since < 2 * DAY_MS ? this.#carriedInto(i - 1) : [];
    const carried = [...older, ...running];
    this.#carried.set(i, carried);
    return carried;
  }

  /** Whether any shift began before the start of an era. */
  #hasShiftRunBefore(i: number): boolean {
    const known = this.#hasRunBefore.get(i);
    if (known !== undefined) return known;
    const { since } = this.#eras[i] as Era;
    const hasRun = this.#eras.slice(0, i).some((era, j) => {
      // Each shift with a weekday runs at least once a week, unless calendar days replace it.
      const hasWeekdays = era.shifts.some(({ days }) => days.length > 0);
      if (hasWeekdays && era.until - era.since > 8 * DAY_MS) return true;
      const searched = Math.max(era.since, era.until - 8 * DAY_MS);
      return this.#runs(j, searched, era.until).some(({ start }) => start < Math.min(era.until, since));
    });
    this.#hasRunBefore.set(i, hasRun);
    return hasRun;
  }

  #plannedOn(i: number, day: number): Run[] {
    const { timezone, shifts } = this.#eras[i] as Era;
    const days = this.#planned[i];
    const known = days?.get(day);
    if (known) return known;
    const lineAt = () => settingsAt(this.#history, localToUtc(timezone, day, 0)).lineId ?? null;
    const ofDay = this.#days.shiftsOn(day, lineAt) ?? shifts.filter(({ days }) => days.includes(isoWeekday(day)));
    const planned = ofDay
      .map((shift) => occurrenceOn(shift, timezone, day))
      .filter((occurrence) => occurrence !== null)
      .map((occurrence) => ({ ...occurrence, day }));
    days?.set(day, planned);
    return planned;
  }
}

function erasOf(history: SettingsHistory): Era[] {
  const eras: Era[] = [];
  let definitions = "";
  for (const [i, { since, timezone, shifts }] of history.entries()) {
    const last = eras.at(-1);
    const own = JSON.stringify([timezone, shifts]);
    if (last && own === definitions) continue;
    if (last) last.until = since;
    eras.push({ since: i === 0 ? Number.NEGATIVE_INFINITY : since, until: Number.POSITIVE_INFINITY, timezone, shifts });
    definitions = own;
  }
  return eras;
}

/** The occurrence of a shift that starts on a local day; null on a day that the zone skips. */
function occurrenceOn(shift: Omit<ShiftDefinition, "days">, timezone: string, day: number): ShiftOccurrence | null {
  const startMinute = minuteOfDay(shift.start);
  const whole = localInterval(timezone, day, startMinute, laterThan(minuteOfDay(shift.end), startMinute));
  if (!whole) return null;
  const breaks = shift.breaks.flatMap(({ name, isIncludedInAvailability, ...planned }) => {
    const breakStart = minuteOfDay(planned.start);
    const fromMinute = breakStart < startMinute ? breakStart + DAY_MS / MINUTE_MS : breakStart;
    const own = localInterval(timezone, day, fromMinute, laterThan(minuteOfDay(planned.end), fromMinute));
    const within = own && clip(own, whole.start, whole.end);
    return within ? [{ name, isIncludedInAvailability, ...within }] : [];
  });
  return { shiftId: shift.id, ...whole, breaks: breaks.sort((a, b) => a.start - b.start) };
}

/** The part of an occurrence from `start` to `end`, with its breaks clipped too. */
function clippedTo(start: number, end: number, run: Run): Run {
  if (start === run.start && end === run.end) return run;
  const breaks = run.breaks.map((one) => ({ ...one, start: Math.max(one.start, start), end: Math.min(one.end, end) }));
  return { ...run, start, end, breaks: breaks.filter((one) => one.start < one.end) };
}

function laterThan(minute: number, than: number): number {
  let later = minute;
  while (later <= than) later += DAY_MS / MINUTE_MS;
  return later;
}
