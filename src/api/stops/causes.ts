import { z } from "@hono/zod-openapi";
import { idOrNull, multilineText } from "../../core/inputs.ts";
import { type Fault, invalid } from "../../core/problem.ts";
import type { Causes, StopFlags } from "../../objects/machine-protocol.ts";
import type { StopCause } from "./queries.ts";

const causeId = (level: string) => idOrNull(`Of a ${level} cause of the company, as a number or as text`);

const generalCauseId = causeId("general");
const specificCauseId = causeId("specific");
const componentId = causeId("component");
const description = multilineText(2000).min(1).nullable();

/** Body members that classify a stop. */
export const causesBody = z.object({
  generalCauseId: generalCauseId.default(null),
  specificCauseId: specificCauseId.default(null),
  componentId: componentId.default(null),
  description: description.default(null),
});
export type CausesBody = z.infer<typeof causesBody>;

/** The same members without defaults: what is left out stays as it is in each stop. */
export const someCausesBody = z.object({
  generalCauseId: generalCauseId.optional(),
  specificCauseId: specificCauseId.optional(),
  componentId: componentId.optional(),
  description: description.optional(),
});
export type SomeCausesBody = z.infer<typeof someCausesBody>;

/** The ids of the causes that a body names. */
export function causeIdsOf({ generalCauseId, specificCauseId, componentId }: CausesBody): number[] {
  return [generalCauseId, specificCauseId, componentId].filter((id) => id !== null);
}

/** The causes of a body (null if it has none) and the flags that follow from them. Throws 400 if the causes do not fit together. */
export function causesOf(
  { generalCauseId, specificCauseId, componentId, description }: CausesBody,
  known: readonly StopCause[],
): { causes: Causes | null; flags: Partial<StopFlags> } {
  const faults: Fault[] = [];
  const find = (member: string, level: StopCause["level"], id: number | null) => {
    const cause = known.find((one) => one.id === id && one.level === level);
    if (id !== null && !cause) {
      faults.push({ pointer: `/${member}`, code: "not_found", message: `is not a ${level} cause of this company` });
    }
    return cause;
  };
  const general = find("generalCauseId", "general", generalCauseId);
  const specific = find("specificCauseId", "specific", specificCauseId);
  find("componentId", "component", componentId);
  if (general && specific && specific.parentId !== general.id) {
    faults.push({ pointer: "/specificCauseId", code: "other_parent", message: "belongs to another general cause" });
  }
  if (faults.length > 0) throw invalid(faults);
  const cause = specific ?? general;
  const isEmpty = generalCauseId === null && specificCauseId === null && componentId === null && description === null;
  return {
    causes: isEmpty ? null : { generalCauseId, specificCauseId, componentId, description },
    flags: cause ? flagsOf(cause) : {},
  };
}

/** The flags that the stops of a cause get. */
export function flagsOf({ isProgrammed, isIncludedInAvailability }: StopCause): Partial<StopFlags> {
  return { isProgrammed, isIncludedInAvailability };
}
