import { addReading, type CounterState } from "./counters.ts";
import { type AmendedEvent, countOf, type FoldedEvent, type LedgerEvent, type ReadingEvent } from "./events.ts";
import type { DeepReadonly } from "./read-only.ts";
import { type SettingsHistory, settingsAt, standardCycleMs } from "./settings.ts";

/** The newest readings of a machine's counters, by name. */
type Counters = Record<string, CounterState>;

/** What the meaning of a reading depends on: the state after the events before it. A ledger contains it. */
export interface CounterReader {
  skuId: string | null;
  /** Absent: no counter was read. */
  counters?: Counters;
  /** What the events say is made, while an amendment says something else (null: nothing yet). Absent: no amendment is in force. */
  sentRun?: { skuId: string } | null;
}

/** The most counters whose newest readings are kept: twice as many as a machine has. The one that was not read for longest is dropped. */
const MOST_COUNTERS = 128;

/** What a reading means: the pulses since the readings before, as a count; a sample if they count nothing. `state` is that of its counter. */
export interface CountedReading {
  event: LedgerEvent;
  pulses: number;
  state: CounterState;
}

/** What a reading means after the events before it. Changes nothing. */
export function readingOf(
  { skuId, counters }: DeepReadonly<CounterReader>,
  reading: ReadingEvent,
  history: SettingsHistory,
): CountedReading {
  const { at, value, counter, fedSince, perPulse, wraps, since } = reading;
  const newest = counters?.[counter];
  const known = newest && newest.at >= fedSince ? newest : null;
  const standardMs = wraps ? standardCycleMs(settingsAt(history, at), skuId) : null;
  const { state, pulses } = addReading(
    known,
    { at, value },
    {
      wrapsAt: wraps?.at ?? null,
      standardMs: wraps && standardMs !== null ? standardMs / wraps.pulsesPerCycle : null,
    },
  );
  const covers = since === undefined ? {} : { since };
  const isCount = perPulse !== null && pulses > 0;
  return { event: { ...(isCount ? countOf(at, pulses, perPulse) : { kind: "sample", at }), ...covers }, pulses, state };
}

/** Notes what is made after an event, by which the next readings are read. Ledgers do it by themselves. */
export function noteSku(reader: CounterReader, event: LedgerEvent | AmendedEvent): void {
  if (event.kind === "sku" && event.isReplaced) reader.sentRun = { skuId: event.skuId };
  else if (event.kind === "sku") reader.skuId = event.skuId;
  if (event.kind !== "amended" || event.run === undefined) return;
  if (event.run) {
    if (reader.sentRun === undefined) reader.sentRun = reader.skuId === null ? null : { skuId: reader.skuId };
    reader.skuId = event.run.skuId;
  } else if (reader.sentRun !== undefined) {
    reader.skuId = reader.sentRun?.skuId ?? null;
    delete reader.sentRun;
  }
}

/** Returns what a reading counts, and remembers the reading for the next one. Returns other events unchanged. Events have to come in order. */
export function takeReading(reader: CounterReader, event: FoldedEvent, history: SettingsHistory): LedgerEvent | AmendedEvent {
  if (event.kind !== "reading") return event;
  const { event: meant, state } = readingOf(reader, event, history);
  const counters = { ...reader.counters };
  // The counters are in the order of their newest readings.
  delete counters[event.counter];
  counters[event.counter] = state;
  const [oldest] = Object.keys(counters);
  if (oldest !== undefined && Object.keys(counters).length > MOST_COUNTERS) delete counters[oldest];
  reader.counters = counters;
  return meant;
}
