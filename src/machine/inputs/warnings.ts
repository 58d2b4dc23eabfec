import type { Warning } from "../../core/warnings.ts";
import type { EventResult, HeldCount, IncomingEvent } from "../../objects/machine-protocol.ts";
import type { CountEvent, LedgerEvent } from "../../oee/events.ts";
import type { CountedReading } from "../../oee/readings.ts";
import { reportingSecondsFor } from "../../oee/reporting.ts";
import { type Settings, settingsAt, standardCycleMs } from "../../oee/settings.ts";
import { isoOf, SECOND_MS } from "../../oee/time.ts";
import type { Configuration } from "../settings/configuration.ts";
import { sumsOf } from "./held-counts.ts";
import { positionOf } from "./ledger-position.ts";

/** The warning for pulses that do not count. */
export const countingDisabled: Warning = {
  code: "counting_disabled",
  message: "Counting was disabled for the machine when these pulses were counted: they show that data flows, and add no units.",
};

/**
 * Returns the warnings about a machine's events, each kind once. Duplicates are checked like new events, so that sending them again does not
 * hide what is still missing. Refused events are left out, and readings that are not new: what they count is not known here.
 * @param results the events' results, in the same order
 * @param known what is known besides: what new readings count, by position; the SKU in work before them (null: none); those that are held
 */
export function warningsOf(
  { history, calendar }: Configuration,
  events: readonly IncomingEvent[],
  results: readonly EventResult[],
  { readings, skuId, held }: { readings: ReadonlyMap<string, CountedReading>; skuId: string | null; held: readonly HeldCount[] },
): Warning[] {
  const found = new Map<Warning["code"], string>();
  const warn = (code: Warning["code"], message: string) => found.has(code) || found.set(code, message);
  const hasShifts = (history.at(-1)?.shifts.length ?? 0) > 0;
  if (!hasShifts) warn("no_shift", "No shift is defined for the machine: reports leave it out.");
  if (hasEqualCounts(events)) {
    warn(
      "equal_events",
      "Equal counts of one time in one request count once. If both happened, give each event an id of its own.",
    );
  }
  if (held.length > 0) warn("held", messagesOf(held).join(" "));
  let inWork = skuId;
  for (const event of storedInOrder(events, results, readings)) {
    if (event.kind === "sku") inWork = event.skuId;
    const isSignal = event.kind === "count" || event.kind === "state";
    if (isSignal && hasShifts && !found.has("outside_shifts") && !calendar.at(event.at)) {
      warn("outside_shifts", `${isoOf(event.at)} is outside every shift of the machine: reports leave that time out.`);
    }
    if (event.kind === "count" || event.kind === "sku") warnOfStandard(event, inWork, settingsAt(history, event.at), warn);
  }
  // What is held counts nothing, whatever time it took; and what is sent again may have been held.
  if (held.length > 0 || !results.includes("accepted")) found.delete("reports_seldom");
  return [...found].map(([code, message]) => ({ code, message }));
}

function messagesOf(held: readonly HeldCount[]): string[] {
  const { count = 0, units = 0 } = sumsOf(held.filter(({ taken }) => !taken)) ?? {};
  const counts = count === 1 ? "1 count is held" : `${count} counts are held`;
  const closed = held.length - count;
  const events = closed === 1 ? "1 event is held" : `${closed} events are held`;
  const implausible = `${counts}, with ${units} units: the machine cannot have made them. An admin accepts or drops them: GET /v1/held-events.`;
  const ofClosed = `${events}: the books of that time are closed. An admin can accept them once they are reopened: GET /v1/held-events.`;
  return [...(count > 0 ? [implausible] : []), ...(closed > 0 ? [ofClosed] : [])];
}

/** Warns if there is no standard, or if the standard shows that a count took too long. */
function warnOfStandard(
  event: LedgerEvent & { kind: "count" | "sku" },
  inWork: string | null,
  settings: Settings,
  warn: (code: Warning["code"], message: string) => void,
): void {
  const standardMs = standardCycleMs(settings, inWork);
  if (standardMs !== null) {
    if (event.kind === "count" && isSeldom(event, standardMs, settings))
      warn("reports_seldom", seldomText(event, standardMs, settings));
    return;
  }
  if (event.kind === "count") {
    warn("no_standard_cycle", "Neither the machine nor the SKU in work has a standard cycle: effectiveness and OEE are 0.");
  }
  if (inWork !== null) warn("sku_without_standard", `SKU ${inWork} has no standard cycle, and the machine has none either.`);
}

/** Whether a count took longer to make than the machine may be silent, and nothing says that it covers that time. */
function isSeldom({ cycles, since }: CountEvent, standardMs: number, { signal, stopAfterMs, reportingMs }: Settings): boolean {
  return (
    signal === "counts" && since === undefined && reportingMs === undefined && cycles > 1 && cycles * standardMs > stopAfterMs
  );
}

function seldomText({ at, cycles }: CountEvent, standardMs: number, { stopAfterMs }: Settings): string {
  const madeIn = Math.round((cycles * standardMs) / SECOND_MS);
  return `The count at ${isoOf(at)} has ${cycles} cycles, which take ${madeIn} s at the standard: longer than stopAfterSeconds (${stopAfterMs / SECOND_MS}), so running time becomes a stop. If the device always counts over so long a time, send \`since\` or set reportingSeconds to ${reportingSecondsFor(cycles * standardMs)}.`;
}

/** Whether two counts without ids have the same time, channel and value: they cannot be told apart from one that was sent twice. */
function hasEqualCounts(events: readonly IncomingEvent[]): boolean {
  const seen = new Set<string>();
  return events.some((incoming) => {
    if (incoming.id !== null || incoming.event.kind !== "count") return false;
    const pos = positionOf(incoming);
    if (seen.has(pos)) return true;
    seen.add(pos);
    return false;
  });
}

/** The events that were not refused. If one of them sets the SKU, they are in ledger order, which decides the SKU of each count. */
function storedInOrder(
  events: readonly IncomingEvent[],
  results: readonly EventResult[],
  readings: ReadonlyMap<string, CountedReading>,
): LedgerEvent[] {
  const stored = events.filter((_, i) => typeof results[i] === "string");
  const isSkuSet = stored.some(({ event }) => event.kind === "sku");
  return (isSkuSet ? inOrder(stored) : stored).flatMap((incoming) => {
    const { event } = incoming;
    return event.kind === "reading" ? (readings.get(positionOf(incoming))?.event ?? []) : event;
  });
}

function inOrder(events: readonly IncomingEvent[]): IncomingEvent[] {
  return events
    .map((incoming) => ({ pos: positionOf(incoming), incoming }))
    .sort((a, b) => (a.pos < b.pos ? -1 : 1))
    .map(({ incoming }) => incoming);
}
