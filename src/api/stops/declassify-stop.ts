import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { recordOf } from "../../machine/record-id.ts";
import { editStops, noStop, readScene } from "./edit.ts";
import { ifMatch } from "./if-match.ts";
import { keepEdit } from "./keep-edit.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/stops/{id}/classification",
  operationId: "declassifyStop",
  tags: ["stops"],
  summary: "Take back why a stop was",
  description: "Its flags become those that the signals and the shift's breaks give it. Honours an Idempotency-Key.",
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: { params: z.object({ id: idParameter }), headers: ifMatch },
  responses: {
    200: {
      description: "The stop without classification",
      headers: etagHeader,
      content: { "application/json": { schema: slicedStop } },
    },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const { machineId, seq } = recordOf(id);
  const scene = await readScene(c, machineId);
  if (!scene) throw noStop(id);
  const version = c.req.valid("header")["if-match"] ?? null;
  const [stop] = await editStops(c, scene, { action: "classify", seq, version, causes: null, flags: {} }, [id]);
  if (!stop) throw noStop(id);
  await keepEdit(c, stop);
  c.header("etag", etagOf(stop));
  return c.json(stop, 200);
};
