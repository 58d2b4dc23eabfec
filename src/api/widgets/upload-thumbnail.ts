import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { nameInPath } from "../../core/inputs.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { maxFileBytes, maxFrames } from "./pictures.ts";
import { setThumbnail } from "./widgets.ts";

/** The maximum size of the other parts of the form. */
const maxFrameBytes = 64 * 1024;

const upload = z.object({
  file: z.instanceof(File, { error: "must be exactly one file" }).openapi({ type: "string", format: "binary" }),
});

export const contract = createRoute({
  method: "post",
  path: "/widgets/{id}/thumbnail",
  operationId: "uploadThumbnail",
  tags: ["widgets"],
  summary: "Give a widget its picture",
  description: `PNG, JPEG, WebP or GIF, recognized by its bytes and not by its name; 5 MB, 8192 pixels per side and ${maxFrames} frames at most.
A smaller WebP (480 pixels per side at most) is made of it. Only superusers can change a system widget.`,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], {
    maxBodyBytes: maxFileBytes + maxFrameBytes,
    costly: "upload",
  }),
  request: {
    params: z.object({ id: nameInPath }),
    body: { required: true, content: { "multipart/form-data": { schema: upload } } },
  },
  responses: {
    200: { description: "Stored", content: { "application/json": { schema: z.object({ imageUrl: z.url() }) } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const imageUrl = await setThumbnail(callerOf(c), c.req.valid("param").id, c.req.valid("form").file);
  return c.json({ imageUrl }, 200);
};
