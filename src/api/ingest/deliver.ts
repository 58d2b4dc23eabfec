import type { Context } from "hono";
import { eachOf, OBJECTS_AT_ONCE } from "../../core/load.ts";
import type { ActorEnv } from "../../http/env.ts";
import { askMachine } from "../../http/session.ts";
import { type EventResult, outdated } from "../../machine/journal.ts";
import type { Ingested } from "../../machine/machine-state.ts";
import type { IncomingEvent } from "../../machine/position.ts";
import type { machineObject } from "../../machine/stub.ts";
import { countingDisabled, type Warning } from "../../machine/warnings.ts";
import type { Delivery, Refusal } from "./route-events.ts";

/** What became of an event. */
export type Result = EventResult | Refusal;

type MachineObject = ReturnType<typeof machineObject>;

/** Whether an event was addressed by a set-up that is not the machine's any more. */
export function isOutdated(result: Result): boolean {
  return typeof result === "object" && result.code === outdated.code;
}

/** Whether D1 may know a machine for an event that was refused by what was remembered. */
export function mayBeKnown(result: Result): boolean {
  return isOutdated(result) || (typeof result === "object" && result.code === "unknown_channel");
}

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
 * Hands each machine its events, many at once. An event for many machines is accepted when one of them had not had it yet, and outdated
 * when one of them says so.
 * @param routed where an event goes, or what became of it before, which stays
 * @param send gives a machine's events to its object, with the oldest version by which one was routed; null: there is no such machine
 */
export async function deliver(
  c: Context<ActorEnv>,
  routed: readonly (Delivery[] | Result)[],
  send: (machine: MachineObject, events: IncomingEvent[], configVersion: number) => Promise<Ingested | null>,
): Promise<Delivered> {
  const deliveries = routed.flatMap((to, index) => (Array.isArray(to) ? to.map((delivery) => ({ index, ...delivery })) : []));
  const results: (Result | undefined)[] = routed.map((to) => (Array.isArray(to) ? undefined : to));
  const warnings: MachineWarning[] = [];
  await eachOf(
    Map.groupBy(deliveries, (delivery) => delivery.machineId),
    OBJECTS_AT_ONCE,
    async ([machineId, batch]) => {
      const incoming = batch.map((delivery) => delivery.incoming);
      const configVersion = Math.min(...batch.map((delivery) => delivery.configVersion));
      const ingested = await askMachine(c, machineId, (machine) => send(machine, incoming, configVersion));
      const unknown = { code: "unknown_machine", message: `machineId: there is no machine ${machineId}` };
      const answers = batch.map((_, i) => ingested?.results[i] ?? unknown);
      for (const [i, { index }] of batch.entries()) results[index] = joined(results[index], answers[i] ?? unknown);
      const isDisabled = batch.some((delivery, i) => delivery.isDisabled && typeof answers[i] === "string");
      const told = [...(ingested?.warnings ?? []), ...(isDisabled ? [countingDisabled] : [])];
      warnings.push(...told.map((warning) => ({ machineId, ...warning })));
    },
  );
  return { results: results.map((result) => result ?? "duplicate"), warnings };
}

/** What became of an event that one machine and another one had. */
function joined(one: Result | undefined, other: Result): Result {
  if (one === undefined) return other;
  if (isOutdated(one)) return one;
  return other === "accepted" || isOutdated(other) ? other : one;
}
