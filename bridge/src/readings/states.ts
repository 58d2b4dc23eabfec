import type { SignalConfig } from "../config/signal.ts";

const machineStates = ["running", "idle", "down", "setup", "maintenance", "unavailable"] as const;
export type MachineState = (typeof machineStates)[number];

/** PackML's states (ISA-TR88.00.02) by number, and what each means in Andon: only `Execute` produces. */
const packml: readonly [name: string, state: MachineState][] = [
  ["clearing", "down"],
  ["stopped", "down"],
  ["starting", "idle"],
  ["idle", "idle"],
  ["suspended", "idle"],
  ["execute", "running"],
  ["stopping", "down"],
  ["aborting", "down"],
  ["aborted", "down"],
  ["holding", "down"],
  ["held", "down"],
  ["unholding", "idle"],
  ["suspending", "idle"],
  ["unsuspending", "idle"],
  ["resetting", "idle"],
  ["completing", "idle"],
  ["complete", "idle"],
];
const ofPackml = new Map(
  packml.flatMap(([name, state], index): [string, MachineState][] => [
    [name, state],
    [String(index + 1), state],
  ]),
);

/** The values of MTConnect's Execution. */
const execution = new Map<string, MachineState>([
  ["active", "running"],
  ["unavailable", "unavailable"],
  ...[
    "ready",
    "stopped",
    "interrupted",
    "feed_hold",
    "program_stopped",
    "program_completed",
    "optional_stop",
    "program_optional_stop",
    "wait",
  ].map((value): [string, MachineState] => [value, "idle"]),
]);

/** What a value of a state signal means; null: nobody says. Without a table, the values are the names of Andon's states. */
export function stateOf({ states }: SignalConfig, value: string): MachineState | null {
  if (states === "packml") return ofPackml.get(value.toLowerCase()) ?? null;
  if (states === "execution") return execution.get(value.toLowerCase()) ?? null;
  if (states !== undefined) return Object.hasOwn(states, value) ? (states[value] ?? null) : null;
  return machineStates.find((state) => state === value.toLowerCase()) ?? null;
}
