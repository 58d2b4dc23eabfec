import type { OperatorShare } from "../../objects/machine-protocol.ts";
import type { ShiftOccurrence } from "../../oee/shifts.ts";

/** An operator's share as of an instant, and how much its times grow per millisecond after it. */
export interface GrowingShare extends OperatorShare {
  uptimePerMs: number;
  downtimePerMs: number;
}

/** The operators of the running shift, from an instant until something other than time changes their shares. */
export class Roster {
  readonly occurrence: ShiftOccurrence;
  readonly #shares: readonly GrowingShare[];
  readonly #from: number;
  readonly #until: number;

  /**
   * @param shares as of `from`
   * @param until the first instant at which they no longer grow as they do at `from`
   */
  constructor(occurrence: ShiftOccurrence, shares: readonly GrowingShare[], from: number, until: number) {
    this.occurrence = occurrence;
    this.#shares = shares;
    this.#from = from;
    this.#until = until;
  }

  /** Whether it is valid at an instant, provided that nothing was written since it was computed. */
  holdsAt(now: number): boolean {
    return this.#from <= now && now < this.#until;
  }

  /** The shares as of an instant at which it is valid. */
  sharesAt(now: number): OperatorShare[] {
    const passedMs = now - this.#from;
    return this.#shares.map(({ uptimePerMs, downtimePerMs, ...share }) => ({
      ...share,
      uptimeMs: share.uptimeMs + passedMs * uptimePerMs,
      downtimeMs: share.downtimeMs + passedMs * downtimePerMs,
    }));
  }
}
