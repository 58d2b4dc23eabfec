import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { refuseIfClosed } from "../../core/closed-books.ts";
import { once } from "../../core/idempotency.ts";
import { conflict, type Fault, invalid, notFound, type Problem } from "../../core/problem.ts";
import { recordOf } from "../../core/record-id.ts";
import type { OrphanDecided, OrphanEdit, StopEdit, StopFlags } from "../../objects/machine-protocol.ts";
import { callMachine, editedBy } from "../../objects/machines.ts";
import { DAY_MS } from "../../oee/time.ts";
import { type CausesBody, causeIdsOf, causesOf } from "./causes.ts";
import { findCauses, findMachineAndCauses, type StopCause } from "./queries.ts";
import { type SlicedStop, slicedStopOf } from "./stop.ts";

// Edits of stops. The machine's object applies them, and recognizes a repeated edit by the Idempotency-Key of its request.

/** The version of the stop that the caller expects; null: any. */
type Version = number | null;

/** A stop that a person records. Times are epoch ms. */
export interface RecordedStop {
  machineId: number;
  start: number;
  end: number;
  name: string | null;
  why: CausesBody;
  flags: Partial<StopFlags>;
}

/** Records a stop. Omitted flags are those of the cause. */
export function recordStop(caller: Caller, { machineId, why, ...stop }: RecordedStop): Promise<SlicedStop> {
  return once(caller, async () => {
    if (stop.end <= stop.start) {
      throw invalid([{ pointer: "/endTime", code: "not_in_order", message: "must be after `startTime`" }]);
    }
    const context = await readStopContext(caller, machineId, causeIdsOf(why));
    if (!context || context.isDeleted) {
      throw invalid([{ pointer: "/machineId", code: "not_found", message: "is not a machine of this company" }]);
    }
    const { causes, flags } = causesOf(why, context.causes);
    const faults = faultsAhead(stop.end, { ...flags, ...stop.flags }, Date.now());
    if (faults.length > 0) throw invalid(faults);
    const said = { ...stop, causes, flags: { ...flags, ...stop.flags }, causeFlags: flags };
    const [recorded] = await edit(caller, context, { action: "record", ...said }, []);
    if (!recorded) throw conflict("The stop was recorded, but no longer exists.");
    return recorded;
  });
}

/** How far ahead a stop can be recorded. */
const MOST_AHEAD_DAYS = 400;

/** What is wrong with a stop that is not over: it is planned. */
function faultsAhead(end: number, { isProgrammed = false }: Partial<StopFlags>, now: number): Fault[] {
  if (end <= now) return [];
  const message = `must be at most ${MOST_AHEAD_DAYS} days ahead`;
  const tooFar: Fault[] = end > now + MOST_AHEAD_DAYS * DAY_MS ? [{ pointer: "/endTime", code: "out_of_range", message }] : [];
  if (isProgrammed) return tooFar;
  return [
    ...tooFar,
    { pointer: "/isProgrammed", code: "not_allowed", message: "must be true for a stop that is not over: it is planned" },
  ];
}

/** Changes the name of a stop (null: the name of its cause or break), its flags, or both. Undefined members do not change. */
export async function changeStop(
  caller: Caller,
  id: number,
  version: Version,
  { name, flags }: { name?: string | null | undefined; flags: Partial<StopFlags> },
): Promise<SlicedStop> {
  if (name === undefined && Object.keys(flags).length === 0) {
    throw invalid([{ pointer: "/name", code: "required", message: "is required unless one of the flags is sent" }]);
  }
  return await once(caller, () =>
    editOne(caller, id, (seq) => ({ action: "change", seq, version, flags, ...(name !== undefined && { name }) })),
  );
}

