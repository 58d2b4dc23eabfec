import type { Caller } from "../../../core/caller.ts";
import { notifyMachines } from "../../../machine/notify-machines.ts";
import { createItem } from "../items.ts";
import type { Item } from "../resource.ts";
import { machines } from "./machines.ts";

/** Creates a machine, and wakes its object, which publishes shifts even if no event ever arrives. A cron job retries failures. */
export async function createMachine(caller: Caller, sent: Item): Promise<Item> {
  const machine = await createItem(caller, machines, sent);
  await notifyMachines(caller.env, [{ machineId: Number(machine.id), configVersion: 1 }], caller.objects);
  return machine;
}
