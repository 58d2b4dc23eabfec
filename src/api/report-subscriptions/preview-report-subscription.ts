import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { previewSubscription } from "./run-now.ts";

/** The policy of all responses, except that it allows inline styles, which the mail contains. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox allow-popups";

export const contract = createRoute({
  method: "get",
  path: "/v1/report-subscriptions/{id}/preview",
  operationId: "previewReportSubscription",
  tags: ["report subscriptions"],
  summary: "Preview a report",
  description:
    "The mail of the newest period as HTML, with the figures as they are now; where nothing was scheduled to run, a page that says so. Nothing is sent.",
  ...allowPermission("reports:read", { costly: "report", counts: "path" }),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The mail", content: { "text/html": { schema: answerText } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const html = await previewSubscription(callerOf(c), c.req.valid("param").id);
  return c.html(html, 200, { "content-security-policy": contentSecurityPolicy });
};
