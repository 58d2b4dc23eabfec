import { minOf } from "./extremes.ts";
import { factorsOf } from "./metrics.ts";
import type { Production } from "./production.ts";
import { type Bucket, bucketOf, type TimeSums } from "./shift-ledger.ts";
import type { ShiftOccurrence } from "./shifts.ts";
import { isShortStop } from "./speed.ts";
import { clip, HOUR_MS, type Interval, MINUTE_MS, SECOND_MS } from "./time.ts";
import type { Piece } from "./timeline.ts";

// Finds when the alert rules of a machine hold. The same functions check a machine as it is now, and the ledger of the past.

/** The condition that a rule looks for at a machine. Percentages are 0..100. */
export type AlertTest =
  | { kind: "stop" | "not_running" | "no_data" | "unclassified"; minutes: number }
  | { kind: "cause"; causeIds: readonly number[]; minutes: number }
  | { kind: "short_stops"; count: number }
  | { kind: "oee" | "availability"; percent: number; afterMinutes: number }
  | { kind: "defects"; percent: number; units: number };

/** A rule as a machine stores it. It only holds in shifts. */
export interface AlertRule {
  id: string;
  test: AlertTest;
  /** Null: in all shifts. */
  shiftIds: readonly number[] | null;
}

export interface AlertPiece extends Piece {
  /** The causes of the stop. */
  causeIds: readonly number[];
}

/** The numbers of a shift as of an instant in it, or of its end. */
export interface ShiftSample {
  at: number;
  shift: Pick<ShiftOccurrence, "shiftId" | "start" | "end">;
  sums: Pick<TimeSums, "availableMs" | "programmedMs" | "nonProgrammedMs">;
  made: Pick<Production, "idealMs" | "totalUnits" | "defectUnits">;
  /** Whether there is a standard cycle: without one, there is no OEE. */
  hasStandard: boolean;
  /** The bucket that continues after it if nothing happens; null: none. */
  openBucket: Bucket | null;
}

/** The known facts about a machine as of `now`. */
export interface AlertFacts {
  now: number;
  /** The time line, in order and without gaps, from before the checked time until after `now`. Empty: out of service. */
  pieces: readonly AlertPiece[];
  /** The shifts that overlap them, in order. */
  occurrences: readonly Pick<ShiftOccurrence, "shiftId" | "start" | "end">[];
  /** The time up to which it is certain that the machine runs, if it seems to run now: silence may still turn out to be a stop. */
  runsUntil: number;
  /**
   * The time up to which it is certain that there is data: silence after it may still turn out to be no data, and the stop in it as well.
   * Infinity if silence is never no data.
   */
  heardUntil: number;
  /** How long a silence must last before it is known to be a stop, or no data. */
  stopAfterMs: number;
  noDataAfterMs: number;
  /** Since when the machine is live; infinity: not yet. Nobody is alerted to a silence that began before. */
  liveSince: number;
  /** In order of time. */
  samples: readonly ShiftSample[];
}

/** A time in which a rule holds. */
export interface Episode {
  /** When its subject began, such as a stop; within a shift of the rule. */
  since: number;
  /** When the rule begins to hold. */
  dueAt: number;
  /** When it ceases to hold; null: it holds now. */
  until: number | null;
  /** The percentage or number that was too high or too low; null: the rule only concerns time. */
  value: number | null;
}

/** How long a machine must have run, or sent data, before its alert ends. A single count between two stops does not end it. */
const HOLD_MS = MINUTE_MS;
/** How long the number of short stops must stay within the limit before their alert ends. */
const CALM_MS = 10 * MINUTE_MS;
/** How much a share must recover before its alert ends: OEE and availability by points, the rate of defects by a part of its limit. */
const RECOVERY_POINTS = 2;
const RECOVERY_SHARE = 0.1;
/** How often a share beyond its limit is checked, and the shortest wait before checking one that may get there if nothing happens. */
const LOOK_EVERY_MS = MINUTE_MS;
const SOONEST_MS = 10 * SECOND_MS;

/** `bad`: the condition of the rule is met; `good`: it is not; `over`: ends the alert at once; `unknown`: neither begins nor ends it. */
type Verdict = "bad" | "good" | "over" | "unknown";
interface Stretch extends Interval {
  verdict: Verdict;
}

/** All times in which a rule held, in order. */
export interface Found {
  episodes: Episode[];
  /** When to check again if nothing happens; null: never. */
  lookAt: number | null;
  /** Whether the rule holds, or ceases to, as soon as a sample comes: its time has passed in silence. */
  awaitsSample: boolean;
}

/**
 * Finds the times in which a rule held.
 * @param open the episode that was found before and had no end, if there is one
 */
