import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import type { HonoEnv } from "../../http/env.ts";
import { service } from "../../http/openapi/service.ts";
import { pageOf } from "../../http/pages.ts";
import { open } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";

const serviceSchema = z
  .object({
    name: answerText.openapi({ example: "Andon" }),
    version: answerText.openapi({ description: "Version of the service", example: "0.1.0" }),
    links: z.object({
      openapi: answerText.openapi({ description: "The OpenAPI document" }),
      docs: answerText.openapi({ description: "The same as a page" }),
      health: answerText,
      login: answerText.openapi({ description: "Where a password is exchanged for a token" }),
      live: answerText.openapi({ description: "What all machines do now, as it changes" }),
      wall: answerText.openapi({ description: "The board's page for a large screen" }),
      floor: answerText.openapi({ description: "The board's page for a machine's terminal" }),
      desk: answerText.openapi({ description: "The board's page for an office" }),
    }),
  })
  .openapi("Service");

export const contract = createRoute({
  method: "get",
  path: "/",
  operationId: "getService",
  tags: ["docs"],
  summary: "Get service information and links",
  description: "Answers JSON to programs that ask for `application/json`. Browsers get the start page of the board.",
  ...open(),
  responses: {
    200: {
      description: "The service, or the page",
      headers: z.object({ vary: answerText }),
      content: { "application/json": { schema: serviceSchema }, "text/html": { schema: answerText } },
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
