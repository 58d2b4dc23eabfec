import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { listOf, paged, pageOf } from "../../core/cursor.ts";
import { flagText, idParameter, idShape, idText, instant, listText } from "../../core/inputs.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { companyOf } from "../setup/scope.ts";
import { listStops } from "./queries.ts";
import { stop, stopOf } from "./stop.ts";

const ids = listText(idParameter, idShape).optional();
const causeIds = listText(idText, { type: "string", pattern: "^\\d{1,15}$" })
  .optional()
  .openapi({ description: "Ids as they stand in the answer" });
const flag = flagText.optional();

const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: idParameter.optional().openapi({ description: "Whose; superusers see all without it, others have their own" }),
  machineIds: ids,
  shiftIds: ids.openapi({ description: "Stops that begin in a run of these shifts" }),
  from: instant.optional().openapi({ description: "Stops that begin at or after this" }),
  to: instant.optional().openapi({ description: "Stops that begin before this" }),
  isProgrammed: flag,
  isManual: flag,
  isIncludedInStops: flag,
  isIncludedInAvailability: flag,
  isClassified: flag,
  isOpen: flag.openapi({ description: "Whether the stop lasts at the moment" }),
  minDurationInMinutes: z.coerce
    .number()
    .min(0)
    .optional()
    .openapi({ type: "number", minimum: 0, description: "Of the whole stop" }),
  generalCauseIds: causeIds,
  specificCauseIds: causeIds,
  componentIds: causeIds,
  includeDeleted: flagText.default(false),
});
export type StopQuery = z.infer<typeof query>;

export const contract = createRoute({
  method: "get",
  path: "/v1/stops",
  operationId: "listStops",
  tags: ["stops"],
  summary: "List stops",
  description: `Newest first, each whole: one item per stop, however many shifts it touches. A stop that began outside shifts counts
from the first shift that it touches. A parameter that is not known here is refused.`,
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
  const rows = await listStops(db(c), { ...sent, companyId: companyOf(c, sent.companyId, undefined) }, now);
  const { page, cursor } = pageOf(rows, sent.limit, (row) => [row.sliceStart, row.id]);
  return c.json({ data: page.map((row) => stopOf(row, now)), cursor }, 200);
};
