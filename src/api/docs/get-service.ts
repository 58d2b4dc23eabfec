import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import type { HonoEnv } from "../../http/env.ts";
import { service } from "../../http/openapi/service.ts";
import { pageOf } from "../../http/pages.ts";
import { open } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";

const serviceSchema = z
  .object({
    name: z.string().openapi({ example: "Andon" }),
    version: z.string().openapi({ description: "Version of the API", example: "1.0.0" }),
    links: z.object({
      openapi: z.string().openapi({ description: "The OpenAPI document" }),
      docs: z.string().openapi({ description: "The same as a page" }),
      health: z.string(),
      login: z.string().openapi({ description: "Where a password is exchanged for a token" }),
      live: z.string().openapi({ description: "What all machines do now, as it changes" }),
      wall: z.string().openapi({ description: "The board's page for a large screen" }),
      floor: z.string().openapi({ description: "The board's page for a machine's terminal" }),
      desk: z.string().openapi({ description: "The board's page for an office" }),
    }),
  })
  .openapi("Service");

export const contract = createRoute({
  method: "get",
  path: "/",
  operationId: "getService",
  tags: ["docs"],
  summary: "Tell what this service is and where its parts are",
  description: "Answers JSON to programs that ask for `application/json`. Browsers get the start page of the board.",
  ...open(),
  responses: {
    200: {
      description: "The service, or the page",
      headers: z.object({ vary: z.string() }),
      content: { "application/json": { schema: serviceSchema }, "text/html": { schema: z.string() } },
    },
    ...problemResponses(413),
  },
});

export const handler: RouteHandler<typeof contract, HonoEnv> = async (c) => {
  const accept = c.req.header("accept") ?? "";
  if (!accept.includes("application/json") || accept.includes("text/html")) {
    const page = await pageOf(c, "home");
    page.headers.set("vary", "Accept");
    return page;
  }
  const links = {
    openapi: "/openapi.json",
    docs: "/docs",
    health: "/health",
    login: "/identity/login",
    live: "/v1/live",
    wall: "/wall",
    floor: "/floor",
    desk: "/desk",
  };
  c.header("vary", "Accept");
  return c.json({ name: service.title, version: service.version, links }, 200);
};
