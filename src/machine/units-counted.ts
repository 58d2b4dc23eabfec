import { startLedger } from "../oee/machine.ts";
import { type CounterReader, takeReading } from "../oee/readings.ts";
import type { SettingsHistory } from "../oee/settings.ts";
import type { Interval } from "../oee/time.ts";
import { roundUnits } from "../oee/units.ts";
import { startOf } from "./position.ts";
import type { MachineStorage } from "./storage.ts";

/** The units counted in an interval for which the events are kept. */
export function unitsCounted(storage: MachineStorage, history: SettingsHistory, interval: Interval): number {
  const hasReadings = storage.head()?.ledger.counters !== undefined;
  const events = hasReadings ? eventsAfter(storage, history, interval) : storage.events.in(interval);
  let units = 0;
  for (const { event } of events) if (event.kind === "count") units += event.total;
  return roundUnits(units);
}

/** The events of an interval, with readings turned into counts: these depend on the events before it, since the last checkpoint. */
function* eventsAfter(storage: MachineStorage, history: SettingsHistory, { start, end }: Interval) {
  const { pos, ledger } = storage.checkpointBefore(startOf(start)) ?? { pos: "", ledger: startLedger(history) };
  const reader = structuredClone({ skuId: ledger.skuId, counters: ledger.counters ?? {} }) as CounterReader;
  for (const { event } of storage.events.after(pos, end - 1)) {
    const meant = takeReading(reader, event, history);
    if (meant.kind === "sku") reader.skuId = meant.skuId;
    if (meant.at >= start) yield { event: meant };
  }
}
