import { companyOf, oneCompanyOf } from "../../../core/actor.ts";
import type { Caller, Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { type Fault, invalid, notFound, refusal } from "../../../core/problem.ts";
import { selectUserName } from "../../../core/queries.ts";
import { takenId } from "../../../core/sequence.ts";
import { write } from "../../../core/write.ts";
import { OBJECT_MS, StorageBusy } from "../../../limits/load.ts";
import { callMachines } from "../../../objects/machines.ts";
import { maxOf } from "../../../oee/extremes.ts";
import { isoOf } from "../../../oee/time.ts";
import { countOpen, takeRecalculationId } from "../../../resource/queries.ts";
import { askMachines } from "./ask-machines.ts";
import {
  insertRecalculation,
  selectMachines,
  selectRecalculation,
  selectRecalculationMachines,
  selectRecalculations,
} from "./queries.ts";
import type { RecalculationQuery } from "./query.ts";
import {
  dryRunIn,
  MOST_MACHINE_DAYS,
  machineDaysOf,
  machineItemOf,
  type NewRecalculation,
  type Recalculation,
  recalculationOf,
} from "./recalculation.ts";

/** The most recalculations of a company that are under way: what they are about is done once, so more would only wait. */
const MOST_OPEN = 20;

/** A page of the recalculations that people asked for. */
export function listRecalculations({ db, actor }: Reader, query: RecalculationQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectRecalculations(db, { ...page, companyId }),
    keysOf: ({ id }) => [id],
    itemOf: recalculationOf,
    check: checkOfIds(db, companyId, {}),
  });
}

/** A recalculation, with how far each of its machines has come. Throws 404 if the caller's company has none with that id. */
export async function getRecalculation({ db, actor }: Reader, id: number) {
  const [[row], machines] = await db.batch([selectRecalculation(db, id, companyOf(actor)), selectRecalculationMachines(db, id)]);
  if (!row) throw notFound(`There is no recalculation ${id}.`);
  return { ...recalculationOf(row), machines: machines.map(machineItemOf), ...dryRunIn(row, machines) };
}

/**
 * Has the numbers of machines made again. It is stored first: a machine that cannot be asked now is asked by the cron.
 * @throws Problem 400 that names what is wrong; 409 if a machine did not keep its events of that time, or too many recalculations are under way
 */
export async function createRecalculation(
  caller: Caller,
  { reason, machineIds, from, to = Date.now(), companyId: named }: NewRecalculation,
): Promise<Recalculation> {
  const { db, actor } = caller;
  const companyId = oneCompanyOf(actor, named);
  const now = Date.now();
  refuseTimes({ from, to, now, machines: machineIds.length });
  const { answer } = await write(
    caller,
    (read) => [
      selectMachines(read, companyId, machineIds),
      countOpen(read, companyId),
      selectUserName(read, actor.userId),
      takeRecalculationId(read),
    ],
    async (machines, [counted], [user], taken) => {
      refuseMachines(machines, machineIds, from);
      if ((counted?.open ?? 0) >= MOST_OPEN) {
        const message = `${MOST_OPEN} recalculations of the company are under way: wait until one has ended`;
        throw refusal(409, [{ pointer: "", code: "too_many_open", message }]);
      }
      await refuseForgotten(caller, machineIds, from);
      const row = { id: takenId(db, taken), companyId, reason, fromAt: from, toAt: to, createdAt: now, createdBy: actor.userId };
      const sums = JSON.stringify([machineIds, 0, 0, 0]);
      const none = { isDryRun: false, trial: null, nextAt: null };
      const made = recalculationOf({ ...row, ...none, endedAt: null, createdByName: user?.name ?? null, sums });
      return {
        rows: insertRecalculation(db, row, machineIds),
        past: { companyId, from, pointer: "/from" },
        audit: {
          action: "recalculation.create",
          companyId,
          objectId: row.id,
          before: null,
          after: made,
        },
        answer: made,
      };
    },
  );
  caller.afterwards(askMachines(caller.env, { id: answer.id, companyId, machineIds, from, to }).catch(() => undefined));
  return answer;
}

function refuseTimes({ from, to, now, machines }: { from: number; to: number; now: number; machines: number }): void {
  const faults: Fault[] = [];
  if (to > now) faults.push({ pointer: "/to", code: "in_future", message: "must not be in the future" });
  if (from >= to) faults.push({ pointer: "/to", code: "not_in_order", message: "must be after `from`" });
  else if (machineDaysOf(machines, from, to) > MOST_MACHINE_DAYS) {
    const message = `gives more than ${MOST_MACHINE_DAYS} machine-days: take fewer machines, or less time`;
    faults.push({ pointer: "/from", code: "range_too_long", message });
  }
  if (faults.length > 0) throw invalid(faults);
}

function refuseMachines(
  found: readonly { id: number; name: string; commissionedAt: number }[],
  machineIds: readonly number[],
  from: number,
): void {
  const known = new Map(found.map((machine) => [machine.id, machine]));
  const faults = machineIds.flatMap((id, i): Fault[] => {
    const machine = known.get(id);
    if (!machine) return [{ pointer: `/machineIds/${i}`, code: "not_found", message: "is not a machine of the company" }];
    if (from >= machine.commissionedAt) return [];
    const message = `is before the commissioning of ${machine.name}: ${isoOf(machine.commissionedAt)}`;
    return [{ pointer: "/from", code: "before_commissioning", message }];
  });
  if (faults.length > 0) throw invalid(faults);
}

/** Refuses a time whose events a machine did not keep: an earlier version of the service deleted them. */
async function refuseForgotten({ env, objects }: Caller, machineIds: readonly number[], from: number): Promise<void> {
  const nothing = { start: 0, end: 0, after: null, limit: 0, countTo: 0 };
  const answers = await callMachines(env, machineIds, OBJECT_MS, (machine) => machine.sentEvents(nothing), objects);
  if (answers.size < machineIds.length) throw new StorageBusy("a machine did not answer within its time");
  const completeFrom = maxOf([...answers.values()].map((answer) => answer.completeFrom));
  if (from >= completeFrom) return;
  const message = `is before ${isoOf(completeFrom)}: events of all these machines are only kept since then`;
  throw refusal(409, [{ pointer: "/from", code: "too_late", message }]);
}
