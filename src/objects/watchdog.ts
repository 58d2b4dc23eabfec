import { healthObjectOf } from "./names.ts";

/** What is wrong with machines, over all of them. */
export interface Health {
  parkedRows: number;
  /** The number of machines whose alarm fails. */
  degradedMachines: number;
  /** The number of rows of machines' objects that cannot be read. */
  unreadableRows: number;
  /** The number of machines that D1 lately showed in a shift that had ended. */
  silentMachines: number;
  /** The number of machines that did not answer when they were last called. */
  unansweredMachines: number;
}

/** The methods of the object that `/health` calls. It belongs to no machine: machines report to it what is wrong with them. */
export interface HealthObject {
  health(): Promise<Health>;
  /** These keep their names: during a gradual deployment, objects of two versions call each other. */
  noteParked(machineId: number, rows: number): Promise<void>;
  noteUnreadable(machineId: number, rows: number): Promise<void>;
  noteDegraded(machineId: number, isDegraded: boolean): Promise<void>;
  noteSilent(machines: number): Promise<void>;
  noteRollCall(part: number, unanswered: number): Promise<void>;
}

export function healthObject(env: Env): HealthObject {
  return healthObjectOf(env) as unknown as HealthObject;
}
