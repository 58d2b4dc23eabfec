import { ShortCache } from "../../http/short-cache.ts";
import type { IngestTargets, NamedInEvents } from "./queries.ts";

type Machine = IngestTargets["machines"][number];

/**
 * The machines that a node's channels feed, up to 30 s old: gateways send counts day and night, and count sensors hardly ever change.
 * Whoever changes them tells the machines, and their objects refuse what was addressed by what was before.
 */
const machinesOfNode = new ShortCache<Machine[]>(30_000, 1_000);

/** What a batch of counts names, if all of it was found lately; null: D1 has to be asked. */
export function rememberedTargets(companyId: number, named: NamedInEvents): IngestTargets | null {
  if (!isOfCountsAlone(named)) return null;
  const known = named.channelNodeIds.map((nodeId) => machinesOfNode.get(keyOf(companyId, nodeId))?.value);
  if (known.length === 0 || known.includes(undefined)) return null;
  return { machines: known.flatMap((machines) => machines ?? []), operators: [], skus: [], orderMachines: [], orderTargets: [] };
}

/** Remembers which machines the named nodes feed, as D1 was asked for at `readAt`. */
export function rememberTargets(companyId: number, named: NamedInEvents, { machines }: IngestTargets, readAt: number): void {
  for (const nodeId of named.channelNodeIds) {
    const fed = machines.filter(({ channels }) => channels.some((channel) => channel.nodeId === nodeId));
    if (fed.length > 0) machinesOfNode.set(keyOf(companyId, nodeId), fed, readAt);
  }
}

function isOfCountsAlone({ channelNodeIds: _, ...others }: NamedInEvents): boolean {
  return Object.values(others).every((list) => list.length === 0);
}

function keyOf(companyId: number, nodeId: number): string {
  return `${companyId}:${nodeId}`;
}
