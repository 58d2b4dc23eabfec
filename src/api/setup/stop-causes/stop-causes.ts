import { z } from "@hono/zod-openapi";
import { idParameter, text } from "../../../http/inputs.ts";
import type { Fault } from "../../../http/problem.ts";
import { setUpAccess } from "../access.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../resource.ts";
import { type StopCauseRow, stopCauseTable } from "./queries.ts";

const level = z.enum(["general", "specific", "component"]).openapi({ description: "Stays as it was made" });
const parentId = z.int().min(1).nullable().openapi({
  description: "A specific cause stands below a general one, a component below any or none, a general one below none",
});
const name = text(200).min(1).openapi({ example: "Breakdown" });
const isProgrammed = z.boolean().openapi({ description: "Whether a stop of this cause is programmed downtime" });
const isIncludedInAvailability = z.boolean().openapi({ description: "Whether a stop of this cause counts as unavailable" });
const own = { name, isProgrammed, isIncludedInAvailability };

export const stopCauses: Resource<StopCauseRow> = {
  name: "StopCause",
  names: "StopCauses",
  noun: "stop cause",
  nouns: "stop causes",
  path: "/v1/stop-causes",
  description: "What stops are classified by. Its flags become the stop's; stops that have them keep theirs.",
  access: setUpAccess,
  table: stopCauseTable,
  example: { level: "specific", parentId: 1, name: "Jam" },
  id: idParameter,
  item: z.object({ id: z.int(), companyId: companyIdMember, level, parentId, ...own, ...stampMembers }).openapi("StopCause"),
  create: z.object({
    level,
    parentId: parentId.default(null),
    name,
    isProgrammed: isProgrammed.default(false),
    isIncludedInAvailability: isIncludedInAvailability.default(true),
  }),
  change: z.object({ parentId, ...own }).partial(),
  toItem(row) {
    const { id, companyId, level, parentId, name, isProgrammed, isIncludedInAvailability } = row;
    return { id, companyId, level, parentId, name, isProgrammed, isIncludedInAvailability, ...stampsOf(row) };
  },
  faults: parentFaults,
};

function parentFaults({ level, parentId }: StopCauseRow): Fault[] {
  const pointer = "/parentId";
  if (level === "general" && parentId !== null) {
    return [{ pointer, code: "not_allowed", message: "is for specific causes and components alone" }];
  }
  if (level === "specific" && parentId === null) {
    return [{ pointer, code: "required", message: "must name the general cause above it" }];
  }
  return [];
}
