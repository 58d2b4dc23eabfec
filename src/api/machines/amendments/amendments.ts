import { type AuditAction, auditedBy, auditRow } from "../../../core/audit.ts";
import type { Caller } from "../../../core/caller.ts";
import { refuseIfClosed } from "../../../core/closed-books.ts";
import { once } from "../../../core/idempotency.ts";
import { conflict, type Fault, invalid, notFound, type Problem, refusal } from "../../../core/problem.ts";
import { recordOf } from "../../../core/record-id.ts";
import type { Amended, AmendRefusal, Past } from "../../../objects/machine-protocol.ts";
import { callMachine, editedBy } from "../../../objects/machines.ts";
import type { Amendment } from "../../../oee/amendments.ts";
import { isoOf } from "../../../oee/time.ts";
import type { SentEvent } from "../../ingest/event.ts";
import { findTargets } from "../../ingest/queries.ts";
import { EventRouter, namedIn, type Refusal } from "../../ingest/route-events.ts";
import { noMachine, ownerOf } from "../owner.ts";
import { type PresencesBody, pastPresencesOf, pastRunsOf, type RunsBody } from "./amendment.ts";

// What people say afterwards of what a machine made, and of who was there. The machine's object has it, and applies it in place of the events.

type Interval = { from: number; to: number };

/** What a machine made in an interval. */
export async function getRuns(caller: Caller, machineId: number, interval: Interval) {
  await ownerOf(caller, machineId);
  return pastRunsOf(machineId, interval, await pastOf(caller, machineId, "runs", interval));
}

/** Who was at a machine in an interval. */
export async function getPresences(caller: Caller, machineId: number, interval: Interval) {
  await ownerOf(caller, machineId);
  return pastPresencesOf(machineId, interval, await pastOf(caller, machineId, "presences", interval));
}

/** Says what a machine made in a past interval. */
export function amendRuns(caller: Caller, machineId: number, { from, to, runs, reason }: RunsBody) {
  return once(caller, async () => {
    const named = runs.map(({ startTime, skuId, workOrderId }): [SentEvent, string] => {
      return [{ type: "sku", at: isoOf(startTime), machineId, skuId, ...(workOrderId !== null && { workOrderId }) }, "/runs"];
    });
    const amended = runs.map(({ startTime, ...run }) => ({ start: startTime, ...run }));
    await amend(caller, machineId, { kind: "runs", start: from, end: to, runs: amended }, reason, named);
    return pastRunsOf(machineId, { from, to }, await pastOf(caller, machineId, "runs", { from, to }));
  });
}

/** Says who was at a machine in a past interval. */
export function amendPresences(caller: Caller, machineId: number, { from, to, presences, reason }: PresencesBody) {
  return once(caller, async () => {
    const named = presences.map(({ operatorId, startTime }): [SentEvent, string] => {
      return [{ type: "operator", at: isoOf(startTime), machineId, operatorId, action: "in" }, "/presences"];
    });
    const amended = presences.map(({ operatorId, startTime, endTime }) => ({ operatorId, start: startTime, end: endTime }));
    await amend(caller, machineId, { kind: "presences", start: from, end: to, presences: amended }, reason, named);
    return pastPresencesOf(machineId, { from, to }, await pastOf(caller, machineId, "presences", { from, to }));
  });
}

/** Takes an amendment back. */
export function undoAmendment(caller: Caller, machineId: number, kind: Amendment["kind"], id: number): Promise<void> {
  return once(caller, async () => {
    const { env, request, objects } = caller;
    const companyId = await ownerOf(caller, machineId);
    const { machineId: ownMachine, seq } = recordOf(id);
    if (ownMachine !== machineId) throw noAmendment(id);
    const entry = entryOf(caller, companyId, kind, "undo", { machineId });
    const done = await callMachine(
      env,
      machineId,
      (machine) => machine.undoAmendment(kind, seq, companyId, editedBy(caller), entry, request),
      objects,
    );
    finish(caller, done, { missing: noAmendment(id), pointer: "/path/amendmentId" });
  });
}

