import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { machineEvent } from "./machine-event.ts";
import { listMachineEvents } from "./machine-events.ts";
import { maxDays, query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/machines/{id}/events",
  operationId: "listMachineEvents",
  tags: ["machines"],
  summary: "List what was sent of a machine",
  description: `The events that the machine accepted in at most ${maxDays} days, as they were sent and in the order of their times. They are kept for ever. As a file (\`format=ndjson\`
or \`format=csv\`) they are read and sent part by part. The last item has the type \`end\` and says whether they are complete: version 0.1.0 deleted
events that were more than two days old, and a day's storage can be damaged. What is damaged is an item of the type \`damaged\` in place of its events.`,
  ...allowRoles(["admin", "superadmin", "superuser"], { costly: "report" }),
  request: { params: z.object({ id: idParameter }), query },
  responses: {
    200: listAnswer(machineEvent, "A page of events"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listMachineEvents(callerOf(c), c.req.valid("param").id, sent));
