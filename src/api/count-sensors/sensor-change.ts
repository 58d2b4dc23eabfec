import type { Fault } from "../../core/problem.ts";
import { channelSetOf } from "../../oee/events.ts";
import type { ChannelConfig, ChannelRow, CurrentSensors, SensorRows, Sensors } from "./queries.ts";

/** What the count sensors of a machine are to be. */
export interface SensorEntry extends Sensors {
  /** Where the request has it: `/added/0`; empty where the body is the entry. */
  pointer: string;
  /** `added` wants a machine without count sensors, `updated` and `deleted` one that has some, `set` takes either. */
  kind: "added" | "updated" | "deleted" | "set";
  machineRef: string;
}

/** What is wrong with an entry. */
export interface SensorFault extends Fault {
  code: keyof typeof statuses;
}

/** What a change does, before it is known since when. */
export interface SensorDiff {
  /** The machines whose count sensors are others then, and what those are; null: it has none any more. */
  machines: { machineId: number; sensors: Sensors | null; hadChannels: boolean }[];
  /** Rows that are in force and end. */
  lost: ChannelRow[];
  /** Channels that a machine gets, or has anew. */
  gained: { machine: CurrentSensors["machines"][number]; isCounted: boolean; config: ChannelConfig; before: ChannelRow | null }[];
  /** The machines of which it matters whether they were heard of. */
  asked: number[];
}

const statuses = {
  repeated: 400,
  overlapping_types: 400,
  not_found: 404,
  not_configured: 404,
  already_configured: 409,
  channel_taken: 409,
} as const;

/** The status that a refusal with these faults has: what is invalid comes before what is missing, and that before conflicts. */
export function statusOf(faults: readonly SensorFault[]): (typeof statuses)[SensorFault["code"]] {
  const found = new Set(faults.map(({ code }) => statuses[code]));
  return found.has(400) ? 400 : found.has(404) ? 404 : 409;
}

/** Everything that speaks against a change of the current set-up; empty when it can be made. */
export function faultsOf(entries: readonly SensorEntry[], current: CurrentSensors): SensorFault[] {
  return [...machineFaults(entries, current), ...channelFaults(entries, current), ...entries.flatMap(typeFaults)];
}

/** What a change without faults comes to. */
export function diffOf(entries: readonly SensorEntry[], { machines, channels }: CurrentSensors): SensorDiff {
  const diff: SensorDiff = { machines: [], lost: [], gained: [], asked: [] };
  const newest = newestRows(channels);
  for (const { kind, machineRef, isCountEnabled, configs } of entries) {
    const machine = machines.find(({ ref }) => ref === machineRef);
    if (!machine) continue;
    const { machineId, hadChannels } = machine;
    const sensors = kind === "deleted" ? null : { isCountEnabled, configs };
    const wanted = (sensors?.configs ?? []).map((config) => ({ config, before: newest.get(keyOf(config)) ?? null }));
    const gained = wanted.filter(({ config, before }) => !isSame(before, machineId, config, isCountEnabled));
    const staying = new Set(wanted.filter((one) => !gained.includes(one)).map(({ before }) => before));
    const lost = channels.filter((row) => row.machineId === machineId && row.until === null && !staying.has(row));
    const isSwitched = machine.isCountEnabled !== (sensors?.isCountEnabled ?? null);
    if (gained.length + lost.length > 0 || isSwitched) diff.machines.push({ machineId, sensors, hadChannels });
    diff.lost.push(...lost);
    diff.gained.push(...gained.map((one) => ({ machine, isCounted: isCountEnabled, ...one })));
  }
  const gaining = diff.gained.filter(({ machine }) => machine.hadChannels).map(({ machine }) => machine.machineId);
  const losing = [...diff.lost, ...diff.gained.flatMap(({ before }) => before ?? [])].map(({ machineId }) => machineId);
  diff.asked = [...new Set([...losing, ...gaining])];
  return diff;
}

/**
 * The rows of a change that is made `now`. It holds from then on; where a machine was not heard of yet it holds from as early as its
 * channels are free, because nothing was counted by what was before.
 * @param heardAt of the machines in `asked`, the time of the newest event; null: not heard of yet
 */
