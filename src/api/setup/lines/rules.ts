import { refusal } from "../../../core/problem.ts";
import { type About, type Asked, rule } from "../rules.ts";
import { hasNoMachines, type LineRow, selectMachineOf } from "./queries.ts";

export const removeLine = rule(
  (db, { id }: About<object>) => [selectMachineOf(db, id)],
  ({ next }: Asked<LineRow>, [machine]) => {
    const message = "has machines: move them to another line or to none first";
    if (machine) throw refusal(409, [{ pointer: "", code: "in_use", message }]);
    return { expect: [hasNoMachines(next.id)] };
  },
);