/** Classifies a stop. */
export function classifyStop(caller: Caller, id: number, version: Version, why: CausesBody): Promise<SlicedStop> {
  return once(caller, () =>
    editOne(
      caller,
      id,
      (seq, known) => {
        const { causes, flags } = causesOf(why, known);
        if (!causes) {
          const message = "is required, or another cause, or a description";
          throw invalid([{ pointer: "/generalCauseId", code: "required", message }]);
        }
        return { action: "classify", seq, version, causes, flags };
      },
      causeIdsOf(why),
    ),
  );
}

/** Removes the classification of a stop. */
export function declassifyStop(caller: Caller, id: number, version: Version): Promise<SlicedStop> {
  return once(caller, () => editOne(caller, id, (seq) => ({ action: "classify", seq, version, causes: null, flags: {} })));
}

/** Splits a stop at an instant inside it. Returns both parts, the earlier one first. */
export function splitStop(caller: Caller, id: number, version: Version, at: number): Promise<{ data: SlicedStop[] }> {
  return once(caller, async () => ({ data: await editById(caller, id, (seq) => ({ action: "split", seq, version, at })) }));
}

/**
 * Merges adjacent stops of one machine.
 * @param versions the expected versions, in the order of `ids`; null: any
 */
export async function mergeStops(
  caller: Caller,
  ids: readonly number[],
  versions: readonly number[] | null,
): Promise<SlicedStop> {
  const records = ids.map(recordOf);
  const machineId = records[0]?.machineId ?? 0;
  const faults = records.flatMap((record, i): Fault[] =>
    record.machineId === machineId
      ? []
      : [{ pointer: `/ids/${i}`, code: "other_machine", message: "is a stop of another machine" }],
  );
  if (faults.length > 0) throw invalid(faults);
  return await once(caller, async () => {
    const context = await readStopContext(caller, machineId);
    if (!context) throw noStop(...ids);
    const seen = versions && { versions: [...versions] };
    const [merged] = await edit(caller, context, { action: "merge", seqs: records.map(({ seq }) => seq), ...seen }, ids);
    if (!merged) throw noStop(...ids);
    return merged;
  });
}

/** Deletes a manual stop. */
export function deleteStop(caller: Caller, id: number, version: Version): Promise<void> {
  return once(caller, async () => {
    await editById(caller, id, (seq) => ({ action: "delete", seq, version }));
  });
}

/** Puts what an orphaned edit said on another stop of its machine. */
export async function attachOrphanedEdit(caller: Caller, id: number, stopId: number): Promise<SlicedStop> {
  const { machineId, seq: n } = recordOf(id);
  const stop = recordOf(stopId);
  if (stop.machineId !== machineId) {
    throw invalid([{ pointer: "/stopId", code: "other_machine", message: "is a stop of another machine" }]);
  }
  return await once(caller, async () => {
    const context = await readStopContext(caller, machineId);
    if (!context) throw noOrphan(id);
    const [attached] = await edit(caller, context, { action: "attach", seq: stop.seq, version: null, n }, [], noOrphan(id));
    if (!attached) throw noOrphan(id);
    return attached;
  });
}

/** Forgets an orphaned edit. */
export function dropOrphanedEdit(caller: Caller, id: number): Promise<void> {
  return once(caller, async () => {
    const { machineId, seq: n } = recordOf(id);
    const context = await readStopContext(caller, machineId);
    if (!context) throw noOrphan(id);
    await edit(caller, context, { action: "drop", n }, [], noOrphan(id));
  });
}

function noOrphan(id: number): Problem {
  return notFound(`There is no orphaned edit ${id}.`);
}

/** The 404 for a stop, or for one of several. */
export function noStop(...ids: readonly number[]): Problem {
  return notFound(ids.length === 1 ? `There is no stop ${ids[0]}.` : "One of the stops does not exist.");
}

/** The machine whose stops are edited, and the causes that the request names. */
interface StopContext {
  machineId: number;
  companyId: number;
  machineName: string;
  isDeleted: boolean;
  configVersion: number;
  causes: StopCause[];
}

/** Builds the edit of a stop, given its number at its machine and the causes that the request names. */
type EditOf = (seq: number, causes: readonly StopCause[]) => StopEdit;

