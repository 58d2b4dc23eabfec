import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant } from "../../core/inputs.ts";
import { notFound } from "../../core/problem.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { availabilityChanges } from "../../oee/availability.ts";
import { DAY_MS, isoOf } from "../../oee/time.ts";
import { findTimeline } from "./queries.ts";

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
  description: "The status in force at `start`, then one entry per change before `end`, up to now. Nothing of the future.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { costly: "report" }),
  request: { params: z.object({ machineId: idParameter }), query: range },
  responses: {
    200: { description: "The changes, in order", content: { "application/json": { schema: z.array(change) } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { machineId } = c.req.valid("param");
  const { start, end } = c.req.valid("query");
  const { role, companyId } = c.var.actor;
  const window = { start, end: Math.min(end, Date.now()) };
  const timeline = await findTimeline(db(c), machineId, role === "superuser" ? undefined : companyId, window);
  if (!timeline) throw notFound(`There is no machine ${machineId}.`);
  if (window.start >= window.end) return c.json([], 200);
  const { service, shifts, stops } = timeline;
  const changes = availabilityChanges(window, service, shifts, stops);
  return c.json(
    changes.map(({ status, at }) => ({ status, timestamp: isoOf(at) })),
    200,
  );
};
