import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { auditedVerbs } from "../../core/audit.ts";
import { entryId, shownChanges } from "../../core/audit-entries.ts";
import { paged } from "../../core/cursor.ts";
import { isoOf } from "../../oee/time.ts";
import type { ChangeRow } from "./queries.ts";

/** What somebody did to a stop, as responses show it. */
export const stopChange = z
  .object({
    id: answerText,
    time: z.iso.datetime(),
    action: z.enum(auditedVerbs.stop),
    user: z.object({ id: z.int(), name: answerText.nullable() }).openapi({
      description:
        "Who did it. At a paired terminal, `name` is that of the operators who were signed in at the machine, otherwise of the terminal, and `id` is the user who paired it",
    }),
    apiTokenId: z.int().nullable().openapi({ description: "The API token that the change was made with; null: none" }),
    before: z.unknown().openapi({
      description:
        "The members that differ, without the version, or the stops of a merge, before the change; null: it did not exist",
    }),
    after: z.unknown().openapi({
      description:
        "The members that differ, without the version, or the parts of a split, after it; the whole stop if it was recorded; null: it does not exist any more",
    }),
  })
  .openapi("StopChange");

/** The query parameters of the list of changes of a stop. */
export const changesQuery = paged(z.tuple([z.int(), z.int()]));
export type ChangesQuery = z.infer<typeof changesQuery>;

export function stopChangeOf({ at, nr, userId, userName, action, apiTokenId, form, changes }: ChangeRow) {
  return {
    id: entryId({ at, nr }),
    time: isoOf(at),
    action: action.slice("stop.".length) as z.infer<typeof stopChange>["action"],
    user: { id: userId, name: userName },
    apiTokenId,
    ...shownChanges({ form, changes }),
  };
}
