import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { keptMap } from "../../http/inputs.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { userConfig, userConfigOf } from "./config.ts";
import { saveUserConfig } from "./queries.ts";

const maxBytes = 64 * 1024;

export const contract = createRoute({
  method: "put",
  path: "/v1/config",
  operationId: "putConfig",
  tags: ["configs"],
  summary: "Replace the own config",
  description: "Whatever the client wants to keep, 64 KiB at most with the body around it.",
  ...allowPermission("configs:write", { maxBodyBytes: maxBytes }),
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: z.object({ config: keptMap }), example: { config: { theme: "dark" } } } },
    },
  },
  responses: {
    200: { description: "The config as saved", content: { "application/json": { schema: userConfig } } },
    ...problemResponses(400, 401, 403, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { config } = c.req.valid("json");
  const { userId, companyId } = c.var.actor;
  const row = await saveUserConfig(db(c), userId, companyId, JSON.stringify(config), auditBy(c), Date.now());
  return c.json(userConfigOf(userId, companyId, row), 200);
};
