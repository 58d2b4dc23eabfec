import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery, idParameter, idShape, listText, machineMembers } from "../../core/inputs.ts";
import { actionStates } from "../../db/values.ts";

const ids = listText(idParameter, idShape).optional();

/** The query parameters of the list of actions. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: companyQuery,
  states: listText(z.enum(actionStates), { type: "string", enum: [...actionStates] }).optional(),
  ownerIds: ids.openapi({ description: "Of these users" }),
  ...machineMembers,
  lineIds: ids.openapi({ description: "About these lines as a whole" }),
});
export type ActionQuery = z.infer<typeof query>;
