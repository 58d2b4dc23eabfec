import type { LiveRow } from "../api/machines/live-row.ts";
import { Names } from "../api/machines/names.ts";
import { inPlantOrder } from "../api/machines/plant-state.ts";
import {
  findNamesOf,
  type MachineRow,
  type MachineSelection,
  selectMachinesWithNames,
  selectNewestOperators,
} from "../api/machines/queries.ts";
import { rowOf } from "../api/machines/row-of.ts";
import { MOST_MACHINES } from "../api/machines/too-many.ts";
import { companyDb } from "../db/client.ts";
import type { Selection } from "../objects/hubs.ts";
import type { MachineOverview } from "../objects/machine-protocol.ts";
import { requireJurisdiction } from "../objects/names.ts";
import { selectJurisdiction } from "./queries.ts";

/** The maximum number of machines that all watchers of a hub see together. One watcher sees at most `MOST_MACHINES`. */
const MOST_WATCHED = 10_000;

/**
 * A company's machines and the names that their rows show, as of the last read from D1. Of a company that has more machines than a watcher may see,
 * only those of the watchers' selections are read.
 */
export class Plant {
  readonly #env: Env;
  readonly #companyId: number;
  #machines = new Map<number, MachineRow>();
  #names = new Names();
  #readAt = 0;
  /** The selections whose machines it has, as JSON; null: it has all machines of the company. */
  #covered: ReadonlySet<string> | null = null;

  constructor(env: Env, companyId: number) {
    this.#env = env;
    this.#companyId = companyId;
  }

  /** When the machines were last read, epoch ms; 0: not yet. */
  get readAt(): number {
    return this.#readAt;
  }

  /** The ids of all machines, in the order of the plant. */
  get machineIds(): number[] {
    return [...this.#machines.keys()];
  }

  has(machineId: number): boolean {
    return this.#machines.has(machineId);
  }

  /** Whether it has all machines of a selection. If not even after they were read, there are too many. */
  covers(selection: Selection): boolean {
    return this.#covered?.has(JSON.stringify(selection)) ?? true;
  }

  /** Reads everything again, for these selections. One trip; three for a company that has more machines than a watcher may see. */
  async read(selections: readonly Selection[]): Promise<void> {
    const startedAt = Date.now();
    const names = new Names();
    let machines = await this.#readMachines([{ machineIds: undefined, lineIds: undefined }], MOST_MACHINES + 1, names);
    let covered: Set<string> | null = null;
    if (machines.size > MOST_MACHINES) {
      const machineIds = selections.flatMap((one) => one.machineIds ?? []);
      const lineIds = selections.flatMap((one) => (one.machineIds ? [] : (one.lineIds ?? [])));
      const named = { machineIds, lineIds: undefined };
      const inLines = { machineIds: undefined, lineIds };
      const found = await this.#readMachines([named, inLines], MOST_WATCHED + 1, names);
      ({ machines, covered } = chosenFrom(found, selections));
    }
    this.#machines = new Map([...machines.values()].toSorted(inPlantOrder).map((machine) => [machine.id, machine]));
    this.#names = names;
    this.#covered = covered;
    this.#readAt = startedAt;
  }

  /** The machines of some selections of the company, at most `most` of each; their names are added to `names`. One trip for each selection. */
  async #readMachines(
    selections: readonly Omit<MachineSelection, "companyId">[],
    most: number,
    names: Names,
  ): Promise<Map<number, MachineRow>> {
    const found = new Map<number, MachineRow>();
    // A replica may not have the change yet that caused this read.
    const db = companyDb(this.#env, "first-primary");
    const reads = selections.map(async (one) => {
      const selection = { companyId: this.#companyId, ...one };
      const [machines, operators, [company]] = await db.batch([
        selectMachinesWithNames(db, selection, most),
        selectNewestOperators(db, selection),
        selectJurisdiction(db, this.#companyId),
      ]);
      if (company) requireJurisdiction(this.#env, company);
      names.learn(machines, operators);
      for (const machine of machines) found.set(machine.id, machine);
    });
    await Promise.all(reads);
    return found;
  }

  /** Looks up the names in these overviews that are not known yet: one trip, or none. */
  async learn(overviews: readonly (MachineOverview | null)[]): Promise<void> {
    const wanted = this.#names.unknownOf(overviews);
    if (wanted) this.#names.learnAll(await findNamesOf(companyDb(this.#env, "first-primary"), this.#companyId, wanted));
  }

  /** The row of a machine; null: there is no such machine. */
  rowOf(machineId: number, overview: MachineOverview | null): LiveRow | null {
    const machine = this.#machines.get(machineId);
    return machine ? rowOf(machine, overview, this.#names) : null;
  }
}

/** The selections that are not too large, and their machines. When all together are too many, those at the end are left out. */
function chosenFrom(found: ReadonlyMap<number, MachineRow>, selections: readonly Selection[]) {
  const byLine = Map.groupBy(found.values(), ({ lineId }) => lineId);
  const machines = new Map<number, MachineRow>();
  const covered = new Set<string>();
  for (const { machineIds, lineIds } of selections) {
    const key = JSON.stringify({ machineIds, lineIds });
    if (covered.has(key) || (machineIds === null && lineIds === null)) continue;
    const lines = lineIds && new Set(lineIds);
    const named = machineIds
      ?.flatMap((id) => found.get(id) ?? [])
      .filter(({ lineId }) => !lines || (lineId && lines.has(lineId)));
    const own = named ?? [...(lines ?? [])].flatMap((lineId) => byLine.get(lineId) ?? []);
    const added = own.filter(({ id }) => !machines.has(id));
    if (own.length > MOST_MACHINES || machines.size + added.length > MOST_WATCHED) continue;
    for (const machine of added) machines.set(machine.id, machine);
    covered.add(key);
  }
  return { machines, covered };
}
