import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { distinct } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { mergeStops } from "./edits.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

const body = z
  .object({
    ids: distinct(z.int().min(1))
      .min(2)
      .openapi({ description: "Stops of one machine, each starting where the previous one ends" }),
    versions: z
      .array(z.int().min(0))
      .optional()
      .openapi({ description: "The versions of the stops, in the order of `ids`. 409 if someone has changed one of them since" }),
  })
  .refine(({ ids, versions }) => !versions || versions.length === ids.length, {
    path: ["versions"],
    message: "must have one version for each of `ids`",
  });

export const contract = createRoute({
  method: "post",
  path: "/v1/stops/merge",
  operationId: "mergeStops",
  tags: ["stops"],
  summary: "Merge stops that follow each other",
  description: `The merged stop keeps the id of the earliest stop, and the name, flags and classification of the earliest one that has any.
409 if there is other time between the stops. Honours an Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true, machines: "record" }),
  request: {
    body: { required: true, content: { "application/json": { schema: body, example: { ids: [67108865, 67108866] } } } },
  },
  responses: {
    200: { description: "The merged stop", headers: etagHeader, content: { "application/json": { schema: slicedStop } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { ids, versions = null } = c.req.valid("json");
  const stop = await mergeStops(callerOf(c), ids, versions);
  c.header("etag", etagOf(stop));
  return c.json(stop, 200);
};
