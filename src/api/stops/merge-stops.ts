import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { distinct } from "../../core/inputs.ts";
import { invalid } from "../../core/problem.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { recordOf } from "../../machine/record-id.ts";
import { editStops, noStop, readScene } from "./edit.ts";
import { keepEdit } from "./keep-edit.ts";
import { etagHeader, etagOf, slicedStop } from "./stop.ts";

const body = z.object({
  ids: distinct(z.int().min(1)).min(2).openapi({ description: "Stops of one machine, each beginning where the one before ends" }),
});

export const contract = createRoute({
  method: "post",
  path: "/v1/stops/merge",
  operationId: "mergeStops",
  tags: ["stops"],
  summary: "Make one stop of stops that follow each other",
  description: `The earliest one's id stays, with what was said of the earliest of which anything was said. Stops with other time
between them: 409. Honours an Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: {
    body: { required: true, content: { "application/json": { schema: body, example: { ids: [67108865, 67108866] } } } },
  },
  responses: {
    200: { description: "The one stop", headers: etagHeader, content: { "application/json": { schema: slicedStop } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { ids } = c.req.valid("json");
  const records = ids.map(recordOf);
  const machineId = records[0]?.machineId ?? 0;
  const faults = records.flatMap((record, i) =>
    record.machineId === machineId
      ? []
      : [{ pointer: `/ids/${i}`, code: "other_machine", message: "is a stop of another machine" }],
  );
  if (faults.length > 0) throw invalid(faults);
  const scene = await readScene(c, machineId);
  if (!scene) throw noStop(...ids);
  const [stop] = await editStops(c, scene, { action: "merge", seqs: records.map(({ seq }) => seq) }, ids);
  if (!stop) throw noStop(...ids);
  await keepEdit(c, stop);
  c.header("etag", etagOf(stop));
  return c.json(stop, 200);
};
