import { auditedBy, auditRow } from "../../core/audit.ts";
import type { Sender } from "../../core/caller.ts";
import type { EventCode } from "../../core/fault-codes.ts";
import { unavailable } from "../../core/problem.ts";
import { append } from "../../oee/extremes.ts";
import { HOUR_MS, SECOND_MS } from "../../oee/time.ts";
import { deliver, type MachineWarning, type Result } from "./deliver.ts";
import { findTargets } from "./queries.ts";
import { rememberedRouter, rememberMachines, rememberRouter } from "./remembered-router.ts";
import { type Delivery, EventRouter, isRefusal, namedIn, oldestCountAt, type ParsedEvent, parseEvent } from "./route-events.ts";

/** A sender's clock may be ahead by this much: the request took its time, and clocks are never equal. */
const CLOCK_SLACK_MS = 10 * SECOND_MS;
/** Counts up to this age are routed by the cached router. */
const REMEMBERED_PAST_MS = HOUR_MS;

/**
 * Sends events to the machines of a company. Returns the result of each, in order, and one warning per machine and kind, by machine.
 *
 * The map from channels to machines may be stale, and may change at any time. A machine refuses counts that are not its own; then the map
 * is read again.
 * @throws Problem if the channels change again meanwhile. The events have to be sent again; those that are already stored count as duplicates
 */
export async function takeEvents(sender: Sender, companyId: number, sent: readonly unknown[]) {
  const now = Date.now();
  const events = sent.map((event) => parseEvent(event, now));
  const named = namedIn(events);
  // A gateway's events are not audited. A person's batch is, with the machines that are fed at present.
  const person = sender.actor.kind === "user" ? auditedBy(sender.actor, sender.requestId) : null;
  const mayRemember = person === null && !sender.hasBookmark;
  const since = Math.min(oldestCountAt(events), now - REMEMBERED_PAST_MS);
  const remembered = mayRemember ? rememberedRouter(companyId, named, since) : null;

  /** Null: not delivered yet. */
  let results: (Result | null)[] = events.map(() => null);
  const warnings: MachineWarning[] = [];
  let entry: ReturnType<typeof auditRow> | null = null;
  const deliverBy = async (router: EventRouter) => {
    const routed = results.map((result, i) => result ?? router.route(events[i] as ParsedEvent));
    // Every machine that stores an event of the batch stores the audit entry with it, and D1 stores the entry once. Written separately, the entry
    // could name events that were not stored, or omit some that were.
    if (person) entry ??= auditRow(person, auditOf(companyId, routed));
    const kept = entry;
    const delivered = await deliver(sender, routed, (machine, batch, version) => machine.ingest(batch, version, kept));
    append(warnings, delivered.warnings);
    append(warnings, warningsOf(routed, delivered.results));
    append(warnings, clockWarnings(events, routed, delivered.results, now));
    return delivered.results.map((result) => (isRefusedAs(result, "other_machine") ? null : result));
  };
  const findRouter = async () => {
    const targets = await findTargets(sender.db, companyId, named, since);
    const router = new EventRouter(targets);
    rememberRouter(companyId, named, router, now);
    rememberMachines(companyId, named, { machines: targets.machines, since }, now);
    return router;
  };
  if (remembered) {
    results = await deliverBy(remembered);
    // The channel may be new, or the machine that had the ref may be gone.
    const isNew = (result: Result | null) => isRefusedAs(result, "unknown_channel") || isRefusedAs(result, "unknown_machine");
    results = results.map((result) => (isNew(result) ? null : result));
  }
  if (results.includes(null)) results = await deliverBy(await findRouter());
  if (results.includes(null)) {
    sender.continueAtPrimary();
    results = await deliverBy(await findRouter());
  }
  const final = results.filter((result) => result !== null);
  if (final.length < results.length) throw unavailable("The count sensors are being changed. Send the events again.", 1);
  return { results: final, warnings: distinct(warnings) };
}

/** True if an event was refused with this code. */
function isRefusedAs(result: Result | null, code: EventCode): boolean {
  return typeof result === "object" && result?.code === code;
}

/** The audit entry of a person's batch. */
function auditOf(companyId: number, routed: readonly (Delivery[] | Result)[]) {
  const delivered = routed.filter((event) => Array.isArray(event));
  const machineIds = [...new Set(delivered.flat().map(({ machineId }) => machineId))];
  const after = { events: delivered.length, rejected: routed.length - delivered.length, machineIds };
  return { action: "events.ingest" as const, companyId, objectId: companyId, before: null, after };
}

/** The warnings about events that were not refused. */
function warningsOf(routed: readonly (Delivery[] | Result)[], results: readonly Result[]): MachineWarning[] {
  return routed.flatMap((to, i) => {
    if (!Array.isArray(to) || typeof results[i] === "object") return [];
    return to.flatMap(({ machineId, warning }) => (warning ? [{ machineId, ...warning }] : []));
  });
}

/** The warnings about events that were stored, but are ahead of the service's clock: that of their sender is fast. */
function clockWarnings(
  events: readonly ParsedEvent[],
  routed: readonly (Delivery[] | Result)[],
  results: readonly Result[],
  now: number,
): MachineWarning[] {
  return events.flatMap((event, i) => {
    const to = routed[i];
    const aheadMs = isRefusal(event) ? 0 : Date.parse(event.at) - now;
    if (aheadMs <= CLOCK_SLACK_MS || !Array.isArray(to) || typeof results[i] === "object") return [];
    const ahead = Math.round(aheadMs / SECOND_MS);
    const message = `An event is ${ahead} s ahead of the service's clock, so it counts that much later: set the clock of its sender.`;
    return to.map(({ machineId }) => ({ machineId, code: "clock_ahead" as const, message }));
  });
}

/** One warning per machine and kind, by machine. */
function distinct(warnings: readonly MachineWarning[]): MachineWarning[] {
  const byKind = new Map(warnings.map((one) => [`${one.machineId} ${one.code}`, one]));
  return [...byKind.values()].sort((a, b) => a.machineId - b.machineId);
}
