import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type DeskState, hrefOf } from "../../model/desk/state.ts";
import { navigate } from "../../route.ts";
import type { SetUp } from "./plant-data.ts";

interface Desk {
  state: DeskState;
  /** The shown day: the state's, or today at the plant. */
  day: string;
  setUp: SetUp;
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
    /** Changes the state. `replace`: without a new entry in the browser's history. */
    go: (changes: Partial<DeskState>, options: { replace?: boolean } = {}) => navigate(hrefWith(changes), options),
  };
}
