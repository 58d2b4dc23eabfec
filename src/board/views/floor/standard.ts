import { second } from "../../app/clock.ts";
import { standardPerHour } from "../../domain/shift-hours.ts";
import type { MachineStore } from "./machine-store.ts";

/** The units per hour that the standard asks for; null: there is none. In a break the target does not grow: then it is its fastest hour. */
export function standardOf(store: MachineStore): number | null {
  return standardPerHour(store.hours.value ?? [], store.row?.targetPerHour ?? null, second.value);
}
