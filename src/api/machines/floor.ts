import { createHash } from "node:crypto";
import { companyOf } from "../../core/actor.ts";
import { type AuditAction, auditedBy, auditRow } from "../../core/audit.ts";
import type { Caller } from "../../core/caller.ts";
import { refuseIfClosed } from "../../core/closed-books.ts";
import type { FaultCode } from "../../core/fault-codes.ts";
import { once } from "../../core/idempotency.ts";
import type { PasswordClient } from "../../core/password.ts";
import { conflict, invalid, type Problem } from "../../core/problem.ts";
import { isPulses, LATE_LIMIT_MS } from "../../objects/machine-protocol.ts";
import { callMachine } from "../../objects/machines.ts";
import { isoOf } from "../../oee/time.ts";
import { FUTURE_LIMIT_MS, type SentEvent } from "../ingest/event.ts";
import { findTargets } from "../ingest/queries.ts";
import { EventRouter, namedIn, type Refusal } from "../ingest/route-events.ts";
import { machineOwner } from "./machine-owner.ts";
import { checkProof, type SignInProof } from "./operator-pin.ts";
import { noMachine } from "./owner.ts";
import { findOwner } from "./queries.ts";

// Reports by people at a machine: who works there and what is made. They become events like those of ingest, with their own limits on time.

/** The state of a machine after a report, and whether the report changed it. */
export interface FloorState {
  machineId: number;
  isChanged: boolean;
  skuId: string | null;
  workOrderId: string | null;
  operators: { id: number; since: string }[];
}

/** A report: an event without its id, time and machine. */
type FloorReport =
  | { type: "operator"; operatorId: number; action: "in" | "out" }
  | { type: "sku"; skuId: string; workOrderId: string | null };

/**
 * Signs an operator in at a machine.
 * @param signing.at see `report`
 */
export function signIn(
  caller: Caller,
  client: PasswordClient,
  machineId: number,
  { at, ...proof }: SignInProof & { at?: number | undefined },
): Promise<FloorState> {
  const check = (companyId: number) => checkProof(caller, client, companyId, proof);
  return signOperator(caller, machineId, { action: "in", operatorId: proof.operatorId, at, check });
}

/**
 * Signs an operator out at a machine.
 * @param signing.at see `report`
 */
export function signOut(
  caller: Caller,
  machineId: number,
  signing: { operatorId: number; at?: number | undefined },
): Promise<FloorState> {
  return signOperator(caller, machineId, { action: "out", ...signing });
}

interface Signing {
  action: "in" | "out";
  operatorId: number;
  at?: number | undefined;
  /** As in `Report`. */
  check?: Report["check"];
}

function signOperator(caller: Caller, machineId: number, { action, operatorId, at, check }: Signing): Promise<FloorState> {
  const audited = { action: `operator.sign-${action}`, objectId: operatorId } as const;
  return once(caller, () => report(caller, machineId, { what: { type: "operator", operatorId, action }, at, audited, check }));
}

/**
 * Sets the SKU that a machine makes, and the work order (null: none).
 * @param run.at see `report`
 */
export function startRun(
  caller: Caller,
  machineId: number,
  { skuId, workOrderId, at }: { skuId: string; workOrderId: string | null; at?: number | undefined },
): Promise<FloorState> {
  const audited = { action: "machine.run", objectId: machineId } as const;
  return once(caller, () => report(caller, machineId, { what: { type: "sku", skuId, workOrderId }, at, audited }));
}

interface Report {
  what: FloorReport;
  /** Epoch ms; undefined: now. */
  at: number | undefined;
  /** The action, and the id of its object. */
  audited: { action: AuditAction; objectId: number };
  /** Refuses what may not be reported in this company, once all that it names is known. Returns who acts, if it is not the caller. */
  check?: ((companyId: number) => Promise<string | undefined>) | undefined;
}

/**
 * Passes a report to the machine's object. Returns the state of the machine afterwards.
 * @throws Problem 404 if the caller has no such machine; 400 that names the wrong member; 409 for a run of an order that is closed
 */
async function report(caller: Caller, machineId: number, { what, at: sentAt, audited, check }: Report): Promise<FloorState> {
  const { env, db, actor, requestId, objects } = caller;
  const at = isoOf(instantOf(sentAt, Date.now()));
  const companyId = companyOf(actor) ?? (await machineOwner(machineId, () => findOwner(db, machineId)));
  if (companyId === undefined) throw noMachine(machineId);
  const event: SentEvent = { ...what, id: eventIdOf(caller), at, machineId };
  const since = Date.parse(at);
  const routed = new EventRouter(await findTargets(db, companyId, namedIn([event]), since)).route(event);
  if (!Array.isArray(routed)) throw problemOf(routed, machineId);

  const [delivery] = routed;
  if (!delivery || isPulses(delivery.event)) throw noMachine(machineId);
  // Opening an order again is up to admins: a run for it would do so in effect.
  if (delivery.warning) throw conflict(delivery.warning.message);
  const userName = (await check?.(companyId)) ?? actor.userName;
  const { event: incoming, configVersion } = delivery;
  const { type: _, ...members } = what;
  const by = auditedBy({ ...actor, userName }, requestId);
  const entry = auditRow(by, { ...audited, companyId, before: null, after: { machineId, ...members, at } });
  const reported = await callMachine(env, machineId, (machine) => machine.report(incoming, configVersion, entry), objects);
  if (!reported) throw noMachine(machineId);
  refuseIfClosed(reported, "/at");
  if ("code" in reported) throw problemOf(reported, machineId);
  const { isChanged, skuId, workOrderId, signedIn } = reported;
  const operators = signedIn.map(({ operatorId, since }) => ({ id: operatorId, since: isoOf(since) }));
  return { machineId, isChanged, skuId, workOrderId, operators };
}

function instantOf(sent: number | undefined, now: number): number {
  const at = sent ?? now;
  if (at > now + FUTURE_LIMIT_MS) throw refused("/at", "in_future", "is more than 5 minutes ahead of the service's clock");
  if (at < now - LATE_LIMIT_MS) throw refused("/at", "too_late", "is more than 48 h ago");
  return Math.min(at, now);
}

/** The event id of a request with an Idempotency-Key, the same for each retry: the object stores an event with an id only once. */
function eventIdOf({ request }: Caller): string | undefined {
  if (!request) return undefined;
  const { userId, operation, key, requestHash } = request;
  const hash = createHash("sha256")
    .update(JSON.stringify([userId, operation, key, requestHash]))
    .digest("hex");
  return `floor-${hash}`;
}

/** The member of the body for a refusal's code from ingest or the object. */
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

function refused(pointer: string, code: FaultCode, message: string): Problem {
  return invalid([{ pointer, code, message }]);
}
