import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery, listText, machineMembers } from "../../core/inputs.ts";
import { workOrderStatuses } from "../../db/values.ts";

/** The query of the list. */
export const query = paged(z.tuple([z.int(), z.string()])).extend({
  companyId: companyQuery,
  statuses: listText(z.enum(workOrderStatuses), { type: "string", enum: [...workOrderStatuses] }).optional(),
  ...machineMembers,
});
export type WorkOrderQuery = z.infer<typeof query>;
