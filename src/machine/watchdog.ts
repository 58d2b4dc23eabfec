import type { Health } from "../objects/watchdog.ts";

/** What is wrong, and the prefix of its keys in storage, which end with a machine, or with a part of all machines. Objects of older versions have them, too. */
const prefixes = {
  parked: "parked of machine ",
  degraded: "degraded machine ",
  unreadable: "unreadable of machine ",
  silent: "silent machines of part ",
  unanswered: "unanswered machines of part ",
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

  /** Records a number for a machine, or a part of all machines; 0: nothing is wrong any more. */
  note(what: keyof typeof prefixes, whose: number, number: number): void {
    const key = `${prefixes[what]}${whose}`;
    // Mostly nothing is wrong, and a deletion is billed as a row written even if there is nothing to delete.
    if ((this.#kv.get<number>(key) ?? 0) === number) return;
    if (number > 0) this.#kv.put(key, number);
    else this.#kv.delete(key);
  }

  /** The sums over all machines. */
  health(): Health {
    return {
      parkedRows: this.#sumOf("parked"),
      degradedMachines: this.#sumOf("degraded"),
      unreadableRows: this.#sumOf("unreadable"),
      silentMachines: this.#sumOf("silent"),
      unansweredMachines: this.#sumOf("unanswered"),
    };
  }

  #sumOf(what: keyof typeof prefixes): number {
    return [...this.#kv.list<number>({ prefix: prefixes[what] })].reduce((sum, [, number]) => sum + number, 0);
  }
}