export function findEpisodes(rule: AlertRule, facts: AlertFacts, open: Episode | null = null): Found {
  const { test } = rule;
  const found = isAboutShare(test) ? checkSamples(test, rule, facts, open) : checkTimes(test, rule, facts);
  const isOverdue = found.lookAt !== null && found.lookAt <= facts.now;
  return { ...found, lookAt: isOverdue ? null : found.lookAt, awaitsSample: isOverdue };
}

/** What is found before it is compared with now. */
type FoundTimes = Pick<Found, "episodes" | "lookAt">;
type ShareTest = Extract<AlertTest, { percent: number }>;
type TimeTest = Exclude<AlertTest, ShareTest>;

function isAboutShare(test: AlertTest): test is ShareTest {
  return "percent" in test;
}

function checkTimes(test: TimeTest, { shiftIds }: AlertRule, facts: AlertFacts): FoundTimes {
  const { pieces, occurrences, runsUntil, heardUntil, stopAfterMs, noDataAfterMs, liveSince } = facts;
  const own = occurrences.filter(({ shiftId }) => shiftIds === null || shiftIds.includes(shiftId));
  switch (test.kind) {
    case "short_stops": {
      const found = fold(inShifts(manyShortStops(facts, test.count), joined(own)), { afterMs: 0, holdMs: CALM_MS });
      const valued = found.episodes.map((episode) => ({ ...episode, value: test.count + 1 }));
      return { ...found, episodes: valued };
    }
    case "not_running":
      return fold(
        own.flatMap((occurrence) => untilItRuns(inShifts(stretchesOf(pieces, sortStart, runsUntil, heardUntil), [occurrence]))),
        { afterMs: test.minutes * MINUTE_MS, holdMs: HOLD_MS, isSum: true },
      );
    case "no_data": {
      const sort = ({ kind, start }: AlertPiece): Verdict => {
        if (kind !== "noData") return "good";
        return start < liveSince ? "unknown" : "bad";
      };
      const afterMs = Math.max(test.minutes * MINUTE_MS, noDataAfterMs);
      return fold(inShifts(stretchesOf(pieces, sort, heardUntil), joined(own)), { afterMs, holdMs: HOLD_MS });
    }
    default: {
      const sort = (piece: AlertPiece): Verdict => {
        if (piece.kind !== "stop") return piece.kind === "noData" ? "unknown" : "good";
        if (isLookedFor(test, piece)) return "bad";
        // A planned break does not repair a machine.
        return isBreak(piece) ? "unknown" : "over";
      };
      const afterMs = Math.max(test.minutes * MINUTE_MS, stopAfterMs);
      return fold(inShifts(stretchesOf(pieces, sort, runsUntil, heardUntil), joined(own)), { afterMs, holdMs: HOLD_MS });
    }
  }
}

function isBreak({ stop }: AlertPiece): boolean {
  return (stop?.breakName ?? null) !== null;
}

/** Whether a rule looks for a stop. Planned stops only matter to rules that look for their cause. */
function isLookedFor(test: TimeTest, piece: AlertPiece): boolean {
  if (test.kind === "cause") return piece.causeIds.some((id) => test.causeIds.includes(id));
  if (test.kind === "unclassified" && piece.stop?.isAnnotated) return false;
  return bucketOf(piece) === "nonProgrammed";
}

function sortStart(piece: AlertPiece): Verdict {
  if (piece.kind === "available") return "good";
  return bucketOf(piece) === "nonProgrammed" ? "bad" : "unknown";
}

/** Keeps only the late start as `bad`: once the machine has run in a shift, no later stop of the shift counts. */
function untilItRuns(stretches: readonly Stretch[]): Stretch[] {
  const ran = stretches.find(({ verdict }) => verdict === "good")?.start ?? Number.POSITIVE_INFINITY;
  return stretches.map((one) => (one.verdict === "bad" && one.start > ran ? { ...one, verdict: "unknown" } : one));
}

/**
 * The pieces with their verdicts, `good` and `bad` ones up to the instant until which they are certain. A stop that a person recorded is
 * certain.
 */
function stretchesOf(
  pieces: readonly AlertPiece[],
  sort: (piece: AlertPiece) => Verdict,
  goodUntil: number,
  badUntil = Number.POSITIVE_INFINITY,
): Stretch[] {
  const certainUntil: Partial<Record<Verdict, number>> = { good: goodUntil, bad: badUntil };
  return pieces.map((piece) => {
    const verdict = sort(piece);
    const until = piece.stop?.isManual ? piece.end : (certainUntil[verdict] ?? piece.end);
    return { start: piece.start, end: Math.max(piece.start, Math.min(piece.end, until)), verdict };
  });
}

