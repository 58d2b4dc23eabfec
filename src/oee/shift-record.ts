import { type ProductionInputs, RECENT_MS } from "./metrics.ts";
import { productionOf, type ShiftTally } from "./production.ts";
import type { DeepReadonly } from "./read-only.ts";
import { type Segment, type ShiftSums, segmentsOf, sumSegments } from "./shift-ledger.ts";
import type { ShiftOccurrence } from "./shifts.ts";
import type { Interval } from "./time.ts";
import type { Piece } from "./timeline.ts";
import { roundUnits } from "./units.ts";

/** All reported data about one shift of one machine. */
export interface ShiftRecord {
  segments: Segment[];
  sums: ShiftSums;
  made: ProductionInputs;
  /** What corrections changed of it. Absent: nothing. */
  corrected?: CorrectedUnits;
}

/** Units by which corrections change a total and its defects. */
export interface CorrectedUnits {
  total: number;
  defects: number;
}

export interface ShiftRecordInputs {
  occurrence: ShiftOccurrence;
  /** In order. They cover the shift from its start or the commissioning up to `asOf`, and beyond while it runs. */
  pieces: readonly Piece[];
  asOf: number;
  /** Whether the shift still runs at `asOf`. */
  isOpen: boolean;
  /** The shift's counts; null when nothing was counted. */
  tally: DeepReadonly<ShiftTally> | null;
  /** The standard of the SKU in work; null without one. */
  standardCycleMs: number | null;
  /** Units counted in an interval, without those whose time is not known. */
  unitsCounted: (interval: Interval) => number;
}

/** The record of one shift as of an instant. */
export function shiftRecord(inputs: ShiftRecordInputs): ShiftRecord {
  const { occurrence, pieces, asOf, isOpen, tally, standardCycleMs, unitsCounted } = inputs;
  const segments = segmentsOf(pieces, { start: occurrence.start, end: asOf });
  const open = isOpen ? segmentsOf(pieces, { start: asOf, end: asOf + 1 })[0] : null;
  const recent = recentRunning(segments, RECENT_MS);
  return {
    segments,
    sums: sumSegments(segments, asOf, open ?? null),
    made: {
      ...productionOf(tally),
      standardCycleMs,
      recentUnits: roundUnits(recent.reduce((units, interval) => units + unitsCounted(interval), 0)),
      recentMs: recent.reduce((ms, { start, end }) => ms + end - start, 0),
    },
  };
}

/** The last `durationMs` of available time, latest first; all of it if there is less. */
export function recentRunning(segments: readonly Segment[], durationMs: number): Interval[] {
  const recent: Interval[] = [];
  let missing = durationMs;
  for (const segment of segments.toReversed()) {
    if (missing <= 0) break;
    if (segment.bucket !== "available") continue;
    const start = Math.max(segment.start, segment.end - missing);
    recent.push({ start, end: segment.end });
    missing -= segment.end - start;
  }
  return recent;
}
