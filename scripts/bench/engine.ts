import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { MachineEvent } from "../../src/oee/events.ts";
import { advanceLedger, type LedgerSink, startLedger } from "../../src/oee/machine.ts";
import type { SettingsHistory } from "../../src/oee/settings.ts";
import { ShiftCalendar } from "../../src/oee/shifts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/oee/time.ts";
import type { Finding } from "./table.ts";

const YEAR_START = Date.UTC(2025, 0, 1);
const DAYS = 365;
const STEP_MS = 10 * SECOND_MS;
/** A late event is replayed from the checkpoint before it: this time plus up to an hour. */
const LATE_LIMIT_MS = 48 * HOUR_MS;
const CHECKPOINT_EVERY_MS = HOUR_MS;
const MIB = 2 ** 20;

const shifts = ["06:00", "14:00", "22:00"].map((start, i, starts) => {
  const end = starts[(i + 1) % starts.length] ?? "";
  return { id: i + 1, start, end, days: [1, 2, 3, 4, 5, 6, 7], breaks: [] };
});

const history: SettingsHistory = [
  {
    ...{ since: 0, timezone: "Europe/Madrid", signal: "counts", commissionedAt: YEAR_START, decommissionedAt: null },
    ...{ stopAfterMs: 2 * MINUTE_MS, noDataAfterMs: 5 * MINUTE_MS, standardCycleMs: STEP_MS, skuStandardsMs: {} },
    ...{ shifts, plan: [], signOutAtShiftEnd: true },
  },
];

/** The engine's own time for a machine-year of 10-second counts, and for the replay of the latest event that is accepted. */
export function measureEngine(): Finding[] {
  const calendar = new ShiftCalendar(history);
  const made = { spans: 0, tallies: 0 };
  const sink: LedgerSink = {
    span: () => made.spans++,
    tally: () => made.tallies++,
    presence: () => undefined,
    run: () => undefined,
    part: () => undefined,
    outsideHour: () => undefined,
  };
  const ledger = startLedger(history);
  const replay = (events: Iterable<MachineEvent>) => {
    const startedAt = performance.now();
    for (const event of events) advanceLedger(ledger, event, history, calendar, sink);
    return performance.now() - startedAt;
  };
  const collectGarbage = exposedGc();
  const heaps: number[] = [];
  let yearMs = 0;
  const quarter = (DAYS * DAY_MS) / 4;
  for (let from = YEAR_START; from < YEAR_START + DAYS * DAY_MS; from += quarter) {
    yearMs += replay(counts(from, from + quarter));
    collectGarbage();
    heaps.push(process.memoryUsage().heapUsed / MIB);
  }
  if (made.tallies < DAYS * shifts.length - 1) throw new Error(`${made.tallies} shifts in a year of ${DAYS} days`);
  const [first = 0, ...others] = heaps;
  const end = YEAR_START + DAYS * DAY_MS;
  const lateMs = replay(counts(end, end + LATE_LIMIT_MS + CHECKPOINT_EVERY_MS));
  return [
    { name: "engine alone, a machine-year of 10 s counts", value: yearMs / 1000, unit: "s", limit: { atMost: 5 } },
    {
      name: "its heap, the year's end against its first quarter",
      value: Math.max(...others) - first,
      unit: "MiB",
      limit: { atMost: 4 },
    },
    { name: "engine alone, replay for an event 48 h late", value: lateMs, unit: "ms" },
  ];
}

/** A count every ten seconds, except for ten minutes of each hour with only a heartbeat. */
function* counts(from: number, to: number): Generator<MachineEvent> {
  for (let at = from; at < to; at += STEP_MS) {
    if (at % HOUR_MS < 10 * MINUTE_MS && at % HOUR_MS > 0) yield { kind: "sample", at };
    else yield { kind: "count", at, cycles: 1, total: 1, defects: 0, good: null };
  }
}

function exposedGc(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
