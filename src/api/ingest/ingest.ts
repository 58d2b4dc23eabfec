import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { auditRow } from "../../http/audit.ts";
import type { ActorEnv } from "../../http/env.ts";
import { allowGateway } from "../../http/permission.ts";
import { forbidden, problemResponses } from "../../http/problem.ts";
import { askMachine, db } from "../../http/session.ts";
import type { EventResult } from "../../machine/journal.ts";
import { findTargets } from "./queries.ts";
import { type Delivery, EventRouter, isRefusal, namedIn, parseEvent, type Refusal } from "./route-events.ts";

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
  const parsed = sent.map((event) => parseEvent(event, now));
  const router = new EventRouter(await findTargets(db(c), companyId, namedIn(parsed)));
  const routed = parsed.map((event) => (isRefusal(event) ? event : router.route(event)));
  const delivered = routed.filter((event) => Array.isArray(event));
  const machineIds = [...new Set(delivered.flat().map(({ machineId }) => machineId))];
  const told = { events: delivered.length, rejected: routed.length - delivered.length, machineIds };
  const results = await deliver(c, routed, auditRow(c, "events.ingest", companyId, companyId, told));

  const counts = { accepted: 0, duplicates: 0 };
  const rejected: z.infer<typeof rejection>[] = [];
  for (const [index, result] of results.entries()) {
    if (result === "accepted") counts.accepted += 1;
    else if (result === "duplicate") counts.duplicates += 1;
    else rejected.push({ index, ...result });
  }
  return c.json({ ...counts, rejected }, 200);
};

/**
 * Hands each machine its events and the audit entry, in parallel: whichever stores an event stores the entry with it, and D1
 * takes it once. Written by itself, before or after, it would tell of what was not stored, or not of what was. An event for many machines is
 * accepted when one of them had not had it yet.
 */
async function deliver(
  c: Context<ActorEnv>,
  routed: readonly (Delivery[] | Refusal)[],
  entry: ReturnType<typeof auditRow>,
): Promise<(EventResult | Refusal)[]> {
  const deliveries = routed.flatMap((to, index) => (Array.isArray(to) ? to.map((delivery) => ({ index, ...delivery })) : []));
  const results: (EventResult | Refusal | undefined)[] = routed.map((to) => (Array.isArray(to) ? undefined : to));
  await Promise.all(
    [...Map.groupBy(deliveries, (delivery) => delivery.machineId)].map(async ([machineId, batch]) => {
      const incoming = batch.map((delivery) => delivery.incoming);
      const configVersion = Math.max(...batch.map((delivery) => delivery.configVersion));
      const answers = await askMachine(c, machineId, (machine) => machine.ingest(incoming, configVersion, entry));
      for (const [i, { index }] of batch.entries()) {
        const result = answers?.[i] ?? { code: "unknown_machine", message: `machineId: there is no machine ${machineId}` };
        if (result === "accepted" || results[index] === undefined) results[index] = result;
      }
    }),
  );
  return results.map((result) => result ?? "duplicate");
}
