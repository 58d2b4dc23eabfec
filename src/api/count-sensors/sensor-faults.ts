import type { Fault } from "../../http/problem.ts";
import type { ChannelConfig, CurrentSensors } from "./queries.ts";

interface Entry {
  machineRef: string;
  configs: ChannelConfig[];
}

/** The lists of a request, by the names that its pointers use. */
export interface SensorChange {
  added: readonly Entry[];
  updated: readonly Entry[];
  deleted: readonly Pick<Entry, "machineRef">[];
}

interface SensorFault extends Fault {
  code: keyof typeof statuses;
}

const statuses = { repeated: 400, not_found: 404, not_configured: 404, already_configured: 409, channel_taken: 409 } as const;

/** The status that a refusal with these faults has: what is invalid comes before what is missing, and that before conflicts. */
export function statusOf(faults: readonly SensorFault[]): (typeof statuses)[SensorFault["code"]] {
  const found = new Set(faults.map(({ code }) => statuses[code]));
  return found.has(400) ? 400 : found.has(404) ? 404 : 409;
}

/** Everything that speaks against a change of the current set-up; empty when it can be made. */
export function faultsOf(change: SensorChange, current: CurrentSensors): SensorFault[] {
  return [...machineFaults(change, current), ...channelFaults(change, current)];
}

function machineFaults(change: SensorChange, { machines }: CurrentSensors): SensorFault[] {
  const known = new Map(machines.map((machine) => [machine.ref, machine]));
  const seen = new Set<string>();
  const faults: SensorFault[] = [];
  for (const list of ["added", "updated", "deleted"] as const) {
    for (const [i, { machineRef }] of change[list].entries()) {
      const refuse = (code: SensorFault["code"], message: string) =>
        faults.push({ pointer: `/${list}/${i}/machineRef`, code, message });
      const machine = known.get(machineRef);
      const isConfigured = machine?.configuredId !== null;
      if (seen.has(machineRef)) refuse("repeated", "names a machine that an entry before names");
      else if (!machine) refuse("not_found", "names no machine of the company");
      else if (list === "added" && isConfigured) refuse("already_configured", "names a machine that has count sensors");
      else if (list !== "added" && !isConfigured) refuse("not_configured", "names a machine that has no count sensors");
      seen.add(machineRef);
    }
  }
  return faults;
}

function channelFaults(change: SensorChange, { channels }: CurrentSensors): SensorFault[] {
  const keyOf = ({ nodeId, channel }: { nodeId: number; channel: number }) => `${nodeId}/${channel}`;
  const holders = new Map(channels.map((fed) => [keyOf(fed), fed.ref]));
  const released = new Set([...change.updated, ...change.deleted].map((entry) => entry.machineRef));
  const seen = new Set<string>();
  const faults: SensorFault[] = [];
  for (const list of ["added", "updated"] as const) {
    for (const [i, { machineRef, configs }] of change[list].entries()) {
      for (const [j, config] of configs.entries()) {
        const pointer = `/${list}/${i}/configs/${j}/channel`;
        const holder = holders.get(keyOf(config));
        const isTaken = holder !== undefined && holder !== machineRef && !released.has(holder);
        if (seen.has(keyOf(config)))
          faults.push({ pointer, code: "repeated", message: "is a channel of this node given before" });
        else if (isTaken) faults.push({ pointer, code: "channel_taken", message: `feeds machine ${holder}` });
        seen.add(keyOf(config));
      }
    }
  }
  return faults;
}
