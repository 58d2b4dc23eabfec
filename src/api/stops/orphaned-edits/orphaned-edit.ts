import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { namedRef } from "../../../core/refs.ts";
import type { StopMark } from "../../../objects/machine-protocol.ts";
import { isoOf } from "../../../oee/time.ts";
import type { OrphanedEditRow } from "./queries.ts";

const timestamp = z.iso.datetime();
const causeId = z.int().nullable().optional();
const flag = z.boolean().nullable().optional();

/** What a person said of a stop, of which nothing counts any more. */
export const orphanedEdit = z
  .object({
    id: z.int(),
    machine: namedRef,
    stopId: z.int().openapi({ description: "The stop of which it was said. It may not be there any more" }),
    startTime: timestamp.openapi({ description: "Start of that stop at the time" }),
    endTime: timestamp.openapi({ description: "End of that stop at the time, or when it was said if the stop lasted" }),
    action: z.enum(["classify", "change", "record", "split", "merge"]),
    reason: answerText.openapi({
      description: `Why nothing of it counts: \`no_stop\` (no stop is there, or none in a shift), \`displaced\` (the stop that is there has what others said of it),
\`splits_nothing\`, \`merges_nothing\`. More reasons may come`,
      example: "no_stop",
    }),
    time: timestamp.openapi({ description: "When it was said" }),
    user: z
      .object({ id: z.int(), name: answerText.nullable() })
      .nullable()
      .openapi({ description: "Who said it; null: it is from before edits were kept" }),
    at: timestamp.nullable().openapi({ description: "Where a split or a merge was; null for others" }),
    said: z
      .object({
        name: answerText.nullable().optional(),
        isProgrammed: flag,
        isIncludedInStops: flag,
        isIncludedInAvailability: flag,
        generalCauseId: causeId,
        specificCauseId: causeId,
        componentId: causeId,
        description: answerText.nullable().optional(),
      })
      .openapi({ description: "The members that were said. Null: that nothing special holds. Empty for a split or a merge" }),
  })
  .openapi("OrphanedEdit");

export function orphanedEditOf(row: OrphanedEditRow): z.infer<typeof orphanedEdit> {
  return {
    id: row.id,
    machine: { name: row.machineName, id: row.machineId },
    stopId: row.stopId,
    startTime: isoOf(row.startAt),
    endTime: isoOf(row.endAt),
    action: row.action as z.infer<typeof orphanedEdit>["action"],
    reason: row.reason,
    time: isoOf(row.saidAt),
    user: row.userId === null ? null : { id: row.userId, name: row.userName },
    at: isoOf(row.boundaryAt),
    said: saidOf(row.said === null ? {} : (JSON.parse(row.said) as Partial<StopMark>)),
  };
}

function saidOf({ classification, ...others }: Partial<StopMark>): z.infer<typeof orphanedEdit>["said"] {
  if (classification === undefined) return others;
  const { generalCauseId = null, specificCauseId = null, componentId = null, description = null } = classification ?? {};
  return { ...others, generalCauseId, specificCauseId, componentId, description };
}
