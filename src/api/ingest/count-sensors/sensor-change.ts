import { type Fault, refusal } from "../../../core/problem.ts";
import { channelSetOf } from "../../../oee/events.ts";
import { append, maxOf } from "../../../oee/extremes.ts";
import { isoOf } from "../../../oee/time.ts";
import type { ChannelConfig, ChannelRow, CurrentSensors, SensorRows, Sensors, SentChannel } from "./queries.ts";

/** The wanted count sensors of a machine. */
export interface SensorEntry {
  /** JSON pointer of the entry in the body: `/added/0`; empty if the body is the entry. */
  pointer: string;
  /** `added` is for machines without count sensors, `updated` and `deleted` for machines that have some, `set` for both. */
  kind: "added" | "updated" | "deleted" | "set";
  machineRef: string;
  isCountEnabled: boolean;
  configs: readonly SentChannel[];
}

/** A fault in an entry. */
export interface SensorFault extends Fault {
  code: keyof typeof statuses;
}

/** The effect of a change, without its times. */
export interface SensorDiff {
  /** The machines whose count sensors are changed or added; `sensors` is null if they are removed. */
  machines: { machineId: number; sensors: Sensors | null; hadChannels: boolean }[];
  /** Rows in force that end. */
  lost: ChannelRow[];
  /** Channels that are new to their machine or whose meaning changes. */
  gained: { machine: CurrentSensors["machines"][number]; isCounted: boolean; config: ChannelConfig; before: ChannelRow | null }[];
  /** The machines for which the time of the newest event is needed. */
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

/** The status of a refusal with these faults: 400 takes precedence over 404, and 404 over 409. */
export function statusOf(faults: readonly SensorFault[]): (typeof statuses)[SensorFault["code"]] {
  const found = new Set(faults.map(({ code }) => statuses[code]));
  return found.has(400) ? 400 : found.has(404) ? 404 : 409;
}

/** All faults of a change. */
export function faultsOf(entries: readonly SensorEntry[], current: CurrentSensors): SensorFault[] {
  return [...machineFaults(entries, current), ...channelFaults(entries, current), ...entries.flatMap(typeFaults)];
}

/** The effect of a change without faults. */
export function diffOf(entries: readonly SensorEntry[], { machines, channels }: CurrentSensors): SensorDiff {
  const diff: SensorDiff = { machines: [], lost: [], gained: [], asked: [] };
  const newest = newestRows(channels);
  for (const { kind, machineRef, isCountEnabled, configs } of entries) {
    const machine = machines.find(({ ref }) => ref === machineRef);
    if (!machine) continue;
    const { machineId, hadChannels } = machine;
    const ownWrapsAt = (row: ChannelRow | undefined) => (row?.machineId === machineId && row.until === null ? row.wrapsAt : null);
    const complete = (config: SentChannel) => ({ wrapsAt: ownWrapsAt(newest.get(keyOf(config))), ...config });
    const sensors = kind === "deleted" ? null : { isCountEnabled, configs: configs.map(complete) };
    const wanted = (sensors?.configs ?? []).map((config) => ({ config, before: newest.get(keyOf(config)) ?? null }));
    const gained = wanted.filter(({ config, before }) => !isSame(before, machineId, config, isCountEnabled));
    const staying = new Set(wanted.filter((one) => !gained.includes(one)).map(({ before }) => before));
    const lost = channels.filter((row) => row.machineId === machineId && row.until === null && !staying.has(row));
    const isSwitched = machine.isCountEnabled !== (sensors?.isCountEnabled ?? null);
    if (gained.length + lost.length > 0 || isSwitched) diff.machines.push({ machineId, sensors, hadChannels });
    append(diff.lost, lost);
    for (const one of gained) diff.gained.push({ machine, isCounted: isCountEnabled, ...one });
  }
  const gaining = diff.gained.filter(({ machine }) => machine.hadChannels).map(({ machine }) => machine.machineId);
  const losing = [...diff.lost, ...diff.gained.flatMap(({ before }) => before ?? [])].map(({ machineId }) => machineId);
  diff.asked = [...new Set([...losing, ...gaining])];
  return diff;
}

/** Faults of the time from which a change is to hold. */
export function dateFaults(
  { effectiveFrom, reason }: { effectiveFrom?: number | undefined; reason?: string | undefined },
  commissionedAt: number,
): Fault[] {
  if (effectiveFrom === undefined) return [];
  const pointer = "/effectiveFrom";
  return [
    ...(effectiveFrom > Date.now() ? [{ pointer, code: "out_of_range" as const, message: "must not be in the future" }] : []),
    ...(effectiveFrom < commissionedAt
      ? [{ pointer, code: "out_of_range" as const, message: "is before the machine's commissioning" }]
      : []),
    ...(reason === undefined
      ? [{ pointer: "/reason", code: "required" as const, message: "is required for a change of the past" }]
      : []),
  ];
}

/** Refuses to change the past before the last change of a channel: what it meant before that would be lost. */
export function refuseBetween({ lost, gained }: SensorDiff, from: number): void {
  const changes = [...lost.map(({ since }) => since), ...gained.map(({ before }) => before?.until ?? 0)];
  const last = maxOf([0, ...changes]);
  if (last <= from) return;
  const message = `must not be before ${isoOf(last)}, when one of these channels was changed last`;
  throw refusal(409, [{ pointer: "/effectiveFrom", code: "out_of_range", message }]);
}

/**
 * The rows of a change. The change is in force from `now` on. For a machine that has not received an event yet, it is in force from the time
 * its channels are free, because nothing was counted with the previous sensors.
 * @param heardAt the time of the newest event of each machine in `asked`; null: none received yet
 * @param effectiveFrom from when it is in force, if somebody said so
 */
export function rowsOf(
  diff: SensorDiff,
  heardAt: ReadonlyMap<number, number | null>,
  now: number,
  effectiveFrom?: number,
): SensorRows {
  const from = effectiveFrom ?? now;
  const newsOf = (machineId: number) => heardAt.get(machineId) ?? null;
  /** Events that a gateway sent ahead of the clock keep the sensors they were counted with. Without any events, a row ends at its own start. */
  const endOf = ({ machineId, since }: ChannelRow) => {
    const news = newsOf(machineId);
    if (news === null) return since;
    return effectiveFrom === undefined ? Math.max(since, now, news + 1) : Math.max(since, effectiveFrom);
  };
  const lost = diff.lost.map((row) => ({ ...row, until: endOf(row) }));
  const unused = diff.gained.flatMap(({ before }) =>
    before && before.until !== null && newsOf(before.machineId) === null ? [before] : [],
  );
  const added = diff.gained.map(({ machine, isCounted, config, before }): ChannelRow => {
    const { machineId, hadChannels } = machine;
    const isUnused = before !== null && newsOf(before.machineId) === null;
    const freeAt = before === null ? 0 : isUnused ? before.since : (before.until ?? endOf(before));
    // An additional channel changes the meaning of the machine's other channels.
    const isFirst = !hadChannels || newsOf(machineId) === null;
    const { nodeId, channel, type, countingFactor, wrapsAt } = config;
    const since = isFirst ? freeAt : Math.max(freeAt, from);
    return { nodeId, channel, since, until: null, machineId, type, countingFactor, wrapsAt, isCounted };
  });
  return {
    deleted: [...lost.filter(({ since, until }) => since === until), ...unused],
    ended: lost.filter(({ since, until }) => since < until),
    added,
  };
}

function isSame(row: ChannelRow | null, machineId: number, config: ChannelConfig, isCounted: boolean): boolean {
  if (row?.until !== null || row.machineId !== machineId || row.isCounted !== isCounted) return false;
  return row.type === config.type && row.countingFactor === config.countingFactor && row.wrapsAt === config.wrapsAt;
}

/** The newest row of each channel. */
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
    if (seen.has(machineRef)) refuse("repeated", "is already in an earlier entry");
    else if (!machine) refuse("not_found", "is not a machine of this company");
    else if (kind === "added" && isConfigured)
      refuse("already_configured", "is a machine that already has count sensors: put it into `updated`");
    else if ((kind === "updated" || kind === "deleted") && !isConfigured)
      refuse("not_configured", "is a machine without count sensors: put it into `added`");
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
      if (seen.has(key)) refuse("repeated", "is already given for this node");
      else if (ref !== undefined && ref !== machineRef && !released.has(ref))
        refuse("channel_taken", `already feeds machine ${ref}`);
      seen.add(key);
    }
  }
  return faults;
}

/** Faults of channel types: with total and good units the defects are known, and a channel that counts defects could contradict them. */
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
