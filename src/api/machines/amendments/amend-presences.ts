import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { pastPresences, presencesBody } from "./amendment.ts";
import { amendPresences } from "./amendments.ts";

const example = {
  from: "2026-11-23T06:00:00Z",
  to: "2026-11-23T14:00:00Z",
  presences: [{ operatorId: 1, startTime: "2026-11-23T06:10:00Z", endTime: "2026-11-23T14:00:00Z" }],
  reason: "Nobody signed in",
};

export const contract = createRoute({
  method: "put",
  path: "/v1/machines/{id}/presences",
  operationId: "amendPresences",
  tags: ["machines"],
  summary: "Say who was at a machine in the past",
  description: `In the interval, these presences take the place of who signed in and out; after it, everything is as if that had counted. The company's
sign-out at the end of shifts holds for them, too, and where nobody is there, the operator plan counts. Of two amendments of one time the later one
holds, and each can be undone. Answers with the presences of the interval. Honours an Idempotency-Key.`,
  ...allowPermission("operators:sign-in", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: { required: true, content: { "application/json": { schema: presencesBody, example } } },
  },
  responses: {
    200: { description: "Who was there", content: { "application/json": { schema: pastPresences } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await amendPresences(callerOf(c), c.req.valid("param").id, c.req.valid("json")), 200);
