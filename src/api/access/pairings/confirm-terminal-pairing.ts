import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { distinct } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { apiTokens } from "../api-tokens/resource.ts";
import { confirmed } from "./members.ts";
import { confirmTerminal } from "./pairings.ts";

/** As many as one person can look after; a terminal shows them one at a time. */
const MOST_MACHINES = 20;

const body = confirmed("terminal").extend({
  machineIds: distinct(z.int().min(1)).min(1).max(MOST_MACHINES).openapi({
    description:
      "The machines that it is for: for its token, other machines do not exist. They cannot be changed later: pair the terminal again",
  }),
});

const example = { code: "CDFG-3467", name: "Terminal of press 1", machineIds: [1] };

export const contract = createRoute({
  method: "post",
  path: "/v1/terminal-pairings/confirm",
  operationId: "confirmTerminalPairing",
  tags: ["terminals"],
  summary: "Pair the terminal that shows a code",
  description: `The terminal gets its own API token (role \`user\`, bound to \`machineIds\`), which never expires and acts on behalf of the company.
It may do what people do at those machines, and nothing else: operations that a terminal does not need answer 403, and other machines do not exist for
it. \`/v1/api-tokens\` lists it and can delete it. Confirm only the code of a terminal that you can see. Honours an Idempotency-Key.

429: after 20 codes in 15 minutes that no display showed.`,
  ...allowPermission(apiTokens.access.write, { isIdempotent: true, isForPeople: true }),
  request: { body: { required: true, content: { "application/json": { schema: body, example } } } },
  responses: {
    200: { description: "The terminal's API token", content: { "application/json": { schema: apiTokens.members.item } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await confirmTerminal(callerOf(c), c.req.valid("json")), 200);
