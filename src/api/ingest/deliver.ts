import type { Context } from "hono";
import type { ActorEnv } from "../../http/env.ts";
import { askMachine } from "../../http/session.ts";
import type { EventResult } from "../../machine/journal.ts";
import type { IncomingEvent } from "../../machine/position.ts";
import type { machineObject } from "../../machine/stub.ts";
import type { Delivery, Refusal } from "./route-events.ts";

/** What became of an event. */
export type Result = EventResult | Refusal;

type MachineObject = ReturnType<typeof machineObject>;

/** Whether D1 may know a machine for an event that was refused by what was remembered. */
export function isOutdated(result: Result): boolean {
  return typeof result === "object" && (result.code === "outdated" || result.code === "unknown_channel");
}

/**
 * Hands each machine its events, in parallel. An event for many machines is accepted when one of them had not had it yet.
 * @param routed where an event goes, or what became of it before, which stays
 * @param send gives a machine's events to its object, with the oldest version by which one was routed; null: there is no such machine
 */
export async function deliver(
  c: Context<ActorEnv>,
  routed: readonly (Delivery[] | Result)[],
  send: (machine: MachineObject, events: IncomingEvent[], configVersion: number) => Promise<EventResult[] | null>,
): Promise<Result[]> {
  const deliveries = routed.flatMap((to, index) => (Array.isArray(to) ? to.map((delivery) => ({ index, ...delivery })) : []));
  const results: (Result | undefined)[] = routed.map((to) => (Array.isArray(to) ? undefined : to));
  await Promise.all(
    [...Map.groupBy(deliveries, (delivery) => delivery.machineId)].map(async ([machineId, batch]) => {
      const incoming = batch.map((delivery) => delivery.incoming);
      const configVersion = Math.min(...batch.map((delivery) => delivery.configVersion));
      const answers = await askMachine(c, machineId, (machine) => send(machine, incoming, configVersion));
      for (const [i, { index }] of batch.entries()) {
        const result = answers?.[i] ?? { code: "unknown_machine", message: `machineId: there is no machine ${machineId}` };
        if (result === "accepted" || results[index] === undefined) results[index] = result;
      }
    }),
  );
  return results.map((result) => result ?? "duplicate");
}
