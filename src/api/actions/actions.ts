import { companyOf, noCompany, oneCompanyOf } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { companyZone } from "../../core/company-zone.ts";
import { readPage } from "../../core/cursor.ts";
import { checkOfIds } from "../../core/named-ids.ts";
import { notFound, type Problem, refusal } from "../../core/problem.ts";
import { takenId } from "../../core/sequence.ts";
import { write } from "../../core/write.ts";
import type { CompanyDb } from "../../db/client.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import { localDate } from "../../oee/zone.ts";
import { type ActionChange, actionOf, type SentAction } from "./action.ts";
import { effectOf, minutesOf } from "./effect.ts";
import {
  insertAction,
  isSameAction,
  selectAction,
  selectActions,
  selectOwner,
  selectSubject,
  takeActionId,
  updateAction,
} from "./queries.ts";
import type { ActionQuery } from "./query.ts";

// What people do about losses, and whether their minutes went down.

/** The present date in the time zone of a company. */
async function todayOf(db: CompanyDb, companyId: number): Promise<string> {
  const timezone = await companyZone(db, companyId);
  if (timezone === undefined) throw noCompany();
  return localDate(timezone, Date.now());
}

/** A page of actions. */
export async function listActions({ db, actor }: Reader, query: ActionQuery) {
  const companyId = oneCompanyOf(actor, query.companyId);
  const today = await todayOf(db, companyId);
  return await readPage(db, query, {
    select: (page) => selectActions(db, { ...page, companyId }),
    keysOf: ({ createdAt, id }) => [createdAt, id],
    itemOf: (row) => actionOf(row, today),
    hasLargeRows: true,
    check: checkOfIds(db, companyId, { machineIds: query.machineIds, lineIds: query.lineIds }),
  });
}

/** An action with what became of its loss. Throws 404 if the caller's company has none with that id. */
export async function getAction(reader: Reader, id: number) {
  const { db, actor } = reader;
  const found = await selectAction(db, id, companyOf(actor)).get();
  if (!found) throw noAction(id);
  const [today, effect] = await Promise.all([todayOf(db, found.companyId), effectOf(reader, found, Date.now())]);
  return { ...actionOf(found, today), effect };
}

/**
 * Creates an action about a loss, with the minutes that it has now.
 * @throws Problem 404 if the company lacks something that it names
 */
export async function createAction(caller: Caller, { from, to, companyId: named, ...sent }: SentAction) {
  const { actor, db } = caller;
  const companyId = oneCompanyOf(actor, named);
  const { loss, generalCauseId, specificCauseId, machineId, lineId, ownerId, measure, dueOn } = sent;
  const lost = { companyId, loss, generalCauseId, specificCauseId, machineId, lineId };
  const today = await todayOf(db, companyId);
  const subjects = (read: CompanyDb) =>
    [
      selectSubject(read, "machine", machineId ?? 0, companyId),
      selectSubject(read, "line", lineId ?? 0, companyId),
      selectSubject(read, "cause", generalCauseId ?? 0, companyId),
      selectSubject(read, "cause", specificCauseId ?? 0, companyId),
      selectOwner(read, ownerId, companyId),
    ] as const;
  const [ofMachine, ofLine] = await db.batch(subjects(db));
  refuseMissing("machineId", machineId, ofMachine);
  refuseMissing("lineId", lineId, ofLine);
  const seen = await minutesOf(caller, lost, { start: from, end: to });
  const { answer } = await write(
    caller,
    (read) => [...subjects(read), takeActionId(read)],
    ([machine], [line], [general], [specific], [owner], taken) => {
      refuseMissing("generalCauseId", generalCauseId, general ? [general] : []);
      refuseMissing("specificCauseId", specificCauseId, specific ? [specific] : []);
      refuseMissing("ownerId", ownerId, owner ? [owner] : []);
      const now = Date.now();
      const row = {
        ...{ id: takenId(db, taken), ...lost, seenFrom: from, seenTo: to, measure, ownerId, dueOn },
        ...{ seenMinutes: seen.minutes, seenPlannedMinutes: seen.plannedMinutes },
        ...{ state: "open" as const, comment: null, endedAt: null, createdBy: actor.userId, createdAt: now, updatedAt: now },
      };
      const names = {
        ...{ machineName: machine?.name ?? null, lineName: line?.name ?? null, ownerName: owner?.name ?? null },
        ...{ generalCauseName: general?.name ?? null, specificCauseName: specific?.name ?? null, createdByName: actor.userName },
      };
      const made = actionOf({ ...row, ...names }, today);
      return {
        rows: [insertAction(db, row)],
        audit: { action: "action.create", companyId, objectId: row.id, before: null, after: made },
        answer: made,
      };
    },
  );
  return answer;
}

/**
 * Changes an action.
 * @throws Problem 404 if there is none, or its new owner is no user of the company
 */
export async function changeAction(caller: Caller, id: number, change: ActionChange) {
  const { actor, db } = caller;
  const known = await selectAction(db, id, companyOf(actor)).get();
  if (!known) throw noAction(id);
  const { companyId } = known;
  const today = await todayOf(db, companyId);
  const { answer } = await write(
    caller,
    (read) => [selectAction(read, id, companyOf(actor)), selectOwner(read, change.ownerId ?? 0, companyId)],
    ([found], owners) => {
      if (!found) throw noAction(id);
      const { measure = found.measure, ownerId = found.ownerId, dueOn = found.dueOn, comment = found.comment } = change;
      if (ownerId !== found.ownerId) refuseMissing("ownerId", ownerId, owners);
      const now = nextUpdatedAt(found);
      const state = change.state ?? found.state;
      const endedAt = state === found.state ? found.endedAt : state === "open" ? null : now;
      const values = { measure, ownerId, dueOn, comment, state, endedAt, updatedAt: now };
      const ownerName = ownerId === found.ownerId ? found.ownerName : (owners[0]?.name ?? null);
      const after = actionOf({ ...found, ...values, ownerName }, today);
      return {
        expect: [isSameAction(found)],
        rows: [updateAction(db, id, values)],
        audit: { action: "action.change", companyId, objectId: id, before: actionOf(found, today), after },
        answer: after,
      };
    },
  );
  return answer;
}

/** @throws Problem 404 if the company lacks what a member names */
function refuseMissing(member: string, id: number | null, found: readonly unknown[]): void {
  if (id === null || found.length > 0) return;
  const what = { machineId: "a machine", lineId: "a line", ownerId: "an active user" }[member] ?? "a stop cause";
  throw refusal(404, [{ pointer: `/${member}`, code: "not_found", message: `is not ${what} of this company` }]);
}

/** The 404 for an unknown action. */
function noAction(id: number): Problem {
  return notFound(`There is no action ${id}.`);
}
