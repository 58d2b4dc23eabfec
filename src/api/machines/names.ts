import type { MachineOverview } from "../../objects/machine-protocol.ts";
import type { findNamesOf, MachineRow, OperatorRow, WantedNames } from "./queries.ts";

/** Names by id of everything that a machine's state can refer to. */
export class Names {
  readonly shifts = new Map<number, string>();
  readonly skus = new Map<string, string>();
  readonly orders = new Map<string, { code: string; name: string }>();
  readonly operators = new Map<number, string>();
  readonly causes = new Map<number, string>();

  /** Adds the names from rows of the machines' last flush. */
  learn(machines: readonly MachineRow[], operators: readonly OperatorRow[]): void {
    for (const row of machines) {
      learn(this.shifts, row.shiftId, row.shiftName);
      learn(this.skus, row.skuId, row.skuName);
      const { workOrderCode: code, workOrderName: name } = row;
      learn(this.orders, row.workOrderId, code !== null && name !== null ? { code, name } : null);
      learn(this.causes, row.generalCauseId, row.generalCauseName);
      learn(this.causes, row.specificCauseId, row.specificCauseName);
      learn(this.causes, row.componentId, row.componentName);
    }
    for (const { operatorId, operatorName } of operators) this.operators.set(operatorId, operatorName);
  }

  /** Adds names that were looked up. */
  learnAll(found: Awaited<ReturnType<typeof findNamesOf>>): void {
    for (const { id, name } of found.shiftRows) this.shifts.set(id, name);
    for (const { id, name } of found.skuRows) this.skus.set(id, name);
    for (const { id, code, name } of found.orderRows) this.orders.set(id, { code, name });
    for (const { id, name } of found.operatorRows) this.operators.set(id, name);
    for (const { id, name } of found.causeRows) this.causes.set(id, name);
  }

  /** The ids whose names are still missing; null if there are none. */
  unknownOf(overviews: Iterable<MachineOverview | null>): WantedNames | null {
    const all = [...overviews].filter((one) => one !== null);
    const wanted = {
      shiftIds: unknownIn(
        this.shifts,
        all.map(({ shift }) => shift?.shiftId ?? null),
      ),
      skuIds: unknownIn(
        this.skus,
        all.map(({ skuId }) => skuId),
      ),
      workOrderIds: unknownIn(
        this.orders,
        all.map(({ workOrderId }) => workOrderId),
      ),
      operatorIds: unknownIn(
        this.operators,
        all.flatMap(({ signedIn }) => signedIn.map(({ operatorId }) => operatorId)),
      ),
      causeIds: unknownIn(
        this.causes,
        all.flatMap(({ stop }) => {
          const { generalCauseId = null, specificCauseId = null, componentId = null } = stop?.classification ?? {};
          return [generalCauseId, specificCauseId, componentId];
        }),
      ),
    };
    return Object.values(wanted).every((ids) => ids.length === 0) ? null : wanted;
  }
}

function learn<Id, T>(names: Map<Id, T>, id: Id | null, name: T | null): void {
  if (id !== null && name !== null) names.set(id, name);
}

function unknownIn<Id>(names: ReadonlyMap<Id, unknown>, ids: readonly (Id | null)[]): Id[] {
  return [...new Set(ids)].filter((id): id is Id => id !== null && !names.has(id));
}
