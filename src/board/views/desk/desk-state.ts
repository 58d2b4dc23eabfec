import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { dayOf, type Interval, nightShiftStart, rangeOf } from "../../model/desk/days.ts";
import { type DeskState, hasSpan, hrefOf } from "../../model/desk/state.ts";
import { navigate } from "../../route.ts";
import type { SetUp } from "./plant-data.ts";

interface Desk {
  state: DeskState;
  /** The shown day: the state's, or today at the plant. */
  day: string;
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
    /** The shown time: the day, or the span of days around it. Today begins with the night shift that is still running. */
    range: rangeShown(desk),
    /** The state with everything that it leaves to the present time: for links that are kept. */
    fixed: { ...desk.state, day: dayOf(rangeShown(desk).start, desk.setUp.timezone), ...desk.chosen },
    /** Changes the state. `replace`: without a new entry in the browser's history. */
    go: (changes: Partial<DeskState>, options: { replace?: boolean } = {}) => navigate(hrefWith(changes), options),
  };
}

function rangeShown({ state, day, setUp }: Desk): Interval {
  const span = hasSpan(state.tab) ? state.span : "day";
  const range = rangeOf(span, day, setUp.timezone);
  const night = state.day === null && span === "day" ? nightShiftStart(setUp.shifts, setUp.timezone, Date.now()) : null;
  return night === null ? range : { ...range, start: Math.min(range.start, night) };
}
