import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant } from "../../core/inputs.ts";
import { taggedHeaders } from "../../http/etag.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { DAY_MS } from "../../oee/time.ts";
import { getAvailability } from "./availability.ts";

const maxDays = 92;

const range = z
  .object({ start: instant, end: instant })
  .refine(({ start, end }) => start < end, { path: ["end"], message: "must be after `start`" })
  .refine(({ start, end }) => end - start <= maxDays * DAY_MS, {
    path: ["end"],
    message: `must be at most ${maxDays} days after \`start\``,
  });

const change = z
  .object({
    status: z.enum(["A", "N", "P", "O", "D", "U"]).openapi({
      description:
        "A available, N not available (non-programmed stop), P programmed stop, O stop outside availability, D no data, U outside shifts",
    }),
    timestamp: z.iso.datetime(),
  })
  .openapi("AvailabilityEntry");

export const contract = createRoute({
  method: "get",
  path: "/machines/{machineId}/availability",
  operationId: "getAvailability",
  tags: ["machines"],
  summary: "A machine's status over time",
  description: "The status at `start`, then one entry for each change before `end` or now, whichever is earlier.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { costly: "report" }),
  request: { params: z.object({ machineId: idParameter }), query: range },
  responses: {
    200: {
      description: "The changes, in order",
      headers: taggedHeaders,
      content: { "application/json": { schema: z.array(change) } },
    },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await getAvailability(callerOf(c), c.req.valid("param").machineId, c.req.valid("query")), 200);
};