/** @param named an event that names what each part of the amendment names, and the list that the part is in */
async function amend(
  caller: Caller,
  machineId: number,
  amendment: Amendment,
  reason: string,
  named: readonly [SentEvent, string][],
): Promise<void> {
  const { env, db, request, objects } = caller;
  const companyId = await ownerOf(caller, machineId);
  const events = named.map(([event]) => event);
  const about: SentEvent = { type: "heartbeat", at: isoOf(amendment.start), machineId };
  const router = new EventRouter(await findTargets(db, companyId, namedIn([about, ...events]), amendment.end));
  const [machine] = [router.route(about)].flat();
  if (!machine || "code" in machine) throw noMachine(machineId);
  const faults = named.flatMap(([event, list], i): Fault[] => {
    const routed = router.route(event);
    return Array.isArray(routed) ? [] : [faultOf(routed, `${list}/${i}`)];
  });
  if (faults.length > 0) throw invalid(faults);
  const { kind, start, end } = amendment;
  const parts = amendment.kind === "runs" ? amendment.runs : amendment.presences;
  const after = { machineId, from: isoOf(start), to: isoOf(end), [kind]: parts.map(shown), reason };
  const entry = entryOf(caller, companyId, kind, "change", after);
  const done = await callMachine(
    env,
    machineId,
    (object) => object.amend(amendment, reason, companyId, editedBy(caller), entry, request, machine.configVersion),
    objects,
  );
  finish(caller, done, { missing: noMachine(machineId), pointer: "/from" });
}

function shown({ start, end, ...part }: { start: number; end?: number }) {
  return { startTime: isoOf(start), ...(end !== undefined && { endTime: isoOf(end) }), ...part };
}

async function pastOf(caller: Caller, machineId: number, kind: Amendment["kind"], { from, to }: Interval): Promise<Past> {
  const { env, objects } = caller;
  const past = await callMachine(env, machineId, (machine) => machine.past(kind, { start: from, end: to }), objects);
  if (!past) throw noMachine(machineId);
  return past;
}

function entryOf(
  { actor, requestId }: Caller,
  companyId: number,
  kind: Amendment["kind"],
  verb: "change" | "undo",
  after: Record<string, unknown>,
) {
  const action: AuditAction = kind === "runs" ? `run.${verb}` : `presence.${verb}`;
  // The object knows the number of the amendment.
  return auditRow(auditedBy(actor, requestId), { action, companyId, objectId: "", before: null, after });
}

/** @param pointer the member whose time may be in closed books */
function finish(caller: Caller, done: Amended, { missing, pointer }: { missing: Problem; pointer: string }): void {
  refuseIfClosed(done, pointer);
  if ("refused" in done) throw problemOf(done, missing);
  if (done.bookmark !== null) caller.continueAt(done.bookmark);
}

function problemOf(refused: AmendRefusal, missing: Problem): Problem {
  if (refused.refused === "invalid")
    return invalid([{ pointer: `/${refused.member}`, code: refused.code, message: refused.message }]);
  if (refused.refused === "too_late") return refusal(409, [{ pointer: "/from", code: "too_late", message: refused.message }]);
  return refused.refused === "conflict" ? conflict(refused.message) : missing;
}

/** The member that a refusal of an event is about. */
const members: Record<string, string> = {
  unknown_operator: "operatorId",
  unknown_sku: "skuId",
  unknown_work_order: "workOrderId",
  not_in_work_order: "skuId",
};

function faultOf({ code, message }: Refusal, part: string): Fault {
  return { pointer: `${part}/${members[code] ?? "startTime"}`, code, message: message.replace(/^\w+: /, "") };
}

function noAmendment(id: number): Problem {
  return notFound(`There is no amendment ${id}, or it was undone.`);
}
