import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { created, createdAnswer } from "../../http/created.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { closing, newClosing } from "./closing.ts";
import { createClosing } from "./closings.ts";

const example = { to: "2026-11-01T00:00:00Z", force: true, reason: "October is reported" };

export const contract = createRoute({
  method: "post",
  path: "/v1/books/closings",
  operationId: "createBookClosing",
  tags: ["books"],
  summary: "Close the books",
  description: `From then on nothing changes a number of a shift that ended at or before \`to\`: changes of that time are refused (409, \`closed_books\`), and events of it are
held (\`GET /v1/held-events\`). A shift that runs at \`to\` stays open. Refused (409) while stops of that time have no cause, machines send nothing or
events are held, unless \`force\` is true, and while numbers are recalculated. Machines close their books one after the other, mostly before the answer:
\`state\` says whether all have. Honours an Idempotency-Key.`,
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: {
    body: { required: true, content: { "application/json": { schema: newClosing, example } } },
  },
  responses: {
    201: createdAnswer(closing, "The closing"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createClosing(callerOf(c), c.req.valid("json")));
