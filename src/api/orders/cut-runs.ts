import type { Caller } from "../../core/caller.ts";
import { refuseIfClosed } from "../../core/closed-books.ts";
import { refusal } from "../../core/problem.ts";
import { OBJECT_MS, StorageBusy } from "../../limits/load.ts";
import { callMachines } from "../../objects/machines.ts";

/**
 * Makes machines split their runs of a work order at an instant, so that units before and after it are counted separately.
 * @throws Problem 409 if the instant lies in closed books, or a run crosses it, and its events are not kept any more; StorageBusy unless all machines answer and D1 has the result
 */
export async function cutRuns(
  { env, objects, continueAt }: Caller,
  machineIds: readonly number[],
  workOrderId: string,
  at: number,
): Promise<void> {
  const cuts = await callMachines(env, machineIds, OBJECT_MS, (machine) => machine.cutRun(workOrderId, at), objects);
  for (const cut of cuts.values()) refuseIfClosed(cut, "/occurredAt");
  const outcomes = [...cuts.values()].map(({ outcome }) => outcome);
  if (outcomes.includes("settled")) {
    const message =
      "lies in a time of which a machine that was working on the order keeps no events any more: what it counted is settled";
    throw refusal(409, [{ pointer: "/occurredAt", code: "settled", message }]);
  }
  if (cuts.size < machineIds.length) throw new StorageBusy("a machine of the order did not answer within its time");
  if (outcomes.includes("unpublished")) throw new StorageBusy("what a machine of the order counted is not in the database yet");
  // Bookmarks sort as text: the last one covers the rows of all machines.
  const newest = [...cuts.values()]
    .flatMap(({ bookmark }) => bookmark ?? [])
    .sort()
    .at(-1);
  if (newest) continueAt(newest);
}
