import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { distinct } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { apiTokens } from "../api-tokens/resource.ts";
import { confirmed } from "./members.ts";
import { confirmWall } from "./pairings.ts";

const body = confirmed("wall").extend({
  lineIds: distinct(z.int().min(1)).min(1).nullable().default(null).openapi({
    description: "The lines that it shows; null: all. This limits what the wall shows, not what its token may read",
  }),
  distance: z
    .union([z.literal(3), z.literal(5), z.literal(8), z.literal(10)])
    .default(5)
    .openapi({ type: "integer", enum: [3, 5, 8, 10], description: "From how far it is read, in metres" }),
});

const example = { code: "CDFG-3467", name: "Hall 1", lineIds: null, distance: 5 };

export const contract = createRoute({
  method: "post",
  path: "/v1/wall-pairings/confirm",
  operationId: "confirmWallPairing",
  tags: ["walls"],
  summary: "Pair the wall that shows a code",
  description: `The wall gets its own API token (role \`readonly\`, \`isReadOnly\`), which never expires and acts on behalf of the person who
confirms. \`/v1/api-tokens\` lists it and can delete it. Confirm only the code of a wall that you can see: the device that shows the code
will be able to read the company's data. Honours an Idempotency-Key.

429: after 20 codes in 15 minutes that no wall showed.`,
  ...allowPermission(apiTokens.access.write, { isIdempotent: true, isForPeople: true }),
  request: { body: { required: true, content: { "application/json": { schema: body, example } } } },
  responses: {
    200: { description: "The wall's API token", content: { "application/json": { schema: apiTokens.members.item } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await confirmWall(callerOf(c), c.req.valid("json")), 200);
