import type { AmendedEvent, FoldedEvent, LedgerEvent } from "../../oee/events.ts";
import { type LedgerView, startLedger } from "../../oee/machine.ts";
import { type CounterReader, noteSku, takeReading } from "../../oee/readings.ts";
import type { SettingsHistory } from "../../oee/settings.ts";
import { type Interval, MINUTE_MS } from "../../oee/time.ts";
import { roundUnits } from "../../oee/units.ts";
import type { KeptReader } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { firstLedger } from "../storage/retention.ts";
import { DamagedDay } from "../storage/stored-days.ts";
import { startOf, timeOf } from "./ledger-position.ts";

/** A checkpoint may be an hour before the instant for which it is needed: what is nearer is kept. */
const NEAR_MS = 15 * MINUTE_MS;
const MOST_KEPT = 8;

/** The units counted in an interval for which the events are kept. */
export function unitsCounted(storage: MachineStorage, history: SettingsHistory, interval: Interval): number {
  const hasReadings = storage.head()?.ledger.counters !== undefined;
  const events = hasReadings ? countedEvents(storage, history, interval) : storage.events.in(interval);
  let units = 0;
  try {
    for (const { event } of events) if (event.kind === "count") units += event.total;
  } catch (error) {
    // The shift goes on without what cannot be read.
    if (!(error instanceof DamagedDay)) throw error;
  }
  return roundUnits(units);
}

/** The counters and the SKU before the event at a position, for which the events are kept. */
export function readerBefore(storage: MachineStorage, history: SettingsHistory, position: string): CounterReader {
  const { pos, ledger } = storage.ledger.checkpointBefore(position) ?? emptyLedger(storage, history);
  const reader = readerOf(ledger);
  for (const { pos: place, event } of storage.events.after(pos, timeOf(position))) {
    if (place >= position) break;
    noteSku(reader, takeReading(reader, event, history));
  }
  return reader;
}

/** The events of an interval, with readings turned into what they count: that depends on the events before it. */
function* countedEvents(storage: MachineStorage, history: SettingsHistory, { start, end }: Interval) {
  const reader = readerAt(storage, history, start);
  for (const { event } of storage.events.in({ start, end })) yield { event: read(reader, event, history) };
}

/** The state after all events before an instant. */
function readerAt(storage: MachineStorage, history: SettingsHistory, at: number): CounterReader {
  const pos = startOf(at);
  const near = storage.ledger.readers.findLast((kept) => kept.pos <= pos && timeOf(kept.pos) >= at - NEAR_MS);
  const known = near ?? readerOfCheckpoint(storage, history, pos);
  const reader = { ...known.reader };
  for (const { event } of storage.events.after(known.pos, at - 1)) read(reader, event, history);
  // An event before this position comes late, and empties the list.
  if (pos <= (storage.head()?.pos ?? "")) {
    const others = storage.ledger.readers.filter((kept) => kept.pos !== pos).slice(1 - MOST_KEPT);
    storage.ledger.readers = [...others, { pos, reader: { ...reader } }].sort((a, b) => (a.pos < b.pos ? -1 : 1));
  }
  return reader;
}

function readerOfCheckpoint(storage: MachineStorage, history: SettingsHistory, before: string): KeptReader {
  const { pos, ledger } = storage.ledger.checkpointBefore(before) ?? emptyLedger(storage, history);
  return { pos, reader: readerOf(ledger) };
}

function readerOf({ skuId, counters = {}, sentRun }: LedgerView): CounterReader {
  return structuredClone({ skuId, counters, ...(sentRun !== undefined && { sentRun }) }) as CounterReader;
}

/** Where no checkpoint can be read, all events are, or those of the journal if an older version forgot some. */
function emptyLedger(storage: MachineStorage, history: SettingsHistory) {
  return firstLedger(storage, history) ?? { pos: startOf(storage.events.archivedTo()), ledger: startLedger(history) };
}

function read(reader: CounterReader, stored: FoldedEvent, history: SettingsHistory): LedgerEvent | AmendedEvent {
  const event = takeReading(reader, stored, history);
  noteSku(reader, event);
  return event;
}
