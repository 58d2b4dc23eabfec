import { z } from "@hono/zod-openapi";
import { idOrNull, idParameter, nameText } from "../../../core/inputs.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { noRule } from "../../../resource/rules.ts";
import { versionedMembers } from "../../../resource/versions.ts";
import { type StopCauseRow, stopCauseTable } from "./queries.ts";
import { flagsOf, storeCause } from "./rules.ts";

const level = z.enum(["general", "specific", "component"]).openapi({ description: "Cannot be changed" });
const parentId = idOrNull(
  "The cause above it: for a specific cause its general cause (required), for a component any cause or null, for a general cause null",
);
const name = nameText(200).openapi({ example: "Breakdown", description: "Unique under its parent" });
const isProgrammed = z.boolean().openapi({ description: "Whether a stop of this cause is programmed downtime" });
const isIncludedInAvailability = z.boolean().openapi({ description: "Whether a stop of this cause counts as unavailable" });

const inherits = "Null: a specific cause inherits it from its general cause";
const sentFlags = {
  isProgrammed: isProgrammed.nullable().openapi({ description: `${inherits}; for other causes it is false` }),
  isIncludedInAvailability: isIncludedInAvailability
    .nullable()
    .openapi({ description: `${inherits}; for other causes it is true` }),
};
const ownFlags = z.object(sentFlags).openapi({ description: "The cause's own flags" });

export const stopCauses: Resource<StopCauseRow> = {
  names: { type: "StopCause", types: "StopCauses", noun: "stop cause", nouns: "stop causes" },
  path: "/v1/stop-causes",
  description:
    "What stops are classified by. Its flags become the stop's; stops that have them keep theirs. A specific cause has the flags " +
    "of the general one above it, unless it has its own.",
  access: { ...setUpAccess, machines: { list: "company" } },
  table: stopCauseTable,
  members: {
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
    example: { level: "specific", parentId: 1, name: "Jam" },
  },
  shape: {
    item(row) {
      const { id, companyId, level, parentId, name } = row;
      const ownFlags = { isProgrammed: row.ownIsProgrammed, isIncludedInAvailability: row.ownIsIncludedInAvailability };
      return { id, companyId, level, parentId, name, ...flagsOf(row), ownFlags, ...stampsOf(row) };
    },
    // Inherited flags are not part of the cause itself.
    audited: ({ isProgrammed: _, isIncludedInAvailability: __, ...item }) => item,
  },
  versioned: [
    versionedMembers(
      "cause",
      ({ parentId, ownIsProgrammed, ownIsIncludedInAvailability }) => ({
        ...{ parentId, isProgrammed: ownIsProgrammed, isIncludedInAvailability: ownIsIncludedInAvailability },
      }),
      {
        columnsOf: ({ parentId, isProgrammed, isIncludedInAvailability }) => ({
          ...{ parentId, ownIsProgrammed: isProgrammed, ownIsIncludedInAvailability: isIncludedInAvailability },
        }),
      },
    ),
  ],
  watched: "set-up",
  rules: { store: storeCause, restore: noRule },
};
