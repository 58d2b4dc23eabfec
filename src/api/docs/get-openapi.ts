import { createHash } from "node:crypto";
import { createRoute, type OpenAPIHono, type RouteHandler, z } from "@hono/zod-openapi";
import type { HonoEnv } from "../../http/env.ts";
import { open } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { describeApi } from "./describe-api.ts";

const etag = z.object({ etag: z.string() });

export const contract = createRoute({
  method: "get",
  path: "/openapi.json",
  operationId: "getOpenapi",
  tags: ["docs"],
  summary: "This document",
  description: "OpenAPI 3.1, made of the declarations that check requests. `/docs` shows it to people.",
  ...open(),
  responses: {
    200: { description: "The document", headers: etag, content: { "application/json": { schema: z.looseObject({}) } } },
    304: { description: "The caller has it", headers: etag },
    ...problemResponses(413),
  },
});

/** The operation for the app that holds it: the document is made when first asked for and kept. */
export function handlerFor(app: OpenAPIHono<HonoEnv>): RouteHandler<typeof contract> {
  let made: { text: string; etag: string } | undefined;
  return (c) => {
    made ??= render(app);
    const headers = { etag: made.etag, "cache-control": "public, no-cache", "content-type": "application/json" };
    const known = (c.req.header("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    if (known.includes(made.etag) || known.includes("*")) return new Response(null, { status: 304, headers });
    return new Response(made.text, { headers });
  };
}

function render(app: OpenAPIHono<HonoEnv>) {
  const text = JSON.stringify(describeApi(app));
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
