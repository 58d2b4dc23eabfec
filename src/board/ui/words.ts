import { formats } from "../data/plant.ts";
import { causePath } from "../domain/causes.ts";
import type { Loss } from "../domain/pareto.ts";
import type { Stretch } from "../domain/timeline.ts";
import { stopName } from "../texts/common.ts";
import { desk as t } from "../texts/desk.ts";

/** A calendar day in words: "Sat 21 Nov". */
export function dayName(day: string): string {
  return formats().day(`${day}T12:00:00Z`);
}

/** The cause of a stop in words, or its name. */
export function causeText(stop: NonNullable<Stretch["stop"]>): string {
  return causePath(stop) || stopName(stop.name);
}

/** The cause of a loss in words. */
export function lossName(loss: Pick<Loss, "generalCause" | "specificCause" | "isUnknown">): string {
  return loss.isUnknown ? t.losses.unknown : causePath(loss);
}
