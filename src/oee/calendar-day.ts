import type { ShiftDefinition } from "./shift-definition.ts";

/** A shift of a calendar day: it starts on that day. */
export type CalendarShift = Omit<ShiftDefinition, "days">;

/** A local day with shifts of its own, in place of those of its weekday. */
export interface CalendarDay {
  /** Days since 1970-01-01. */
  day: number;
  /** The line whose machines it is for, on that day; null: the machine itself; undefined: all machines of the company. */
  lineId?: number | null;
  /** Empty: the day is closed. */
  shifts: readonly CalendarShift[];
}

/** Calendar days by local day: for each the one that comes first, by the machine, its line on that day, and the company. */
export class CalendarDays {
  readonly #byDay: ReadonlyMap<number, readonly CalendarDay[]>;

  constructor(days: readonly CalendarDay[]) {
    this.#byDay = Map.groupBy(days, ({ day }) => day);
  }

  get isEmpty(): boolean {
    return this.#byDay.size === 0;
  }

  /**
   * The shifts of a day; null: those of its weekday.
   * @param lineAt the machine's line on the day
   */
  shiftsOn(day: number, lineAt: () => number | null): readonly CalendarShift[] | null {
    const all = this.#byDay.get(day);
    if (!all) return null;
    const lineId = all.some((one) => typeof one.lineId === "number") ? lineAt() : null;
    const found =
      all.find((one) => one.lineId === null) ??
      all.find((one) => lineId !== null && one.lineId === lineId) ??
      all.find((one) => one.lineId === undefined);
    return found?.shifts ?? null;
  }
}

/** The first and last local day on which two lists of calendar days differ; null: they are the same. */
export function differingDays(
  before: readonly CalendarDay[],
  after: readonly CalendarDay[],
): { first: number; last: number } | null {
  const textOf = (days: readonly CalendarDay[]) =>
    new Map(
      [...Map.groupBy(days, ({ day }) => day)].map(([day, all]) => [
        day,
        JSON.stringify(all.map((one) => JSON.stringify(one)).sort()),
      ]),
    );
  const [old, next] = [textOf(before), textOf(after)];
  const differing = [...new Set([...old.keys(), ...next.keys()])]
    .filter((day) => old.get(day) !== next.get(day))
    .sort((a, b) => a - b);
  const [first] = differing;
  return first === undefined ? null : { first, last: differing.at(-1) ?? first };
}
