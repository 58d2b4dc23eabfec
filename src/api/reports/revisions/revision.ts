import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { type RevisionReason, revisionReasons } from "../../../db/values.ts";
import { isoOf } from "../../../oee/time.ts";
import type { RevisionOfShift } from "./queries.ts";

/** What each reason means, in words. */
const words: Readonly<Record<RevisionReason, string>> = {
  lateEvents: "Events of the shift arrived after it was closed",
  edit: "A person changed what was recorded of the shift",
  setUp: "The set-up that held during the shift was changed",
  correction: "Units of the shift were corrected",
  import: "Events of the shift were imported",
  withdrawal: "Events of the shift were withdrawn, or restored",
  recalculation: "The shift was computed again because somebody asked for it",
};

const members = z.record(answerText, z.union([z.number(), answerText, z.boolean(), z.null()]));

/** A change of a closed shift, as responses show it. */
export const shiftRevision = z
  .object({
    number: z.int().openapi({ description: "From 1 on, for each shift" }),
    recordedAt: z.iso.datetime().openapi({ description: "Since when reports say so" }),
    reasons: z.array(z.enum(revisionReasons)).openapi({ description: "More may come" }),
    description: answerText.openapi({ description: "The reasons in words" }),
    user: z
      .object({ id: z.int(), name: answerText.nullable() })
      .nullable()
      .openapi({ description: "Who made the change; null: no person did, or it is not known" }),
    apiTokenId: z.int().nullable().openapi({ description: "The API token that the change was made with; null: none" }),
    requestId: answerText.nullable().openapi({ description: "The request that made the change, as in the audit; null: none" }),
    before: members.openapi({ description: "Indicators and metrics of the shift that changed, as they were" }),
    after: members.openapi({ description: "The same as they are since then" }),
    stops: z
      .array(z.object({ id: z.int(), before: members.nullable(), after: members.nullable() }))
      .openapi({ description: "Changed stops, the first 20. `before` null: it is new; `after` null: there is none any more" }),
    stopCount: z.int().openapi({ description: "How many stops changed" }),
    arePartsChanged: z.boolean().openapi({
      description: "Whether its division changed: by hour, SKU and work order",
    }),
    areOperatorsChanged: z.boolean().openapi({ description: "Whether its operators or their shares changed" }),
  })
  .openapi("ShiftRevision");

export function shiftRevisionOf(row: RevisionOfShift): z.infer<typeof shiftRevision> {
  const { before, after, stops, stopCount, arePartsChanged, isRosterChanged } = row.body;
  return {
    number: row.n,
    recordedAt: isoOf(row.recordedAt),
    reasons: row.reasons,
    description: row.reasons.map((reason) => words[reason] ?? reason).join(". "),
    user: row.userId === null ? null : { id: row.userId, name: row.userName },
    ...{ apiTokenId: row.apiTokenId, requestId: row.requestId, before, after, stops, stopCount, arePartsChanged },
    areOperatorsChanged: isRosterChanged,
  };
}
