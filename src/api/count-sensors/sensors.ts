import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { eachOf, OBJECTS_AT_ONCE } from "../../core/load.ts";
import { type Fault, notFound, Problem } from "../../core/problem.ts";
import { write } from "../../core/write.ts";
import { callMachine } from "../../machine/stub.ts";
import { type ChangedMachine, tellMachines } from "../../machine/tell-machines.ts";
import { inOrder } from "./members.ts";
import {
  type ChannelConfig,
  type CurrentSensors,
  changeChannels,
  currentOf,
  isSameVersion,
  raiseMachineVersions,
  raiseSensorsVersion,
  replaceSensors,
  type SensorScope,
  type Sensors,
  selectCurrent,
} from "./queries.ts";
import { diffOf, faultsOf, rowsOf, type SensorDiff, type SensorEntry, statusOf } from "./sensor-change.ts";

/** Adds, replaces and deletes count sensors of a company's machines, all or nothing. */
export async function changeSensors(caller: Caller, companyId: number, entries: readonly SensorEntry[]): Promise<void> {
  const refs = entries.map(({ machineRef }) => machineRef);
  const wanted = entries.flatMap(({ configs }) => configs);
  const noCompany = refusal(404, [{ pointer: "/companyId", code: "not_found", message: "names no company" }]);
  await change(caller, { companyId, refs }, wanted, noCompany, () => ({ entries, answer: undefined }));
}

/** Replaces the count sensors of a machine, whether it has any or not, and gives them as they are shown. */
export async function setSensors(caller: Caller, machineId: number, sensors: Sensors) {
  const scope = { machineId, companyId: companyOf(caller.actor) };
  const noMachine = notFound(`There is no machine ${machineId}.`);
  return await change(caller, scope, sensors.configs, noMachine, ({ machines: [machine] }) => {
    const machineRef = machine?.ref ?? "";
    return {
      entries: [{ pointer: "", kind: "set", machineRef, ...sensors }],
      answer: { machineId, machineRef, ...sensors, configs: inOrder(sensors.configs) },
    };
  });
}

/**
 * Stores a change, and tells the machines that had channels before: from the answer on they take no counts that were addressed by what was
 * before.
 * @param wanted the channels that are to be in force
 * @param nothing thrown if the scope names nothing that is there
 * @param entriesOf gives the change and its answer for what is there now
 * @throws Problem that names every fault
 */
async function change<T>(
  caller: Caller,
  scope: SensorScope,
  wanted: readonly ChannelConfig[],
  nothing: Problem,
  entriesOf: (current: CurrentSensors) => { entries: readonly SensorEntry[]; answer: T },
): Promise<T> {
  const { answer, results } = await write(
    caller,
    (db) => selectCurrent(db, scope, wanted),
    async (...found) => {
      const current = currentOf(...found);
      if (!current) throw nothing;
      const { entries, answer } = entriesOf(current);
      const faults = faultsOf(entries, current);
      if (faults.length > 0) throw refusal(statusOf(faults), faults);
      const diff = diffOf(entries, current);
      if (diff.machines.length === 0) return { answer };

      const heardAt = await heardAtOf(caller, diff.asked);
      const now = Date.now();
      const { db } = caller;
      const { companyId } = current;
      return {
        expect: [isSameVersion(current)],
        rows: [
          raiseMachineVersions(db, addressedIn(diff)),
          raiseSensorsVersion(db, current),
          ...replaceSensors(db, idsOf(diff), sensorsAfter(diff), now),
          ...changeChannels(db, companyId, rowsOf(diff, heardAt, now)),
        ],
        audit: {
          action: "count-sensors.change",
          companyId,
          objectId: companyId,
          before: { sensors: sensorsBefore(diff, current) },
          after: { sensors: sensorsAfter(diff) },
        },
        answer,
      };
    },
  );
  const [told = []] = results;
  await tellMachines(caller.env, told as ChangedMachine[], caller.objects);
  return answer;
}

/** When each machine was last heard of. Their objects know: D1 hears of an event later. */
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

/** The machines to which counts went by what was before. */
function addressedIn({ machines }: SensorDiff): number[] {
  return machines.flatMap(({ machineId, hadChannels }) => (hadChannels ? [machineId] : []));
}

/** The count sensors of the machines that a change is about, as the audit keeps them. */
function sensorsBefore(diff: SensorDiff, { machines, channels }: CurrentSensors) {
  const changed = new Set(idsOf(diff));
  return machines.flatMap(({ machineId, isCountEnabled }) => {
    if (isCountEnabled === null || !changed.has(machineId)) return [];
    const own = channels.filter((row) => row.machineId === machineId && row.until === null);
    const configs = own.map(({ type, countingFactor, channel, nodeId }) => ({ type, countingFactor, channel, nodeId }));
    return [{ machineId, isCountEnabled, configs }];
  });
}

function sensorsAfter({ machines }: SensorDiff) {
  return machines.flatMap(({ machineId, sensors }) => (sensors ? [{ machineId, ...sensors }] : []));
}

function refusal(status: 400 | 404 | 409, errors: readonly Fault[]): Problem {
  const [first] = errors;
  const detail = errors.length === 1 ? `${first?.pointer}: ${first?.message}` : `${errors.length} faults, see errors.`;
  return new Problem(status, detail, { errors });
}
