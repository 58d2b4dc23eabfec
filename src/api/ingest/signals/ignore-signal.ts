import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyQuery } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { channelConfig } from "../count-sensors/members.ts";
import { ignoreSignal, MOST_IGNORED } from "./ignored.ts";

const body = z.strictObject({
  nodeId: channelConfig.shape.nodeId,
  channel: channelConfig.shape.channel,
  isIgnored: z.boolean().openapi({ description: "False: it is listed and kept again" }),
});

export const contract = createRoute({
  method: "put",
  path: "/v1/signals/ignored",
  operationId: "ignoreSignal",
  tags: ["count sensors"],
  summary: "Ignore a signal, or take it back",
  description: `For a channel that nobody wants, such as one of a machine that is not the company's. While it feeds no machine, \`GET /v1/signals\` lists it with \`ignored=true\` alone, and
its counts are not kept; those that are kept are dropped. If a machine gets the channel, it counts as usual. It stays ignored until it is taken back; what came meanwhile
is not kept then, unless the gateway sends it again. A company can ignore ${MOST_IGNORED} channels (409).`,
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: {
    query: z.strictObject({ companyId: companyQuery }),
    body: {
      required: true,
      content: { "application/json": { schema: body, example: { nodeId: 1, channel: 9, isIgnored: true } } },
    },
  },
  responses: { 204: { description: "Done" }, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await ignoreSignal(callerOf(c), c.req.valid("query"), c.req.valid("json"));
  return c.body(null, 204);
};
