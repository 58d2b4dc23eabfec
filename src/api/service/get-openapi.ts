import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import type { HonoEnv } from "../../http/env.ts";
import { conditionsOfRead, isKnown, isMatch, noMatch } from "../../http/etag.ts";
import { open } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { visitorOf } from "../../http/session.ts";
import { getOpenapi } from "./openapi-document.ts";

const etagHeader = z.object({ etag: answerText });

export const contract = createRoute({
  method: "get",
  path: "/openapi.json",
  operationId: "getOpenapi",
  tags: ["docs"],
  summary: "This document",
  description: "OpenAPI 3.1, generated from the schemas that validate requests. `/docs` shows it as a page.",
  ...open(),
  request: { headers: conditionsOfRead },
  responses: {
    200: { description: "The document", headers: etagHeader, content: { "application/json": { schema: z.looseObject({}) } } },
    304: { description: "Not modified", headers: etagHeader },
    ...problemResponses(412, 413),
  },
});

export const handler: RouteHandler<typeof contract, HonoEnv> = async (c) => {
  const { text, etag } = await getOpenapi(visitorOf(c));
  const headers = { etag, "cache-control": "public, no-cache", "content-type": "application/json" };
  if (!isMatch(c.req.valid("header")["if-match"], etag)) throw noMatch(etag);
  if (isKnown(c.req.header("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
};
