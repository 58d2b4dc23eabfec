import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { instant, nameText } from "../../core/inputs.ts";
import { created, createdAnswer } from "../../http/created.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { causesBody } from "./causes.ts";
import { recordStop } from "./edits.ts";
import { flagsBody, flagsOf } from "./flags.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

const body = causesBody.extend({
  ...flagsBody.shape,
  machineId: z.int().min(1),
  startTime: instant,
  endTime: instant.openapi({
    description:
      "After `startTime`, at most 400 days ahead. A stop that ends in the future is planned: its `isProgrammed` must be true",
  }),
  name: nameText(200).nullable().default(null),
});

export const contract = createRoute({
  method: "post",
  path: "/v1/stops",
  operationId: "recordStop",
  tags: ["stops"],
  summary: "Record a stop",
  description: `The machine counts as stopped for this time, whatever its signals say. It replaces stops from signals; a stop that overlaps
another recorded stop is refused (409). A stop may be planned ahead (at most 200 per machine): while it lasts, it is programmed, whatever the machine does, and
nobody is alerted to it. Until it begins, it is in no list and report; its id changes and deletes it. Deleting it while it lasts takes all of it away. Flags that are left out are those of the cause, or without a cause: not programmed, included in stops
and in availability. Honours an Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          example: {
            machineId: 1,
            startTime: "2026-03-02T09:00:00Z",
            endTime: "2026-03-02T09:20:00Z",
            name: "Fire drill",
            isProgrammed: true,
          },
        },
      },
    },
  },
  responses: {
    201: createdAnswer(slicedStop, "The recorded stop", etagHeader),
    ...problemResponses(400, 401, 403, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { machineId, startTime: start, endTime: end, name, ...sent } = c.req.valid("json");
  const stop = await recordStop(callerOf(c), { machineId, start, end, name, why: sent, flags: flagsOf(sent) });
  c.header("etag", etagOf(stop));
  return created(c, stop);
};
