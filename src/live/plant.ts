import type { LiveRow } from "../api/machines/live-row.ts";
import { Names } from "../api/machines/names.ts";
import { inPlantOrder } from "../api/machines/plant-state.ts";
import { findNamesOf, type MachineRow, selectMachinesWithNames, selectNewestOperators } from "../api/machines/queries.ts";
import { rowOf } from "../api/machines/row-of.ts";
import { openDb } from "../db/client.ts";
import type { MachineOverview } from "../objects/machine-protocol.ts";

/** The most machines of a hub, as of `GET /v1/state`. */
const MOST_MACHINES = 1000;

/** A company's machines and the names that their rows show, as of the last read from D1. */
export class Plant {
  readonly #env: Env;
  readonly #companyId: number;
  #machines = new Map<number, MachineRow>();
  #names = new Names();
  #readAt = 0;

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

  /** Reads everything again. One trip. */
  async read(): Promise<void> {
    const startedAt = Date.now();
    const selection = { companyId: this.#companyId, machineIds: undefined, lineIds: undefined };
    // A replica may not have the change yet that caused this read.
    const db = openDb(this.#env, "first-primary");
    const [machines, operators] = await db.batch([
      selectMachinesWithNames(db, selection, MOST_MACHINES),
      selectNewestOperators(db, selection),
    ]);
    const names = new Names();
    names.learn(machines, operators);
    this.#machines = new Map(machines.toSorted(inPlantOrder).map((machine) => [machine.id, machine]));
    this.#names = names;
    this.#readAt = startedAt;
  }

  /** Looks up the names in these overviews that are not known yet: one trip, or none. */
  async learn(overviews: readonly (MachineOverview | null)[]): Promise<void> {
    const wanted = this.#names.unknownOf(overviews);
    if (wanted) this.#names.learnAll(await findNamesOf(openDb(this.#env, "first-primary"), this.#companyId, wanted));
  }

  /** The row of a machine; null: there is no such machine. */
  rowOf(machineId: number, overview: MachineOverview | null): LiveRow | null {
    const machine = this.#machines.get(machineId);
    return machine ? rowOf(machine, overview, this.#names) : null;
  }
}
