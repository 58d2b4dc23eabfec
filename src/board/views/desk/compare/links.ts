import type { Side } from "../../../domain/compare.ts";
import type { DeskState } from "../../../domain/desk-state.ts";
import { useDesk } from "../desk-state.ts";
import type { To } from "../loss-link.tsx";

/** Links from what is compared to the views of its first side. */
export function useSideLinks({ day, machineId, lineId }: Side): To {
  const { state } = useDesk();
  return { to: (changes: Partial<DeskState>) => ({ ...state, day, machineId, lineId, asTable: false, ...changes }) };
}
