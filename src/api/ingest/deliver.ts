import type { Caller } from "../../core/caller.ts";
import { eachOf, OBJECTS_AT_ONCE } from "../../core/load.ts";
import type { SentEvent } from "../../machine/channels.ts";
import type { EventResult } from "../../machine/journal.ts";
import type { Ingested } from "../../machine/machine-state.ts";
import { callMachine, type machineObject } from "../../machine/stub.ts";
import type { Warning } from "../../oee/warnings.ts";
import type { Delivery, Refusal } from "./route-events.ts";

/** What became of an event. */
export type Result = EventResult | Refusal;

type MachineObject = ReturnType<typeof machineObject>;

/** What a machine's set-up lacks for events that went to it. */
export interface MachineWarning extends Warning {
  machineId: number;
}

/** What became of the events, in order, and each warning once per machine. */
export interface Delivered {
  results: Result[];
  warnings: MachineWarning[];
}

/**
 * Hands each machine its events, many at once. An event for many machines is accepted when one of them had not had it yet.
 * @param routed where an event goes, or what became of it before, which stays
 * @param send gives a machine's events to its object, with the oldest version by which one was routed; null: there is no such machine
 */
export async function deliver(
  by: Pick<Caller, "env" | "objects">,
  routed: readonly (Delivery[] | Result)[],
  send: (machine: MachineObject, events: SentEvent[], configVersion: number) => Promise<Ingested | null>,
): Promise<Delivered> {
  const deliveries = routed.flatMap((to, index) => (Array.isArray(to) ? to.map((delivery) => ({ index, ...delivery })) : []));
  const results: (Result | undefined)[] = routed.map((to) => (Array.isArray(to) ? undefined : to));
  const warnings: MachineWarning[] = [];
  await eachOf(
    Map.groupBy(deliveries, (delivery) => delivery.machineId),
    OBJECTS_AT_ONCE,
    async ([machineId, batch]) => {
      const events = batch.map((delivery) => delivery.event);
      const configVersion = Math.min(...batch.map((delivery) => delivery.configVersion));
      const ingested = await callMachine(by.env, machineId, (machine) => send(machine, events, configVersion), by.objects);
      const unknown = { code: "unknown_machine", message: `machineId: there is no machine ${machineId}` };
      const answers = batch.map((_, i) => ingested?.results[i] ?? unknown);
      for (const [i, { index }] of batch.entries()) results[index] = joined(results[index], answers[i] ?? unknown);
      warnings.push(...(ingested?.warnings ?? []).map((warning) => ({ machineId, ...warning })));
    },
  );
  return { results: results.map((result) => result ?? "duplicate"), warnings };
}

/** What became of an event that one machine and another one had. */
function joined(one: Result | undefined, other: Result): Result {
  return one === undefined || other === "accepted" ? other : one;
}
