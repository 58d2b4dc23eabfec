import { signedFrom } from "./formats.ts";

/** The members of a correction that are units. */
const unitMembers = ["total", "defects", "rework"] as const;
type UnitMember = (typeof unitMembers)[number];
type UnitFault = "number" | "ambiguous" | "nothing";

/** The units that were typed, those that were left empty left out, and what is wrong with them. */
export function unitsIn(typed: Readonly<Record<UnitMember, string>>, locale: string) {
  const units: { [name in UnitMember]?: number } = {};
  const faults = new Map<UnitMember, UnitFault>();
  for (const name of unitMembers) {
    const found = signedFrom(typed[name], locale);
    if (found === "empty") continue;
    if (typeof found === "object") units[name] = found.value;
    else faults.set(name, found === "ambiguous" ? "ambiguous" : "number");
  }
  if (faults.size === 0 && Object.keys(units).length === 0) faults.set("total", "nothing");
  return { units, faults };
}
