import type { Bucket } from "../../oee/shift-ledger.ts";
import { extendSums, type ShiftSums } from "../../oee/shift-ledger.ts";
import type { ShiftRecord } from "../../oee/shift-record.ts";
import type { ShiftOccurrence } from "../../oee/shifts.ts";
import type { StopMark } from "../storage/machine-storage.ts";

/** The present state of a machine. */
export interface MachineNow {
  /** Null: outside shifts or out of service. */
  bucket: Bucket | null;
  /** Start of the current state: a stop's own start, otherwise not before the shift's start. Null if it is unknown. */
  since: number | null;
  stopSeq: number | null;
  shift: ShiftOccurrence | null;
  skuId: string | null;
  workOrderId: string | null;
  signedIn: { operatorId: number; since: number }[];
  /** Time of the newest event; null before the first. */
  heardAt: number | null;
  /** Whether the machine's alarm fails, or rows of its object cannot be read. Undefined: it was not asked, or the object is of a version before November 2026. */
  isDegraded?: boolean;
  /** How many of its counts are held. Undefined: as for `isDegraded`. */
  heldCounts?: number;
}

/** The present state of a machine, with its stop and the numbers of its running shift. */
export interface MachineOverview extends MachineNow {
  /** The instant of the overview, by the machine's clock. */
  asOf: number;
  /** The details of the stop that it is in; null without one. */
  stop: StopNow | null;
  /** Null outside shifts. */
  numbers: ShiftNumbers | null;
}

interface StopNow extends Pick<StopMark, "name" | "classification"> {
  /** The planned break that made it a separate stop; null: none did. */
  breakName: string | null;
  /** The end of that break, while it runs; null without one. */
  plannedUntil: number | null;
}

/** The numbers of a running shift so far. */
export interface ShiftNumbers {
  sums: ShiftSums;
  /** Without `recentUnits` and `recentMs`: their ten-minute window moves even when nothing happens. */
  made: Omit<ShiftRecord["made"], "recentUnits" | "recentMs">;
  /** Units that the standards require in the scheduled (available and non-programmed) time so far; 0 without a standard. */
  targetUnits: number;
  /** How much `targetUnits` grows per millisecond at present. */
  targetPerMs: number;
  /** See `shortStops` and `isSlow` in oee/speed.ts. */
  shortStops: number;
  isSlow: boolean;
}

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
