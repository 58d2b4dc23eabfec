import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { forbidden, invalid, notFound, Problem, unavailable } from "../../core/problem.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { imageKind } from "./image-kind.ts";
import { findWidgetOwner, saveThumbnail } from "./queries.ts";
import { compress, forgettingMs, pictureOf, type StoredPicture, storePictures, thumbnailUrl } from "./thumbnails.ts";

const maxFileBytes = 5 * 1024 * 1024;
const maxFrameBytes = 64 * 1024;
const maxSide = 8192;
/** Of an animated picture, each of which is decoded. */
const maxFrames = 100;
/** Of all frames together: as many as a still picture of the greatest sides has. */
const maxPixels = maxSide * maxSide;

const upload = z.object({
  file: z.instanceof(File, { error: "must be exactly one file" }).openapi({ type: "string", format: "binary" }),
});

export const contract = createRoute({
  method: "post",
  path: "/widgets/{id}/thumbnail",
  operationId: "uploadThumbnail",
  tags: ["widgets"],
  summary: "Give a widget its picture",
  description: `PNG, JPEG, WebP or GIF by its bytes, whatever its name; 5 MB, 8192 pixels a side and ${maxFrames} frames at most. A WebP of 480 pixels a side
at most is made beside it. Superusers alone change a system widget.`,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], {
    maxBodyBytes: maxFileBytes + maxFrameBytes,
    costly: "upload",
  }),
  request: {
    params: z.object({ id: z.string() }),
    body: { required: true, content: { "multipart/form-data": { schema: upload } } },
  },
  responses: {
    200: { description: "Stored", content: { "application/json": { schema: z.object({ imageUrl: z.url() }) } } },
    ...problemResponses(400, 401, 403, 404, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const { file } = c.req.valid("form");
  const { role, companyId } = c.var.actor;
  const ownCompanyId = role === "superuser" ? undefined : companyId;
  const picture = await readPicture(file);

  // Two trips: nothing is stored for a caller who may not, and the row comes last, so that it never names what is not there.
  const owner = await findWidgetOwner(db(c), id, ownCompanyId);
  if (owner === undefined) throw notFound("There is no such widget.");
  if (owner === null && role !== "superuser") throw forbidden("Superusers alone change a system widget.");
  const compressed = await compress(c.env, file);
  if (!compressed) throw refused("unreadable", "cannot be read as a picture");
  await storePictures(c.env, [picture, compressed]);
  const keys = { thumbnailKey: picture.key, compressedThumbnailKey: compressed.key };
  const outcome = await saveThumbnail(db(c), id, ownCompanyId, keys, auditBy(c), Date.now());
  if (outcome === "gone") throw notFound("There is no such widget.");
  if (outcome === "forgotten")
    throw unavailable("This picture is just being deleted, as nothing showed it.", forgettingMs / 1000);
  return c.json({ imageUrl: thumbnailUrl(new URL(c.req.url).origin, picture.key) }, 200);
};

/** The uploaded picture. 400 or 413 for one that is none, or too large. */
async function readPicture(file: File): Promise<StoredPicture> {
  if (file.size === 0) throw refused("too_small", "holds no bytes");
  if (file.size > maxFileBytes) {
    const fault = { pointer: "/file", code: "too_big", message: `may hold ${maxFileBytes} bytes at most` };
    throw new Problem(413, `${fault.pointer}: ${fault.message}`, { errors: [fault] });
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = imageKind(bytes);
  if (!kind) throw refused("unsupported_format", "must be a PNG, JPEG, WebP or GIF picture");
  const { width, height } = kind;
  if (width < 1 || height < 1) throw refused("unreadable", "cannot be read as a picture");
  if (width > maxSide || height > maxSide) {
    throw refused("too_big", `may measure ${maxSide} pixels a side at most, not ${width} x ${height}`);
  }
  if (kind.frames > maxFrames) throw refused("too_big", `may have ${maxFrames} frames at most, not ${kind.frames}`);
  if (width * height * kind.frames > maxPixels) {
    throw refused("too_big", `may have ${maxPixels} pixels in all of its frames at most, not ${width * height * kind.frames}`);
  }
  return pictureOf(bytes, kind);
}

function refused(code: string, message: string): Problem {
  return invalid([{ pointer: "/file", code, message }]);
}
