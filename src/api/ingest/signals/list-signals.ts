import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyQuery, flagText, machineMembers } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { signal } from "./signal.ts";
import { listSignals, MOST_MACHINES } from "./signals.ts";

const query = z.strictObject({
  companyId: companyQuery,
  ...machineMembers,
  ignored: flagText.default(false).openapi({ description: "True: the channels that are ignored, and no others" }),
});

const answer = z.object({
  asOf: z.iso.datetime(),
  ignored: z.int().openapi({ description: "How many channels are ignored" }),
  signals: z.array(signal),
});

export const contract = createRoute({
  method: "get",
  path: "/v1/signals",
  operationId: "listSignals",
  tags: ["count sensors"],
  summary: "List the signals that arrive",
  description: `The channels that counts came from lately, whether they count or not, and why not: for whoever connects machines. First what is not counted, the
latest first, at most 200 channels of the last day; then the channels that feed machines: those that are named, at most ${MOST_MACHINES}, or the ${MOST_MACHINES} that were made last. **How old:** counted signals are those that the machines have now; what was refused
is here within a second, as a rule. That is kept as well as possible, for a day: at most 100,000 counts, 1,000 channels and 24 MB of a company, 250 channels of a gateway token; the token that has the
most loses its oldest. Counts of an unknown channel count at their own times once the channel feeds a machine at these times (\`PUT /v1/machines/{id}/count-sensor\`); what the gateway sends again
then is a duplicate. Channels that are ignored (\`PUT /v1/signals/ignored\`) are listed with \`ignored=true\`, the latest ignored first. To show what arrives, ask once a second.`,
  ...allowPermission("set-up:read"),
  request: { query },
  responses: {
    200: {
      description: "The signals",
      content: { "application/json": { schema: answer } },
    },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await listSignals(callerOf(c), c.req.valid("query")), 200);
};