/** Divides the time by whether more than `count` short stops ended in the hour before. */
function manyShortStops({ pieces, now }: AlertFacts, count: number): Stretch[] {
  const ends = pieces.filter((piece) => isShortStop(piece) && piece.end <= now).map(({ end }) => end);
  const changes = [
    ...ends.map((at) => ({ at, by: 1 })),
    ...ends.map((at) => ({ at: at + HOUR_MS, by: -1 })),
    ...(pieces.at(-1) ? [{ at: now + 1, by: 0 }] : []),
  ].sort((a, b) => a.at - b.at);
  let start = pieces[0]?.start ?? 0;
  let n = 0;
  return changes
    .filter(({ at }) => at <= now + 1)
    .map(({ at, by }) => {
      const stretch: Stretch = { start, end: at, verdict: n > count ? "bad" : "good" };
      start = at;
      n += by;
      return stretch;
    });
}

/** The parts of the stretches that are in the shifts. The end of each shift ends an alert. */
function inShifts(stretches: readonly Stretch[], shifts: readonly Interval[]): Stretch[] {
  const end = stretches.at(-1)?.end ?? 0;
  return shifts.flatMap((shift) => {
    const parts = stretches.flatMap((one) => {
      const part = clip(one, shift.start, shift.end);
      return part ? [{ ...one, ...part }] : [];
    });
    const over: Stretch[] = shift.end <= end ? [{ start: shift.end, end: shift.end, verdict: "over" }] : [];
    return [...parts, ...over];
  });
}

/** Joins shifts that follow each other without a gap. */
function joined(shifts: readonly Interval[]): Interval[] {
  const result: Interval[] = [];
  for (const { start, end } of shifts) {
    const last = result.at(-1);
    if (last?.end === start) last.end = end;
    else result.push({ start, end });
  }
  return result;
}

/**
 * Finds the times from when `bad` stretches have lasted longer than `afterMs` until `good` ones have lasted for `holdMs`.
 * @param isSum whether the lengths of `bad` stretches add up until a `good` one comes; otherwise each counts by itself
 */
function fold(
  stretches: readonly Stretch[],
  { afterMs, holdMs, isSum = false }: { afterMs: number; holdMs: number; isSum?: boolean },
): FoundTimes {
  const episodes: Episode[] = [];
  let current: Episode | null = null;
  let bad: { since: number; ms: number } | null = null;
  let goodSince: number | null = null;
  let lookAt: number | null = null;
  for (const { start, end, verdict } of stretches) {
    lookAt = null;
    if (verdict === "good" && current) {
      goodSince ??= start;
      const calmAt: number = goodSince + holdMs;
      if (end < calmAt) lookAt = calmAt;
      else {
        current.until = calmAt;
        current = null;
      }
      continue;
    }
    goodSince = null;
    if (verdict === "bad" && !current) {
      bad = isSum && bad ? bad : { since: start, ms: 0 };
      const dueAt: number = start + afterMs - bad.ms;
      bad.ms += end - start;
      if (end > dueAt) {
        current = { since: bad.since, dueAt, until: null, value: null };
        episodes.push(current);
      } else lookAt = dueAt;
    }
    if (verdict === "over") {
      bad = null;
      if (current) current.until = start;
      current = null;
    }
  }
  return { episodes, lookAt };
}

function checkSamples(test: ShareTest, { shiftIds }: AlertRule, { samples }: AlertFacts, open: Episode | null): FoundTimes {
  const own = samples.filter(({ shift }) => shiftIds === null || shiftIds.includes(shift.shiftId));
  let current = open && own[0] ? { ...open } : null;
  const episodes = current ? [current] : [];
  let lookAt: number | null = null;
  for (const sample of own) {
    const until = current && endWith(test, current, sample);
    if (current && until !== null) {
      current.until = until;
      current = null;
    }
    const value = shareOf(test, sample);
    if (!current && value !== null && isBad(test, value)) {
      current = { since: sample.at, dueAt: sample.at, until: null, value };
      episodes.push(current);
    }
    lookAt = current ? sample.at + LOOK_EVERY_MS : nextLook(test, sample);
  }
  return { episodes, lookAt };
}

/** Returns when a sample ends an episode, with its shift or because the share has recovered; null if it does not. */
function endWith(test: ShareTest, { since }: Episode, sample: ShiftSample): number | null {
  const { at, shift } = sample;
  if (since < shift.start) return shift.start;
  if (at >= shift.end) return shift.end;
  const value = shareOf(test, sample);
  return value !== null && isRecovered(test, value) ? at : null;
}

/** The percentage that a rule tests; null while there is too little to check, and once the shift is over. */
function shareOf(test: ShareTest, { at, shift, sums, made, hasStandard }: ShiftSample): number | null {
  if (at >= shift.end) return null;
  if (test.kind === "defects") {
    return made.totalUnits < test.units ? null : (100 * made.defectUnits) / made.totalUnits;
  }
  const hasTime = sums.availableMs + sums.programmedMs + sums.nonProgrammedMs > 0;
  if (!hasTime || at < shift.start + test.afterMinutes * MINUTE_MS) return null;
  if (test.kind === "oee" && !hasStandard) return null;
  return 100 * factorsOf(sums, made)[test.kind];
}

