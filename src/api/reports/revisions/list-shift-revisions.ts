import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { revisionsQuery } from "./query.ts";
import { shiftRevision } from "./revision.ts";
import { listShiftRevisions } from "./revisions.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/shift-records/{id}/revisions",
  operationId: "listShiftRevisions",
  tags: ["reports"],
  summary: "List what changed in a shift after it was closed",
  description: `Newest first: when, by whom and why, and what was different before. \`id\` is the \`indicatorId\` of a shift record. What changes within ten
minutes after the end of a shift belongs to its closing, and is no revision.`,
  ...allowPermission("reports:read", { costly: "report" }),
  request: { params: z.object({ id: idParameter }), query: revisionsQuery },
  responses: {
    200: listAnswer(shiftRevision, "A page of revisions"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listShiftRevisions(callerOf(c), c.req.valid("param").id, sent));
