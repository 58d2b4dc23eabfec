import type { Caller } from "../../core/caller.ts";
import { aboutCompany, readWithIds } from "../../core/named-ids.ts";
import { callMachines } from "../../objects/machines.ts";
import { Names } from "./names.ts";
import { findNamesOf, selectMachinesWithNames, selectNewestOperators } from "./queries.ts";
import { compareNames, rowOf } from "./row-of.ts";
import { MOST_MACHINES, tooManyMachines } from "./too-many.ts";

const ANSWER_WITHIN_MS = 1000;

interface PlantQuery {
  companyId?: number | undefined;
  machineIds?: readonly number[] | undefined;
  lineIds?: readonly number[] | undefined;
}

/** The present state of a company's machines, from their objects, with names from D1. */
export async function getPlantState({ env, db, actor, objects }: Caller, query: PlantQuery) {
  const { machineIds, lineIds } = query;
  const { companyId, named } = aboutCompany(actor, query, { machineIds, lineIds });
  const selection = { companyId, machineIds, lineIds };
  const [machines, operators] = await readWithIds(db, { companyId, named }, [
    selectMachinesWithNames(db, selection, MOST_MACHINES + 1),
    selectNewestOperators(db, selection),
  ]);
  if (machines.length > MOST_MACHINES) throw await tooManyMachines(db, companyId);

  const ids = machines.map(({ id }) => id);
  const overviews = await callMachines(env, ids, ANSWER_WITHIN_MS, (machine) => machine.overview(), objects);
  const names = new Names();
  names.learn(machines, operators);
  // A second trip only if a machine has started something since its last flush whose name was not read.
  const wanted = names.unknownOf(overviews.values());
  if (wanted) names.learnAll(await findNamesOf(db, companyId, wanted));

  const data = machines
    .toSorted(inPlantOrder)
    // Null: the machine was deleted after it was read.
    .filter(({ id }) => overviews.get(id) !== null)
    .map((machine) => rowOf(machine, overviews.get(machine.id) ?? null, names));
  return { data };
}

interface PlantPosition {
  id: number;
  name: string;
  lineId: number | null;
  lineName: string | null;
  lineOrder: number | null;
}

/** Compares machines by line (its order, then its name; machines without a line last), then by name. */
export function inPlantOrder(a: PlantPosition, b: PlantPosition): number {
  const last = Number.POSITIVE_INFINITY;
  const [orderOfA, orderOfB] = [a.lineOrder ?? last, b.lineOrder ?? last];
  if (orderOfA !== orderOfB) return orderOfA - orderOfB;
  const byLine = a.lineId === b.lineId ? 0 : compareNames(a.lineName ?? "", b.lineName ?? "");
  return byLine || compareNames(a.name, b.name) || a.id - b.id;
}
