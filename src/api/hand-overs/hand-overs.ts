import { companyOf } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { readPage } from "../../core/cursor.ts";
import { checkOfIds } from "../../core/named-ids.ts";
import { conflict, notFound, type Problem } from "../../core/problem.ts";
import { areThere } from "../../core/references.ts";
import { takenId } from "../../core/sequence.ts";
import { write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import { isoOf } from "../../oee/time.ts";
import { figuresOfShift, findOccurrence } from "./figures.ts";
import { type HandOverChange, handOverOf, type SentHandOver, withFigures } from "./hand-over.ts";
import {
  hasNone,
  insertHandOver,
  isSameHandOver,
  selectHandOver,
  selectHandOverOf,
  selectHandOvers,
  takeHandOverId,
  updateHandOver,
} from "./queries.ts";
import type { FiguresQuery, HandOverQuery } from "./query.ts";

// What one shift says to the next. The shift's figures are stored with it. They are read when it is written, with each change of its notes, and
// when it is acknowledged, if the shift was still running when they were read last. Later corrections of the shift do not change them. The
// audit has what people did without the figures, which may have 64 KiB.

/** A page of hand-overs. */
export function listHandOvers({ db, actor }: Reader, query: HandOverQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  const lineIds = query.lineIds?.filter((id) => id !== 0);
  return readPage(db, query, {
    select: (page) => selectHandOvers(db, { ...page, companyId }),
    keysOf: ({ shiftStart, id }) => [shiftStart, id],
    itemOf: handOverOf,
    hasLargeRows: true,
    check: checkOfIds(db, companyId, { shiftIds: query.shiftIds, ...(lineIds && { lineIds }) }),
  });
}

/** A hand-over. Throws 404 if the caller's company has none with that id. */
export async function getHandOver({ db, actor }: Reader, id: number) {
  const found = await selectHandOver(db, id, companyOf(actor)).get();
  if (!found) throw noHandOver(id);
  return withFigures(found);
}

/** The figures of a shift as of now. */
export async function getShiftFigures(caller: Caller, { shiftId, date, lineId: named }: FiguresQuery) {
  const lineId = named ?? null;
  const of = await findOccurrence(caller, { shiftId, date, lineId }, "/query");
  const figures = await figuresOfShift(caller, of, Date.now());
  const { shift, time, lineName } = of;
  return {
    shift: { id: shift.id, name: shift.name, date, startTime: isoOf(time.start), endTime: isoOf(time.end) },
    line: lineId === null ? null : { name: lineName ?? "", id: lineId },
    figures,
  };
}

/**
 * Writes the hand-over of a shift.
 * @throws Problem 404 if there is no such shift; 409 if it has one already
 */
export async function createHandOver(caller: Caller, { shiftId, date, lineId, notes, watch }: SentHandOver) {
  const { actor } = caller;
  const of = await findOccurrence(caller, { shiftId, date, lineId }, "");
  const figures = await figuresOfShift(caller, of, Date.now());
  const { companyId } = of;
  const key = { companyId, shiftId, date, lineId: lineId ?? 0 };
  const { answer } = await write(
    caller,
    (read) => [selectHandOverOf(read, key), takeHandOverId(read)],
    ([other], taken) => {
      if (other) throw conflict(`This shift has a hand-over already: ${other.id}. Change that.`);
      const now = Date.now();
      const row = {
        ...{ id: takenId(caller.db, taken), ...key, shiftStart: of.time.start, shiftEnd: of.time.end, notes, watch, figures },
        ...{ writtenBy: actor.userId, writtenByName: actor.userName ?? "", createdAt: now, updatedAt: now },
        ...{ acknowledgedAt: null, acknowledgedBy: null, acknowledgedByName: null },
      };
      const named = { ...row, shiftName: of.shift.name, lineName: of.lineName };
      return {
        expect: [hasNone(key), ...(lineId === null ? [] : [areThere("line", companyId, [lineId])])],
        rows: [insertHandOver(caller.db, row)],
        audit: { action: "hand-over.create", companyId, objectId: row.id, before: null, after: handOverOf(named) },
        answer: withFigures(named),
      };
    },
  );
  return answer;
}

/**
 * Changes what a hand-over says, with the figures of now.
 * @throws Problem 404 if there is none; 409 if it is acknowledged, or was changed since it was read
 */
export async function changeHandOver(caller: Caller, id: number, { notes, watch, updatedAt }: HandOverChange) {
  const { actor } = caller;
  const known = await selectHandOver(caller.db, id, companyOf(actor)).get();
  if (!known) throw noHandOver(id);
  const { shiftId, date, lineId } = known;
  const of = await findOccurrence(caller, { shiftId, date, lineId: lineId || null }, "");
  const figures = await figuresOfShift(caller, of, Date.now());
  const { answer } = await write(
    caller,
    (read) => [selectHandOver(read, id, companyOf(actor))],
    ([found]) => {
      if (!found) throw noHandOver(id);
      if (found.acknowledgedAt !== null) throw conflict("It is acknowledged: what was handed over does not change any more.");
      if (updatedAt !== undefined && updatedAt !== found.updatedAt) {
        throw conflict(`Somebody else has changed it: its updatedAt is ${isoOf(found.updatedAt)}. Read it again.`);
      }
      const change = {
        ...{
          notes: notes ?? found.notes,
          watch: watch ?? found.watch,
          figures,
          shiftStart: of.time.start,
          shiftEnd: of.time.end,
        },
        ...{ writtenBy: actor.userId, writtenByName: actor.userName ?? "", updatedAt: nextUpdatedAt(found) },
      };
      const after = { ...found, ...change };
      return {
        expect: [isSameHandOver(found)],
        rows: [updateHandOver(caller.db, id, change)],
        audit: {
          ...{ action: "hand-over.change", companyId: found.companyId, objectId: id },
          ...{ before: handOverOf(found), after: handOverOf(after) },
        },
        answer: withFigures(after),
      };
    },
  );
  return answer;
}

/** Acknowledges a hand-over on behalf of the caller. One that was already acknowledged stays as it is. */
export async function acknowledgeHandOver(caller: Caller, id: number) {
  const { actor } = caller;
  const known = await selectHandOver(caller.db, id, companyOf(actor)).get();
  if (!known) throw noHandOver(id);
  const isFinal = known.figures.isShiftOver || known.acknowledgedAt !== null;
  const { shiftId, date, lineId } = known;
  const of = isFinal ? null : await findOccurrence(caller, { shiftId, date, lineId: lineId || null }, "");
  const figures = of && (await figuresOfShift(caller, of, Date.now()));
  const { answer } = await write(
    caller,
    (read) => [selectHandOver(read, id, companyOf(actor))],
    ([found]) => {
      if (!found) throw noHandOver(id);
      if (found.acknowledgedAt !== null) return { answer: withFigures(found) };
      const now = nextUpdatedAt(found);
      const change = {
        ...{ acknowledgedAt: now, acknowledgedBy: actor.userId, acknowledgedByName: actor.userName ?? "", updatedAt: now },
        ...(of && figures && { figures, shiftStart: of.time.start, shiftEnd: of.time.end }),
      };
      const after = { ...found, ...change };
      return {
        expect: [isSameHandOver(found)],
        rows: [updateHandOver(caller.db, id, change)],
        audit: {
          ...{ action: "hand-over.acknowledge", companyId: found.companyId, objectId: id },
          ...{ before: handOverOf(found), after: handOverOf(after) },
        },
        answer: withFigures(after),
      };
    },
  );
  return answer;
}

/** The 404 for an unknown hand-over. */
function noHandOver(id: number): Problem {
  return notFound(`There is no hand-over ${id}.`);
}
