/** A database is full at this size; D1 itself ends at 10 GB. */
export const FULL_BYTES = 8e9;

/** What a machine-day may add to the database, by what is kept together. */
export interface Budget {
  name: string;
  tables: readonly string[];
  /** The most bytes of a machine-day, with all indexes. */
  atMost: number;
  /** The variable of wrangler.toml with the days for which it is kept. */
  keptDays: "HISTORY_KEPT_DAYS" | "EVENTS_KEPT_DAYS" | "AUDIT_KEPT_DAYS";
}

export const budgets: readonly Budget[] = [
  {
    name: "history",
    tables: [
      ...["shift_parts", "stops", "shift_records", "order_runs", "operator_shifts"],
      ...["hours_outside_shifts", "report_counts"],
    ],
    atMost: 12_300,
    keptDays: "HISTORY_KEPT_DAYS",
  },
  { name: "events", tables: ["events", "event_counters"], atMost: 9_000, keptDays: "EVENTS_KEPT_DAYS" },
  { name: "audit", tables: ["audit"], atMost: 4_200, keptDays: "AUDIT_KEPT_DAYS" },
  {
    name: "one webhook's deliveries",
    tables: ["webhook_deliveries", "webhook_attempts"],
    atMost: 3_000,
    keptDays: "EVENTS_KEPT_DAYS",
  },
];

/** What a machine writes in a day, and for how many days it is kept; null: for good. */
export interface Growth {
  bytes: number;
  keptDays: number | null;
}

/** The number of days until a database with so many machines has a size; infinite if it never does. */
export function daysUntilFull(growths: readonly Growth[], machines: number, fullBytes = FULL_BYTES): number {
  // The size grows in a straight line until the next kind is deleted as fast as it is written.
  const ends = [...new Set(growths.flatMap(({ keptDays }) => keptDays ?? []))].sort((a, b) => a - b);
  let size = 0;
  let day = 0;
  for (const end of [...ends, Number.POSITIVE_INFINITY]) {
    const perDay = machines * growths.reduce((sum, { bytes, keptDays }) => sum + ((keptDays ?? end) >= end ? bytes : 0), 0);
    if (perDay > 0 && size + perDay * (end - day) >= fullBytes) return day + (fullBytes - size) / perDay;
    size += perDay > 0 ? perDay * (end - day) : 0;
    day = end;
  }
  return Number.POSITIVE_INFINITY;
}

/** The kept days of the service's configuration, by variable; null: for good. */
export function keptDaysOf(wranglerToml: string, variable: string): number | null {
  const days = new RegExp(`^${variable} = "(\\d+)"`, "m").exec(wranglerToml)?.[1];
  if (days === undefined) throw new Error(`wrangler.toml has no ${variable}.`);
  return days === "0" ? null : Number(days);
}

/** A time span as people say it. */
export function spanOf(days: number): string {
  if (!Number.isFinite(days)) return "never";
  return days < 730 ? `${Math.floor(days)} days` : `${(days / 365.25).toFixed(1)} years`;
}
