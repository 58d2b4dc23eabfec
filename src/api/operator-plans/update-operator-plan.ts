import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { instant, text } from "../../core/inputs.ts";
import { conflict, invalid, notFound, type Problem } from "../../core/problem.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { announce } from "../../machine/tell-machines.ts";
import { isoOf } from "../../oee/time.ts";
import { type PlanStatus, statusOf } from "./plan-status.ts";
import { changePlan, type PlanChange } from "./queries.ts";

const body = z.object({
  title: text(200).min(1).optional().openapi({ description: "While the plan is future" }),
  since: instant.optional().openapi({ description: "While the plan is future" }),
  until: instant.optional().openapi({ description: "After now and after `since`; required while the plan is Active" }),
});

const operatorPlan = z
  .object({
    id: z.string(),
    fileId: z.string().nullable(),
    title: z.string(),
    since: z.iso.datetime(),
    until: z.iso.datetime().openapi({ description: "The plan's end, exclusive" }),
    status: z.enum(["future", "Active", "past"]),
    operatorCount: z.int().openapi({ description: "Different operators" }),
    machineCount: z.int().openapi({ description: "Different machines" }),
  })
  .openapi("OperatorPlan");

export const contract = createRoute({
  method: "put",
  path: "/operator-plan/{id}",
  operationId: "updateOperatorPlan",
  tags: ["operator plans"],
  summary: "Change an operator plan",
  description: `Of an Active plan \`until\` alone may change; of a future one title, since and until; a past one stays as it
is (409). Its machines take the change over within seconds. Honours an Idempotency-Key.`,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { isIdempotent: true }),
  request: {
    params: z.object({ id: text(100) }),
    body: { required: true, content: { "application/json": { schema: body, example: { until: "2030-01-31T22:00:00Z" } } } },
  },
  responses: {
    200: { description: "The plan as changed", content: { "application/json": { schema: operatorPlan } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const change = c.req.valid("json");
  const { role, companyId } = c.var.actor;
  const now = Date.now();
  if (change.title === undefined && change.since === undefined && change.until === undefined) {
    throw invalid([
      { pointer: "/until", code: "required", message: "is required (title or since will do while the plan is future)" },
    ]);
  }
  if (change.until !== undefined && change.until <= now) {
    throw invalid([{ pointer: "/until", code: "not_after_now", message: "must be after now" }]);
  }
  const ownCompanyId = role === "superuser" ? undefined : companyId;
  const keep: Parameters<typeof changePlan>[4] = (answer, condition) => keepAnswer(c, 200, answer, condition);
  const { plan, isChanged, machines } = await changePlan(db(c), id, ownCompanyId, change, keep, auditBy(c), now);
  if (!plan) throw notFound(`There is no operator plan ${id}.`);
  const status = statusOf(plan, now);
  if (!isChanged) throw refusal(status, change);
  // Whoever does not hear of it now is told by the next sweep.
  c.executionCtx.waitUntil(announce(c.env, machines));
  const dates = { since: isoOf(plan.since), until: isoOf(plan.until) };
  return c.json({ ...plan, ...dates, status }, 200);
};

function refusal(status: PlanStatus, change: PlanChange): Problem {
  if (status === "past") return conflict("The plan is past: it does not change any more.");
  if (status === "Active") {
    const fixed = (["title", "since"] as const).filter((member) => change[member] !== undefined);
    const faults = fixed.map((member) => ({
      pointer: `/${member}`,
      code: "fixed",
      message: "may not change while the plan is Active",
    }));
    return conflict("The plan is Active: `until` alone may change.", faults);
  }
  const pointer = change.until === undefined ? "/since" : "/until";
  return invalid([{ pointer, code: "not_in_order", message: "leaves the plan no time: `since` must be before `until`" }]);
}
