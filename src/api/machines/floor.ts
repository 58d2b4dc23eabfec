import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AuditAction } from "../../core/audit.ts";
import { instant } from "../../core/inputs.ts";
import { type Fault, invalid, notFound, type Problem } from "../../core/problem.ts";
import type { ActorEnv, UserEnv } from "../../http/env.ts";
import { auditRow } from "../../http/old-audit.ts";
import { askMachine, db, objectUsage } from "../../http/session.ts";
import type { MachineNow } from "../../machine/books.ts";
import { LATE_LIMIT_MS } from "../../machine/journal.ts";
import { isoOf } from "../../oee/time.ts";
import { deliver } from "../ingest/deliver.ts";
import { FUTURE_LIMIT_MS, type SentEvent } from "../ingest/event.ts";
import { findTargets } from "../ingest/queries.ts";
import { EventRouter, namedIn, type Refusal } from "../ingest/route-events.ts";
import { keepEdit } from "../stops/keep-edit.ts";
import { machineOwner } from "./machine-owner.ts";
import { findOwner } from "./queries.ts";

// What people at a machine say: who works there and what is made. It goes the way of ingested events, with people's rules on time.

/** When something happened; left out: now. */
export const floorInstant = instant.optional().openapi({
  description: "When it happened: up to 48 h ago; now when left out. Up to 5 minutes ahead, as of a wrong clock, counts as now",
});

/** What an operation of the shop floor answers. */
export const floorState = z
  .object({
    machineId: z.int(),
    isChanged: z.boolean().openapi({
      description: "Whether the machine's present state changed. False: it was so already, or what happened since then decides",
    }),
    skuId: z.string().nullable().openapi({ description: "In work; null without one" }),
    workOrderId: z.string().nullable().openapi({ description: "In work; null without one" }),
    operators: z
      .array(z.object({ id: z.int(), since: z.iso.datetime() }))
      .openapi({ description: "Who is signed in, by id, and since when" }),
  })
  .openapi("FloorState");

/** What is said of a machine: an event of ingest but for its id, its time and its machine. */
export type Said =
  | { type: "operator"; operatorId: number; action: "in" | "out" }
  | { type: "sku"; skuId: string; workOrderId: string | null };

/**
 * Hands what a person says to the machine's object, once per Idempotency-Key, and gives the machine's state after it.
 * @param sentAt epoch ms; undefined: now
 * @param audited the action, and the id of its object
 * @throws Problem 404 for a machine that the actor does not have; 400 that names the member for anything else that is refused
 */
export async function tellMachine(
  c: Context<UserEnv>,
  machineId: number,
  said: Said,
  sentAt: number | undefined,
  audited: { action: AuditAction; objectId: number },
): Promise<z.infer<typeof floorState>> {
  const at = isoOf(instantOf(sentAt, Date.now()));
  const { role, companyId: own } = c.var.actor;
  const companyId = role === "superuser" ? await machineOwner(machineId, () => findOwner(db(c), machineId)) : own;
  if (companyId === undefined) throw noMachine(machineId);
  const event: SentEvent = { ...said, id: eventIdOf(c), at, machineId };
  const since = Date.parse(at);
  const routed = new EventRouter(await findTargets(db(c), companyId, namedIn([event]), since)).route(event);
  if (!Array.isArray(routed)) throw problemOf(routed, machineId);

  const stateNow = () => askMachine(c, machineId, (machine) => machine.state());
  const before = await stateNow();
  const { type: _, ...told } = said;
  // What takes users and gateways takes this user.
  const actorsContext = c as unknown as Context<ActorEnv>;
  const entry = auditRow(actorsContext, audited.action, audited.objectId, companyId, { machineId, ...told, at });
  const { results } = await deliver({ env: c.env, objects: objectUsage(c) }, [routed], (machine, events, version) =>
    machine.ingest(events, version, entry),
  );
  const [result] = results;
  if (typeof result === "object") throw problemOf(result, machineId);
  const after = await stateNow();
  if (!before || !after) throw noMachine(machineId);
  const shown = { skuId: after.skuId, workOrderId: after.workOrderId, operators: operatorsOf(after) };
  const was = { skuId: before.skuId, workOrderId: before.workOrderId, operators: operatorsOf(before) };
  const answer = { machineId, isChanged: JSON.stringify(shown) !== JSON.stringify(was), ...shown };
  await keepEdit(c, answer);
  return answer;
}

function operatorsOf({ signedIn }: MachineNow) {
  return signedIn.map(({ operatorId, since }) => ({ id: operatorId, since: isoOf(since) })).sort((a, b) => a.id - b.id);
}

function instantOf(sent: number | undefined, now: number): number {
  const at = sent ?? now;
  if (at > now + FUTURE_LIMIT_MS) throw refused("/at", "in_future", "is more than 5 minutes ahead of the service's clock");
  if (at < now - LATE_LIMIT_MS) throw refused("/at", "too_late", "is more than 48 h ago");
  return Math.min(at, now);
}

/** The same for each try of a request with an Idempotency-Key: the object stores an event of one id once. */
function eventIdOf(c: Context<UserEnv>): string | undefined {
  const { idempotentRequest: request } = c.var;
  if (!request) return undefined;
  const { userId, operation, key, requestHash } = request;
  const hash = createHash("sha256")
    .update(JSON.stringify([userId, operation, key, requestHash]))
    .digest("hex");
  return `floor-${hash}`;
}

/** The members that refusals of ingest and of the object are about. */
const members: Record<string, string> = {
  unknown_operator: "/operatorId",
  unknown_sku: "/skuId",
  unknown_work_order: "/workOrderId",
  not_in_work_order: "/skuId",
};

function problemOf({ code, message }: Refusal, machineId: number): Problem {
  if (code === "unknown_machine") return noMachine(machineId);
  return refused(members[code] ?? "/at", code, message.replace(/^\w+: /, ""));
}

function refused(pointer: string, code: string, message: string): Problem {
  return invalid([{ pointer, code, message } satisfies Fault]);
}

function noMachine(id: number): Problem {
  return notFound(`There is no machine ${id}.`);
}