/** Reads the input of an edit; null if the caller has no such machine. One trip. */
async function readStopContext(
  { db, actor }: Caller,
  machineId: number,
  causeIds: readonly number[] = [],
): Promise<StopContext | null> {
  const { machine, causes } = await findMachineAndCauses(db, machineId, companyOf(actor), causeIds);
  if (!machine) return null;
  const { companyId, name: machineName, deletedAt, configVersion } = machine;
  return { machineId, companyId, machineName, isDeleted: deletedAt !== null, configVersion, causes };
}

/** Edits a stop. Returns the stop. */
async function editOne(caller: Caller, id: number, editOf: EditOf, causeIds: readonly number[] = []): Promise<SlicedStop> {
  const [stop] = await editById(caller, id, editOf, causeIds);
  if (!stop) throw noStop(id);
  return stop;
}

async function editById(caller: Caller, id: number, editOf: EditOf, causeIds: readonly number[] = []) {
  const { machineId, seq } = recordOf(id);
  const context = await readStopContext(caller, machineId, causeIds);
  if (!context) throw noStop(id);
  return await edit(caller, context, editOf(seq, context.causes), [id]);
}

/**
 * Lets the machine's object apply an edit. Returns the resulting stops, ordered by start.
 * @param ids the stops that the request names
 * @param missing what is thrown if the object does not find what the edit is about
 * @throws Problem if the object refuses the edit
 */
async function edit(
  caller: Caller,
  context: StopContext,
  what: StopEdit | OrphanEdit,
  ids: readonly number[],
  missing = noStop(...ids),
): Promise<SlicedStop[]> {
  const { env, request, objects } = caller;
  const { machineId, companyId, machineName, configVersion } = context;
  const by = editedBy(caller);
  const edited = await callMachine(
    env,
    machineId,
    (machine): Promise<OrphanDecided> =>
      "n" in what
        ? machine.decideOrphan(what, companyId, by, request, configVersion)
        : machine.editStops(what, companyId, by, request, configVersion),
    objects,
  );
  refuseIfClosed(edited, timeOf(what));
  if ("refused" in edited) throw problemOf(edited, missing);
  if (edited.bookmark !== null) caller.continueAt(edited.bookmark);

  const causes = new Map(context.causes.map((cause) => [cause.id, cause.name]));
  const causeIds = edited.stops.flat().flatMap((row) => [row.generalCauseId, row.specificCauseId, row.componentId]);
  const unnamed = causeIds.filter((id): id is number => id !== null && !causes.has(id));
  // A second trip for stops that were classified before: their causes are only known now.
  for (const { id, name } of unnamed.length > 0 ? await findCauses(caller.db, unnamed) : []) causes.set(id, name);

  const nameOf = (id: number | null) => (id === null ? null : (causes.get(id) ?? null));
  const now = Date.now();
  return edited.stops.flatMap((slices) => {
    const rows = slices.map((row) => ({
      ...row,
      machineName,
      generalCauseName: nameOf(row.generalCauseId),
      specificCauseName: nameOf(row.specificCauseId),
      componentName: nameOf(row.componentId),
    }));
    return slicedStopOf(rows, now) ?? [];
  });
}

/** The member of the request that decides at which time an edit is. */
function timeOf({ action }: StopEdit | OrphanEdit): string {
  if (action === "record") return "/startTime";
  if (action === "merge") return "/ids";
  return action === "attach" ? "/stopId" : "/path/id";
}

function problemOf(refusal: Extract<OrphanDecided, { refused: unknown }>, missing: Problem): Problem {
  if (refusal.refused === "invalid") {
    return invalid([{ pointer: `/${refusal.member}`, code: "out_of_range", message: refusal.message }]);
  }
  if (refusal.refused === "no_stop") return invalid([{ pointer: "/stopId", code: "not_found", message: refusal.message }]);
  return refusal.refused === "conflict" ? conflict(refusal.message) : missing;
}
