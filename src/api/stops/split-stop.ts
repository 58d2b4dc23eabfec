import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { recordOf } from "../../machine/record-id.ts";
import { editStops, noStop, readScene } from "./edit.ts";
import { ifMatch } from "./if-match.ts";
import { keepEdit } from "./keep-edit.ts";
import { slicedStop } from "./stop.ts";

const body = z.object({ at: instant.openapi({ description: "Inside the stop; where the second part begins" }) });
const parts = z.object({ data: z.array(slicedStop).openapi({ description: "Both parts, the earlier one first" }) });

export const contract = createRoute({
  method: "post",
  path: "/v1/stops/{id}/split",
  operationId: "splitStop",
  tags: ["stops"],
  summary: "Split a stop in two",
  description: `The earlier part keeps the id; both keep the name, the flags and the classification. Honours an Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    headers: ifMatch,
    body: { required: true, content: { "application/json": { schema: body, example: { at: "2026-03-02T09:10:00Z" } } } },
  },
  responses: {
    200: { description: "The parts", content: { "application/json": { schema: parts } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const { at } = c.req.valid("json");
  const { machineId, seq } = recordOf(id);
  const scene = await readScene(c, machineId);
  if (!scene) throw noStop(id);
  const version = c.req.valid("header")["if-match"] ?? null;
  const answer = { data: await editStops(c, scene, { action: "split", seq, version, at }, [id]) };
  await keepEdit(c, answer);
  return c.json(answer, 200);
};
