import type { Caller } from "../../core/caller.ts";
import { invalid } from "../../core/problem.ts";
import type { MachineOverview } from "../../machine/overview.ts";
import { recordId } from "../../machine/record-id.ts";
import { callMachines } from "../../machine/stub.ts";
import { figuresOf } from "../../oee/sums.ts";
import { isoOf } from "../../oee/time.ts";
import { aboutCompany, readWithIds } from "../reports/records.ts";
import { shiftRefOf } from "../reports/report.ts";
import { stopNameOf } from "../reports/stop-item.ts";
import { findNamesOf, selectMachinesWithNames, selectNewestOperators, type WantedNames } from "./queries.ts";
import { statusOf } from "./status.ts";

const ANSWER_WITHIN_MS = 1000;
/** A request may call this many objects at most. */
const MOST_MACHINES = 1000;

interface PlantQuery {
  companyId?: number | undefined;
  machineIds?: readonly number[] | undefined;
  lineIds?: readonly number[] | undefined;
}

type MachineRow = Awaited<ReturnType<typeof selectMachinesWithNames>>[number];

/** The present state of a company's machines, from their objects, with names from D1. */
export async function plantState({ env, db, actor, objects }: Caller, query: PlantQuery) {
  const { machineIds, lineIds } = query;
  const { companyId, named } = aboutCompany(actor, query, { machineIds, lineIds });
  const selection = { companyId, machineIds, lineIds };
  const [machines, operators] = await readWithIds(db, { companyId, named }, [
    selectMachinesWithNames(db, selection, MOST_MACHINES + 1),
    selectNewestOperators(db, selection),
  ]);
  if (machines.length > MOST_MACHINES) {
    const message = `more than ${MOST_MACHINES} machines: select lines or machines`;
    throw invalid([{ pointer: "/query/lineIds", code: "too_many", message }]);
  }

  const ids = machines.map(({ id }) => id);
  const overviews = await callMachines(env, ids, ANSWER_WITHIN_MS, (machine) => machine.overview(), objects);
  const names = new Names();
  for (const machine of machines) names.learn(machine);
  for (const { operatorId, operatorName } of operators) names.operators.set(operatorId, operatorName);
  // A second trip only if a machine has started something new since its last flush, whose name was not read.
  const wanted = names.unknownOf(overviews.values());
  if (wanted) names.learnAll(await findNamesOf(db, companyId, wanted));

  const now = Date.now();
  const data = machines
    .toSorted(inPlantOrder)
    // Null: deleted since it was read.
    .filter(({ id }) => overviews.get(id) !== null)
    .map((machine) => ({
      machine: { name: machine.name, id: machine.id, ref: machine.ref },
      line: machine.lineId === null || machine.lineName === null ? null : { name: machine.lineName, id: machine.lineId },
      helpCall: helpCallOf(machine),
      ...stateOf(machine.id, overviews.get(machine.id) ?? null, names, now),
    }));
  return { data };
}

const compareNames = new Intl.Collator("en", { numeric: true }).compare;

interface Placed {
  id: number;
  name: string;
  lineId: number | null;
  lineName: string | null;
  lineOrder: number | null;
}

/** Compares machines by line (its order, then its name; without one last), then by name. */
export function inPlantOrder(a: Placed, b: Placed): number {
  const last = Number.POSITIVE_INFINITY;
  const [orderOfA, orderOfB] = [a.lineOrder ?? last, b.lineOrder ?? last];
  if (orderOfA !== orderOfB) return orderOfA - orderOfB;
  const byLine = a.lineId === b.lineId ? 0 : compareNames(a.lineName ?? "", b.lineName ?? "");
  return byLine || compareNames(a.name, b.name) || a.id - b.id;
}

const unreachable = {
  isReachable: false,
  status: null,
  since: null,
  shift: null,
  sku: null,
  workOrder: null,
  operators: null,
  stop: null,
  ...figuresOfShift(null),
  lastEventAt: null,
};