export function rowsOf(diff: SensorDiff, heardAt: ReadonlyMap<number, number | null>, now: number): SensorRows {
  const newsOf = (machineId: number) => heardAt.get(machineId) ?? null;
  /** What a gateway told ahead of the clock stays as it was counted. What nobody was heard of by never was in force. */
  const endOf = ({ machineId, since }: ChannelRow) => {
    const news = newsOf(machineId);
    return news === null ? since : Math.max(since, now, news + 1);
  };
  const lost = diff.lost.map((row) => ({ ...row, until: endOf(row) }));
  const unused = diff.gained.flatMap(({ before }) =>
    before && before.until !== null && newsOf(before.machineId) === null ? [before] : [],
  );
  const added = diff.gained.map(({ machine, isCounted, config, before }): ChannelRow => {
    const { machineId, hadChannels } = machine;
    const isUnused = before !== null && newsOf(before.machineId) === null;
    const freeAt = before === null ? 0 : isUnused ? before.since : (before.until ?? endOf(before));
    // A further channel changes what the others of its machine count.
    const isFirst = !hadChannels || newsOf(machineId) === null;
    const { nodeId, channel, type, countingFactor } = config;
    const since = isFirst ? freeAt : Math.max(freeAt, now);
    return { nodeId, channel, since, until: null, machineId, type, countingFactor, isCounted };
  });
  return {
    deleted: [...lost.filter(({ since, until }) => since === until), ...unused],
    ended: lost.filter(({ since, until }) => since < until),
    added,
  };
}

function isSame(row: ChannelRow | null, machineId: number, config: ChannelConfig, isCounted: boolean): boolean {
  if (row?.until !== null || row.machineId !== machineId || row.isCounted !== isCounted) return false;
  return row.type === config.type && row.countingFactor === config.countingFactor;
}

/** The newest row of each channel's history. */
function newestRows(rows: readonly ChannelRow[]): Map<string, ChannelRow> {
  return new Map(rows.toSorted((a, b) => a.since - b.since).map((row) => [keyOf(row), row]));
}

function machineFaults(entries: readonly SensorEntry[], { machines }: CurrentSensors): SensorFault[] {
  const known = new Map(machines.map((machine) => [machine.ref, machine]));
  const seen = new Set<string>();
  const faults: SensorFault[] = [];
  for (const { pointer, kind, machineRef } of entries) {
    const refuse = (code: SensorFault["code"], message: string) =>
      faults.push({ pointer: `${pointer}/machineRef`, code, message });
    const machine = known.get(machineRef);
    const isConfigured = machine !== undefined && machine.isCountEnabled !== null;
    if (seen.has(machineRef)) refuse("repeated", "names a machine that an entry before names");
    else if (!machine) refuse("not_found", "names no machine of the company");
    else if (kind === "added" && isConfigured) refuse("already_configured", "names a machine that has count sensors");
    else if ((kind === "updated" || kind === "deleted") && !isConfigured)
      refuse("not_configured", "names a machine that has no count sensors");
    seen.add(machineRef);
  }
  return faults;
}

function channelFaults(entries: readonly SensorEntry[], { channels }: CurrentSensors): SensorFault[] {
  const holders = new Map(channels.filter(({ until }) => until === null).map((row) => [keyOf(row), row.machineRef]));
  const released = new Set(entries.filter(({ kind }) => kind !== "added").map(({ machineRef }) => machineRef));
  const seen = new Set<string>();
  const faults: SensorFault[] = [];
  for (const { pointer, kind, machineRef, configs } of entries) {
    for (const [j, config] of kind === "deleted" ? [] : configs.entries()) {
      const key = keyOf(config);
      const refuse = (code: SensorFault["code"], message: string) =>
        faults.push({ pointer: `${pointer}/configs/${j}/channel`, code, message });
      const ref = holders.get(key);
      if (seen.has(key)) refuse("repeated", "is a channel of this node given before");
      else if (ref !== undefined && ref !== machineRef && !released.has(ref)) refuse("channel_taken", `feeds machine ${ref}`);
      seen.add(key);
    }
  }
  return faults;
}

/** Good units beside a total say which ones are defects: a channel that counts defects as well would contradict it. */
function typeFaults({ pointer, kind, configs }: SensorEntry): SensorFault[] {
  if (kind === "deleted") return [];
  const types = configs.map(({ type }) => type);
  const { hasCycleChannel, hasTotalChannel, hasGoodChannel } = channelSetOf(types);
  const hasDefects = types.includes("defect") || types.includes("rework");
  if (!(hasCycleChannel || hasTotalChannel) || !hasGoodChannel || !hasDefects) return [];
  const message =
    "has total or cycle, good, and defect or rework channels together: defects are what is not good of the total. Leave out good, or defect and rework";
  return [{ pointer: `${pointer}/configs`, code: "overlapping_types", message }];
}

function keyOf({ nodeId, channel }: { nodeId: number; channel: number }): string {
  return `${nodeId}/${channel}`;
}
