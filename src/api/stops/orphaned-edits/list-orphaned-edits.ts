import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { orphanedEdit } from "./orphaned-edit.ts";
import { listOrphanedEdits } from "./orphaned-edits.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/orphaned-edits",
  operationId: "listOrphanedEdits",
  tags: ["stops"],
  summary: "List what people said of stops that are gone",
  description: `What people say of a stop stays with the stops of its time. When late events leave no such stop, or the stop that is there has what others said of
it, it is listed here, of the latest stops first, until it is put on another stop or dropped, or late events bring back a stop of which it is said.`,
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { query: query.superRefine(rangeRule) },
  responses: {
    200: listAnswer(orphanedEdit, "A page of edits"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listOrphanedEdits(callerOf(c), sent));
