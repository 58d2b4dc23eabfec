import { causeKey, type GivenCauses, type Named } from "./causes.ts";
import { DAY_MS } from "./time.ts";

// What people do about losses: which loss an action is about, where, in which order they are listed, and whether its minutes went down.

/** The members of a request body that name a loss. */
export interface LossIds {
  loss: "cause" | "unclassified" | "speed" | "quality" | "noData";
  generalCauseId: number | null;
  specificCauseId: number | null;
}

/** The used members of an action. */
export interface ActionOf extends GivenCauses {
  loss: LossIds["loss"];
  machine: Named | null;
  line: Named | null;
}

/** Where a loss is: at a machine, on a line, or (both null) anywhere. */
export interface Place {
  machineId: number | null;
  lineId: number | null;
}

/** The key of the loss of an action: that of its cause ("3/12", "3/"), "/" for stops without one, or its kind. */
export function lossKeyOf(action: ActionOf): string {
  if (action.loss === "cause") return causeKey(action);
  return action.loss === "unclassified" ? "/" : action.loss;
}

/** What a key says to the API. */
export function lossOfKey(key: string): LossIds {
  const [, general, specific] = /^(\d*)\/(\d*)$/.exec(key) ?? [];
  if (general === undefined) return { loss: key as LossIds["loss"], generalCauseId: null, specificCauseId: null };
  const idOf = (text: string | undefined) => (text ? Number(text) : null);
  const ids = { generalCauseId: idOf(general), specificCauseId: idOf(specific) };
  return { loss: ids.generalCauseId === null && ids.specificCauseId === null ? "unclassified" : "cause", ...ids };
}

/** Whether an action is about a machine, or about a line or machines of it, as `GET /v1/actions` cannot select them together. */
export function isAt(
  { machine, line }: ActionOf,
  place: Place,
  machines: readonly { id: number; lineId: number | null }[],
): boolean {
  if (place.machineId !== null) return machine?.id === place.machineId;
  if (place.lineId === null) return true;
  return line?.id === place.lineId || machines.some(({ id, lineId }) => id === machine?.id && lineId === place.lineId);
}

/** Whether an action is about some of what is lost at a place: it is in the place, or the place is in what it is about. */
export function concerns(action: ActionOf, place: Place, machines: readonly { id: number; lineId: number | null }[]): boolean {
  if (isAt(action, place, machines)) return true;
  if (action.machine !== null) return false;
  const lineId = place.lineId ?? machines.find(({ id }) => id === place.machineId)?.lineId ?? null;
  return action.line === null || action.line.id === lineId;
}

/** Those that are due first, so also those that are overdue. */
export function byDueDate<T extends { dueOn: string; id: number }>(actions: readonly T[]): T[] {
  return [...actions].sort((a, b) => (a.dueOn === b.dueOn ? a.id - b.id : a.dueOn < b.dueOn ? -1 : 1));
}

interface Lost {
  from: string;
  to: string;
  plannedMinutes: number;
  share: number | null;
}

/** The used members of what became of a loss. */
export interface Effect {
  before: Lost;
  since: Lost | null;
  weeks: readonly { start: string; isPartial: boolean; plannedMinutes: number }[];
}

/** Whether a loss became less: `minutes` a week, of a usual one. "early": little was planned since, so nothing can be said. */
export type Outcome = { is: "less" | "more"; minutes: number } | { is: "same" | "early" | "none" };

/** A change of less than this many minutes a week is none. */
const LEAST_MINUTES = 1;
/** With less planned time than this since then, a single stop would decide. */
const LEAST_PLANNED_MINUTES = 480;

/** What became of a loss. It is compared by its share of the planned time, because weeks have different shifts. */
export function outcomeOf({ before, since, weeks }: Effect): Outcome {
  if (since === null || before.share === null) return { is: "none" };
  if (since.share === null || since.plannedMinutes < LEAST_PLANNED_MINUTES) return { is: "early" };
  const change = ((since.share - before.share) / 100) * plannedInWeek(since, weeks);
  if (Math.abs(change) < LEAST_MINUTES) return { is: "same" };
  return { is: change < 0 ? "less" : "more", minutes: Math.abs(change) };
}

/** The planned minutes of a usual week: the mean of the whole ones; before there is any, as much as was planned since. */
function plannedInWeek({ from, to, plannedMinutes }: Lost, weeks: Effect["weeks"]): number {
  const whole = weeks.filter((week) => !week.isPartial && week.plannedMinutes > 0);
  if (whole.length === 0) return (plannedMinutes * 7 * DAY_MS) / (Date.parse(to) - Date.parse(from));
  return whole.reduce((sum, week) => sum + week.plannedMinutes, 0) / whole.length;
}
