import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { created, createdAnswer } from "../../http/created.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { handOverWithFigures, newHandOver } from "./hand-over.ts";
import { createHandOver } from "./hand-overs.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/hand-overs",
  operationId: "createHandOver",
  tags: ["hand-overs"],
  summary: "Write the hand-over of a shift",
  description: `What the next shift should know. The figures of the shift are stored with it, as they are now: what changes of the past later does not change
them. A shift has one hand-over for each line, and one for all machines: if it is there already, the answer is 409, and \`PATCH\` changes it.
Honours an Idempotency-Key.`,
  ...allowPermission("hand-overs:write", { isIdempotent: true, costly: "report" }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: newHandOver,
          example: {
            shiftId: 1,
            date: "2026-11-24",
            lineId: 1,
            notes: { safety: null, quality: "CAP-38 white: flash on cavity 12 since 11:00", people: null, other: null },
            watch: ["Press 6: tool back at about 16:00, first 200 caps to quality"],
          },
        },
      },
    },
  },
  responses: {
    201: createdAnswer(handOverWithFigures, "The hand-over"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createHandOver(callerOf(c), c.req.valid("json")));
