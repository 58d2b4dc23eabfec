import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type DeskState, hrefOf } from "../../model/desk/state.ts";
import { navigate } from "../../route.ts";
import type { SetUp } from "./plant-data.ts";

interface Desk {
  state: DeskState;
  /** The day that is shown: the state's, or today's at the plant. */
  day: string;
  setUp: SetUp;
}

export const DeskContext = createContext<Desk | null>(null);

/** What the desk shows, and how to show something else. */
export function useDesk() {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error("There is no desk around this component");
  const hrefWith = (changes: Partial<DeskState>) => hrefOf({ ...desk.state, ...changes });
  return {
    ...desk,
    hrefWith,
    /** Shows something else. `replace`: without a step back to what is shown. */
    go: (changes: Partial<DeskState>, options: { replace?: boolean } = {}) => navigate(hrefWith(changes), options),
  };
}
