import type { Caller } from "../../../core/caller.ts";
import { callMachine } from "../../../objects/machines.ts";
import { configureMachines } from "../../../objects/notify-machines.ts";
import { isoOf } from "../../../oee/time.ts";
import { changeItem, createItem, getItem, type ItemRef } from "../../../resource/items.ts";
import type { Item } from "../../../resource/resource.ts";
import { machines } from "./resource.ts";
import { type KeptEvents, storeMachine } from "./rules.ts";

/** Creates a machine, and wakes its object, which publishes shifts even if no event ever arrives. A cron job retries failures. */
export async function createMachine(caller: Caller, sent: Item): Promise<Item> {
  const machine = await createItem(caller, machines, sent);
  await configureMachines(caller.env, Number(machine.companyId), [Number(machine.id)], caller.objects);
  return machine;
}

/** Changes a machine. What its commissioning may become depends on its object: D1 learns of the first event seconds later. */
export async function changeMachine(caller: Caller, named: ItemRef, sent: Item): Promise<Item> {
  const rule = storeMachine(await eventsOf(caller, named, sent));
  return await changeItem(caller, machines, named, sent, { rule });
}

/** The events of the machine's object; null if there are none, or if the request leaves the commissioning as it is. */
export async function eventsOf(caller: Caller, named: ItemRef, { commissionedAt }: Item): Promise<KeptEvents | null> {
  if (typeof commissionedAt !== "number") return null;
  const machine = await getItem(caller, machines, named);
  if (machine.commissionedAt === isoOf(commissionedAt)) return null;
  return await callMachine(
    caller.env,
    Number(named.id),
    async (object) => ((await object.heardAt()) === null ? null : { completeFrom: await object.recalculableFrom() }),
    caller.objects,
  );
}
