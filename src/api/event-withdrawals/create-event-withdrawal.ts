import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { created, createdAnswer } from "../../http/created.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { eventWithdrawal, eventWithdrawalDryRun, newEventWithdrawal } from "./event-withdrawal.ts";
import { createEventWithdrawal } from "./event-withdrawals.ts";

const example = {
  machineId: 1,
  from: "2026-11-16T06:00:00Z",
  to: "2026-11-16T07:00:00Z",
  minValue: 1_000_000,
  reason: "The sensor was tested",
};

export const contract = createRoute({
  method: "post",
  path: "/v1/event-withdrawals",
  operationId: "createEventWithdrawal",
  tags: ["event withdrawals"],
  summary: "Withdraw events",
  description: `The events of a machine that match all that is given count for nothing, and its numbers become what they would be if they had never been sent. Events
of that time that match and arrive later count for nothing, too. They stay stored, marked in \`GET /v1/machines/{id}/events\`, and \`DELETE\` restores them. With
\`dryRun\` it only counts them. A time whose events the machine does not keep is refused with 409, which names the instant, and so is what matches
no event. Honours an Idempotency-Key.`,
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: {
    body: { required: true, content: { "application/json": { schema: newEventWithdrawal, example } } },
  },
  responses: {
    200: {
      description: "With `dryRun`: what would be withdrawn",
      content: { "application/json": { schema: eventWithdrawalDryRun } },
    },
    201: createdAnswer(eventWithdrawal, "The withdrawal"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const done = await createEventWithdrawal(callerOf(c), c.req.valid("json"));
  return "isDryRun" in done ? c.json(done, 200) : created(c, done);
};
