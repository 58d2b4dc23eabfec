import { createHash } from "node:crypto";
import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import type { HonoEnv } from "../../http/env.ts";
import { conditionsOfRead, isKnown, isMatch, noMatch } from "../../http/etag.ts";
import { open } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { STORAGE_MS, within } from "../../limits/load.ts";

const etag = z.object({ etag: answerText });

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
    200: { description: "The document", headers: etag, content: { "application/json": { schema: z.looseObject({}) } } },
    304: { description: "Not modified", headers: etag },
    ...problemResponses(412, 413),
  },
});

/** The document, cached by the first request. */
let kept: { text: string; etag: string } | undefined;

export const handler: RouteHandler<typeof contract, HonoEnv> = async (c) => {
  kept ??= await readDocument(c.env.ASSETS);
  const headers = { etag: kept.etag, "cache-control": "public, no-cache", "content-type": "application/json" };
  if (!isMatch(c.req.valid("header")["if-match"], kept.etag)) throw noMatch(kept.etag);
  if (isKnown(c.req.header("if-none-match"), kept.etag)) return new Response(null, { status: 304, headers });
  return new Response(kept.text, { headers });
};

/** Reads the document that `npm run assets` made when this Worker was built. */
async function readDocument(assets: Fetcher) {
  const answer = await within(STORAGE_MS, "The static files", assets.fetch("https://assets.test/openapi.json"));
  if (!answer.ok) throw new Error(`openapi.json is not among the static files: ${answer.status}`);
  const text = await within(STORAGE_MS, "The static files", answer.text());
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
