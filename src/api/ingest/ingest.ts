import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { codesOf, eventCodes, transientCodes } from "../../core/fault-codes.ts";
import { warningCodes } from "../../core/warnings.ts";
import type { ActorEnv } from "../../http/env.ts";
import { unknownMembers } from "../../http/members.ts";
import { allowGateway } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { senderOf } from "../../http/session.ts";
import { ignoredMembersHeader, ignoreMembers } from "../../http/validation.ts";
import { sentEvent } from "./event.ts";
import { ingestEvents } from "./ingest-events.ts";

const body = z.object({
  // Each event is checked by itself (event.ts): a bad one is refused by its index, and the good ones are stored.
  events: z
    .array(z.unknown())
    .max(1000)
    .openapi({ type: "array", maxItems: 1000, items: { $ref: "#/components/schemas/IngestEvent" } }),
  companyId: z.int().min(1).optional().openapi({ description: "A superuser may send for another company" }),
});
const sentEvents = z.array(sentEvent);
const at = "2026-11-20T08:00:00Z";
const exampleBody = {
  events: [
    { id: "gw1-000017", type: "count", at, nodeId: 1, channel: 1, value: 12 },
    { type: "heartbeat", at, nodeId: 1 },
    { type: "operator", at, machineId: 1, operatorId: 1, action: "in" },
    { type: "sku", at, machineId: 1, skuId: "CAP-28" },
    { id: "bridge-000018", type: "count", at, machineRef: "PRESS-02", sensor: "total", value: 3 },
  ],
};
const codes = codesOf(eventCodes);
const rejection = z.object({
  index: z.int().openapi({ description: "Of the event in the request" }),
  code: z.enum(codes).openapi({ description: codes.map((code) => `\`${code}\`: ${eventCodes[code]}`).join("\n") }),
  message: answerText,
  isTransient: z.boolean().openapi({
    description: `Whether the event may be accepted later just as it is, so keep it and send it again, at longer and longer intervals and beside newer
events: it is true for ${transientCodes
      .map((code) => `\`${code}\``)
      .join(", ")}. If it is false, the event would be refused again`,
  }),
});
const warning = z
  .object({
    machineId: z.int(),
    code: z.enum(warningCodes).openapi({
      description: `\`no_shift\`: no shift is defined for the machine. \`outside_shifts\`: a count or a state was outside every shift.
\`no_standard_cycle\`: counts came while neither the machine nor the SKU in work had a standard cycle. \`counting_disabled\`: pulses were
counted while \`isCountEnabled\` was false, and add nothing. \`sku_without_standard\`: a SKU was set, or counts came while it was in work, that
has no standard cycle, and neither has the machine. \`work_order_closed\`: a SKU was set for a work order that is Completed or Cancelled: its
production counts for no order. \`equal_events\`: counts without ids were equal in time, channel and value, and count once.
\`held\`: counts are more than the machine can have made, and are held: they count nothing until an admin accepts them (\`GET /v1/held-events\`).
\`reports_seldom\`: a count has more cycles than the machine makes in \`stopAfterSeconds\`, and nothing says that it covers the time.
\`clock_ahead\`: events are more than 10 s ahead of the service's clock.`,
    }),
    message: answerText,
  })
  .openapi("IngestWarning");
const answer = z.object({
  accepted: z.int().openapi({ description: "Events stored by this request" }),
  duplicates: z.int().openapi({ description: "Events that were stored before" }),
  rejected: z.array(rejection).openapi({
    description: "Events that were refused, by their index in the request. Send only those again that have `isTransient`",
  }),
  warnings: z.array(warning).openapi({
    description:
      "Reasons why accepted events may be missing from the numbers or count for no order: one warning per machine and kind. Empty if there are none",
  }),
  now: z.iso
    .datetime()
    .openapi({ description: "The service's time when it answered, by which a gateway can tell whether its clock is right" }),
});

export const contract = createRoute({
  method: "post",
  path: "/v1/ingest",
  operationId: "ingest",
  tags: ["ingest"],
  summary: "Send events of machines",
  description: `An event counts once, however often it is sent. With an \`id\`, the id is its identity: sent again with the same time and content
it is a duplicate, with another one it is refused as \`conflict\`. Without an \`id\`, its time and content are its identity, so of two equal
counts at one time only one counts. Machines are named by their ids or refs; a count names the
channel of a gateway, or a machine by its ref with the type of its count sensor (\`sensor\`) or with a \`channel\`. Either way it is the same event. Up to 1,000 events in any order, of any time
since their machine's commissioning. Counts of a channel that feeds no machine are refused, and kept for a day
(\`GET /v1/signals\`). Safe to send again: a count means what
the count sensors in force at its \`at\` say, no matter how late or often it comes. The body may be compressed
(\`content-encoding: gzip\`), which makes 1,000 events about a tenth as long. Unknown members of an event are ignored, and named in
\`x-ignored-members\`.`,
  ...allowGateway(),
  request: { body: { required: true, content: { "application/json": { schema: body, example: exampleBody } } } },
  responses: {
    200: {
      description: "Every event is stored or refused by its index",
      headers: ignoredMembersHeader,
      content: { "application/json": { schema: answer } },
    },
    ...problemResponses(400, 401, 403, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract, ActorEnv> = async (c) => {
  const sent = c.req.valid("json");
  ignoreMembers(
    c,
    unknownMembers(sentEvents, sent.events).map((pointer) => `/events${pointer}`),
  );
  return c.json(await ingestEvents(senderOf(c), sent), 200);
};
