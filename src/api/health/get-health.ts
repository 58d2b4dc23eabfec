import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { open } from "../../http/permission.ts";
import { problemResponses, unavailable } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { probe } from "./queries.ts";

export const contract = createRoute({
  method: "get",
  path: "/health",
  operationId: "getHealth",
  tags: ["health"],
  summary: "Tell whether the service can reach its storage",
  ...open(),
  responses: {
    200: { description: "It can", content: { "application/json": { schema: z.object({ status: z.literal("ok") }) } } },
    ...problemResponses(400, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const database = db(c);
  try {
    await probe(database);
  } catch {
    throw unavailable("The database does not answer.", 5);
  }
  return c.json({ status: "ok" as const }, 200);
};
