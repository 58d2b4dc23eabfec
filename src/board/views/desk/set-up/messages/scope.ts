import type { Field } from "../../../../form/fields.tsx";
import { messages } from "../../../../texts/messages.ts";
import type { SetUp } from "../../plant-data.ts";

// The machines, lines and shifts that a rule, a report or a webhook is about. Null in the API: all, also those that are made later.

const t = messages.scope;

interface Named {
  id: number;
  name: string;
}

type Several = Extract<Field, { kind: "several" }>;

function fieldOf(label: string, all: string, items: readonly Named[]): Several {
  return { kind: "several", label, all, options: items.map(({ id, name }) => ({ value: String(id), label: name })) };
}

export const machinesField = ({ machines }: SetUp) => fieldOf(t.machines, t.allMachines, machines);
export const linesField = ({ lines }: SetUp) => fieldOf(t.lines, t.allLines, lines);
export const shiftsField = ({ shifts }: SetUp) => fieldOf(t.shifts, t.allShifts, shifts);

/** What is chosen in such a field: nothing, if it is about all. */
export function chosenOf(ids: readonly number[] | null | undefined): readonly string[] {
  return (ids ?? []).map(String);
}

/** What is sent for it: null if all are chosen, or none. */
export function idsOf(chosen: readonly string[], items: readonly Named[]): number[] | null {
  return chosen.length === 0 || chosen.length === items.length ? null : chosen.map(Number);
}

/** A scope in words. */
export function scopeText(
  plant: SetUp,
  { machineIds, lineIds }: { machineIds: number[] | null; lineIds: number[] | null },
): string {
  const namesOf = (ids: readonly number[] | null, items: readonly Named[]) =>
    (ids ?? []).map((id) => items.find((one) => one.id === id)?.name ?? String(id));
  return [...namesOf(lineIds, plant.lines), ...namesOf(machineIds, plant.machines)].join(", ") || t.allMachines;
}
