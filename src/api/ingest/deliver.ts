import type { Caller } from "../../core/caller.ts";
import type { Warning } from "../../core/warnings.ts";
import { eachOf, OBJECTS_AT_ONCE } from "../../limits/load.ts";
import type { EventResult, Ingested, SentEvent } from "../../objects/machine-protocol.ts";
import { callMachine, type machineObject } from "../../objects/machines.ts";
import { minOf } from "../../oee/extremes.ts";
import type { Delivery, Refusal } from "./route-events.ts";

/** The result of an event: how it was handled, or why it was refused. */
export type Result = EventResult | Refusal;

type MachineObject = ReturnType<typeof machineObject>;

/** A warning about a machine's events. */
export interface MachineWarning extends Warning {
  machineId: number;
}

/** The results of the events, in order, and each warning once per machine. */
export interface Delivered {
  results: Result[];
  warnings: MachineWarning[];
}

/**
 * Sends each machine its events, many machines at once. An event for several machines is accepted if it was new to one of them. If a machine
 * fails, the others still get theirs.
 * @param routed the machines of each event, or its result if it has one already
 * @param send sends events to a machine's object, with the lowest version that any of them was routed by; null: there is no such machine
 * @throws the first machine's error if some failed
 */
export async function deliver(
  by: Pick<Caller, "env" | "objects">,
  routed: readonly (Delivery[] | Result)[],
  send: (machine: MachineObject, events: SentEvent[], configVersion: number) => Promise<Ingested | null>,
): Promise<Delivered> {
  const deliveries = routed.flatMap((to, index) => (Array.isArray(to) ? to.map((delivery) => ({ index, ...delivery })) : []));
  const results: (Result | undefined)[] = routed.map((to) => (Array.isArray(to) ? undefined : to));
  const warnings: MachineWarning[] = [];
  const failures: unknown[] = [];
  const sendTo = async (machineId: number, batch: readonly (typeof deliveries)[number][]) => {
    const events = batch.map((delivery) => delivery.event);
    const configVersion = minOf(batch.map((delivery) => delivery.configVersion));
    const ingested = await callMachine(by.env, machineId, (machine) => send(machine, events, configVersion), by.objects);
    const unknown = { code: "unknown_machine" as const, message: `machineId: there is no machine ${machineId}` };
    const answers = batch.map((_, i) => ingested?.results[i] ?? unknown);
    for (const [i, { index }] of batch.entries()) results[index] = joined(results[index], answers[i] ?? unknown);
    for (const warning of ingested?.warnings ?? []) warnings.push({ machineId, ...warning });
  };
  await eachOf(
    Map.groupBy(deliveries, (delivery) => delivery.machineId),
    OBJECTS_AT_ONCE,
    ([machineId, batch]) => sendTo(machineId, batch).catch((error) => failures.push(error)),
  );
  if (failures.length > 0) throw failures[0];
  return { results: results.map((result) => result ?? "duplicate"), warnings };
}

/** Combines the results of an event that went to two machines. */
function joined(one: Result | undefined, other: Result): Result {
  return one === undefined || other === "accepted" ? other : one;
}
