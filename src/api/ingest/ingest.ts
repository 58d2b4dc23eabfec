import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { forbidden, unavailable } from "../../core/problem.ts";
import { unknownMembers } from "../../http/members.ts";
import { auditRow } from "../../http/old-audit.ts";
import { allowGateway } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { continueAtPrimary, db } from "../../http/session.ts";
import { ignoredMembersHeader, ignoreMembers } from "../../http/validation.ts";
import { warningCodes } from "../../machine/warnings.ts";
import { HOUR_MS } from "../../oee/time.ts";
import { deliver, type MachineWarning, type Result } from "./deliver.ts";
import { sentEvent } from "./event.ts";
import { findTargets } from "./queries.ts";
import { rememberedRouter, rememberRouter } from "./remembered-router.ts";
import { type Delivery, EventRouter, namedIn, oldestCountAt, type ParsedEvent, parseEvent } from "./route-events.ts";

/** Counts up to this old find their machine by what is remembered. */
const REMEMBERED_PAST_MS = HOUR_MS;

const body = z.object({
  // Each event is checked by itself (event.ts): a bad one is refused by its index and the good ones are taken.
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
  ],
};
const rejection = z.object({ index: z.int(), code: z.string(), message: z.string() });
const warning = z
  .object({
    machineId: z.int(),
    code: z.enum(warningCodes).openapi({
      description: `\`no_shift\`: no shift is defined for the machine. \`outside_shifts\`: a count or a state was outside every shift.
\`no_standard_cycle\`: counts came while neither the machine nor the SKU in work had a standard cycle. \`counting_disabled\`: pulses were
counted while \`isCountEnabled\` was false, and add nothing. \`sku_without_standard\`: a SKU was set, or counts came while it was in work, that
has no standard cycle, and neither has the machine.`,
    }),
    message: z.string(),
  })
  .openapi("IngestWarning");
const answer = z.object({
  accepted: z.int().openapi({ description: "Events stored by this request" }),
  duplicates: z.int().openapi({ description: "Events that were stored before" }),
  rejected: z
    .array(rejection)
    .openapi({ description: "Events that were refused, by their index; sending them again changes nothing" }),
  warnings: z.array(warning).openapi({
    description:
      "What the set-up lacks for events that were taken, one per machine and kind: they may be missing from the numbers. Empty without any",
  }),
});

export const contract = createRoute({
  method: "post",
  path: "/v1/ingest",
  operationId: "ingest",
  tags: ["ingest"],
  summary: "Send events of machines",
  description: `Up to 1,000 events in any order, up to 48 h behind the newest event of their machine. Safe to send again: a count means what
the count sensors in force at its \`at\` say, however late or often it comes. An event is taken without the members that it should not have;
\`x-ignored-members\` names them.`,
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

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { actor } = c.var;
  const { events: sent, companyId = actor.companyId } = c.req.valid("json");
  const isSuperuser = actor.kind === "user" && actor.role === "superuser";
  if (companyId !== actor.companyId && !isSuperuser) throw forbidden("Only a superuser may send for another company.");

  ignoreMembers(
    c,
    unknownMembers(sentEvents, sent).map((pointer) => `/events${pointer}`),
  );
  const now = Date.now();
  const events = sent.map((event) => parseEvent(event, now));
  const named = namedIn(events);
  // A person's batch is audited with the machines that it goes to, and a bookmark asks for what is there now: neither will do with what was.
  const mayRemember = actor.kind === "gateway" && c.req.header("x-d1-bookmark") === undefined;
  const remembered = mayRemember ? rememberedRouter(companyId, named) : null;
  const since = Math.min(oldestCountAt(events), now - REMEMBERED_PAST_MS);

  /** What became of each event; null: it is still to be delivered. */
  let results: (Result | null)[] = events.map(() => null);
  const warnings: MachineWarning[] = [];
  let entry: ReturnType<typeof auditRow> = null;
  const deliverBy = async (router: EventRouter) => {
    const routed = results.map((result, i) => result ?? router.route(events[i] as ParsedEvent));
    // Whichever machine stores an event stores the entry with it, and D1 takes it once. Written by itself, before or after, it would tell of
    // what was not stored, or not of what was.
    entry ??= auditRow(c, "events.ingest", companyId, companyId, toldOf(routed));
    const kept = entry;
    const delivered = await deliver(c, routed, (machine, batch, version) => machine.ingest(batch, version, kept));
    warnings.push(...delivered.warnings);
    // The channel feeds another machine by now, and feeds it from before the event on.
    return delivered.results.map((result) => (isRefusedAs(result, "other_machine") ? null : result));
  };
  const findRouter = async () => {
    const router = new EventRouter(await findTargets(db(c), companyId, named, since));
    rememberRouter(companyId, named, router, now);
    return router;
  };
  if (remembered) {
    results = await deliverBy(remembered);
    // What was remembered does not know of channels that are new.
    results = results.map((result) => (isRefusedAs(result, "unknown_channel") ? null : result));
  }
  if (results.includes(null)) results = await deliverBy(await findRouter());
  if (results.includes(null)) {
    continueAtPrimary(c);
    results = await deliverBy(await findRouter());
  }
  if (results.includes(null)) throw unavailable("The count sensors are being changed. Send the events again.", 1);

  const counts = { accepted: 0, duplicates: 0 };
  const rejected: z.infer<typeof rejection>[] = [];
  for (const [index, result] of results.entries()) {
    if (result === "accepted") counts.accepted += 1;
    else if (result === "duplicate") counts.duplicates += 1;
    else if (result !== null) rejected.push({ index, ...result });
  }
  return c.json({ ...counts, rejected, warnings: distinct(warnings) }, 200);
};

/** Whether an event was refused with this code. */
function isRefusedAs(result: Result | null, code: string): boolean {
  return typeof result === "object" && result?.code === code;
}

/** What the audit keeps of a person's batch. */
function toldOf(routed: readonly (Delivery[] | Result)[]) {
  const delivered = routed.filter((event) => Array.isArray(event));
  const machineIds = [...new Set(delivered.flat().map(({ machineId }) => machineId))];
  return { events: delivered.length, rejected: routed.length - delivered.length, machineIds };
}

/** One warning per machine and kind, by machine. */
function distinct(warnings: readonly MachineWarning[]): MachineWarning[] {
  const byKind = new Map(warnings.map((one) => [`${one.machineId} ${one.code}`, one]));
  return [...byKind.values()].sort((a, b) => a.machineId - b.machineId);
}
