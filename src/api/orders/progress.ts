import type { Caller } from "../../core/caller.ts";
import { conflict, type Fault, invalid, refusal } from "../../core/problem.ts";
import { write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import type { WorkOrderStatus } from "../../db/values.ts";
import { dispatchAfterwards } from "../../events/queues.ts";
import { configureAfterwards } from "../../objects/notify-machines.ts";
import { storeStatus } from "./close-order.ts";
import { cutRuns } from "./cut-runs.ts";
import { noOrder, scopeOf } from "./orders.ts";
import {
  areDeletedBefore,
  insertProgress,
  insertStatusEvents,
  isSameOrder,
  type StoredOrder,
  type StoredTarget,
  selectMachinesToCut,
  selectMade,
  selectOperators,
  selectOrder,
  updateDeletedRunTotals,
  updateTarget,
} from "./queries.ts";
import { totalAfter } from "./totals.ts";
import { type OrderChange, refusalOf, statusAfter } from "./transitions.ts";

/** A person's report of progress. */
export interface ProgressReport {
  /** Undefined: the order's only target. */
  skuId?: string | undefined;
  correct?: number | undefined;
  defects?: number | undefined;
  mode: "delta" | "absolute";
  status?: WorkOrderStatus | undefined;
  machineId?: number | undefined;
  operatorId?: number | undefined;
  comment?: string | undefined;
  /** Epoch ms; undefined: now. */
  occurredAt?: number | undefined;
}

type TimedReport = ProgressReport & { occurredAt: number };

/** Adds a report to an order and to its history. If it states a total, the runs of the line are split first. */
export async function reportProgress(caller: Caller, id: string, sent: ProgressReport): Promise<void> {
  const now = Date.now();
  const report = { ...sent, occurredAt: sent.occurredAt ?? now };
  const scope = scopeOf(caller, id);
  const { skuId, operatorId, occurredAt } = report;
  const readOrder = (db: Caller["db"]) =>
    [selectOrder(db, scope, skuId), selectOperators(db, scope, operatorId === undefined ? [] : [operatorId])] as const;

  if (report.mode === "absolute" && hasUnits(report)) {
    const { db } = caller;
    const [[order], operators, machines] = await db.batch([...readOrder(db), selectMachinesToCut(db, id, occurredAt)]);
    checkReport(caller, id, report, order, operators.length > 0);
    const machineIds = machines.map(({ machineId }) => machineId);
    await cutRuns(caller, machineIds, id, occurredAt);
  }
  const { companyId, results } = await write(
    caller,
    (db) => [...readOrder(db), selectMade(db, id, skuId, occurredAt)],
    ([order], operators, [made]) => {
      const checked = checkReport(caller, id, report, order, operators.length > 0);
      return decisionOf(caller, report, checked, made, now);
    },
  );
  configureAfterwards(caller, results);
  dispatchAfterwards(caller, companyId);
}

interface CheckedReport {
  order: StoredOrder;
  /** Undefined: the report changes only the status. */
  target: StoredTarget | undefined;
  /** The order's status after the report. */
  status: WorkOrderStatus;
}

/** Throws a Problem if an order does not accept a report for reasons other than its totals. */
function checkReport(
  { actor }: Caller,
  id: string,
  report: TimedReport,
  order: StoredOrder | undefined,
  hasOperator: boolean,
): CheckedReport {
  if (!order) throw noOrder(id);
  const { skuId, machineId, operatorId } = report;
  const isAboutTarget = skuId !== undefined || hasUnits(report);
  const [target, ...others] = isAboutTarget ? order.targets : [];
  const faults: Fault[] = [];
  const refuse = (pointer: string, message: string) => faults.push({ pointer, code: "not_found", message });
  if (isAboutTarget && skuId === undefined && (!target || others.length > 0)) {
    faults.push({ pointer: "/skuId", code: "required", message: "is required: the order has several targets" });
  } else if (isAboutTarget && !target) refuse("/skuId", "is not a target of this work order");
  if (machineId !== undefined && !order.machineIds.includes(machineId))
    refuse("/machineId", "is not a machine of this work order");
  if (operatorId !== undefined && !hasOperator) refuse("/operatorId", "is not an operator of this company");
  if (faults.length > 0) throw invalid(faults);
  const change: OrderChange = { hasProgress: hasUnits(report), status: report.status, role: actor.role };
  const status = statusAfter(order.status, change);
  if (!status) throw conflict(refusalOf(order.status, change));
  const { deletedRunsTo = null } = target ?? {};
  if (deletedRunsTo !== null && report.occurredAt < deletedRunsTo && statedMembers(target, report).length > 0) {
    const message = "lies before counts whose shifts are deleted: what was made since then is not known any more";
    throw refusal(409, [{ pointer: "/occurredAt", code: "settled", message }]);
  }
  return { order, target, status };
}

/** The totals that a report states. One for an instant before the last stated total changes nothing. */
function statedMembers(target: StoredTarget | undefined, { mode, correct, defects, occurredAt }: TimedReport) {
  if (mode !== "absolute" || !target) return [];
  const { correctStatedAt, defectsStatedAt } = target;
  return [
    ...(correct !== undefined && occurredAt >= (correctStatedAt ?? 0) ? ["correct" as const] : []),
    ...(defects !== undefined && occurredAt >= (defectsStatedAt ?? 0) ? ["defects" as const] : []),
  ];
}

type Made = Awaited<ReturnType<typeof selectMade>>[number];

function decisionOf(
  { db, actor }: Caller,
  report: TimedReport,
  { order, target, status }: CheckedReport,
  made: Made | undefined,
  now: number,
) {
  const { id, companyId } = order;
  const { correct, defects, mode, machineId = null, operatorId = null, comment = null, occurredAt } = report;
  const after = target && made && totalsAfter(target, made, report);
  if (after === null) throw conflict("A total of the SKU would fall below 0 or grow beyond 2^53.");
  const updatedAt = nextUpdatedAt(order);
  const skuId = target?.skuId ?? null;
  const stated = statedMembers(target, report);
  const shown = (state: { status: WorkOrderStatus }, totals: Partial<StoredTarget> | undefined) => ({
    status: state.status,
    skuId,
    reportedCorrect: totals?.reportedCorrect ?? null,
    reportedDefects: totals?.reportedDefects ?? null,
  });
  return {
    expect: [isSameOrder(order), ...(skuId !== null && stated.length > 0 ? [areDeletedBefore(id, skuId, occurredAt)] : [])],
    rows: [
      ...storeStatus(db, order, { status, updatedAt }),
      ...(skuId !== null && after ? [updateTarget(db, id, skuId, { ...after, updatedAt })] : []),
      ...(skuId !== null && stated.length > 0 ? [updateDeletedRunTotals(db, id, skuId, addNothing(stated))] : []),
      insertProgress(db, {
        ...{ id: crypto.randomUUID(), workOrderId: id, skuId, correct: correct ?? null, defects: defects ?? null, mode, status },
        ...{ machineId, operatorId, userId: actor.userId, comment, occurredAt, createdAt: now },
      }),
      ...insertStatusEvents(db, { id, from: order.status, to: status, updatedAt }),
    ],
    past: { companyId, from: occurredAt, pointer: "/occurredAt" },
    audit: {
      action: "work-order.report-progress" as const,
      companyId,
      objectId: id,
      before: shown(order, target),
      after: shown({ status }, after),
    },
    answer: undefined,
  };
}

/** What deleted runs add to totals that are stated for a later instant. */
function addNothing(stated: ReturnType<typeof statedMembers>) {
  return {
    ...(stated.includes("correct") && { correct: 0, correctOutsideShifts: 0 }),
    ...(stated.includes("defects") && { defects: 0 }),
  };
}

/** A target's two totals after a report; null if the report is not allowed. */
function totalsAfter(target: StoredTarget, made: Made, { correct, defects, mode, occurredAt }: TimedReport) {
  const { reportedCorrect, reportedDefects, correctStatedAt, defectsStatedAt } = target;
  const ofCorrect = { reported: reportedCorrect, statedAt: correctStatedAt };
  const ofDefects = { reported: reportedDefects, statedAt: defectsStatedAt };
  const counts = {
    correct: { counted: made.countedCorrect, countedSince: made.countedCorrectSince, reportedSince: made.reportedCorrectSince },
    defects: { counted: made.countedDefects, countedSince: made.countedDefectsSince, reportedSince: made.reportedDefectsSince },
  };
  const after = (total: typeof ofCorrect, units: number | undefined, counted: typeof counts.correct) =>
    units === undefined ? total : totalAfter({ ...total, ...counted }, { mode, occurredAt, units });
  const nextCorrect = after(ofCorrect, correct, counts.correct);
  const nextDefects = after(ofDefects, defects, counts.defects);
  if (!nextCorrect || !nextDefects) return null;
  return {
    reportedCorrect: nextCorrect.reported,
    correctStatedAt: nextCorrect.statedAt,
    reportedDefects: nextDefects.reported,
    defectsStatedAt: nextDefects.statedAt,
  };
}

function hasUnits({ correct, defects }: ProgressReport): boolean {
  return correct !== undefined || defects !== undefined;
}
