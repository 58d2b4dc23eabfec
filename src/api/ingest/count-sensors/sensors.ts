import { companyOf, oneCompanyOf } from "../../../core/actor.ts";
import type { Caller, Reader } from "../../../core/caller.ts";
import { type PageQuery, readPage } from "../../../core/cursor.ts";
import { notFound, type Problem, refusal } from "../../../core/problem.ts";
import { type Decision, decideOnly, write } from "../../../core/write.ts";
import { eachOf, OBJECTS_AT_ONCE } from "../../../limits/load.ts";
import { countKeptAfterwards } from "../../../objects/hubs.ts";
import { callMachine } from "../../../objects/machines.ts";
import { configureMachines, raisedBy } from "../../../objects/notify-machines.ts";
import { isoOf } from "../../../oee/time.ts";
import { dryRunOf, type Tried, tryChange } from "../../../resource/dry-run.ts";
import { refuseDates, refuseForgotten } from "../../../resource/plan-change.ts";
import { refuse } from "../../../resource/rules.ts";
import { inOrder } from "./members.ts";
import {
  type CurrentSensors,
  changeChannels,
  currentOf,
  isSameVersion,
  raiseMachineVersions,
  raiseSensorsVersion,
  replaceSensors,
  type SensorScope,
  type Sensors,
  type SentChannel,
  selectCurrent,
  selectSensors,
} from "./queries.ts";
import {
  dateFaults,
  diffOf,
  faultsOf,
  refuseBetween,
  rowsOf,
  type SensorDiff,
  type SensorEntry,
  statusOf,
} from "./sensor-change.ts";

/** A page of the machines of a company that have count sensors. */
export function listSensors(
  { db, actor }: Reader,
  query: PageQuery & { companyId?: number | undefined; cursor?: [number] | undefined },
) {
  const companyId = oneCompanyOf(actor, query.companyId);
  return readPage(db, query, {
    select: ({ cursor, limit }) => selectSensors(db, companyId, { after: cursor?.[0], limit: limit + 1 }),
    keysOf: ({ machineId }) => [machineId],
    itemOf: ({ isCountEnabled, configs, ...machine }) => {
      return { ...machine, isCountEnabled: isCountEnabled === 1, configs: inOrder(configs) };
    },
  });
}

/** Adds, replaces and deletes count sensors of a company's machines, all or nothing. */
export async function changeSensors(caller: Caller, companyId: number, entries: readonly SensorEntry[]): Promise<void> {
  const refs = entries.map(({ machineRef }) => machineRef);
  const wanted = entries.flatMap(({ configs }) => configs);
  const noCompany = refusal(404, [{ pointer: "/companyId", code: "not_found", message: "is not the id of a company" }]);
  await change(caller, { companyId, refs }, wanted, noCompany, () => ({ entries, answer: undefined }));
}

/** A change and its answer, given the current sensors. */
type EntriesOf<T> = (current: CurrentSensors) => {
  entries: readonly SensorEntry[];
  answer: T;
  dates?: { effectiveFrom: number; reason: string | undefined } | undefined;
};

/** Count sensors of a machine, and from when they hold, if not from now on. */
interface DatedSensors extends Sensors {
  effectiveFrom?: number | undefined;
  reason?: string | undefined;
  dryRun?: boolean | undefined;
}

/** Sets the count sensors of a machine, whether or not it has any. Returns them. */
export async function setSensors(
  caller: Caller,
  machineId: number,
  { effectiveFrom, reason, dryRun = false, ...sensors }: DatedSensors,
) {
  if (effectiveFrom !== undefined) refuseDates(caller);
  const scope = { machineId, companyId: companyOf(caller.actor) };
  const noMachine = notFound(`There is no machine ${machineId}.`);
  const entriesOf = ({ machines: [machine] }: CurrentSensors) => {
    const machineRef = machine?.ref ?? "";
    refuse(dateFaults({ effectiveFrom, reason }, machine?.commissionedAt ?? 0));
    return {
      dates: effectiveFrom === undefined ? undefined : { effectiveFrom, reason },
      entries: [{ pointer: "", kind: "set" as const, machineRef, ...sensors }],
      answer: { machineId, machineRef, ...sensors, configs: inOrder(sensors.configs) },
    };
  };
  if (!dryRun) return await change(caller, scope, sensors.configs, noMachine, entriesOf);
  const { answer, tried } = await decideOnly(
    caller,
    (db) => selectCurrent(db, scope, sensors.configs),
    async (...found) => await decideSensors(caller, currentOf(...found), noMachine, entriesOf),
  );
  return { ...answer, dryRun: tried ? await tryChange(caller, tried) : dryRunOf(null, 0, []) };
}

