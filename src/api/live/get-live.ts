import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { SUBPROTOCOL } from "../../client/live-protocol.ts";
import { answerText } from "../../core/answer-text.ts";
import { companyQuery, idParameter, idShape, listText, machineMembers, text } from "../../core/inputs.ts";
import type { UserEnv } from "../../http/env.ts";
import { taggedHeaders } from "../../http/etag.ts";
import { hidesNames } from "../../http/operator-names.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { isHandshake, knowsProtocol, refuseForeignOrigin } from "../../http/socket.ts";
import type { Watcher } from "../../objects/hubs.ts";
import { liveRow } from "../machines/live-row.ts";
import { type Connection, connectWatcher, findWatched, getSnapshot } from "./watch.ts";

const query = z
  .strictObject({
    companyId: companyQuery,
    ...machineMembers,
    lineIds: listText(idParameter, idShape).optional().openapi({ description: "Only machines that are in one of these lines" }),
    epoch: text(100)
      .optional()
      .openapi({ description: "Of the last message that the client has: with `since`, it gets what it missed" }),
    since: z
      .string()
      .regex(/^\d{1,15}$/, "must be a number: digits only")
      .transform(Number)
      .optional()
      .openapi({ type: "integer", minimum: 0, maximum: 999_999_999_999_999, description: "The `seq` of that message" }),
  })
  .refine(({ epoch, since }) => (epoch === undefined) === (since === undefined), {
    path: ["since"],
    message: "and `epoch` must be sent together",
  });

const snapshot = z
  .object({
    type: z.literal("snapshot"),
    epoch: answerText.openapi({ description: "Identifies a numbering of changes; a new value means: start over" }),
    seq: z.int().openapi({ description: "The number of the last change" }),
    at: z.iso.datetime().openapi({ description: "The time of the answer" }),
    rows: z.array(liveRow).openapi({ description: "In the order of the plant" }),
  })
  .openapi("LiveSnapshot");
const events = answerText.openapi({
  description:
    "Events `snapshot` and `changes`, whose `id` is `<epoch>.<seq>`. A client that comes back with `Last-Event-ID` gets what it missed",
});
export const contract = createRoute({
  method: "get",
  path: "/v1/live",
  operationId: "getLive",
  tags: ["machines"],
  summary: "Watch what machines do",
  description: `The rows of \`GET /v1/state\`, and then what changes, within a second: over a WebSocket (subprotocols \`andon.v1\` and
\`bearer.<token>\`), as Server-Sent Events (\`Accept: text/event-stream\`), or once as JSON, with an ETag for those who poll. The messages, how to come back
after a break, and the codes with which a WebSocket is closed are in docs/live.md. A request for more than 1,000 machines is refused with the lines to choose from. A company has at most 1,000
WebSockets and 20 streams of events. Of these, a user who has none takes the oldest of the user who has the most.`,
  ...allowPermission("reports:read", { machines: "query" }),
  request: { query },
  responses: {
    101: { description: "A WebSocket. Refusals close it, with a code" },
    200: {
      description: "All rows, or a stream of events",
      headers: taggedHeaders,
      content: { "application/json": { schema: snapshot }, "text/event-stream": { schema: events } },
    },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract, UserEnv> = async (c) => {
  const sent = c.req.valid("query");
  if (isHandshake(c)) refuseForeignOrigin(c);
  const caller = callerOf(c);
  const watched = await findWatched(caller, sent);
  const { epoch, since } = sent;
  const resume = epoch === undefined || since === undefined ? null : { epoch, since };
  const rights = { hidesNames: await hidesNames(c) };
  if (isHandshake(c)) return (await connectWatcher(caller, watched, { ...connectionOf(c, resume), ...rights })) as never;
  c.header("vary", "Accept", { append: true });
  const supports = ["application/json", "text/event-stream"];
  const isStream = accepts(c, { header: "Accept", supports, default: "application/json" }) === "text/event-stream";
  if (isStream && c.req.method !== "HEAD") {
    const stream = await connectWatcher(caller, watched, { ...connectionOf(c, lastEventOf(c) ?? resume), ...rights });
    // Headers can be added to a copy only.
    return new Response(stream.body, stream) as never;
  }
  const shown = await getSnapshot(caller, watched, rights);
  // Not a hash of the body, which contains the time.
  c.header("etag", `"${shown.epoch}-${shown.seq}"`);
  return c.json(shown, 200) as never;
};

/** What the hub has to know of the request. */
function connectionOf(c: Context<UserEnv>, resume: Watcher["resume"]): Omit<Connection, "hidesNames"> {
  const headers = {
    ...(isHandshake(c) && { upgrade: "websocket" }),
    ...(knowsProtocol(c) && { "sec-websocket-protocol": SUBPROTOCOL }),
  };
  return { url: c.req.url, headers, token: c.var.token ?? { version: null, endsAt: null }, resume };
}

/** The position at which a reopened EventSource stream stopped; null: unknown. */
function lastEventOf(c: Context<UserEnv>): Watcher["resume"] {
  const [, epoch, seq] = /^([^.]{1,100})\.(\d{1,15})$/.exec(c.req.header("last-event-id") ?? "") ?? [];
  return epoch === undefined ? null : { epoch, since: Number(seq) };
}
