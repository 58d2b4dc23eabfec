import type { Bucket } from "../oee/shift-ledger.ts";
import { extendSums, type ShiftSums } from "../oee/shift-ledger.ts";
import type { ShiftRecord } from "../oee/shift-record.ts";
import type { ShiftOccurrence } from "../oee/shifts.ts";
import type { StopMark } from "./storage.ts";

/** What a machine is doing now. */
export interface MachineNow {
  /** Null: outside shifts or out of service. */
  bucket: Bucket | null;
  /** Start of the current state: of a stop its own start, otherwise not before the shift's start. Null when it is unknown. */
  since: number | null;
  stopSeq: number | null;
  shift: ShiftOccurrence | null;
  skuId: string | null;
  workOrderId: string | null;
  signedIn: { operatorId: number; since: number }[];
  /** Time of the newest event; null before the first. */
  heardAt: number | null;
}

/** What a machine is doing now, with its stop and the numbers of its running shift. */
export interface MachineOverview extends MachineNow {
  /** What is said of the stop that it is in; null without one. The name is the one that a person gave it. */
  stop: (Pick<StopMark, "name" | "classification"> & { breakName: string | null }) | null;
  /** Null outside shifts. */
  numbers: ShiftNumbers | null;
}

/** The numbers of a running shift so far. */
export interface ShiftNumbers {
  sums: ShiftSums;
  made: ShiftRecord["made"];
  /** Units that the standards ask for in the scheduled (available and non-programmed) time so far; 0 without a standard. */
  targetUnits: number;
}

/** An overview as of an instant, and by how much its target grows with each millisecond after it. */
export interface GrowingOverview extends MachineOverview {
  targetPerMs: number;
}

/** The overview of a machine in a shift, from an instant until something other than time changes it. */
export class KeptOverview {
  readonly #overview: GrowingOverview;
  readonly #from: number;
  readonly #until: number;

  /**
   * @param overview as of `from`
   * @param until the first instant at which it is not just what it was, grown
   */
  constructor(overview: GrowingOverview, from: number, until: number) {
    this.#overview = overview;
    this.#from = from;
    this.#until = until;
  }

  /** Whether it is right at an instant, provided that nothing was written since it was made. */
  holdsAt(now: number): boolean {
    return this.#from <= now && now < this.#until;
  }

  /** The overview as of an instant at which it is right. */
  at(now: number): MachineOverview {
    const { targetPerMs, numbers, ...rest } = this.#overview;
    if (!numbers) return { ...rest, numbers };
    const { sums, made, targetUnits } = numbers;
    const grown = { sums: extendSums(sums, now), made, targetUnits: targetUnits + (now - this.#from) * targetPerMs };
    return { ...rest, numbers: grown };
  }
}
