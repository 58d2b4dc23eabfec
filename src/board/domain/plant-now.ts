import type { Row } from "../../client/live-protocol.ts";
import { endsOf, type Figures, figuresAt, oeeOf, sumOf } from "./extrapolate.ts";
import { kindOf, type MachineKind } from "./machine-kind.ts";
import { lacksCause } from "./urgency.ts";

/** The state of a plant, or a part of it, at an instant. */
export interface PlantNow {
  /** The number of machines per kind of state. */
  counts: Record<MachineKind, number>;
  /** The figures of the running shifts; null outside shifts. */
  figures: Figures | null;
  /** Percent, from the summed minutes; null outside shifts. */
  oee: number | null;
  /** The sum of the forecasts as a share of the sum of the targets; null without both of a machine. */
  forecastShare: number | null;
  /** The sum of those targets; 0 without any. */
  targetAtEnd: number;
  /** How many machines call for help. */
  calls: number;
  /** How many stand without a cause. */
  withoutCause: number;
  /** How many counts are held back. */
  heldCounts: number;
  /** The shift of most machines, by name and times; null outside shifts. */
  shift: { name: string; start: number; end: number } | null;
  /** Whether other machines have another shift. */
  hasOtherShifts: boolean;
}

/** @param now epoch ms */
export function plantNow(rows: readonly Row[], now: number): PlantNow {
  const counts: PlantNow["counts"] = { running: 0, slow: 0, stopped: 0, planned: 0, outside: 0, noData: 0, off: 0 };
  const shifts = new Map<string, { shift: NonNullable<Row["shift"]>; machines: number }>();
  for (const row of rows) {
    counts[kindOf(row)]++;
    if (!row.shift) continue;
    const { name, startTime, endTime } = row.shift;
    const key = [name, startTime, endTime].join();
    const known = shifts.get(key) ?? { shift: row.shift, machines: 0 };
    shifts.set(key, { ...known, machines: known.machines + 1 });
  }
  const all = rows.flatMap((row) => figuresAt(row, now) ?? []);
  const ends = rows.flatMap((row) => endsOf(row, now) ?? []);
  const expected = ends.reduce((sum, { forecast }) => sum + forecast, 0);
  const wanted = ends.reduce((sum, { targetAtEnd }) => sum + targetAtEnd, 0);
  const figures = all.length > 0 ? sumOf(all) : null;
  const [main] = [...shifts.values()].sort((a, b) => b.machines - a.machines);
  return {
    counts,
    figures,
    oee: figures && oeeOf(figures),
    forecastShare: wanted > 0 ? expected / wanted : null,
    targetAtEnd: wanted,
    calls: rows.filter(({ helpCall }) => helpCall !== null).length,
    withoutCause: rows.filter(lacksCause).length,
    heldCounts: rows.reduce((sum, row) => sum + (row.heldCounts ?? 0), 0),
    shift: main ? { name: main.shift.name, start: Date.parse(main.shift.startTime), end: Date.parse(main.shift.endTime) } : null,
    hasOtherShifts: shifts.size > 1,
  };
}
