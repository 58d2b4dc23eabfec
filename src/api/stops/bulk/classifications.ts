import { companyOf, oneCompanyOf } from "../../../core/actor.ts";
import type { Caller, Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { defined } from "../../../core/defined.ts";
import { causesAfter, NO_CAUSES } from "../../../core/kept-causes.ts";
import { conflict, type Fault, invalid, notFound, refusal } from "../../../core/problem.ts";
import { recordOf } from "../../../core/record-id.ts";
import { type Decision, write } from "../../../core/write.ts";
import type { KeptCauses, WaitingStops } from "../../../db/values.ts";
import { sendQueueMessages } from "../../../events/queues.ts";
import { editedBy } from "../../../objects/machines.ts";
import { type CausesBody, causeIdsOf, causesOf, flagsOf, type SomeCausesBody } from "../causes.ts";
import { type StopCause, selectCausesOf, selectCausesToKeep, selectChosenStops } from "../queries.ts";
import { classifyStep, LEASE_MS, STOPS_PER_STEP } from "./classify-step.ts";
import type { ClassifyBody } from "./filter.ts";
import {
  type ClassificationRow,
  findClassification,
  insertClassification,
  isDone,
  selectClassification,
  selectInOrder,
  updateClassification,
} from "./queries.ts";
import type { ListQuery } from "./query.ts";
import { stopClassificationOf } from "./stop-classification.ts";
import { MACHINES_PER_STEP, undoStep } from "./undo-step.ts";

/** The most stops of one request. */
const MOST_STOPS = 10_000;

/** What a bulk classification would do. */
export interface DryRun {
  isDryRun: true;
  total: number;
  /** How many have these causes already. */
  unchanged: number;
  machines: number;
}

/**
 * Gives stops the same causes. What the body does not name stays as it is (`causesAfter`). Up to `STOPS_PER_STEP` are classified when this ends; more
 * are classified by a job, whose progress the answer's `id` shows. A stop that somebody changes in the meantime is left out.
 * @throws Problem 400 for more than `MOST_STOPS`, 404 for ids that are no stops of the company
 */
export async function classifyStops(caller: Caller, body: ClassifyBody) {
  const { actor, env } = caller;
  const companyId = oneCompanyOf(actor, body.companyId);
  const { ids, filter = {}, dryRun, companyId: _, ...named } = body;
  const why: CausesBody = { ...NO_CAUSES, ...defined(named) };
  const { answer } = await write(
    caller,
    (db) => [
      selectChosenStops(db, { ...filter, ids, companyId }, MOST_STOPS + 1, Date.now()),
      selectCausesOf(db, companyId, causeIdsOf(why)),
      selectCausesToKeep(db, companyId, toKeep(named)),
    ],
    (stops, known, toStay): Decision<ClassificationRow | DryRun> => {
      refuseUnknown(ids ?? [], stops);
      const { causes, flags } = causesOf(why, known);
      if (!causes) throw noCause();
      if (stops.length > MOST_STOPS) throw tooMany();
      const waiting = byMachine(stops);
      const what = { causes, flags, kept: keptOf(named, known, causesIn(stops, toStay)) };
      if (dryRun) {
        const unchanged = stops.filter((stop) => hasCauses(stop, causesAfter(stop, what).causes)).length;
        return { answer: { isDryRun: true, total: stops.length, unchanged, machines: waiting.length } };
      }
      const now = Date.now();
      const isEmpty = stops.length === 0;
      const row: ClassificationRow = {
        ...{ id: crypto.randomUUID(), companyId, state: isEmpty ? "done" : "running", createdAt: now, total: stops.length },
        ...{ classified: 0, unchanged: 0, leftOut: {}, waiting, endedAt: isEmpty ? now : null, what },
        ...editedBy(caller),
        // If this request ends before it has classified a few stops, the job does it.
        ...{ machineIds: waiting.map(([machineId]) => machineId), undone: 0, kept: 0 },
        ...{ undoneBy: null, undoneRequestId: null, undoneAt: null },
        nextAt: isEmpty ? null : now + (stops.length <= STOPS_PER_STEP ? LEASE_MS : 0),
      };
      return {
        rows: [insertClassification(caller.db, row)],
        audit: {
          ...{ action: "stop-classification.create", companyId, objectId: row.id, before: null },
          after: { ...(ids ? { ids } : { filter: body.filter }), ...named, stops: stops.length },
        },
        answer: row,
        keptAnswer: stopClassificationOf(row),
      };
    },
  );
  if ("isDryRun" in answer) return answer;
  if (answer.state === "done") return stopClassificationOf(answer);
  if (answer.total <= STOPS_PER_STEP) return stopClassificationOf(await classifyStep(caller, answer));
  await sendQueueMessages(env, [{ queue: "JOBS", body: { job: "sweep", at: Date.now(), companyIds: [companyId] } }]);
  return stopClassificationOf(answer);
}

/**
 * Takes a bulk classification back: its stops are as they were before, apart from those that a person changed afterwards. Done when this ends if the
 * stops are of a few machines; otherwise by the job.
 * @throws Problem 409 while it is running
 */
export async function undoClassification(caller: Caller, id: string) {
  const { actor, db, env, requestId } = caller;
  const companyId = companyOf(actor);
  const { answer } = await write(
    caller,
    () => [selectClassification(caller.db, id, companyId)],
    ([row]): Decision<ClassificationRow> => {
      if (!row) throw noClassification(id);
      if (row.state === "running") throw conflict("The bulk classification is still running.");
      if (row.state !== "done") return { answer: row, keptAnswer: stopClassificationOf(row) };
      const now = Date.now();
      const machineIds = row.machineIds ?? [];
      const undoing: ClassificationRow = {
        ...row,
        ...{ state: "undoing", waiting: machineIds.map((machineId) => [machineId, []]) },
        ...{ undoneBy: actor.userId, undoneRequestId: requestId, undoneAt: now },
        nextAt: now + (machineIds.length <= MACHINES_PER_STEP ? LEASE_MS : 0),
      };
      return {
        expect: [isDone(id)],
        rows: [updateClassification(caller.db, id, undoing)],
        audit: {
          ...{ action: "stop-classification.undo", companyId: row.companyId, objectId: id },
          ...{ before: null, after: { ...row.what.causes, classified: row.classified } },
        },
        answer: undoing,
        keptAnswer: stopClassificationOf(undoing),
      };
    },
  );
  if (answer.state === "undone") return stopClassificationOf(answer);
  if (answer.undoneRequestId === requestId && answer.waiting.length <= MACHINES_PER_STEP) {
    return stopClassificationOf(await undoStep(caller, answer));
  }
  await sendQueueMessages(env, [{ queue: "JOBS", body: { job: "sweep", at: Date.now(), companyIds: [answer.companyId] } }]);
  return stopClassificationOf((await findClassification(db, id, companyId)) ?? answer);
}

export async function getClassification({ db, actor }: Reader, id: string) {
  const row = await findClassification(db, id, companyOf(actor));
  if (!row) throw noClassification(id);
  return stopClassificationOf(row);
}

/** A page of bulk classifications, newest first. */
export function listClassifications({ db, actor }: Reader, query: ListQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectInOrder(db, { ...page, companyId }),
    keysOf: ({ createdAt, id }) => [createdAt, id],
    itemOf: stopClassificationOf,
  });
}

