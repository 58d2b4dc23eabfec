import { companyOf } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { refuseIfClosed } from "../../core/closed-books.ts";
import { readPage } from "../../core/cursor.ts";
import { once } from "../../core/idempotency.ts";
import { checkOfIds } from "../../core/named-ids.ts";
import { conflict, invalid, notFound, type Problem, refusal } from "../../core/problem.ts";
import { recordOf } from "../../core/record-id.ts";
import type { WithdrawalRefusal, WithdrawalState } from "../../objects/machine-protocol.ts";
import { callMachine, editedBy } from "../../objects/machines.ts";
import { isoOf } from "../../oee/time.ts";
import { type SentWithdrawal, withdrawalOf } from "./event-withdrawal.ts";
import { findWithdrawal, findWithdrawnMachine, selectWithdrawalsInOrder } from "./queries.ts";
import type { WithdrawalsQuery } from "./query.ts";

// Withdrawals of what machines sent. The machine's object has them, and its events; D1 has a row of each.

/** A page of withdrawals. */
export function listEventWithdrawals({ db, actor }: Reader, query: WithdrawalsQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectWithdrawalsInOrder(db, { ...page, companyId }),
    keysOf: ({ fromAt, id }) => [fromAt, id],
    itemOf: withdrawalOf,
    check: checkOfIds(db, companyId, { machineIds: query.machineIds }),
  });
}

export async function getEventWithdrawal({ db, actor }: Reader, id: number) {
  const found = await findWithdrawal(db, id, companyOf(actor));
  if (!found) throw noWithdrawal(id);
  return withdrawalOf(found);
}

/** Withdraws the events that match. */
export function createEventWithdrawal(caller: Caller, { machineId, dryRun, ...sent }: SentWithdrawal) {
  return once(caller, async () => {
    const { env, db, actor, request, objects } = caller;
    const machine = await findWithdrawnMachine(db, machineId, companyOf(actor));
    if (!machine) throw invalid([{ pointer: "/machineId", code: "not_found", message: "is not a machine of this company" }]);
    if (dryRun) {
      const { reason: _, ...filter } = sent;
      const found = await callMachine(env, machineId, (object) => object.matchingEvents(filter), objects);
      refuseIfClosed(found, "/from");
      if ("refused" in found) throw problemOf(found);
      const { events, firstAt, lastAt } = found;
      return { isDryRun: true as const, events, firstAt: isoOf(firstAt), lastAt: isoOf(lastAt) };
    }
    const done = await callMachine(
      env,
      machineId,
      (object) => object.withdrawEvents(sent, editedBy(caller), request, machine.configVersion),
      objects,
    );
    refuseIfClosed(done, "/from");
    if ("refused" in done) throw problemOf(done);
    return await shown(caller, done);
  });
}

/** Takes a withdrawal back: its events count again. */
export function restoreEvents(caller: Caller, id: number): Promise<void> {
  return once(caller, async () => {
    const { env, db, actor, request, objects } = caller;
    const { machineId, seq } = recordOf(id);
    const machine = await findWithdrawnMachine(db, machineId, companyOf(actor));
    if (!machine) throw noWithdrawal(id);
    const done = await callMachine(
      env,
      machineId,
      (object) => object.restoreEvents(seq, editedBy(caller), request, machine.configVersion),
      objects,
    );
    refuseIfClosed(done, "/path/id");
    if ("refused" in done) throw done.refused === "not_found" ? noWithdrawal(id) : problemOf(done);
    if (done.bookmark !== null) caller.continueAt(done.bookmark);
  });
}

/** A withdrawal with its names, from D1 if that has it already. */
async function shown(caller: Caller, { withdrawal, bookmark }: { withdrawal: WithdrawalState; bookmark: string | null }) {
  if (bookmark !== null) caller.continueAt(bookmark);
  const found = bookmark === null ? undefined : await findWithdrawal(caller.db, withdrawal.id, withdrawal.companyId);
  return withdrawalOf(found ?? { ...withdrawal, machineName: null });
}

function problemOf(refused: WithdrawalRefusal): Problem {
  if (!("member" in refused)) return refused.refused === "conflict" ? conflict(refused.message) : notFound(refused.message);
  const { refused: code, member, message } = refused;
  return refusal(409, [{ pointer: member && `/${member}`, code, message }]);
}

function noWithdrawal(id: number): Problem {
  return notFound(`There is no withdrawal ${id}, or it was taken back.`);
}
