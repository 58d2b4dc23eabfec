import type { Caller } from "../../../core/caller.ts";
import { MAX_TOTAL, type Page, pageOf, totalOf } from "../../../core/cursor.ts";
import { callMachine } from "../../../objects/machines.ts";
import { ownerOf } from "../owner.ts";
import { endOf, machineEventOf } from "./machine-event.ts";
import type { MachineEventsQuery } from "./query.ts";

/** A page of the events that a machine was sent, from its object. */
export async function listMachineEvents(
  caller: Pick<Caller, "db" | "env" | "actor" | "objects">,
  machineId: number,
  { from, to, cursor, limit, total }: MachineEventsQuery,
): Promise<Page<ReturnType<typeof machineEventOf>>> {
  const { env, objects } = caller;
  await ownerOf(caller, machineId);
  const [key, pos, isWhole] = cursor ?? [null, "", 1];
  const after = cursor ? { key, pos } : null;
  const asked = { start: from, end: to, after, limit: limit + 1, countTo: total ? MAX_TOTAL : 0 };
  const page = await callMachine(env, machineId, (machine) => machine.sentEvents(asked), objects);
  let isComplete = isWhole === 1 && from >= page.completeFrom;
  const rows = page.items.map(({ cursor, ...item }) => {
    if ("damaged" in item) isComplete = false;
    return { item: machineEventOf(item), keys: [cursor.key, cursor.pos, isComplete ? 1 : 0] };
  });
  if (page.isEnd) rows.push({ item: endOf(to, isComplete, page.completeFrom), keys: [] });
  const { data, cursor: next } = pageOf(
    rows,
    limit,
    ({ keys }) => keys,
    ({ item }) => item,
  );
  // The end is an item, too.
  return { data, cursor: next, ...(page.count !== undefined && { total: totalOf(page.count + 1) }) };
}
