import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { addDays, dayOf, daysOf, type Interval, rangeOf, startOfDay } from "../../domain/days.ts";
import { type DeskState, hasSpan, hrefOf } from "../../domain/desk-state.ts";
import { nightShiftStart, todayOf } from "../../domain/shifts.ts";
import type { SetUp } from "./plant-data.ts";

interface Desk {
  state: DeskState;
  /** The shown day: the state's, or the one that the view begins with. */
  day: string;
  /** Today at the plant. */
  today: string;
  setUp: SetUp;
  /** The machine and shift that the view has chosen, because the address names none. */
  chosen?: Partial<Pick<DeskState, "machineId" | "shiftStart">>;
}

export const DeskContext = createContext<Desk | null>(null);

/** The state of the desk, and functions to change it. */
export function useDesk() {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error("There is no desk around this component");
  const hrefWith = (changes: Partial<DeskState>) => hrefOf({ ...desk.state, ...changes });
  return {
    ...desk,
    hrefWith,
    /** The shown time: the day, or the span of days around it. Today begins with the night shift that is still running, if that counts for both days. */
    range: rangeShown(desk),
    /** Whether the shown time is not over. */
    isNow: isNow(desk),
    /** The shown time for what belongs to no shift: the rest of a night shift that counts for today is in it. */
    around: { ...rangeShown(desk), end: endAround(desk) },
    /** The state with everything that it leaves to the present time: for links that are kept. */
    fixed: { ...desk.state, day: dayOf(rangeShown(desk).start, desk.setUp.timezone), ...desk.chosen },
    /** Changes the state. `replace`: without a new entry in the browser's history. */
    go: (changes: Partial<DeskState>, options: { replace?: boolean } = {}) => navigate(hrefWith(changes), options),
  };
}

function isNow({ state, day, setUp }: Desk): boolean {
  const { productionDay, shifts, timezone, weekStart } = setUp;
  const { after } = daysOf(hasSpan(state.tab) ? state.span : "day", day, weekStart);
  return after > todayOf(productionDay, shifts, timezone, Date.now());
}

function endAround(desk: Desk): number {
  const { end } = rangeShown(desk);
  const { productionDay, timezone } = desk.setUp;
  return productionDay === "calendarDay" || !isNow(desk) ? end : startOfDay(addDays(dayOf(end, timezone), 1), timezone);
}

function rangeShown({ state, day, setUp }: Desk): Interval {
  const span = hasSpan(state.tab) ? state.span : "day";
  const range = rangeOf(span, day, setUp.timezone, setUp.weekStart);
  const isToday = state.day === null && span === "day" && setUp.productionDay === "calendarDay";
  const night = isToday ? nightShiftStart(setUp.shifts, setUp.timezone, Date.now()) : null;
  return night === null ? range : { ...range, start: Math.min(range.start, night) };
}
