import { authorName } from "../core/actor.ts";
import type { Caller } from "../core/caller.ts";
import { newObjectUsage, type ObjectUsage } from "../core/object-usage.ts";
import { jurisdictionOf } from "../db/client.ts";
import { eachOf, OBJECT_MS, OBJECTS_AT_ONCE, Slots, StorageBusy, within } from "../limits/load.ts";
import type { EditedBy, MachineObject } from "./machine-protocol.ts";
import { isOutOfReach, objectOf } from "./names.ts";

/** More concurrent calls than a healthy machine ever has. A slow machine only delays its own callers. */
const MAX_CALLS_IN_FLIGHT = 16;
const callsInFlight = new Slots(OBJECT_MS);

/** A machine's object as the Worker sees it: its class need not be imported. */
export type MachineStub = DurableObjectStub & MachineObject;

/** The object of a machine. Call it through `callMachine`. Its company has the jurisdiction of the database (`requireJurisdiction`). */
export function machineObject(env: Env, machineId: number): MachineStub {
  return objectOf(env, "MACHINES", machineId, jurisdictionOf(env)) as unknown as MachineStub;
}

/** Who a machine's object notes as the author of an edit. */
export function editedBy({ actor, requestId }: Pick<Caller, "actor" | "requestId">): EditedBy {
  return { userId: actor.userId, ...authorName(actor), apiTokenId: actor.apiToken?.id ?? null, requestId };
}

/**
 * Calls the object of a machine and counts the call in `usage`: a request passes its own.
 * @throws StorageBusy when it does not answer in time, or already has too many calls from this isolate
 */
export async function callMachine<T>(
  env: Env,
  machineId: number,
  call: (object: MachineStub) => T,
  usage = newObjectUsage(),
): Promise<Awaited<T>> {
  const end = begin(machineId, usage);
  try {
    return await within(OBJECT_MS, `machine ${machineId}`, call(machineObject(env, machineId)));
  } finally {
    end();
  }
}

/**
 * Like `callMachine`, for many machines at once. Together they have `ms` to answer.
 * @returns the answers that came in time, by machine; none for those that failed or already have too many calls
 * @throws Error for which `isOutOfReach` is true if no machine answered, and one is out of reach
 */
export async function callMachines<T>(
  env: Env,
  machineIds: Iterable<number>,
  ms: number,
  call: (object: MachineStub) => T,
  usage = newObjectUsage(),
): Promise<ReadonlyMap<number, Awaited<T>>> {
  const answers = new Map<number, Awaited<T>>();
  const ask = async (machineId: number) => {
    const end = begin(machineId, usage);
    try {
      answers.set(machineId, await call(machineObject(env, machineId)));
    } finally {
      end();
    }
  };
  let refusal: Error | undefined;
  const failed = (error: Error) => {
    if (isOutOfReach(error)) refusal = error;
  };
  const asked = eachOf(machineIds, OBJECTS_AT_ONCE, (machineId) => ask(machineId).catch(failed));
  await within(ms, "machines", asked).catch(() => undefined);
  if (refusal && answers.size === 0) throw refusal;
  return answers;
}

/** Takes a slot for a call and counts it. Returns a function to call when the call has ended. */
function begin(machineId: number, usage: ObjectUsage): () => void {
  const leave = callsInFlight.take(String(machineId), MAX_CALLS_IN_FLIGHT);
  if (!leave) throw new StorageBusy(`machine ${machineId} has ${MAX_CALLS_IN_FLIGHT} calls under way`);
  if (usage.underWay === 0) usage.since = Date.now();
  usage.calls += 1;
  usage.underWay += 1;
  return () => {
    leave();
    usage.underWay -= 1;
    if (usage.underWay === 0) usage.durationMs += Date.now() - usage.since;
  };
}