/** The causes of stops that may stay beside the named one. */
function toKeep({ generalCauseId: general, specificCauseId: specific }: SomeCausesBody) {
  if (general && specific === undefined) return { below: general };
  return general === undefined && specific === null ? "general" : "none";
}

/** What each stop keeps: the members that are not named. */
function keptOf(named: SomeCausesBody, known: readonly StopCause[], staying: readonly StopCause[]): KeptCauses {
  const members = (["generalCauseId", "specificCauseId", "componentId", "description"] as const).filter(
    (member) => named[member] === undefined,
  );
  return {
    members,
    generalCauseId: known.find(({ id }) => id === named.specificCauseId)?.parentId ?? null,
    flags: Object.fromEntries(staying.map((cause) => [cause.id, flagsOf(cause)])),
  };
}

/** Those of the causes that stops have. */
function causesIn(stops: readonly Chosen[], causes: readonly StopCause[]): StopCause[] {
  const ids = new Set(stops.flatMap(({ generalCauseId, specificCauseId }) => [generalCauseId, specificCauseId]));
  return causes.filter(({ id }) => ids.has(id));
}

type Chosen = Awaited<ReturnType<typeof selectChosenStops>>[number];

function byMachine(stops: readonly Chosen[]): WaitingStops[] {
  const groups = Map.groupBy(stops, ({ id }) => recordOf(id).machineId);
  return [...groups].map(([machineId, some]) => [machineId, some.map(({ id, version }) => [recordOf(id).seq, version])]);
}

function hasCauses(stop: Chosen, causes: { [Member in keyof Chosen]?: unknown }): boolean {
  const { generalCauseId, specificCauseId, componentId, description } = stop;
  return (
    generalCauseId === causes.generalCauseId &&
    specificCauseId === causes.specificCauseId &&
    componentId === causes.componentId &&
    description === causes.description
  );
}

function refuseUnknown(ids: readonly number[], stops: readonly Chosen[]): void {
  const known = new Set(stops.map(({ id }) => id));
  const faults = ids.flatMap((id, i): Fault[] =>
    known.has(id) ? [] : [{ pointer: `/ids/${i}`, code: "not_found", message: "is not a stop of this company" }],
  );
  if (faults.length > 0) throw refusal(404, faults);
}

function noCause() {
  return invalid([{ pointer: "/generalCauseId", code: "required", message: "is required, or another cause, or a description" }]);
}

function tooMany() {
  const message = `matches more than ${MOST_STOPS} stops: narrow it, for example by \`from\` and \`to\``;
  return invalid([{ pointer: "/filter", code: "too_big", message }]);
}

function noClassification(id: string) {
  return notFound(`There is no bulk classification ${id}.`);
}
