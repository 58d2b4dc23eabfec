import { DAY_MS, dayStartOf, HOUR_MS } from "../oee/time.ts";

// How long each kind of data is kept. The jobs in src/jobs/retention/ delete what is older.

/** The database refuses to delete audit entries of fewer days, by its own clock. */
export const LEAST_AUDIT_DAYS = 30;

type Period = Extract<keyof Env, `${string}_KEPT_DAYS`>;

interface Kept {
  period: Period;
  /** The fewest days that the period may have, except 0. */
  atLeast: number;
  /** Whether whole UTC days are moved or deleted, each company's at an hour of its own. */
  isByDay: boolean;
}

const kept = (period: Period, atLeast = 1): Kept => ({ period, atLeast, isByDay: false });
const keptByDay = (period: Period, atLeast: number): Kept => ({ period, atLeast, isByDay: true });
// A request may read up to the minimum of history.
const history = kept("HISTORY_KEPT_DAYS", 93);
const LEAST_EVENTS_DAYS = 7;
const asEvents = kept("EVENTS_KEPT_DAYS", LEAST_EVENTS_DAYS);
const inArchive = keptByDay("ARCHIVE_KEPT_DAYS", LEAST_AUDIT_DAYS + 1);
const asNotifications = kept("NOTIFICATIONS_KEPT_DAYS");

/** The kinds whose rows belong to a company, in the order in which they are deleted. */
const ofCompanies = {
  // Moved to the archive.
  audit: keptByDay("AUDIT_KEPT_DAYS", LEAST_AUDIT_DAYS),
  archivedAudit: inArchive,
  helpCalls: asNotifications,
  messages: asEvents,
  // Moved to the archive. Their deliveries, and the calls of these, are deleted.
  events: keptByDay("EVENTS_KEPT_DAYS", LEAST_EVENTS_DAYS),
  archivedEvents: inArchive,
  incidents: asEvents,
  alertConditions: asEvents,
  // Before the stops: without them a shift would seem to have run all the time.
  shiftRecords: history,
  stops: history,
  orphanedEdits: history,
  orderRuns: history,
  hoursOutsideShifts: history,
  stopClassifications: asEvents,
  // What reports said before. Without the records, the other three count for nothing.
  shiftRecordsHistory: history,
  shiftPartsHistory: history,
  stopsHistory: history,
  operatorShiftsHistory: history,
  shiftRevisions: history,
  corrections: history,
  handOvers: history,
  actions: history,
} as const satisfies Record<string, Kept>;

/** The kinds of which companies have rows, but whose rows are found by their time alone. */
const ofAll = {
  notifications: asNotifications,
  recalculations: asNotifications,
  subscriptionLogs: kept("SUBSCRIPTION_LOGS_KEPT_DAYS"),
  deadLetters: asEvents,
  reportContents: asEvents,
} as const satisfies Record<string, Kept>;

export type CompanyKind = keyof typeof ofCompanies;
export type SharedKind = keyof typeof ofAll;
export type Kind = CompanyKind | SharedKind;

const kinds: Readonly<Record<Kind, Kept>> = { ...ofCompanies, ...ofAll };

const namesOf = <K extends string>(of: Record<K, Kept>) => Object.keys(of) as K[];
export const companyKinds: readonly CompanyKind[] = namesOf(ofCompanies);
export const sharedKinds: readonly SharedKind[] = namesOf(ofAll);

/**
 * How long a kind is kept, in ms; null: for ever.
 * @throws an error that names the variable if it is no number of days that is allowed
 */
export function keptMs(env: Env, kind: Kind): number | null {
  const { period, atLeast } = kinds[kind];
  const value: string = env[period];
  const days = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (days === 0) return null;
  if (!(days >= atLeast)) throw new Error(`${period} is "${value}": give 0 to keep for good, or whole days from ${atLeast} on.`);
  return days * DAY_MS;
}

/** A kind that is kept for a period, and the time up to which its rows are due at an instant (epoch ms). */
export interface Due {
  kind: CompanyKind;
  until: number;
  isByDay: boolean;
}

/** What is due of a kind at `now` (epoch ms); null: it is kept for ever. */
export function dueOf(env: Env, kind: CompanyKind, now: number): Due | null {
  const ageMs = keptMs(env, kind);
  return ageMs === null ? null : { kind, until: now - ageMs, isByDay: kinds[kind].isByDay };
}

/** Up to when the rows of a company are due. `selectCompaniesWithDue` says the same in SQL. */
export function untilOf({ until, isByDay }: Due, companyId: number): number {
  return isByDay ? dayStartOf(until - (companyId % 24) * HOUR_MS) - 1 : until;
}

/**
 * By how many hours the oldest row of each kind is older than its period.
 * @param oldest the time of the oldest row (epoch ms) by kind; null: none is known
 */
export function hoursBehind(env: Env, oldest: ReadonlyMap<string, number | null>, now: number): Record<Kind, number> {
  const hours = [...companyKinds, ...sharedKinds].map((kind) => {
    const [ageMs, at] = [keptMs(env, kind), oldest.get(kind) ?? null];
    // A day is moved at the hour of its company, at most two days after the period of its first entry.
    const dueMs = kinds[kind].isByDay ? 2 * DAY_MS : 0;
    return [kind, ageMs === null || at === null ? 0 : Math.max(0, Math.floor((now - ageMs - dueMs - at) / HOUR_MS))];
  });
  return Object.fromEntries(hours) as Record<Kind, number>;
}
