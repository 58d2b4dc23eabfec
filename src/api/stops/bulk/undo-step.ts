import type { WaitingStops } from "../../../db/values.ts";
import { eachOf, OBJECTS_AT_ONCE } from "../../../limits/load.ts";
import { callMachine } from "../../../objects/machines.ts";
import { HOUR_MS } from "../../../oee/time.ts";
import { LEASE_MS, newestOf, type StepContext } from "./classify-step.ts";
import { type ClassificationRow, findConfigVersions, saveClassification } from "./queries.ts";

/** The most machines of a step. */
export const MACHINES_PER_STEP = 50;
/** After this, machines that did not answer are left as they are. */
const GIVE_UP_MS = 24 * HOUR_MS;

/**
 * Takes a bulk classification back at the next of its machines, and returns the row as it is then. A step that is repeated has the same result. Machines
 * that do not answer are tried again a minute later, for a day.
 * @param row as it is stored: with a `nextAt` that nobody else has
 */
export async function undoStep(context: StepContext, row: ClassificationRow): Promise<ClassificationRow> {
  const { env, db, objects } = context;
  const { id, companyId, undoneBy, undoneRequestId, undoneAt } = row;
  const [next, rest] = [row.waiting.slice(0, MACHINES_PER_STEP), row.waiting.slice(MACHINES_PER_STEP)];
  const ids = next.map(([machineId]) => machineId);
  const versionOf = new Map((await findConfigVersions(db, ids)).map((machine) => [machine.id, machine.configVersion]));
  let { undone, kept } = row;
  const unanswered: WaitingStops[] = [];
  const bookmarks: string[] = [];
  const by = { userId: undoneBy ?? row.userId, apiTokenId: null, requestId: undoneRequestId ?? row.requestId };
  await eachOf(ids, OBJECTS_AT_ONCE, async (machineId) => {
    try {
      const version = versionOf.get(machineId) ?? 0;
      const call = callMachine(env, machineId, (machine) => machine.undoClassification(id, companyId, by, version), objects);
      const answer = await call;
      undone += answer?.undone ?? 0;
      kept += answer?.kept ?? 0;
      if (answer?.bookmark) bookmarks.push(answer.bookmark);
    } catch {
      unanswered.push([machineId, []]);
    }
  });
  const newest = newestOf(bookmarks);
  if (newest) context.continueAt?.(newest);

  const now = Date.now();
  const isLate = now >= (undoneAt ?? 0) + GIVE_UP_MS;
  const waiting = [...rest, ...(isLate ? [] : unanswered)];
  const change: Partial<ClassificationRow> =
    waiting.length === 0
      ? { undone, kept, waiting, state: "undone", nextAt: null }
      : { undone, kept, waiting, nextAt: unanswered.length > 0 ? now + LEASE_MS : now };
  await saveClassification(db, row, change);
  return { ...row, ...change };
}
