import { companyOf } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { refuseIfClosed } from "../../core/closed-books.ts";
import { readPage } from "../../core/cursor.ts";
import { once } from "../../core/idempotency.ts";
import { checkOfIds } from "../../core/named-ids.ts";
import { conflict, invalid, notFound, type Problem, refusal } from "../../core/problem.ts";
import { recordOf } from "../../core/record-id.ts";
import type { CorrectionRefusal, CorrectionState } from "../../objects/machine-protocol.ts";
import { callMachine, editedBy } from "../../objects/machines.ts";
import { correctionOf, type SentCorrection } from "./correction.ts";
import { findCorrection, findNames, findSubjects, selectCorrectionsInOrder } from "./queries.ts";
import type { CorrectionsQuery } from "./query.ts";

// Corrections of what machines counted. The machine's object has them and applies them; D1 has a row of each, and the sums with them.

/** A page of corrections. */
export function listCorrections({ db, actor }: Reader, query: CorrectionsQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectCorrectionsInOrder(db, { ...page, companyId }),
    keysOf: ({ at, id }) => [at, id],
    itemOf: correctionOf,
    check: checkOfIds(db, companyId, { machineIds: query.machineIds, reasonIds: query.reasonIds }),
  });
}

export async function getCorrection({ db, actor }: Reader, id: number) {
  const found = await findCorrection(db, id, companyOf(actor));
  if (!found) throw noCorrection(id);
  return correctionOf(found);
}

/** Enters a correction. */
export function createCorrection(caller: Caller, { machineId, ...sent }: SentCorrection) {
  return once(caller, async () => {
    const { env, db, actor, request, objects } = caller;
    const { reasonId } = sent;
    const { machine, reason } = await findSubjects(db, { machineId, reasonId }, companyOf(actor));
    if (!machine || machine.deletedAt !== null)
      throw invalid([{ pointer: "/machineId", code: "not_found", message: "is not a machine of this company" }]);
    if (reasonId !== null && !reason)
      throw invalid([{ pointer: "/reasonId", code: "not_found", message: "is not a defect reason of this company" }]);
    const done = await callMachine(
      env,
      machineId,
      (object) => object.correct(sent, editedBy(caller), request, machine.configVersion),
      objects,
    );
    refuseIfClosed(done, "/at");
    if ("refused" in done) throw problemOf(done);
    return await shown(caller, done);
  });
}

/** Undoes a correction. */
export function undoCorrection(caller: Caller, id: number): Promise<void> {
  return once(caller, async () => {
    const { env, db, actor, request, objects } = caller;
    const { machineId, seq } = recordOf(id);
    const { machine } = await findSubjects(db, { machineId, reasonId: null }, companyOf(actor));
    if (!machine) throw noCorrection(id);
    const done = await callMachine(
      env,
      machineId,
      (object) => object.undoCorrection(seq, editedBy(caller), request, machine.configVersion),
      objects,
    );
    refuseIfClosed(done, "/path/id");
    if ("refused" in done) throw done.refused === "not_found" ? noCorrection(id) : problemOf(done);
    if (done.bookmark !== null) caller.continueAt(done.bookmark);
  });
}

/** A correction with its names, from D1 if that has it already. */
async function shown(caller: Caller, { correction, bookmark }: { correction: CorrectionState; bookmark: string | null }) {
  if (bookmark !== null) caller.continueAt(bookmark);
  const { db } = caller;
  const found = bookmark === null ? undefined : await findCorrection(db, correction.id, correction.companyId);
  if (found) return correctionOf(found);
  const names = await findNames(db, correction);
  if (!names) throw new Error(`machine ${correction.machineId} of a correction is not in the database`);
  return correctionOf({ ...correction, ...names });
}

/** What is there when the request comes decides whether a sum falls below 0; everything else is a fault of the request. */
function problemOf(refused: CorrectionRefusal): Problem {
  if (!("member" in refused)) return refused.refused === "conflict" ? conflict(refused.message) : notFound(refused.message);
  const { refused: code, member, message } = refused;
  return refusal(code === "below_zero" || code === "settled" ? 409 : 400, [{ pointer: `/${member}`, code, message }]);
}

function noCorrection(id: number): Problem {
  return notFound(`There is no correction ${id}, or it was undone.`);
}
