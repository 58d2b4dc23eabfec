import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { nameInPath } from "../../core/inputs.ts";
import { notFound } from "../../core/problem.ts";
import { conditionsOfRead, isMatch, noMatch } from "../../http/etag.ts";
import { open } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { STORAGE_MS, within } from "../../limits/load.ts";
import { isThumbnailKey } from "./thumbnails.ts";

const etag = z.object({ etag: answerText });
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
      headers: etag,
      content: { "image/png": picture, "image/jpeg": picture, "image/webp": picture, "image/gif": picture },
    },
    304: { description: "The caller has the picture already", headers: etag },
    ...problemResponses(404, 412, 503),
  },
});

const entityTags = /^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/;

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { key } = c.req.valid("param");
  const known = c.req.header("if-none-match") ?? "";
  // The bucket throws if the header is not a list of entity tags.
  const condition = entityTags.test(known) ? { onlyIf: new Headers({ "if-none-match": known }) } : {};
  const object = isThumbnailKey(key) ? await within(STORAGE_MS, "the bucket", c.env.THUMBNAILS.get(key, condition)) : null;
  if (!object) throw notFound("There is no such picture.");
  // The bucket omits the body if the caller already has the picture.
  const { body } = object as Partial<R2ObjectBody>;
  if (!isMatch(c.req.valid("header")["if-match"], object.httpEtag)) {
    await body?.cancel();
    throw noMatch(object.httpEtag);
  }
  const headers = new Headers({
    etag: object.httpEtag,
    "cache-control": "public, max-age=31536000, immutable",
    // Pages of any origin may show the picture.
    "cross-origin-resource-policy": "cross-origin",
    "content-disposition": `inline; filename="${key}"`,
  });
  if (!body) return new Response(null, { status: 304, headers });
  object.writeHttpMetadata(headers);
  return new Response(body, { headers });
};
