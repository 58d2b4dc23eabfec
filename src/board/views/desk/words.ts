import { formats } from "../../data/plant.ts";
import type { Loss } from "../../domain/pareto.ts";
import type { Stretch } from "../../domain/timeline.ts";
import { stopName } from "../../texts/common.ts";
import { desk as t } from "../../texts/desk.ts";

/** A calendar day in words: "Sat 21 Nov". */
export function dayName(day: string): string {
  return formats().day(`${day}T12:00:00Z`);
}

/** The cause of a stop in words, or its name. */
export function causeText({ name, generalCause, specificCause }: NonNullable<Stretch["stop"]>): string {
  if (generalCause && specificCause) return `${generalCause.name} › ${specificCause.name}`;
  return (specificCause ?? generalCause)?.name ?? stopName(name);
}

/** The cause of a loss in words. */
export function lossName({
  generalCause,
  specificCause,
  isUnknown,
}: Pick<Loss, "generalCause" | "specificCause" | "isUnknown">): string {
  if (isUnknown) return t.losses.unknown;
  return [generalCause?.name, specificCause?.name].filter(Boolean).join(" › ");
}
