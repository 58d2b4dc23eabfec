import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { keptMap } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { userConfig, userConfigOf } from "./config.ts";
import { saveConfig } from "./configs.ts";

const maxBytes = 64 * 1024;

export const contract = createRoute({
  method: "put",
  path: "/v1/config",
  operationId: "putConfig",
  tags: ["configs"],
  summary: "Replace your own config",
  description:
    "Any JSON object that the client wants to keep; the request body may have 64 KiB at most. Sending the same config again changes nothing.",
  ...allowPermission("configs:write", { maxBodyBytes: maxBytes, isForPeople: true }),
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: z.object({ config: keptMap }), example: { config: { theme: "dark" } } } },
    },
  },
  responses: {
    200: { description: "The config as saved", content: { "application/json": { schema: userConfig } } },
    ...problemResponses(400, 401, 403, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const saved = await saveConfig(callerOf(c), c.req.valid("json").config);
  return c.json(userConfigOf(saved, saved), 200);
};
