import { z } from "@hono/zod-openapi";
import { idNumberOrText, idParameter, text } from "../../../core/inputs.ts";
import type { Fault } from "../../../core/problem.ts";
import { setUpAccess } from "../access.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../resource.ts";
import { type StopCauseRow, stopCauseTable } from "./queries.ts";

const level = z.enum(["general", "specific", "component"]).openapi({ description: "Stays as it was made" });
const parentId = idNumberOrText.nullable().openapi({
  type: ["integer", "string", "null"],
  description: "A specific cause stands below a general one, a component below any or none, a general one below none",
});
const name = text(200).min(1).openapi({ example: "Breakdown", description: "Unique under its parent" });
const isProgrammed = z.boolean().openapi({ description: "Whether a stop of this cause is programmed downtime" });
const isIncludedInAvailability = z.boolean().openapi({ description: "Whether a stop of this cause counts as unavailable" });

const inherits = "Null: a specific cause has that of the general cause above it";
const sentFlags = {
  isProgrammed: isProgrammed.nullable().openapi({ description: `${inherits}, others false` }),
  isIncludedInAvailability: isIncludedInAvailability.nullable().openapi({ description: `${inherits}, others true` }),
};
const ownFlags = z.object(sentFlags).openapi({ description: "The flags that the cause has of its own" });

export const stopCauses: Resource<StopCauseRow> = {
  name: "StopCause",
  names: "StopCauses",
  noun: "stop cause",
  nouns: "stop causes",
  path: "/v1/stop-causes",
  description:
    "What stops are classified by. Its flags become the stop's; stops that have them keep theirs. A specific cause has the flags " +
    "of the general one above it, unless it has its own.",
  access: setUpAccess,
  table: stopCauseTable,
  example: { level: "specific", parentId: 1, name: "Jam" },
  id: idParameter,
  item: z
    .object({
      id: z.int(),
      companyId: companyIdMember,
      level,
      parentId: z.int().nullable(),
      name,
      isProgrammed,
      isIncludedInAvailability,
      ownFlags,
      ...stampMembers,
    })
    .openapi("StopCause"),
  create: z.object({
    level,
    parentId: parentId.default(null),
    name,
    isProgrammed: sentFlags.isProgrammed.default(null),
    isIncludedInAvailability: sentFlags.isIncludedInAvailability.default(null),
  }),
  change: z.object({ parentId, name, ...sentFlags }).partial(),
  toItem(row) {
    const { id, companyId, level, parentId, name, isProgrammed, isIncludedInAvailability } = row;
    const ownFlags = { isProgrammed: row.ownIsProgrammed, isIncludedInAvailability: row.ownIsIncludedInAvailability };
    return { id, companyId, level, parentId, name, isProgrammed, isIncludedInAvailability, ownFlags, ...stampsOf(row) };
  },
  // What is inherited is no part of the cause itself.
  toAudited: ({ isProgrammed: _, isIncludedInAvailability: __, ...item }) => item,
  faults: parentFaults,
  async derive({ isProgrammed, isIncludedInAvailability }, before) {
    return {
      values: {
        ownIsProgrammed: flagSent(isProgrammed, before?.ownIsProgrammed),
        ownIsIncludedInAvailability: flagSent(isIncludedInAvailability, before?.ownIsIncludedInAvailability),
      },
    };
  },
};

/** A flag after a write: what was sent, else what it was before. */
function flagSent(sent: unknown, before: boolean | null = null): boolean | null {
  return sent === undefined ? before : (sent as boolean | null);
}

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
