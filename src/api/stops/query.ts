import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { flagText, idParameter, idShape, instant, listText, machineMembers } from "../../core/inputs.ts";

const ids = listText(idParameter, idShape).optional();
const flag = flagText.optional();

/** The query parameters of the stop list. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: idParameter.optional().openapi({ description: "Superusers see all companies without it, others see their own" }),
  ...machineMembers,
  shiftIds: ids.openapi({ description: "Stops that start in one of these shifts" }),
  from: instant.optional().openapi({ description: "Stops that start at or after this" }),
  to: instant.optional().openapi({ description: "Stops that start before this" }),
  isProgrammed: flag,
  isManual: flag,
  isIncludedInStops: flag,
  isIncludedInAvailability: flag,
  isClassified: flag.openapi({ description: "Whether the stop has a cause, a component or a description" }),
  isOpen: flag.openapi({ description: "Whether the stop is going on" }),
  minDurationInMinutes: z.coerce
    .number()
    .min(0)
    .optional()
    .openapi({ type: "number", minimum: 0, description: "The scheduled minutes of the whole stop, as in `durationInMinutes`" }),
  generalCauseIds: ids,
  specificCauseIds: ids,
  hasGeneralCause: flag.openapi({ description: "Whether the stop has a general cause" }),
  hasSpecificCause: flag.openapi({ description: "Whether the stop has a specific cause" }),
  componentIds: ids,
  includeDeleted: flagText.default(false),
});
export type StopQuery = z.infer<typeof query>;
