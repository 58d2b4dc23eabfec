import { MOST_EFFECTIVENESS, reportingSecondsFor } from "../../../oee/reporting.ts";
import { MINUTE_MS, SECOND_MS } from "../../../oee/time.ts";

// Numbers that the set-up of a machine makes implausible, as its last closed shifts show them.

/** From so many gaps on, a device reports seldom. A few are stops, or failures of the network. */
const LEAST_GAPS = 10;

/** Sums over the last closed shifts of a machine in which anything was counted. */
export interface RecentShifts {
  shifts: number;
  availableMs: number;
  idealMs: number;
  cycles: number;
  totalUnits: number;
  defectUnits: number;
  unitsWithoutTime: number;
  /** The stops that the signals show: how many, and their average length. Null: none. */
  stops: number;
  stopMs: number | null;
  noDataMs: number;
  /** If most units came after time without data: the five-minute intervals in which units were counted. */
  reports: number;
  /** The channels in force. */
  channels: { type: string; nodeId: number; channel: number }[];
}

export type ImplausibleCode = "reports_seldom" | "standard_too_slow" | "channel_silent";

/** What is implausible in the last shifts of a machine, with the value to set. */
export function implausibleOf(recent: RecentShifts): { code: ImplausibleCode; message: string }[] {
  const found: { code: ImplausibleCode; message: string }[] = [];
  const seldomMs = reportsEveryMs(recent);
  const { availableMs, idealMs, cycles, shifts } = recent;
  if (seldomMs !== null) {
    found.push({
      code: "reports_seldom",
      message: `Its device reports about every ${Math.round(seldomMs / SECOND_MS)} s, less often than its limits allow, so running time became stops or no data. Set reportingSeconds to ${reportingSecondsFor(seldomMs)}.`,
    });
  } else if (availableMs > 0 && idealMs > MOST_EFFECTIVENESS * availableMs) {
    const percent = Math.round((100 * idealMs) / availableMs);
    const fitting = Number((availableMs / SECOND_MS / cycles).toPrecision(3));
    found.push({
      code: "standard_too_slow",
      message: `Its effectiveness was ${percent} % in ${countOf(shifts)}: ${fitting} s per cycle would make it 100 %.`,
    });
  }
  for (const { type, nodeId, channel } of silentOf(recent)) {
    found.push({
      code: "channel_silent",
      message: `Its ${type} channel (node ${nodeId}, channel ${channel}) counted nothing in ${countOf(shifts)}, while others did.`,
    });
  }
  return found;
}

/** The interval in which a device reports, if it is longer than the machine's limits allow; null: it is not. */
function reportsEveryMs(recent: RecentShifts): number | null {
  const { availableMs, idealMs, totalUnits, unitsWithoutTime, stops, stopMs, noDataMs, reports } = recent;
  if (unitsWithoutTime > totalUnits / 2 && reports >= LEAST_GAPS) return noDataMs / reports;
  // What it made does not fit into the time in which it ran, but it fits if it also ran in its stops.
  const fits = idealMs <= MOST_EFFECTIVENESS * (availableMs + stops * (stopMs ?? 0));
  const isRegular = stops >= LEAST_GAPS && (stopMs ?? 0) < 30 * MINUTE_MS;
  return idealMs > MOST_EFFECTIVENESS * availableMs && fits && isRegular ? stopMs : null;
}

/** The channels that counted nothing, although others show that there was something to count. */
function silentOf({ channels, cycles, totalUnits, defectUnits }: RecentShifts) {
  const has = (type: string) => channels.some((one) => one.type === type);
  const isSilent: Record<string, boolean> = {
    cycle: has("total") && cycles === 0 && totalUnits > 0,
    total: has("cycle") && totalUnits === 0 && cycles > 0,
    good: totalUnits > 0 && defectUnits >= totalUnits,
  };
  return channels.filter(({ type }) => isSilent[type] === true);
}

function countOf(shifts: number): string {
  return shifts === 1 ? "its last shift" : `its last ${shifts} shifts`;
}
