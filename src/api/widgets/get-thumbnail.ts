import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { nameInPath } from "../../core/inputs.ts";
import { conditionsOfRead, isMatch, noMatch } from "../../http/etag.ts";
import { open } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { visitorOf } from "../../http/session.ts";
import { getThumbnail } from "./thumbnails.ts";

const etagHeader = z.object({ etag: answerText });
const picture = { schema: answerText.openapi({ format: "binary" }) };

export const contract = createRoute({
  method: "get",
  path: "/thumbnails/{key}",
  operationId: "getThumbnail",
  tags: ["widgets"],
  summary: "Get a stored picture",
  description:
    "Needs no token: the key contains the SHA-256 of the picture and cannot be guessed. The picture of a key never changes.",
  ...open(),
  request: { params: z.object({ key: nameInPath }), headers: conditionsOfRead },
  responses: {
    200: {
      description: "The picture",
      headers: etagHeader,
      content: { "image/png": picture, "image/jpeg": picture, "image/webp": picture, "image/gif": picture },
    },
    304: { description: "The caller has the picture already", headers: etagHeader },
    ...problemResponses(404, 412, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { key } = c.req.valid("param");
  const { etag, contentType, body } = await getThumbnail(visitorOf(c), key, c.req.header("if-none-match") ?? "");
  if (!isMatch(c.req.valid("header")["if-match"], etag)) {
    await body?.cancel();
    throw noMatch(etag);
  }
  const headers = new Headers({
    etag,
    "cache-control": "public, max-age=31536000, immutable",
    // Pages of any origin may show the picture.
    "cross-origin-resource-policy": "cross-origin",
    "content-disposition": `inline; filename="${key}"`,
  });
  if (!body) return new Response(null, { status: 304, headers });
  if (contentType) headers.set("content-type", contentType);
  return new Response(body, { headers });
};
