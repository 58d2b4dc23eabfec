import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { formatMembers } from "../../../core/cursor.ts";
import { channels } from "../../../db/values.ts";
import { answerReport, reportAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { listChannels } from "./channels.ts";

const channel = z
  .object({
    channel: z.enum(channels),
    isOn: z
      .boolean()
      .openapi({ description: "Whether it is set up. Messages to a channel that is not set up fail with `channel_off`" }),
    missing: z.array(answerText).openapi({ description: "The variables and secrets that are not set" }),
  })
  .openapi("Channel");

export const contract = createRoute({
  method: "get",
  path: "/v1/channels",
  operationId: "listChannels",
  tags: ["messages"],
  summary: "List the channels and whether they are set up",
  ...allowPermission("set-up:read"),
  request: { query: z.strictObject(formatMembers) },
  responses: {
    200: reportAnswer(z.object({ data: z.array(channel) }), "All channels"),
    ...problemResponses(400, 401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => answerReport(c, contract, { data: listChannels(callerOf(c)) });
