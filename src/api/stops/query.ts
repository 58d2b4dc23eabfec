import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { flagText, idParameter, idShape, idText, instant, listText } from "../../core/inputs.ts";

const ids = listText(idParameter, idShape).optional();
const causeIds = listText(idText, { type: "string", pattern: "^\\d{1,15}$" })
  .optional()
  .openapi({ description: "Ids as they stand in the answer" });
const flag = flagText.optional();

/** The query of the list. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: idParameter.optional().openapi({ description: "Whose; superusers see all without it, others have their own" }),
  machineIds: ids,
  shiftIds: ids.openapi({ description: "Stops that begin in a run of these shifts" }),
  from: instant.optional().openapi({ description: "Stops that begin at or after this" }),
  to: instant.optional().openapi({ description: "Stops that begin before this" }),
  isProgrammed: flag,
  isManual: flag,
  isIncludedInStops: flag,
  isIncludedInAvailability: flag,
  isClassified: flag,
  isOpen: flag.openapi({ description: "Whether the stop lasts at the moment" }),
  minDurationInMinutes: z.coerce
    .number()
    .min(0)
    .optional()
    .openapi({ type: "number", minimum: 0, description: "Of the whole stop" }),
  generalCauseIds: causeIds,
  specificCauseIds: causeIds,
  componentIds: causeIds,
  includeDeleted: flagText.default(false),
});
export type StopQuery = z.infer<typeof query>;
