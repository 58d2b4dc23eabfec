import { StorageBusy } from "./load.ts";

/** How long after an owner asked others leave room for it. */
const ASKED_MS = 1000;
/**
 * How often who waits looks whether it has a place. A request may not be woken by another one, since what it does then would be done in
 * the other one's context. And the pause lets local runtimes look for new requests, which they do when nothing else is left to do.
 */
const LOOK_MS = 10;
/** Who did not look for so long is gone. */
const GONE_MS = 1000;
/** An isolate whose timers ring so much too late cannot keep up; for how long it is taken to be so. */
const LATE_MS = 10;
const BEHIND_MS = 500;

export interface RoomRules {
  /** What is short, for the error: "requests", "reports". */
  what: string;
  /** How much may be under way at once, and how much of it for one owner: while no other owner asks, and while others do. */
  places: number;
  alone: number;
  share: number;
  /** How many of one owner wait for a place at most, and for how long. */
  waiting: number;
  waitMs: number;
  /** When a place that nobody gave back falls free. */
  leaseMs: number;
}

interface Place {
  owner: string;
  since: number;
}

interface Waiter {
  /** When it last looked whether it has a place. */
  seenAt: number;
  /** Gives its place back; null while it has none. */
  leave: (() => void) | null;
}

/** Too much of something is asked for at once. Nothing was done. */
export class RoomFull extends StorageBusy {}

/**
 * Room in this isolate for work of one kind, shared fairly between its owners (a company; an address for what needs no token).
 * One owner never has all places, and only its share while others ask: one place while the isolate cannot keep up. Who finds no place waits in its owner's line, and the
 * lines get the places that fall free in turn: a long line of one owner is no longer wait for another.
 */
export class FairRoom {
  readonly #rules: RoomRules;
  /** The oldest first. */
  readonly #taken = new Set<Place>();
  /** Owner -> who waits, first come first. The owners are in the order in which their turns come. */
  readonly #lines = new Map<string, Waiter[]>();
  /** Owner -> when it asked last, the latest at the end. */
  readonly #asked = new Map<string, number>();
  #behindUntil = 0;

  constructor(rules: RoomRules) {
    this.#rules = rules;
  }

  /** How much more an owner may ask for now: what would get a place, and what would wait for one. */
  left(owner: string): number {
    return Math.max(0, this.#free(owner)) + this.#rules.waiting - (this.#lines.get(owner)?.length ?? 0);
  }

  /**
   * Waits for a place. Gives the function that gives it back.
   * @throws RoomFull when the owner's line is full, or no place fell free in time
   */
  async enter(owner: string): Promise<() => void> {
    const now = Date.now();
    this.#asked.delete(owner);
    this.#asked.set(owner, now);
    const line = this.#lines.get(owner) ?? [];
    if (line.length === 0 && this.#hasPlace(owner)) return this.#take(owner);
    if (line.length >= this.#rules.waiting) throw this.#refusal();
    const waiter: Waiter = { seenAt: now, leave: null };
    this.#lines.set(owner, [...line, waiter]);
    this.#admit();
    while (!waiter.leave && waiter.seenAt - now < this.#rules.waitMs) {
      await new Promise((look) => setTimeout(look, LOOK_MS));
      const lookedAt = Date.now();
      if (lookedAt - waiter.seenAt > LOOK_MS + LATE_MS) this.#behindUntil = lookedAt + BEHIND_MS;
      waiter.seenAt = lookedAt;
    }
    if (waiter.leave) return waiter.leave;
    this.#remove(owner, waiter);
    throw this.#refusal();
  }

  #take(owner: string): () => void {
    const place = { owner, since: Date.now() };
    this.#taken.add(place);
    return () => {
      if (this.#taken.delete(place)) this.#admit();
    };
  }

  /** Gives the places that are free to those who wait, one owner after the other. */
  #admit(): void {
    for (let isGiven = true; isGiven; ) {
      isGiven = false;
      for (const [owner, line] of [...this.#lines]) {
        const waiter = line[0];
        if (!waiter || !this.#hasPlace(owner)) continue;
        this.#remove(owner, waiter);
        if (Date.now() - waiter.seenAt < GONE_MS) waiter.leave = this.#take(owner);
        isGiven = true;
      }
    }
  }

  /** Takes a waiter out of its line, whose turn comes after all others then. */
  #remove(owner: string, waiter: Waiter): void {
    const line = this.#lines.get(owner)?.filter((one) => one !== waiter) ?? [];
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
  }

  #hasPlace(owner: string): boolean {
    return this.#free(owner) > 0;
  }

  /** How many places an owner may take now. */
  #free(owner: string): number {
    const { places, alone, share, leaseMs } = this.#rules;
    for (const place of this.#taken) {
      if (Date.now() - place.since < leaseMs) break;
      this.#taken.delete(place);
    }
    const own = [...this.#taken].filter((place) => place.owner === owner).length;
    // Where the isolate is behind, doing more of one owner's work at once would not do it sooner, and all others would wait for it.
    const shared = Date.now() < this.#behindUntil ? 1 : share;
    return Math.min(places - this.#taken.size, (this.#othersAsk(owner) ? shared : alone) - own);
  }

  #othersAsk(owner: string): boolean {
    const since = Date.now() - ASKED_MS;
    for (const [other, at] of this.#asked) {
      if (at >= since) break;
      this.#asked.delete(other);
    }
    return this.#asked.size > (this.#asked.has(owner) ? 1 : 0);
  }

  #refusal(): RoomFull {
    return new RoomFull(`too many ${this.#rules.what} at once`);
  }
}
