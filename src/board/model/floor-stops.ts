import { type CauseChoice, choiceKey } from "./cause-choices.ts";

// Which stops of a machine want a cause, and what they look like while answers are on their way.

interface Named {
  id: number;
  name: string | null;
}

/** A stop, as `GET /v1/stops` gives it. */
export interface FloorStop {
  id: number;
  startTime: string;
  /** Null: it goes on. */
  endTime: string | null;
  name: string;
  isProgrammed: boolean;
  classification: {
    description: string | null;
    generalCause: Named | null;
    specificCause: Named | null;
    component: Named | null;
  } | null;
  /** Null: not read yet. */
  version: number | null;
}

/** What the machine does now, as its live row tells it. */
export interface LiveNow {
  /** Since when it does that; null: not known. */
  since: string | null;
  /** Whether the stop is a planned one. */
  isProgrammed: boolean;
  /** The stop that goes on; null without one. */
  stop: {
    id: number;
    since: string | null;
    name: string;
    generalCause: Named | null;
    specificCause: Named | null;
    component: Named | null;
  } | null;
}

/** What a stop will look like once the service has confirmed what was chosen here. */
export type StopMark = Pick<FloorStop, "classification" | "name" | "isProgrammed">;
/** By the id of the stop. */
export type PendingMarks = ReadonlyMap<number, StopMark>;

/**
 * The stops of a machine, newest first, as of what is known: those that were read, what the live row says of the present (some seconds
 * earlier; null: no row yet), and over both what was chosen here.
 */
export function stopsNow(read: readonly FloorStop[], live: LiveNow | null, pending: PendingMarks): FloorStop[] {
  const open = live?.stop && !read.some(({ id }) => id === live.stop?.id) ? ofLive(live, live.stop) : [];
  return [...open, ...read.map((stop) => (live ? endedBy(stop, live) : stop))]
    .map((stop) => ({ ...stop, ...pending.get(stop.id) }))
    .sort((a, b) => Date.parse(b.startTime) - Date.parse(a.startTime) || b.id - a.id);
}

function ofLive({ isProgrammed }: LiveNow, { id, since, name, ...causes }: NonNullable<LiveNow["stop"]>): FloorStop[] {
  if (since === null) return [];
  const { generalCause, specificCause, component } = causes;
  const isClassified = generalCause !== null || specificCause !== null || component !== null;
  const classification = isClassified ? { description: null, generalCause, specificCause, component } : null;
  // What a person does to a stop is in the lists before it is confirmed: a stop that is not in them is as the signals made it.
  const version = isClassified ? null : 0;
  return [{ id, startTime: since, endTime: null, name, isProgrammed, classification, version }];
}

/** What was going on when it was read, and is not any more, ended when the present began. */
function endedBy(stop: FloorStop, live: LiveNow): FloorStop {
  if (stop.endTime !== null || live.stop?.id === stop.id || live.since === null) return stop;
  return Date.parse(live.since) > Date.parse(stop.startTime) ? { ...stop, endTime: live.since } : stop;
}

/** What a stop looks like with a choice. */
export function markOf({ generalCauseId, specificCauseId, name, isProgrammed }: CauseChoice): StopMark {
  const named = (id: number | null) => (id === null ? null : { id, name });
  const causes = { generalCause: named(generalCauseId), specificCause: named(specificCauseId), component: null };
  return { classification: { description: null, ...causes }, name, isProgrammed };
}

/** Whether a person should say why: a planned break and a setup that the machine reported explain themselves. */
export function wantsCause({ classification, isProgrammed }: FloorStop): boolean {
  const { generalCause = null, specificCause = null } = classification ?? {};
  return generalCause === null && specificCause === null && !isProgrammed;
}

/** The choice that a stop was given; null: none, or one that is none of these. */
export function choiceOf({ classification }: FloorStop, choices: readonly CauseChoice[]): CauseChoice | null {
  if (!classification) return null;
  const { generalCause, specificCause } = classification;
  const key = choiceKey({ generalCauseId: generalCause?.id ?? null, specificCauseId: specificCause?.id ?? null });
  return choices.find((choice) => choiceKey(choice) === key) ?? null;
}

/** What the newest stop with a cause was put down to, for "same as last"; null: no stop has one. */
export function lastChoice(stops: readonly FloorStop[], choices: readonly CauseChoice[]): CauseChoice | null {
  for (const stop of stops) {
    const choice = choiceOf(stop, choices);
    if (choice) return choice;
  }
  return null;
}

/** Whole seconds of a stop so far. */
export function secondsOf({ startTime, endTime }: Pick<FloorStop, "startTime" | "endTime">, now: number): number {
  const end = endTime === null ? now : Date.parse(endTime);
  return Math.max(0, Math.floor((end - Date.parse(startTime)) / 1000));
}

/** Where a stop can be split: whole seconds after its start, at least one from either end; null: it is too short. */
export function splitRange(stop: Pick<FloorStop, "startTime" | "endTime">, now: number): { min: number; max: number } | null {
  const seconds = secondsOf(stop, now);
  return seconds < 2 ? null : { min: 1, max: seconds - 1 };
}