function helpCallOf({ helpCallId: id, helpCalledAt, helpMessage: message, helpCalledBy, helpCalledByName }: MachineRow) {
  if (id === null || helpCalledAt === null || helpCalledBy === null) return null;
  return { id, since: isoOf(helpCalledAt), message, calledBy: { id: helpCalledBy, name: helpCalledByName } };
}

function stateOf(machineId: number, overview: MachineOverview | null, names: Names, now: number) {
  if (!overview) return unreachable;
  const { since, shift, skuId, workOrderId, signedIn, heardAt } = overview;
  const operators = signedIn.map((one) => ({
    id: one.operatorId,
    name: names.operators.get(one.operatorId) ?? null,
    since: isoOf(one.since),
  }));
  return {
    isReachable: true,
    status: statusOf(overview),
    since: isoOf(since),
    shift: shift && shiftRefOf({ shiftId: shift.shiftId, shiftName: names.shifts.get(shift.shiftId) ?? "" }, shift, now),
    sku: skuId === null ? null : { id: skuId, name: names.skus.get(skuId) ?? null },
    workOrder:
      workOrderId === null ? null : { id: workOrderId, ...(names.orders.get(workOrderId) ?? { code: null, name: null }) },
    operators: operators.sort((a, b) => compareNames(a.name ?? "", b.name ?? "") || a.id - b.id),
    stop: stopOf(machineId, overview, names),
    ...figuresOfShift(overview),
    lastEventAt: isoOf(heardAt),
  };
}

function stopOf(machineId: number, { stop, stopSeq, since }: MachineOverview, names: Names) {
  if (!stop || stopSeq === null) return null;
  const { generalCauseId = null, specificCauseId = null, componentId = null } = stop.classification ?? {};
  const [generalCause, specificCause, component] = [generalCauseId, specificCauseId, componentId].map((id) =>
    id === null ? null : { id, name: names.causes.get(id) ?? null },
  );
  const causeNames = {
    generalCauseName: generalCause?.name ?? null,
    specificCauseName: specificCause?.name ?? null,
    componentName: component?.name ?? null,
  };
  return {
    id: recordId(machineId, stopSeq),
    since: isoOf(since),
    name: stopNameOf({ name: stop.name, breakName: stop.breakName, ...causeNames }),
    ...{ generalCause: generalCause ?? null, specificCause: specificCause ?? null, component: component ?? null },
  };
}

function figuresOfShift(overview: MachineOverview | null) {
  if (!overview?.numbers) {
    return { total: null, defects: null, target: null, oee: null, availability: null, effectiveness: null, quality: null };
  }
  const { sums, made, targetUnits } = overview.numbers;
  const { total, defects, target, oee, availability, effectiveness, quality } = figuresOf({ ...sums, ...made, targetUnits });
  return { total, defects, target, oee, availability, effectiveness, quality };
}

/** Names by id of everything that machines can be working on. */
class Names {
  readonly shifts = new Map<number, string>();
  readonly skus = new Map<string, string>();
  readonly orders = new Map<string, { code: string; name: string }>();
  readonly operators = new Map<number, string>();
  readonly causes = new Map<number, string>();

  /** Takes the names in a machine's row. */
  learn(row: MachineRow): void {
    learn(this.shifts, row.shiftId, row.shiftName);
    learn(this.skus, row.skuId, row.skuName);
    const { workOrderCode: code, workOrderName: name } = row;
    learn(this.orders, row.workOrderId, code !== null && name !== null ? { code, name } : null);
    learn(this.causes, row.generalCauseId, row.generalCauseName);
    learn(this.causes, row.specificCauseId, row.specificCauseName);
    learn(this.causes, row.componentId, row.componentName);
  }

  learnAll(found: Awaited<ReturnType<typeof findNamesOf>>): void {
    for (const { id, name } of found.shiftRows) this.shifts.set(id, name);
    for (const { id, name } of found.skuRows) this.skus.set(id, name);
    for (const { id, code, name } of found.orderRows) this.orders.set(id, { code, name });
    for (const { id, name } of found.operatorRows) this.operators.set(id, name);
    for (const { id, name } of found.causeRows) this.causes.set(id, name);
  }

  /** The ids whose names are still missing; null: none. */
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
