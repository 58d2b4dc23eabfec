import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../core/cursor.ts";
import { companyQuery, flagText, instant, listText, machineMembers, searchText, text } from "../../core/inputs.ts";
import { invalid } from "../../core/problem.ts";
import { workOrderStatuses } from "../../db/values.ts";

export const sortByDue = "estimatedDeliveryTime";
const sortMembers = ["createdAt", sortByDue, "priority", "code"] as const;
type OrderSort = (typeof sortMembers)[number];
const sorts = sortMembers.flatMap((member) => [member, `-${member}`] as const);

/** The sort, the sort key of the last order, and that order's id. */
const keys = z.tuple([z.enum(sorts), z.union([z.number(), keyText]), keyText]);

/** The query parameters of the list of work orders. */
export const query = paged(keys).extend({
  companyId: companyQuery,
  statuses: listText(z.enum(workOrderStatuses), { type: "string", enum: [...workOrderStatuses] }).optional(),
  ...machineMembers,
  code: text(100).optional().openapi({ description: "The order of this code" }),
  search: searchText.openapi({
    description:
      "Orders that have each of these words, or parts of words, in their code, name or the id of a SKU. The case of A to Z does not matter",
  }),
  dueBefore: instant.optional().openapi({ description: "Orders whose `estimatedDeliveryTime` is before this time" }),
  isLate: flagText.optional().openapi({ description: "Only orders that are late, or only those that are not" }),
  sort: z.enum(sorts).default("-createdAt").openapi({
    description: "`-` for descending. Orders without an `estimatedDeliveryTime` come last in both directions",
  }),
});
export type WorkOrderQuery = z.infer<typeof query>;

/** The member and direction of a sort. */
export function sortOf(sort: WorkOrderQuery["sort"]): { by: OrderSort; isDescending: boolean } {
  const isDescending = sort.startsWith("-");
  return { by: (isDescending ? sort.slice(1) : sort) as OrderSort, isDescending };
}

/** Throws 400 if the cursor is from a list with another sort. */
export function refuseOtherSort({ cursor, sort }: WorkOrderQuery): void {
  if (!cursor || cursor[0] === sort) return;
  throw invalid([{ pointer: "/query/cursor", code: "not_allowed", message: `belongs to a list sorted by ${cursor[0]}` }]);
}
