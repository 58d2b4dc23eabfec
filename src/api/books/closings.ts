import { companyOf, noCompany, oneCompanyOf } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { closedBooks } from "../../core/closed-books.ts";
import { readPage } from "../../core/cursor.ts";
import { checkOfIds } from "../../core/named-ids.ts";
import { conflict, type Fault, invalid, notFound, refusal } from "../../core/problem.ts";
import { selectCompany, selectUserName } from "../../core/queries.ts";
import { takenId } from "../../core/sequence.ts";
import { write } from "../../core/write.ts";
import type { BooksFinding, BooksSums } from "../../db/values.ts";
import { advanceClosings } from "./advance-closing.ts";
import { auditedClosing, type Closing, closingOf, machineItemOf, type NewClosing } from "./closing.ts";
import { findingsOf } from "./findings.ts";
import {
  areBooksAt,
  type ClosingRow,
  insertClosing,
  isInState,
  type NamedClosingRow,
  reopenClosing,
  selectBooks,
  selectClosing,
  selectClosingMachines,
  selectClosings,
  selectFindings,
  selectRecalculating,
  selectSumsNow,
  selectUnderWay,
  takeClosingId,
} from "./queries.ts";
import type { ClosingsQuery } from "./query.ts";

// The books of a company are closed up to an instant: nothing before that changes. Its machines follow one by one, and a closing counts once all of them
// have. From its beginning, set-up of that time cannot be changed any more (core/books.ts).

/** A request calls machines once, and ends the closing if that was enough. A job does the rest. */
const STEPS_AT_ONCE = 2;

/** A page of closings, newest first. */
export function listClosings({ db, actor }: Reader, query: ClosingsQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectClosings(db, { ...page, companyId }),
    keysOf: ({ id }) => [id],
    itemOf: closingOf,
    check: checkOfIds(db, companyId, {}),
  });
}

/** A closing with its machines, what they summed up to, and do now. Throws 404 if the caller's company has none with that id. */
export async function getClosing({ db, actor }: Reader, id: number) {
  const [[row], machines, [now]] = await db.batch([
    selectClosing(db, id, companyOf(actor)),
    selectClosingMachines(db, id),
    selectSumsNow(db, id),
  ]);
  if (!row) throw noClosing(id);
  const byMachine = (sums: readonly BooksSums[]) => new Map(sums.map((one) => [one.machineId, one]));
  const [then, present] = [byMachine(row.sums ?? []), byMachine(JSON.parse(now?.sums ?? "[]"))];
  const items = machines.map((one) => machineItemOf(one, then.get(one.machineId), present.get(one.machineId)));
  return { ...closingOf(row), machines: items };
}

/**
 * Begins to close the books of a company, and closes them if they have few machines.
 * @throws Problem 400 that names what is wrong; 409 that lists what people have left open, unless they are forced, and what may still change by itself
 */
export async function createClosing(caller: Caller, sent: NewClosing): Promise<Closing> {
  const { db, actor } = caller;
  const { to, force, reason = null, companyId: named } = sent;
  const companyId = oneCompanyOf(actor, named);
  const now = Date.now();
  if (to > now) throw invalid([{ pointer: "/to", code: "in_future", message: "must not be in the future" }]);
  if (force && reason === null) throw invalid([{ pointer: "/reason", code: "required", message: "is required with `force`" }]);
  const [known] = await selectBooks(db, companyId);
  const from = known?.lockedTo ?? 0;
  const { answer } = await write(
    caller,
    (read) => [
      selectCompany(read, companyId),
      selectBooks(read, companyId),
      selectUnderWay(read, companyId),
      selectFindings(read, companyId, { from, to }),
      selectRecalculating(read, companyId),
      selectUserName(read, actor.userId),
      takeClosingId(read),
    ],
    ([company], [present], underWay, [found], [recalculating], [user], taken) => {
      if (!company) throw noCompany();
      const lockedTo = present?.lockedTo ?? 0;
      if (to <= lockedTo) throw closedBooks("/to", lockedTo);
      refuseUnderWay(underWay);
      const findings = findingsOf(found);
      refuseOpenPoints(force ? [] : findings, recalculating?.count ?? 0);
      const row: NamedClosingRow = {
        ...{ id: takenId(db, taken), companyId, fromAt: lockedTo, toAt: to, state: "closing", reason, isForced: force, findings },
        ...{ createdAt: now, createdBy: actor.userId, endedAt: null, failure: null, sums: null, nextAt: now },
        ...{ reopenedAt: null, reopenedBy: null, reopenReason: null },
        ...{ createdByName: user?.name ?? null, reopenedByName: null, machinesLeft: 0 },
      };
      return {
        expect: [areBooksAt(companyId, lockedTo)],
        rows: insertClosing(db, storedOf(row)),
        audit: { action: "book-closing.create", companyId, objectId: row.id, before: null, after: auditedClosing(row) },
        answer: closingOf(row),
      };
    },
  );
  return await followed(caller, companyId, answer);
}

