import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { listOf, pageOf } from "../../core/cursor.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { listStops } from "./queries.ts";
import { query } from "./query.ts";
import { stop, stopOf } from "./stop.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/stops",
  operationId: "listStops",
  tags: ["stops"],
  summary: "List stops",
  description: `Newest first. There is one item per stop, however many shifts it touches. A stop that began outside shifts is sorted and
selected by the start of the first shift that it touches. Unknown parameters are refused.`,
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: {
    query: query.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ["from"],
      message: "must not be after `to`",
    }),
  },
  responses: {
    200: { description: "A page of stops", content: { "application/json": { schema: listOf(stop) } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const sent = c.req.valid("query");
  const now = Date.now();
  const rows = await listStops(db(c), { ...sent, companyId: companyOf(c.var.actor, sent.companyId) }, now);
  const { page, cursor } = pageOf(rows, sent.limit, (row) => [row.sliceStart, row.id]);
  return c.json({ data: page.map((row) => stopOf(row, now)), cursor }, 200);
};
