import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, text } from "../../core/inputs.ts";
import { invalid } from "../../core/problem.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { recordOf } from "../../machine/record-id.ts";
import { editStops, noStop, readScene } from "./edit.ts";
import { flagsBody, flagsOf } from "./flags.ts";
import { ifMatch } from "./if-match.ts";
import { keepEdit } from "./keep-edit.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

const body = flagsBody.extend({
  name: text(200).min(1).nullable().optional().openapi({ description: "Null: as the cause or the break has it" }),
});

export const contract = createRoute({
  method: "patch",
  path: "/v1/stops/{id}",
  operationId: "changeStop",
  tags: ["stops"],
  summary: "Change a stop's name and what it counts as",
  description: "What is left out stays as it is. The stop's shifts are reckoned anew. Honours an Idempotency-Key.",
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    headers: ifMatch,
    body: {
      required: true,
      content: { "application/json": { schema: body, example: { name: "Fire drill", isIncludedInAvailability: false } } },
    },
  },
  responses: {
    200: { description: "The stop as changed", headers: etagHeader, content: { "application/json": { schema: slicedStop } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const { name, ...sent } = c.req.valid("json");
  const flags = flagsOf(sent);
  if (name === undefined && Object.keys(flags).length === 0) {
    throw invalid([{ pointer: "/name", code: "required", message: "is required, or one of the flags" }]);
  }
  const { machineId, seq } = recordOf(id);
  const scene = await readScene(c, machineId);
  if (!scene) throw noStop(id);
  const version = c.req.valid("header")["if-match"] ?? null;
  const change = { action: "change" as const, seq, version, flags, ...(name !== undefined && { name }) };
  const [stop] = await editStops(c, scene, change, [id]);
  if (!stop) throw noStop(id);
  await keepEdit(c, stop);
  c.header("etag", etagOf(stop));
  return c.json(stop, 200);
};
