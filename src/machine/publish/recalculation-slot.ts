import { companyDb } from "../../db/client.ts";
import { SECOND_MS } from "../../oee/time.ts";
import type { Identity } from "../settings/configuration.ts";
import { freeSlot, takeSlot } from "./slot-statements.ts";

/** How long a slot is held without a word of the machine: after a crash it is free again. */
const HELD_MS = 60 * SECOND_MS;
/** The pause before a machine without a slot asks again: at random, so that those that wait do not ask at once. */
const PAUSE_MS = { least: 5 * SECOND_MS, more: 10 * SECOND_MS };

/**
 * A machine's hold on one of its company's slots for large recalculations. They are in D1, and nobody hands them out: a machine takes one that is free, and
 * renews it while it works. What is in memory may be lost: the machine then asks again, and gets the slot that it has.
 */
export class RecalculationSlot {
  readonly #env: Env;
  /** Until when it is held (epoch ms); 0: it is not. */
  #until = 0;
  /** When to ask again (epoch ms); 0: at once. */
  #retryAt = 0;

  constructor(env: Env) {
    this.#env = env;
  }

  /** When a machine that has a step to do at an instant may ask for its slot. */
  askedFrom(dueAt: number): number {
    return Math.max(dueAt, this.#retryAt);
  }

  /** Takes a slot, or renews it. Returns whether it is held. If D1 does not answer, it is not. */
  async hold({ companyId, machineId }: Identity, now: number): Promise<boolean> {
    if (now < this.#until - HELD_MS / 2) return true;
    const held = { companyId, machineId, now, until: now + HELD_MS };
    const isHeld = await takeSlot(companyDb(this.#env, "first-primary"), held).catch(() => false);
    this.#until = isHeld ? held.until : 0;
    this.#retryAt = isHeld ? 0 : now + PAUSE_MS.least + Math.random() * PAUSE_MS.more;
    return isHeld;
  }

  /** Gives the slot up, if it is held. A failure of D1 costs others no more than the time for which it was taken. */
  async release({ companyId, machineId }: Identity): Promise<void> {
    if (this.#until === 0) return;
    this.#until = 0;
    await freeSlot(companyDb(this.#env, "first-primary"), companyId, machineId).catch(() => undefined);
  }
}