function isBad(test: ShareTest, value: number): boolean {
  return test.kind === "defects" ? value > test.percent : value < test.percent;
}

function isRecovered(test: ShareTest, value: number): boolean {
  if (test.kind === "defects") return value <= test.percent * (1 - RECOVERY_SHARE);
  return value >= Math.min(100, test.percent + RECOVERY_POINTS);
}

/** When a share can become too low if nothing happens; null: never, or not in this shift. */
function nextLook(test: ShareTest, { at, shift, sums, made, openBucket }: ShiftSample): number | null {
  if (test.kind === "defects" || openBucket === null) return null;
  const checkedFrom = shift.start + test.afterMinutes * MINUTE_MS;
  if (at < checkedFrom) return checkedFrom < shift.end ? checkedFrom : null;
  const isDown = openBucket === "programmed" || openBucket === "nonProgrammed";
  if (!isDown && !(test.kind === "oee" && openBucket === "available")) return null;
  // Only the time grows, which is the divisor of the share.
  const time = sums.availableMs + sums.programmedMs + sums.nonProgrammedMs;
  const gained = (factorsOf(sums, made)[test.kind] * time * 100) / test.percent;
  const lowAt = Math.max(at + SOONEST_MS, at + Math.ceil(gained - time) + 1);
  return lowAt < shift.end ? lowAt : null;
}

/** A rule that holds, as a machine stores it. */
export interface OpenAlert {
  ruleId: string;
  /** The number of the alert among those of its machine. */
  number: number;
  /** The rule's test and shifts when the alert began, as JSON. If they change, the alert ends. */
  looksFor: string;
  episode: Episode;
}

/** The state of a machine's alerts that it stores. */
export interface AlertState {
  open: readonly OpenAlert[];
  lastNumber: number;
  /** When to check again if nothing happens; null: never. */
  lookAt: number | null;
  /** Whether an alert begins or ends with the next sample. Undefined: no. */
  awaitsSample?: boolean;
}

export const noAlerts: AlertState = { open: [], lastNumber: 0, lookAt: null };

export interface CheckedAlerts {
  state: AlertState;
  begun: OpenAlert[];
  /** Each with the end of its episode. */
  ended: OpenAlert[];
}

/**
 * Finds the rules that begin or cease to hold. A rule begins once, and only if it still holds when that is found: episodes that are over
 * raise no alert. Alerts of rules that were changed or removed end.
 */
export function checkAlerts(rules: readonly AlertRule[], facts: AlertFacts, state: AlertState): CheckedAlerts {
  const begun: OpenAlert[] = [];
  const ended: OpenAlert[] = [];
  const open: OpenAlert[] = [];
  let { lastNumber } = state;
  const lookAts: number[] = [];
  let awaits = false;
  const known = new Map(state.open.map((alert) => [alert.ruleId, alert]));
  for (const rule of rules) {
    const looksFor = JSON.stringify([rule.test, rule.shiftIds]);
    const before = known.get(rule.id);
    const kept = before?.looksFor === looksFor ? before : null;
    const { episodes, lookAt, awaitsSample } = findEpisodes(rule, facts, kept?.episode);
    if (lookAt !== null) lookAts.push(lookAt);
    if (awaitsSample) awaits = true;
    const holding = episodes.find(({ until }) => until === null);
    const until = kept && endOf(kept, episodes, facts.now);
    if (kept && until === null) {
      known.delete(rule.id);
      open.push(kept);
      continue;
    }
    if (kept && until !== null) {
      known.delete(rule.id);
      ended.push({ ...kept, episode: { ...kept.episode, until } });
    }
    if (!holding) continue;
    lastNumber += 1;
    const alert = { ruleId: rule.id, number: lastNumber, looksFor, episode: holding };
    begun.push(alert);
    open.push(alert);
  }
  for (const alert of known.values()) ended.push({ ...alert, episode: { ...alert.episode, until: facts.now } });
  const lookAt = lookAts.length > 0 ? minOf(lookAts) : null;
  return { state: { open, lastNumber, lookAt, ...(awaits && { awaitsSample: true }) }, begun, ended };
}

/** Returns when a stored alert ended, by the present facts; null: it still holds. */
function endOf({ episode }: OpenAlert, episodes: readonly Episode[], now: number): number | null {
  const own = episodes.find(({ until }) => until !== null && until > episode.dueAt);
  if (own) return own.until;
  return episodes.some(({ until }) => until === null) ? null : now;
}
