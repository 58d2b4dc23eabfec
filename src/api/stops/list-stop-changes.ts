import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { answerText } from "../../core/answer-text.ts";
import { auditedVerbs } from "../../core/audit.ts";
import { keyText, paged, readPage } from "../../core/cursor.ts";
import { idParameter } from "../../core/inputs.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { isoOf } from "../../oee/time.ts";
import { noStop } from "./edits.ts";
import { findStop, selectChangesOf } from "./queries.ts";

const change = z
  .object({
    id: answerText,
    time: z.iso.datetime(),
    action: z.enum(auditedVerbs.stop),
    user: z.object({ id: z.int(), name: answerText.nullable() }).openapi({ description: "Who did it" }),
    apiTokenId: z.int().nullable().openapi({ description: "The API token that the change was made with; null: none" }),
    before: z.unknown().openapi({ description: "The stop, or the stops of a merge, before the change; null: it did not exist" }),
    after: z.unknown().openapi({ description: "The stop, or the parts of a split, after it; null: it does not exist any more" }),
  })
  .openapi("StopChange");

export const contract = createRoute({
  method: "get",
  path: "/v1/stops/{id}/changes",
  operationId: "listStopChanges",
  tags: ["stops"],
  summary: "List what people did to a stop",
  description: `Newest first, for everyone who sees the stop: the entries of the audit that are about it. A split and a merge are listed at the
earliest stop, whose id the result keeps.`,
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { params: z.object({ id: idParameter }), query: paged(z.tuple([z.int(), keyText])) },
  responses: {
    200: listAnswer(change, "A page of changes"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, async (query) => {
    const { id } = c.req.valid("param");
    const companyId = companyOf(c.var.actor);
    const page = await readPage(db(c), query, {
      select: (asked) => selectChangesOf(db(c), id, companyId, asked),
      keysOf: (row) => [row.at, row.id],
      itemOf: ({ at, userId, userName, action, ...row }) => ({
        ...row,
        time: isoOf(at),
        action: action.slice("stop.".length) as z.infer<typeof change>["action"],
        user: { id: userId, name: userName },
      }),
    });
    // A second trip only for an empty page.
    if (page.data.length === 0 && (await findStop(db(c), id, companyId)).length === 0) throw noStop(id);
    return page;
  });
