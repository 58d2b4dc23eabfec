import { seededRandom } from "../../scripts/random.ts";
import { type FaultKind, faultKinds } from "./bindings.ts";

/** A call that fails: its position as a part (0 to 1) of the calls that the request makes without faults. */
export interface PlannedFault {
  at: number;
  kind: FaultKind;
}

/** A request and how its attempts fail; the attempt after them meets no fault. */
export interface Step {
  operationId: string;
  /** At least one; each with at least one fault. */
  tries: PlannedFault[][];
}

/** The requests of a seed: one to four, to these operations; occasionally the alarm of a machine fires. */
export function planOf(seed: number, operationIds: readonly string[]): Step[] {
  const random = seededRandom("fault plan", seed);
  const below = (n: number) => Math.floor(random() * n);
  const pick = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const fault = () => ({ at: random(), kind: pick(faultKinds) });
  const many = <T>(most: number, make: () => T) => Array.from({ length: 1 + below(most) }, make);
  // The first one iterates over all operations, so that no range of seeds leaves one out.
  const first = operationIds[seed % operationIds.length] as string;
  return many(4, () => pick(operationIds)).map((operationId, i) => ({
    operationId: i === 0 ? first : operationId,
    tries: many(2, () => (random() < 0.3 ? many(3, fault) : [fault()])),
  }));
}
