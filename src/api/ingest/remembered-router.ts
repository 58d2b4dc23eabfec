import { ShortCache } from "../../core/short-cache.ts";
import type { IngestTargets, NamedInEvents } from "./queries.ts";
import { EventRouter } from "./route-events.ts";

/** A machine, and from when on its channels were read (epoch ms). */
interface RememberedMachine {
  machine: IngestTargets["machines"][number];
  since: number;
}

/**
 * The machines that the channels of a gateway's node feed, up to 30 s old: counts are frequent, and count sensors rarely change. A stale entry
 * does no harm: machines refuse counts that are not their own, and unknown channels are looked up.
 */
const routers = new ShortCache<EventRouter>(30_000, 1_000);

/**
 * Machines by company and ref, as old. A gateway sends for some of its machines at a time, so each is remembered by itself. A stale entry does no
 * harm: machines refuse counts by a ref that were routed by an earlier set-up than their own.
 */
const machines = new ShortCache<RememberedMachine>(30_000, 5_000);

/**
 * The cached router for a batch of counts that names one node, or only refs; null if D1 has to be queried.
 * @param since the channels of machines that are named by ref are needed from then on
 */
export function rememberedRouter(companyId: number, named: NamedInEvents, since: number): EventRouter | null {
  if (!areOnlyCounts(named)) return null;
  const key = keyOf(companyId, named);
  if (key !== null) return routers.get(key)?.value ?? null;
  if (named.channelNodeIds.length > 0) return null;
  const found: IngestTargets["machines"] = [];
  for (const ref of named.channelMachineRefs) {
    const remembered = machines.get(machineKeyOf(companyId, ref))?.value;
    if (!remembered || remembered.since > since) return null;
    found.push(remembered.machine);
  }
  return new EventRouter({ machines: found, operators: [], skus: [], orderMachines: [], orderTargets: [] }, true);
}

/** Caches the router of a batch, as read from D1 at `readAt`, if the batch consists of counts of one node. */
export function rememberRouter(companyId: number, named: NamedInEvents, router: EventRouter, readAt: number): void {
  const key = keyOf(companyId, named);
  if (key !== null) routers.set(key, router, readAt);
}

/** Caches the machines that counts of a batch name by ref, as read from D1 at `readAt`. */
export function rememberMachines(
  companyId: number,
  named: NamedInEvents,
  found: { machines: IngestTargets["machines"]; since: number },
  readAt: number,
): void {
  const refs = new Set(named.channelMachineRefs);
  for (const machine of found.machines) {
    if (machine.deletedAt !== null || !refs.has(machine.ref)) continue;
    machines.set(machineKeyOf(companyId, machine.ref), { machine, since: found.since }, readAt);
  }
}

function areOnlyCounts({ channelNodeIds: _nodes, channelMachineRefs: _refs, ...others }: NamedInEvents): boolean {
  return Object.values(others).every((list) => list.length === 0);
}

function keyOf(companyId: number, named: NamedInEvents): string | null {
  const isOfOneNode = named.channelNodeIds.length === 1 && named.channelMachineRefs.length === 0 && areOnlyCounts(named);
  return isOfOneNode ? `${companyId}:${named.channelNodeIds[0]}` : null;
}

function machineKeyOf(companyId: number, ref: string): string {
  return `${companyId}:${ref}`;
}
