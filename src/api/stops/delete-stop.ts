import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { recordOf } from "../../machine/record-id.ts";
import { editStops, noStop, readScene } from "./edit.ts";
import { ifMatch } from "./if-match.ts";
import { keepEdit } from "./keep-edit.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/stops/{id}",
  operationId: "deleteStop",
  tags: ["stops"],
  summary: "Delete a recorded stop",
  description:
    "The time becomes what the signals say. A stop that the signals made cannot be deleted: 409. Honours an Idempotency-Key.",
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: { params: z.object({ id: idParameter }), headers: ifMatch },
  responses: { 204: { description: "Deleted" }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const { machineId, seq } = recordOf(id);
  const scene = await readScene(c, machineId);
  if (!scene) throw noStop(id);
  const version = c.req.valid("header")["if-match"] ?? null;
  await editStops(c, scene, { action: "delete", seq, version }, [id]);
  await keepEdit(c, null);
  return c.body(null, 204);
};
