import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { listPersonas } from "./personas.ts";
import { query } from "./query.ts";
import { persona } from "./shapes.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/personas",
  operationId: "listPersonas",
  tags: ["personas"],
  summary: "List alert personas",
  description: "Sorted by name. Personas contain telephone numbers and e-mail addresses.",
  ...allow("superuser", "admin", "superadmin"),
  request: { query },
  responses: {
    200: listAnswer(persona, "A page of personas"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listPersonas(callerOf(c), sent));