/**
 * Takes the newest closing of a company back: what it closed can change again, and events that were held in the meantime can be accepted.
 * @throws Problem 404; 409 if it is not closed, or a later one is
 */
export async function reopen(caller: Caller, id: number, reason: string): Promise<Closing> {
  const { db, actor } = caller;
  const scope = companyOf(actor);
  const [found] = await selectClosing(db, id, scope);
  if (!found) throw noClosing(id);
  const { companyId } = found;
  const now = Date.now();
  const { answer } = await write(
    caller,
    (read) => [
      selectClosing(read, id, scope),
      selectBooks(read, companyId),
      selectUnderWay(read, companyId),
      selectUserName(read, actor.userId),
    ],
    ([row], [stored], underWay, [user]) => {
      if (!row) throw noClosing(id);
      if (row.state !== "closed") throw conflict(`The closing is ${row.state}, not closed: there is nothing to reopen.`);
      refuseUnderWay(underWay);
      if (stored?.lockedTo !== row.toAt)
        throw conflict("A later closing has to be reopened first: GET /v1/books/closings lists it.");
      const set = { state: "reopened" as const, reopenedAt: now, reopenedBy: actor.userId, reopenReason: reason, nextAt: now };
      const after = { ...row, ...set, reopenedByName: user?.name ?? null };
      return {
        expect: [isInState(id, "closed"), areBooksAt(companyId, row.toAt)],
        rows: reopenClosing(db, row, set),
        audit: {
          action: "book-closing.reopen",
          companyId,
          objectId: id,
          before: { ...auditedClosing(row), state: row.state },
          after: { ...auditedClosing(after), state: after.state, reopenReason: reason },
        },
        answer: closingOf(after),
      };
    },
  );
  return await followed(caller, companyId, answer);
}

/** Has the machines follow as far as they do soon, and returns the closing as it is then. The cron goes on with the rest. */
async function followed(caller: Caller, companyId: number, answer: Closing): Promise<Closing> {
  await advanceClosings(caller.env, companyId, { db: caller.db, steps: STEPS_AT_ONCE }).catch(() => undefined);
  const [row] = await selectClosing(caller.db, answer.id, companyId);
  return row ? closingOf(row) : answer;
}

function refuseUnderWay(underWay: readonly object[]): void {
  if (underWay.length > 0)
    throw conflict("The books are being closed or reopened: GET /v1/books/closings shows how far that is.");
}

const meanings: Record<BooksFinding["code"], (count: number) => string> = {
  unclassified_stops: (count) => `${count} stops of that time have no cause`,
  silent_machines: (count) => `${count} machines send nothing: what they hold back may be of that time`,
  held_events: (count) => `${count} events of that time are held: GET /v1/held-events`,
};

function refuseOpenPoints(findings: readonly BooksFinding[], recalculating: number): void {
  const faults: Fault[] = findings.map(({ code, count }) => {
    return { pointer: "/to", code, message: `${meanings[code](count)}. With \`force\` and a \`reason\`, that does not matter` };
  });
  if (recalculating > 0) {
    const message = "numbers are being recalculated, or an import is being taken back: wait until that is done";
    faults.push({ pointer: "/to", code: "recalculating", message });
  }
  if (faults.length > 0) throw refusal(409, faults);
}

/** A closing as its table has it. */
function storedOf({ createdByName: _, reopenedByName: __, machinesLeft: ___, ...stored }: NamedClosingRow): ClosingRow {
  return stored;
}

function noClosing(id: number) {
  return notFound(`There is no closing ${id}.`);
}