/**
 * Stores a change, and notifies the machines that had channels before: from the moment the request is answered, they refuse counts that were
 * routed by the previous sensors.
 * @param wanted the channels that the change brings into force
 * @param nothing thrown if nothing in the scope exists
 * @param entriesOf returns the change and its answer, given the current sensors
 * @throws Problem that names every fault
 */
async function change<T>(
  caller: Caller,
  scope: SensorScope,
  wanted: readonly SentChannel[],
  nothing: Problem,
  entriesOf: EntriesOf<T>,
): Promise<T> {
  let current: CurrentSensors | undefined;
  const { answer, results } = await write(
    caller,
    (db) => selectCurrent(db, scope, wanted),
    async (...found) => {
      current = currentOf(...found);
      return await decideSensors(caller, current, nothing, entriesOf);
    },
  );
  const { companyId, machineIds } = raisedBy(results);
  if (companyId !== null) await configureMachines(caller.env, companyId, machineIds, caller.objects);
  if (current && results.length > 0) countKeptAfterwards(caller, current.companyId);
  return answer;
}

/** Decides on a change of count sensors. */
export async function decideSensors<T>(
  caller: Caller,
  current: CurrentSensors | undefined,
  nothing: Problem,
  entriesOf: EntriesOf<T>,
): Promise<Decision<T> & { tried?: Tried }> {
  if (!current) throw nothing;
  const { entries, answer, dates } = entriesOf(current);
  const faults = faultsOf(entries, current);
  if (faults.length > 0) throw refusal(statusOf(faults), faults);
  const diff = diffOf(entries, current);
  if (diff.machines.length === 0) return { answer };

  const heardAt = await heardAtOf(caller, diff.asked);
  const now = Date.now();
  const { db } = caller;
  const { companyId } = current;
  if (dates) {
    refuseBetween(diff, dates.effectiveFrom);
    await refuseForgotten(caller, companyId, idsOf(diff), dates.effectiveFrom);
  }
  const shown = dates && { effectiveFrom: isoOf(dates.effectiveFrom), reason: dates.reason };
  const channels = rowsOf(diff, heardAt, now, dates?.effectiveFrom);
  return {
    ...(dates && { past: { companyId, from: dates.effectiveFrom, pointer: "/effectiveFrom" } }),
    expect: [isSameVersion(current)],
    rows: [
      raiseMachineVersions(db, addressedIn(diff)),
      raiseSensorsVersion(db, current),
      ...replaceSensors(db, idsOf(diff), sensorsAfter(diff), now),
      ...changeChannels(db, companyId, channels),
    ],
    audit: {
      action: "count-sensors.change",
      companyId,
      objectId: companyId,
      before: { sensors: sensorsBefore(diff, current) },
      after: { sensors: sensorsAfter(diff), ...shown },
    },
    answer,
    tried: {
      ...{ companyId, machines: addressedIn(diff), from: dates?.effectiveFrom ?? now, until: null },
      ...{ reason: dates?.reason ?? null, change: { channels } },
    },
  };
}

/** The time of the newest event of each machine, from the objects: D1 receives events later. */
async function heardAtOf({ env, objects }: Caller, machineIds: readonly number[]): Promise<Map<number, number | null>> {
  const heardAt = new Map<number, number | null>();
  await eachOf(machineIds, OBJECTS_AT_ONCE, async (machineId) => {
    heardAt.set(machineId, await callMachine(env, machineId, (machine) => machine.heardAt(), objects));
  });
  return heardAt;
}

function idsOf({ machines }: SensorDiff): number[] {
  return machines.map(({ machineId }) => machineId);
}

/** The machines that had channels before, to which counts were routed. */
function addressedIn({ machines }: SensorDiff): number[] {
  return machines.flatMap(({ machineId, hadChannels }) => (hadChannels ? [machineId] : []));
}

/** The count sensors that a change replaces, as the audit records them. */
function sensorsBefore(diff: SensorDiff, { machines, channels }: CurrentSensors) {
  const changed = new Set(idsOf(diff));
  return machines.flatMap(({ machineId, isCountEnabled }) => {
    if (isCountEnabled === null || !changed.has(machineId)) return [];
    const own = channels.filter((row) => row.machineId === machineId && row.until === null);
    const configs = own.map(({ type, countingFactor, channel, nodeId, wrapsAt }) => ({
      type,
      countingFactor,
      channel,
      nodeId,
      wrapsAt,
    }));
    return [{ machineId, isCountEnabled, configs }];
  });
}

function sensorsAfter({ machines }: SensorDiff) {
  return machines.flatMap(({ machineId, sensors }) => (sensors ? [{ machineId, ...sensors }] : []));
}
