import { formats } from "../../../data/plant.ts";
import { decimalsOf } from "../../../domain/formats.ts";
import type { Members } from "../../../domain/set-up.ts";
import type { Thresholds } from "../../../domain/thresholds.ts";
import { setUp } from "../../../texts/set-up.ts";
import type { SetUp } from "../plant-data.ts";
import { weekdayText } from "./field-input.tsx";

// What the members of the set-up's items say, in words.

interface Standard {
  machineId: number | null;
  standardCycleSeconds: unknown;
}

interface Channel {
  type: string;
  nodeId: number;
  channel: number;
}

/** The label of a field without what an empty one means. */
export function nameOfField(name: string): string {
  return (setUp.fields[name] ?? name).replace(/ \([^()]*\)$/, "");
}

/** The value of a field, in words. */
export function valueText(name: string, value: unknown, plant: SetUp): string {
  const list = value !== null && lists[name];
  if (list)
    return (value as never[]).map((one) => list(one, plant)).join(", ") || (name === "breaks" ? setUp.noBreaks : setUp.nothing);
  if (name === "machineIds") return setUp.allMachines;
  if (name === "lineId") return value === null ? setUp.noLine : nameIn(plant.lines, value as number);
  if (value === null) return name.startsWith("is") ? setUp.inherited : setUp.nothing;
  if (typeof value === "boolean") return value ? setUp.yes : setUp.no;
  if (typeof value === "number") return formats().number(value, decimalsOf(value));
  if (name.endsWith("Thresholds")) return thresholdsText(value as Thresholds);
  if (name.endsWith("At")) return formats().dateTime(String(value));
  return setUp.options[String(value)] ?? String(value);
}

/** The members that are lists, with the text of one of their values. */
const lists: Record<string, (one: never, plant: SetUp) => string> = {
  machineIds: (id: number, { machines }) => nameIn(machines, id),
  days: weekdayText,
  breaks: ({ name, start, end }: Members) => `${name} ${start}–${end}`,
  standards: standardText,
  configs: ({ type, nodeId, channel }: Channel) => `${setUp.options[type] ?? type} ${nodeId}/${channel}`,
};

function nameIn(all: readonly { id: number; name: string }[], id: number): string {
  return all.find((one) => one.id === id)?.name ?? String(id);
}

/** The standard of a SKU on a machine, in words. */
export function standardText(
  { machineId, standardCycleSeconds: seconds }: Standard,
  { machines }: Pick<SetUp, "machines">,
): string {
  const text =
    typeof seconds === "number" ? `${formats().number(seconds, decimalsOf(seconds))}\u00a0s` : setUp.versions.noStandard;
  return `${machineId === null ? setUp.anyMachine : nameIn(machines, machineId)}: ${text}`;
}

function thresholdsText({ badBelow, goodFrom }: Thresholds): string {
  const { number } = formats();
  return `${setUp.badBelow} ${number(badBelow, decimalsOf(badBelow))}, ${setUp.goodFrom} ${number(goodFrom, decimalsOf(goodFrom))}`;
}
