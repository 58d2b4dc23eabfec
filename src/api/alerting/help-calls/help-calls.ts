import { authorName, companyOf } from "../../../core/actor.ts";
import type { Caller, Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { conflict, notFound, type Problem } from "../../../core/problem.ts";
import { selectUserName } from "../../../core/queries.ts";
import { takenId } from "../../../core/sequence.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { dispatchAfterwards } from "../../../events/queues.ts";
import { notifyWatchers } from "../../../objects/hubs.ts";
import { isoOf } from "../../../oee/time.ts";
import { endHelpConditions, insertHelpConditions } from "../incidents/queries.ts";
import { type HelpCall, helpCallOf } from "./help-call.ts";
import {
  findMachinesOfCalls,
  hasNoOpenCall,
  insertCalledEvent,
  insertHelpCall,
  isMachineThere,
  isSameCall,
  selectHelpCall,
  selectHelpCalls,
  selectMachine,
  selectOpenCall,
  takeCallId,
  updateHelpCall,
} from "./queries.ts";
import type { HelpCallQuery } from "./query.ts";

/** A help call. Throws 404 if the caller's company has none with that id. */
export async function getHelpCall({ db, actor }: Reader, id: number): Promise<HelpCall> {
  const call = await selectHelpCall(db, id, companyOf(actor)).get();
  if (!call) throw noHelpCall(id);
  return helpCallOf(call);
}

/** A page of help calls. */
export function listHelpCalls({ db, actor }: Reader, query: HelpCallQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectHelpCalls(db, { ...page, companyId }),
    keysOf: ({ createdAt, id }) => [createdAt, id],
    itemOf: helpCallOf,
    check: checkOfIds(db, companyId, { machineIds: query.machineIds }),
  });
}

/**
 * Creates a help call at a machine.
 * @param message what help is needed with; null: not given
 * @throws Problem 404 if the caller has no such machine; 409 while a call is open there
 */
export async function createHelpCall(caller: Caller, machineId: number, message: string | null): Promise<HelpCall> {
  const { actor, db } = caller;
  const { answer, companyId } = await write(
    caller,
    (read) => [
      selectMachine(read, machineId, companyOf(actor)),
      selectOpenCall(read, machineId),
      selectUserName(read, actor.userId),
      takeCallId(read),
    ],
    ([machine], [open], [user], taken) => {
      if (!machine) throw notFound(`There is no machine ${machineId}.`);
      if (open) {
        const detail = `Help is called for at this machine since ${isoOf(open.createdAt)}, and the call is open: help call ${open.id}.`;
        throw conflict(detail);
      }
      const now = Date.now();
      const row = {
        ...{ id: takenId(db, taken), companyId: machine.companyId, machineId, message, calledBy: actor.userId },
        ...{ calledByName: authorName(actor).userName ?? null, answeredByName: null },
        ...{ createdAt: now, updatedAt: now, answeredAt: null, answeredBy: null },
      };
      const calledByName = row.calledByName ?? user?.name ?? "";
      const made = helpCallOf({ ...row, machineName: machine.name, calledByName });
      return {
        expect: [isMachineThere(machineId), hasNoOpenCall(machineId)],
        rows: [insertHelpCall(db, row), insertCalledEvent(db, row, now), insertHelpConditions(db, row)],
        audit: { action: "help-call.create", companyId: machine.companyId, objectId: row.id, before: null, after: made },
        answer: made,
      };
    },
  );
  notifyWatchers(caller, companyId, "set-up");
  dispatchAfterwards(caller, companyId);
  return answer;
}

/** Answers a call on behalf of the caller. A call that was already answered stays as it is. */
export async function answerHelpCall(caller: Caller, id: number): Promise<HelpCall> {
  const { actor, db } = caller;
  const { answer, companyId } = await write(
    caller,
    (read) => [selectHelpCall(read, id, companyOf(actor)), selectUserName(read, actor.userId)],
    ([call], [user]) => {
      if (!call) throw noHelpCall(id);
      const before = helpCallOf(call);
      if (call.answeredAt !== null) return { answer: before };
      const now = nextUpdatedAt(call);
      const answeredByName = authorName(actor).userName ?? null;
      const change = { answeredAt: now, answeredBy: actor.userId, answeredByName, updatedAt: now };
      const after = helpCallOf({ ...call, ...change, answeredByName: answeredByName ?? user?.name ?? null });
      return {
        expect: [isSameCall(call)],
        rows: [updateHelpCall(db, id, change), endHelpConditions(db, id, now)],
        audit: { action: "help-call.answer", companyId: call.companyId, objectId: id, before, after },
        answer: after,
      };
    },
  );
  notifyWatchers(caller, companyId, "set-up");
  dispatchAfterwards(caller, companyId);
  return answer;
}

/** The 404 for an unknown call. */
function noHelpCall(id: number): Problem {
  return notFound(`There is no help call ${id}.`);
}

/** The machine of each of these help calls that exists. */
export function machinesOfCalls({ db }: Pick<Reader, "db">, ids: readonly string[]): Promise<number[][]> {
  return findMachinesOfCalls(db, ids);
}
