import type { Caller } from "../../../core/caller.ts";
import { callMachine } from "../../../objects/machines.ts";
import { configureMachines } from "../../../objects/notify-machines.ts";
import { isoOf } from "../../../oee/time.ts";
import { changeItem, createItem, getItem, type ItemRef } from "../../../resource/items.ts";
import type { Item } from "../../../resource/resource.ts";
import { machines } from "./resource.ts";
import { storeMachine } from "./rules.ts";

/** Creates a machine, and wakes its object, which publishes shifts even if no event ever arrives. A cron job retries failures. */
export async function createMachine(caller: Caller, sent: Item): Promise<Item> {
  const machine = await createItem(caller, machines, sent);
  await configureMachines(caller.env, Number(machine.companyId), [Number(machine.id)], caller.objects);
  return machine;
}

/** Changes a machine. Its commissioning only if its object has no event yet: D1 learns of the first one seconds later. */
export async function changeMachine(caller: Caller, named: ItemRef, sent: Item): Promise<Item> {
  const rule = storeMachine(await hasEvents(caller, named, sent));
  return await changeItem(caller, machines, named, sent, { rule });
}

/** Whether the machine has an event; false if the request leaves the commissioning as it is. */
async function hasEvents(caller: Caller, named: ItemRef, { commissionedAt }: Item): Promise<boolean> {
  if (typeof commissionedAt !== "number") return false;
  const machine = await getItem(caller, machines, named);
  if (machine.commissionedAt === isoOf(commissionedAt)) return false;
  return (await callMachine(caller.env, Number(named.id), (object) => object.heardAt(), caller.objects)) !== null;
}
