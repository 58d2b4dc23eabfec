import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { instant } from "../../../core/inputs.ts";
import { namedRef } from "../../../core/refs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { sentRule } from "./resource.ts";
import { MOST_DAYS, tryRule } from "./try-rule.ts";

const timestamp = z.iso.datetime();

const body = z.object({
  rule: sentRule,
  companyId: z
    .int()
    .min(1)
    .optional()
    .openapi({ description: "Your own company by default; only superusers may name another one" }),
  from: instant.optional().openapi({ description: `At most ${MOST_DAYS} days before \`to\`; 7 days before it by default` }),
  to: instant.optional().openapi({ description: "Now by default" }),
});

const answer = z
  .object({
    from: timestamp,
    to: timestamp,
    count: z.int().openapi({ description: "Of all incidents; the first 1,000 are listed" }),
    data: z.array(
      z.object({
        machines: z.array(namedRef).openapi({ description: "Several if they share a gateway that was silent" }),
        since: timestamp,
        openedAt: timestamp,
        resolvedAt: timestamp.nullable().openapi({ description: "Null: it would still be open at `to`" }),
        value: z.number().nullable(),
      }),
    ),
  })
  .openapi("TriedAlertRule");

const example = { rule: { name: "Press stands", when: { kind: "stop", minutes: 10 } }, from: "2026-03-02T00:00:00Z" };

export const contract = createRoute({
  method: "post",
  path: "/v1/alert-rules/try",
  operationId: "tryAlertRule",
  tags: ["alert rules"],
  summary: "Try an alert rule",
  description: `Returns the incidents that the rule would have opened, computed from the stored stops, shifts and counts. Notifies nobody and stores nothing.
Shares and defects are checked every five minutes; rules about late orders and gateways cannot be tried.`,
  ...allowPermission("reports:read", { isRead: true, counts: "company" }),
  request: { body: { required: true, content: { "application/json": { schema: body, example } } } },
  responses: {
    200: { description: "The incidents, in the order of their opening", content: { "application/json": { schema: answer } } },
    ...problemResponses(400, 401, 403, 404, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => c.json(await tryRule(callerOf(c), c.req.valid("json")), 200);
