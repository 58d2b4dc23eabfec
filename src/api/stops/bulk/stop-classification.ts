import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { isoOf } from "../../../oee/time.ts";
import type { ClassificationRow } from "./queries.ts";

const timestamp = z.iso.datetime();
const stopsLeft = z.array(z.int());
const cause = <T extends z.ZodType>(value: T) =>
  value.nullable().optional().openapi({ description: "Absent: each stop kept its own. Null: the stops have none any more" });

/** A bulk classification, as responses show it. */
export const stopClassification = z
  .object({
    id: answerText,
    state: z.enum(["running", "done", "undoing", "undone"]).openapi({
      description: "`running`: some of the stops are still to be classified; `undoing`: some are still to be as before",
    }),
    total: z.int().openapi({ description: "How many stops were asked for" }),
    classified: z.int().openapi({ description: "How many stops have the new classification" }),
    unchanged: z.int().openapi({ description: "How many had it already" }),
    leftOut: z
      .object({
        changed: stopsLeft.openapi({ description: "Somebody changed them since they were read" }),
        gone: stopsLeft.openapi({ description: "They are not there any more" }),
        unreachable: stopsLeft.openapi({ description: "Their machines did not answer for a day" }),
        closed: stopsLeft.openapi({ description: "The books of their time are closed" }),
      })
      .openapi({ description: "The stops that are as they were, by their ids" }),
    generalCauseId: cause(z.int()),
    specificCauseId: cause(z.int()),
    componentId: cause(z.int()),
    description: cause(answerText),
    userId: z.int().openapi({ description: "Who asked for it" }),
    createdAt: timestamp,
    undone: z.int().openapi({ description: "Of one that was undone: how many stops are as they were before" }),
    kept: z.int().openapi({
      description:
        "Of one that was undone: how many stops somebody had changed afterwards, or are in closed books; these are left as they are",
    }),
    undoneAt: timestamp.nullable().openapi({ description: "Null: it was not undone" }),
    endedAt: timestamp.nullable().openapi({ description: "Null while it is running" }),
  })
  .openapi("StopClassification");

export function stopClassificationOf(row: ClassificationRow): z.infer<typeof stopClassification> {
  const { id, state, total, classified, unchanged, leftOut, what, userId, createdAt, endedAt, undone, kept, undoneAt } = row;
  return {
    ...{ id, state, total, classified, unchanged },
    leftOut: { changed: [], gone: [], unreachable: [], closed: [], ...leftOut },
    ...namedCauses(what),
    ...{ userId, undone, kept },
    undoneAt: isoOf(undoneAt),
    createdAt: isoOf(createdAt),
    endedAt: isoOf(endedAt),
  };
}

/** The causes that the request named. */
function namedCauses({ causes, kept }: ClassificationRow["what"]): Partial<typeof causes> {
  const isNamed = (member: string) => !kept?.members.some((one) => one === member);
  return Object.fromEntries(Object.entries(causes).filter(([member]) => isNamed(member)));
}
