import { type CauseChoice, choiceOf, type GivenCauses, type Named } from "./causes.ts";
import { SECOND_MS } from "./time.ts";

// The stops of a machine that need a cause, and how they look while answers are on their way.

/** A stop, as in `GET /v1/stops`. */
export interface FloorStop {
  id: number;
  startTime: string;
  /** Null: it continues. */
  endTime: string | null;
  name: string;
  isProgrammed: boolean;
  classification: (GivenCauses & { component: Named | null; description: string | null }) | null;
  /** As in the API: the number of changes made by people. */
  version: number;
}

/** The machine's present state, from its live row. */
export interface LiveNow {
  /** Start of the present state; null: unknown. */
  since: string | null;
  /** Whether the stop is planned. */
  isProgrammed: boolean;
  /** The open stop; null without one. */
  stop: (GivenCauses & { id: number; since: string | null; name: string; component: Named | null }) | null;
}

/** The members that a stop will have once the service has confirmed the choice made here. */
export type StopMark = Pick<FloorStop, "classification" | "name" | "isProgrammed">;
/** By the id of the stop. */
export type PendingMarks = ReadonlyMap<number, StopMark>;

/**
 * The stops of a machine, newest first, by present knowledge: the stops that were read, the live row (some seconds ahead; null: none yet),
 * and over both the choices made here.
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
  // A stop that is not in the lists yet was not edited: it has the first version. If somebody has edited it since, the service refuses this one.
  return [{ id, startTime: since, endTime: null, name, isProgrammed, classification, version: 0 }];
}

/** Ends a stop that was open when it was read and is not any more, at the start of the present state. */
function endedBy(stop: FloorStop, live: LiveNow): FloorStop {
  if (stop.endTime !== null || live.stop?.id === stop.id || live.since === null) return stop;
  return Date.parse(live.since) > Date.parse(stop.startTime) ? { ...stop, endTime: live.since } : stop;
}

/** The members of a stop with a choice. A choice changes the causes only: component and note stay. */
export function markOf(
  { generalCauseId, specificCauseId, name, isProgrammed }: CauseChoice,
  { classification }: Pick<FloorStop, "classification">,
): StopMark {
  const named = (id: number | null) => (id === null ? null : { id, name });
  const causes = { generalCause: named(generalCauseId), specificCause: named(specificCauseId) };
  const { component = null, description = null } = classification ?? {};
  return { classification: { ...causes, component, description }, name, isProgrammed };
}

/** Whether a person should give the cause. Planned breaks, and setups that the machine reported, need none. */
export function wantsCause({ classification, isProgrammed }: FloorStop): boolean {
  const { generalCause = null, specificCause = null } = classification ?? {};
  return generalCause === null && specificCause === null && !isProgrammed;
}

/** The choice of the newest stop with a cause, for "same as last"; null: no stop has one. */
export function lastChoice(stops: readonly FloorStop[], choices: readonly CauseChoice[]): CauseChoice | null {
  for (const { classification } of stops) {
    const choice = choiceOf(classification, choices);
    if (choice) return choice;
  }
  return null;
}

/** The newest stop with a note; null: none has one. */
export function newestNote<T extends Pick<FloorStop, "startTime" | "classification">>(stops: readonly T[]): T | null {
  const noted = stops.filter(({ classification }) => classification?.description);
  return noted.sort((a, b) => Date.parse(b.startTime) - Date.parse(a.startTime))[0] ?? null;
}

/** How many stops have each cause, by the key of the choice. */
export function countsOfCauses(stops: readonly FloorStop[], choices: readonly CauseChoice[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { classification } of stops) {
    const key = choiceOf(classification, choices)?.key;
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The length of a stop so far, in whole seconds. */
export function secondsOf({ startTime, endTime }: Pick<FloorStop, "startTime" | "endTime">, now: number): number {
  const end = endTime === null ? now : Date.parse(endTime);
  return Math.max(0, Math.floor((end - Date.parse(startTime)) / SECOND_MS));
}

/** The range in which a stop can be split, in whole seconds after its start and at least one from either end; null: it is too short. */
export function splitRange(stop: Pick<FloorStop, "startTime" | "endTime">, now: number): { min: number; max: number } | null {
  const seconds = secondsOf(stop, now);
  return seconds < 2 ? null : { min: 1, max: seconds - 1 };
}
