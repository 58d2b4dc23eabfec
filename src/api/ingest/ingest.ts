import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { auditRow } from "../../http/audit.ts";
import { allowGateway } from "../../http/permission.ts";
import { forbidden, problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { outdated } from "../../machine/journal.ts";
import { deliver, isOutdated, type Result } from "./deliver.ts";
import { findTargets } from "./queries.ts";
import { rememberedRouter, rememberRouter } from "./remembered-router.ts";
import { EventRouter, namedIn, type ParsedEvent, parseEvent } from "./route-events.ts";

const body = z.object({
  // Each event is checked by itself (event.ts): a bad one is refused by its index and the good ones are taken.
  events: z
    .array(z.unknown())
    .max(1000)
    .openapi({ type: "array", maxItems: 1000, items: { $ref: "#/components/schemas/IngestEvent" } }),
  companyId: z.int().min(1).optional().openapi({ description: "A superuser may send for another company" }),
});
const at = "2026-11-20T08:00:00Z";
const exampleBody = {
  events: [
    { id: "gw1-000017", type: "count", at, nodeId: 1, channel: 1, value: 12 },
    { type: "heartbeat", at, nodeId: 1 },
    { type: "operator", at, machineId: 1, operatorId: 1, action: "in" },
    { type: "sku", at, machineId: 1, skuId: "CAP-28" },
  ],
};
const rejection = z.object({ index: z.int(), code: z.string(), message: z.string() });
const answer = z.object({
  accepted: z.int().openapi({ description: "Events stored by this request" }),
  duplicates: z.int().openapi({ description: "Events that were stored before" }),
  rejected: z
    .array(rejection)
    .openapi({ description: "Events that were refused, by their index; sending them again changes nothing" }),
});

export const contract = createRoute({
  method: "post",
  path: "/v1/ingest",
  operationId: "ingest",
  tags: ["ingest"],
  summary: "Send events of machines",
  description: "Up to 1,000 events in any order, up to 48 h behind the newest event of their machine. Safe to send again.",
  ...allowGateway(),
  request: { body: { required: true, content: { "application/json": { schema: body, example: exampleBody } } } },
  responses: {
    200: { description: "Every event is stored or refused by its index", content: { "application/json": { schema: answer } } },
    ...problemResponses(400, 401, 403, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { actor } = c.var;
  const { events: sent, companyId = actor.companyId } = c.req.valid("json");
  const isSuperuser = actor.kind === "user" && actor.role === "superuser";
  if (companyId !== actor.companyId && !isSuperuser) throw forbidden("Only a superuser may send for another company.");

  const now = Date.now();
  const events = sent.map((event) => parseEvent(event, now));
  const named = namedIn(events);
  // A person's batch is audited with the machines that it goes to, and a bookmark asks for what is there now: neither will do with what was.
  const mayRemember = actor.kind === "gateway" && c.req.header("x-d1-bookmark") === undefined;
  const remembered = mayRemember ? rememberedRouter(companyId, named) : null;
  let results: Result[] = events.map(() => outdated);
  if (remembered) {
    const routed = events.map((event) => remembered.route(event));
    results = await deliver(c, routed, (machine, batch, version) => machine.ingestIfCurrent(batch, version));
  }
  if (results.some(isOutdated)) {
    const router = new EventRouter(await findTargets(db(c), companyId, named));
    rememberRouter(companyId, named, router, now);
    const routed = results.map((result, i) => (isOutdated(result) ? router.route(events[i] as ParsedEvent) : result));
    const delivered = routed.filter((event) => Array.isArray(event));
    const machineIds = [...new Set(delivered.flat().map(({ machineId }) => machineId))];
    const told = { events: delivered.length, rejected: routed.length - delivered.length, machineIds };
    // Whichever machine stores an event stores the entry with it, and D1 takes it once. Written by itself, before or after, it would tell of
    // what was not stored, or not of what was.
    const entry = auditRow(c, "events.ingest", companyId, companyId, told);
    results = await deliver(c, routed, (machine, batch, version) => machine.ingest(batch, version, entry));
  }

  const counts = { accepted: 0, duplicates: 0 };
  const rejected: z.infer<typeof rejection>[] = [];
  for (const [index, result] of results.entries()) {
    if (result === "accepted") counts.accepted += 1;
    else if (result === "duplicate") counts.duplicates += 1;
    else rejected.push({ index, ...result });
  }
  return c.json({ ...counts, rejected }, 200);
};
