import type { FoldedEvent } from "../../oee/events.ts";
import { advanceLedger, type LedgerSink, type MachineLedger } from "../../oee/machine.ts";
import type { SettingsHistory } from "../../oee/settings.ts";
import type { ShiftCalendar } from "../../oee/shifts.ts";
import type { LedgerRows } from "../storage/ledger-rows.ts";
import { isOfKnownKind } from "./stored-event.ts";

/**
 * Returns a function that adds the next event to a ledger, which it changes, and stores what becomes certain.
 * @param onRow called for each row that is stored
 */
export function advanceInto(
  rows: LedgerRows,
  ledger: MachineLedger,
  history: SettingsHistory,
  calendar: ShiftCalendar,
  onRow: () => void = () => undefined,
): (next: { pos: string; event: FoldedEvent }) => void {
  let pos = "";
  let at = 0;
  const storing =
    <T>(store: (row: T) => void) =>
    (row: T) => {
      store(row);
      onRow();
    };
  const sink: LedgerSink = {
    span: storing((span) => rows.addSpan(span, pos)),
    presence: storing((presence) => rows.addPresence(presence, pos)),
    tally: storing((tally) => rows.addTally(tally, pos)),
    run: storing((run) => rows.addRun(run, at, pos)),
    part: storing((part) => rows.addPartTally(part, pos)),
    outsideHour: storing((hour) => rows.addOutsideHour(hour, pos)),
  };
  return (next) => {
    pos = next.pos;
    at = next.event.at;
    if (isOfKnownKind(next.event)) advanceLedger(ledger, next.event, history, calendar, sink);
    if (mayChangeSku(next.event)) rows.addSkuChange(ledger.skuId, pos);
  };
}

function mayChangeSku(event: FoldedEvent): boolean {
  return event.kind === "sku" || (event.kind === "amended" && event.run !== undefined);
}
