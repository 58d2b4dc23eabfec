import type { Health } from "../objects/watchdog.ts";

/** What is wrong with a machine, and the prefix of its keys in storage. Objects of older versions have them, too. */
const prefixes = {
  parked: "parked of machine ",
  degraded: "degraded machine ",
  unreadable: "unreadable of machine ",
} as const;

/**
 * The watchdog of all machines: machines report to it what is wrong with them, and `/health` asks it. It is the object with the name "health" of
 * the same class as machines, because a class of its own would need a migration that no older version could be rolled back over.
 */
export class Watchdog {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** Records a number for a machine; 0: nothing is wrong any more. */
  note(what: keyof typeof prefixes, machineId: number, number: number): void {
    const key = `${prefixes[what]}${machineId}`;
    if (number > 0) this.#kv.put(key, number);
    else this.#kv.delete(key);
  }

  /** The sums over all machines. */
  health(): Health {
    return {
      parkedRows: this.#sumOf("parked"),
      degradedMachines: this.#sumOf("degraded"),
      unreadableRows: this.#sumOf("unreadable"),
    };
  }

  #sumOf(what: keyof typeof prefixes): number {
    return [...this.#kv.list<number>({ prefix: prefixes[what] })].reduce((sum, [, number]) => sum + number, 0);
  }
}
