import type { MachineNow, MachineOverview } from "../../objects/machine-protocol.ts";
import { extendSums } from "../../oee/shift-ledger.ts";

/** The overview of a machine whose state cannot be computed, at an instant (epoch ms). */
export function degradedOverview(asOf: number): MachineOverview {
  return {
    ...{ asOf, bucket: "noData", since: null, stopSeq: null, shift: null, skuId: null, workOrderId: null, signedIn: [] },
    ...{ heardAt: null, stop: null, numbers: null, isDegraded: true },
  };
}

/** The part of an overview that `state()` returns; null for a machine that does not exist. */
export function withoutNumbers(overview: MachineOverview | null): MachineNow | null {
  if (!overview) return null;
  const { asOf, stop, numbers, ...now } = overview;
  return now;
}

/** The overview of a machine in a shift, from an instant until something other than time changes it. */
export class KeptOverview {
  readonly #overview: MachineOverview;
  readonly #until: number;

  /** @param until the first instant at which something other than time changes it */
  constructor(overview: MachineOverview, until: number) {
    this.#overview = overview;
    this.#until = until;
  }

  /** Whether it is valid at an instant, provided that nothing was written since it was computed. */
  holdsAt(now: number): boolean {
    return this.#overview.asOf <= now && now < this.#until;
  }

  /** The overview as of an instant at which it is valid. */
  at(now: number): MachineOverview {
    const { asOf, numbers, ...rest } = this.#overview;
    if (!numbers) return { ...rest, asOf: now, numbers };
    const { sums, targetUnits, targetPerMs } = numbers;
    const grown = { sums: extendSums(sums, now), targetUnits: targetUnits + (now - asOf) * targetPerMs };
    return { ...rest, asOf: now, numbers: { ...numbers, ...grown } };
  }
}
