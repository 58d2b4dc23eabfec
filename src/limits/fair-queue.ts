import { StorageBusy } from "./load.ts";

/** How long other owners must share with an owner after its last request for a slot. */
const ASKED_MS = 1000;
/**
 * How often a waiting request checks whether it has a slot. It polls because Workers do not allow one request to resume another. The
 * pause also lets local runtimes accept new requests, which they do only when idle.
 */
const LOOK_MS = 10;
/** A request that has not checked for this long is considered gone. */
const GONE_MS = 1000;
/** If timers fire this late, the isolate is overloaded, and is treated as such for BEHIND_MS. */
const LATE_MS = 10;
const BEHIND_MS = 500;

export interface QueueRules {
  /** The name of the slots in errors: "requests", "reports". */
  what: string;
  /** How many slots there are; and how many one owner may have while it is the only one (`alone`) and while others ask too (`share`). */
  slots: number;
  alone: number;
  share: number;
  /** How many requests of one owner may wait for a slot, and for how long. */
  waiting: number;
  waitMs: number;
  /** The time after which a slot that was not released becomes free. */
  leaseMs: number;
}

interface Slot {
  owner: string;
  since: number;
}

interface Waiter {
  since: number;
  /** When it last checked. */
  seenAt: number;
  /** Releases its slot; null while it waits. */
  leave: (() => void) | null;
}

/** No slot is free and the line is full. Nothing was done. */
export class QueueFull extends StorageBusy {}

/**
 * Limits work of one kind in this isolate, shared fairly between owners: companies, or addresses for what needs no token. One owner never
 * has all slots. While others ask it only has its share, and one slot while the isolate is overloaded. Requests without a slot wait in
 * their owner's line, and free slots go to the lines in turn, so a long line of one owner does not make others wait.
 */
export class FairQueue {
  readonly #rules: QueueRules;
  /** Oldest first. */
  readonly #taken = new Set<Slot>();
  /** Owner -> its waiting requests, oldest first. The owner whose turn is next comes first. */
  readonly #lines = new Map<string, Waiter[]>();
  /** Owner -> when it last asked, most recent last. */
  readonly #asked = new Map<string, number>();
  #behindUntil = 0;

  constructor(rules: QueueRules) {
    this.#rules = rules;
  }

  /** How many more requests of an owner would get a slot or could wait for one. */
  left(owner: string): number {
    return Math.max(0, this.#free(owner)) + this.#rules.waiting - (this.#lines.get(owner)?.length ?? 0);
  }

  /**
   * Waits for a slot. Returns the function that releases it.
   * @throws QueueFull if the owner's line is full, or no slot became free in time
   */
  async enter(owner: string): Promise<() => void> {
    const now = Date.now();
    this.#asked.delete(owner);
    this.#asked.set(owner, now);
    const line = this.#lines.get(owner) ?? [];
    if (line.length === 0 && this.#hasSlot(owner)) return this.#take(owner);
    if (line.length >= this.#rules.waiting) throw this.#refusal();
    const waiter: Waiter = { since: now, seenAt: now, leave: null };
    this.#lines.set(owner, [...line, waiter]);
    this.#admit();
    // The checks are counted too: with a clock that is set back or stands still, it would otherwise wait forever.
    for (let looks = 0; !waiter.leave && Math.max(looks * LOOK_MS, waiter.seenAt - now) < this.#rules.waitMs; looks++) {
      await new Promise((look) => setTimeout(look, LOOK_MS));
      const lookedAt = Date.now();
      if (lookedAt - waiter.seenAt > LOOK_MS + LATE_MS) this.#behindUntil = lookedAt + BEHIND_MS;
      waiter.seenAt = lookedAt;
      if (!waiter.leave) this.#rejoin(owner, waiter);
    }
    if (waiter.leave) return waiter.leave;
    this.#remove(owner, waiter);
    throw this.#refusal();
  }

  #take(owner: string): () => void {
    const slot = { owner, since: Date.now() };
    this.#taken.add(slot);
    return () => {
      if (this.#taken.delete(slot)) this.#admit();
    };
  }

  /** Assigns free slots to waiting requests, one owner after the other. */
  #admit(): void {
    for (let isGiven = true; isGiven; ) {
      isGiven = false;
      for (const [owner, line] of [...this.#lines]) {
        const waiter = line[0];
        if (!waiter || !this.#hasSlot(owner)) continue;
        this.#remove(owner, waiter);
        if (Date.now() - waiter.seenAt < GONE_MS) waiter.leave = this.#take(owner);
        isGiven = true;
      }
    }
  }

  /** Puts back a request that was considered gone because it could not check while the isolate was busy. */
  #rejoin(owner: string, waiter: Waiter): void {
    const line = this.#lines.get(owner) ?? [];
    if (line.includes(waiter)) return;
    this.#lines.set(
      owner,
      [...line, waiter].sort((a, b) => a.since - b.since),
    );
    this.#admit();
  }

  /** Takes a request out of its line. The line moves behind all others. */
  #remove(owner: string, waiter: Waiter): void {
    const line = this.#lines.get(owner)?.filter((one) => one !== waiter) ?? [];
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
  }

  #hasSlot(owner: string): boolean {
    return this.#free(owner) > 0;
  }

  /** How many slots an owner may take now. */
  #free(owner: string): number {
    const { slots, alone, share, leaseMs } = this.#rules;
    for (const slot of this.#taken) {
      if (Date.now() - slot.since < leaseMs) break;
      this.#taken.delete(slot);
    }
    const own = [...this.#taken].filter((slot) => slot.owner === owner).length;
    // In an overloaded isolate, doing more of one owner's work at once would not finish it sooner, and would delay all others.
    const shared = Date.now() < this.#behindUntil ? 1 : share;
    return Math.min(slots - this.#taken.size, (this.#othersAsk(owner) ? shared : alone) - own);
  }

  #othersAsk(owner: string): boolean {
    const since = Date.now() - ASKED_MS;
    for (const [other, at] of this.#asked) {
      if (at >= since) break;
      this.#asked.delete(other);
    }
    return this.#asked.size > (this.#asked.has(owner) ? 1 : 0);
  }

  #refusal(): QueueFull {
    return new QueueFull(`too many ${this.#rules.what} at once`);
  }
}
