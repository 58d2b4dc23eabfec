import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { invalid } from "../../core/problem.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { recordOf } from "../../machine/record-id.ts";
import { causeIdsOf, causesBody, causesOf } from "./causes.ts";
import { editStops, noStop, readScene } from "./edit.ts";
import { ifMatch } from "./if-match.ts";
import { keepEdit } from "./keep-edit.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

export const contract = createRoute({
  method: "put",
  path: "/v1/stops/{id}/classification",
  operationId: "classifyStop",
  tags: ["stops"],
  summary: "Say why a stop was",
  description: `At least one cause or a description; what was said before is replaced. The flags of the specific cause, else of the
general one, become the stop's, and its shifts are reckoned anew. Honours an Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    headers: ifMatch,
    body: {
      required: true,
      content: {
        "application/json": {
          schema: causesBody,
          example: { generalCauseId: "3", specificCauseId: "12", description: "Belt off its roller" },
        },
      },
    },
  },
  responses: {
    200: { description: "The stop as classified", headers: etagHeader, content: { "application/json": { schema: slicedStop } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const body = c.req.valid("json");
  const { machineId, seq } = recordOf(id);
  const scene = await readScene(c, machineId, causeIdsOf(body));
  if (!scene) throw noStop(id);
  const { causes, flags } = causesOf(body, scene.causes);
  if (!causes) {
    throw invalid([{ pointer: "/generalCauseId", code: "required", message: "is required, or another cause, or a description" }]);
  }
  const version = c.req.valid("header")["if-match"] ?? null;
  const [stop] = await editStops(c, scene, { action: "classify", seq, version, causes, flags }, [id]);
  if (!stop) throw noStop(id);
  await keepEdit(c, stop);
  c.header("etag", etagOf(stop));
  return c.json(stop, 200);
};
