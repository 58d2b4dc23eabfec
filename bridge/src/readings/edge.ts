import type { SignalConfig } from "../config/signal.ts";

/** What is known of a contact: plain data, which is stored as JSON. */
export interface EdgeState {
  at: number;
  level: 0 | 1;
  /** When it closed, while the pulse is not long enough to count; null: nothing to wait for. */
  roseAt: number | null;
  fellAt: number | null;
}

/** Reads the level of a contact. Returns its state, and when a pulse began that is no bounce. Null: the reading is older than the newest one. */
export function readEdge(
  { min_pulse = 0, min_gap = 0 }: SignalConfig,
  known: EdgeState | null,
  { level, at, isRepeated }: { level: 0 | 1; at: number; isRepeated: boolean },
): { state: EdgeState; pulseAt: number | null } | null {
  if (known === null || isRepeated) return { state: { at, level, roseAt: null, fellAt: known?.fellAt ?? null }, pulseAt: null };
  if (at < known.at) return null;
  let { roseAt } = known;
  if (level === 1 && known.level === 0) roseAt = known.fellAt !== null && at - known.fellAt < min_gap ? null : at;
  const isPulse = roseAt !== null && at - roseAt >= min_pulse;
  return {
    state: {
      at,
      level,
      roseAt: isPulse || level === 0 ? null : roseAt,
      fellAt: level === 0 && known.level === 1 ? at : known.fellAt,
    },
    pulseAt: isPulse ? roseAt : null,
  };
}
