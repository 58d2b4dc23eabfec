import type { Caller } from "../../../core/caller.ts";
import type { ObjectUsage } from "../../../core/object-usage.ts";
import { recordId } from "../../../core/record-id.ts";
import type { WaitingStops } from "../../../db/values.ts";
import { eachOf, OBJECTS_AT_ONCE } from "../../../limits/load.ts";
import type { BulkClassified } from "../../../objects/machine-protocol.ts";
import { callMachine } from "../../../objects/machines.ts";
import { append } from "../../../oee/extremes.ts";
import { HOUR_MS, MINUTE_MS } from "../../../oee/time.ts";
import { type ClassificationRow, findConfigVersions, saveClassification } from "./queries.ts";

/** The most stops of a step. */
export const STOPS_PER_STEP = 500;
/** How long a step may take before another one may take its stops. */
export const LEASE_MS = MINUTE_MS;
/** After this, machines that did not answer are left out. */
const GIVE_UP_MS = 24 * HOUR_MS;

/** What a step works with. */
export type StepContext = Pick<Caller, "env" | "db"> & { objects?: ObjectUsage; continueAt?(bookmark: string): void };

/**
 * Classifies the next stops of a bulk classification at their machines, and returns the row as it is then. A step that is repeated, because it was
 * killed before it was stored, has the same result. Machines that do not answer are tried again a minute later.
 * @param row as it is stored: with a `nextAt` that nobody else has
 */
export async function classifyStep(context: StepContext, row: ClassificationRow): Promise<ClassificationRow> {
  const { env, db, objects } = context;
  const { id, companyId, what, userId, apiTokenId, requestId } = row;
  const [parts, rest] = nextStops(row.waiting, STOPS_PER_STEP);
  const versions = await findConfigVersions(
    db,
    parts.map(([machineId]) => machineId),
  );
  const versionOf = new Map(versions.map((machine) => [machine.id, machine.configVersion]));
  const { classified, unchanged, leftOut } = structuredClone(row);
  const counts = { classified, unchanged };
  const unanswered: WaitingStops[] = [];
  const bookmarks: string[] = [];
  await eachOf(parts, OBJECTS_AT_ONCE, async ([machineId, stops]) => {
    const edit = {
      key: `${id}:${stops[0]?.[0]}:${stops.length}`,
      bulkId: id,
      stops: stops.map(([seq, version]) => ({ seq, version })),
      ...what,
    };
    const by = { userId, apiTokenId, requestId };
    let answer: BulkClassified | null;
    try {
      const configVersion = versionOf.get(machineId) ?? 0;
      answer = await callMachine(env, machineId, (machine) => machine.classifyStops(edit, companyId, by, configVersion), objects);
    } catch {
      unanswered.push([machineId, stops]);
      return;
    }
    if (answer?.bookmark) bookmarks.push(answer.bookmark);
    for (const [i, [seq]] of stops.entries()) {
      const result = answer?.results[i] ?? "gone";
      if (result === "classified" || result === "unchanged") counts[result] += 1;
      else leftOut[result] = [...(leftOut[result] ?? []), recordId(machineId, seq)];
    }
  });
  const newest = newestOf(bookmarks);
  if (newest) context.continueAt?.(newest);

  const now = Date.now();
  const isLate = now >= row.createdAt + GIVE_UP_MS;
  if (isLate && unanswered.length > 0) leftOut.unreachable = [...(leftOut.unreachable ?? []), ...idsOf(unanswered)];
  const waiting = [...rest, ...(isLate ? [] : unanswered)];
  const change: Partial<ClassificationRow> =
    waiting.length === 0
      ? { ...counts, leftOut, waiting, state: "done", nextAt: null, endedAt: now }
      : { ...counts, leftOut, waiting, nextAt: unanswered.length > 0 ? now + LEASE_MS : now };
  await saveClassification(db, row, change);
  return { ...row, ...change };
}

/** The bookmark that covers the rows of all machines: bookmarks sort as text. */
export function newestOf(bookmarks: readonly string[]): string | undefined {
  return bookmarks.toSorted().at(-1);
}

/** The first stops of a list, and the rest. */
function nextStops(waiting: readonly WaitingStops[], most: number): [WaitingStops[], WaitingStops[]] {
  const next: WaitingStops[] = [];
  const rest: WaitingStops[] = [];
  let left = most;
  for (const [machineId, stops] of waiting) {
    if (left > 0) next.push([machineId, stops.slice(0, left)]);
    if (stops.length > left) rest.push([machineId, stops.slice(left)]);
    left = Math.max(0, left - stops.length);
  }
  return [next, rest];
}

function idsOf(waiting: readonly WaitingStops[]): number[] {
  const ids: number[] = [];
  for (const [machineId, stops] of waiting) {
    append(
      ids,
      stops.map(([seq]) => recordId(machineId, seq)),
    );
  }
  return ids;
}
