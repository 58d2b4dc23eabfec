import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { gatewayOf } from "../../core/gateway-of.ts";
import { type CompanyDb, companyDb } from "../../db/client.ts";
import { inList } from "../../db/conditions.ts";
import {
  alertRules,
  companies,
  countChannels,
  machines,
  operatorPlanAssignments,
  operatorPlans,
  operators,
  shifts,
  skuStandards,
  workOrders,
} from "../../db/schema.ts";
import { closedStatuses } from "../../db/values.ts";
import { requireJurisdiction } from "../../objects/names.ts";
import type { AlertRule, AlertTest } from "../../oee/alerts.ts";
import type { ShiftDefinition } from "../../oee/shift-definition.ts";
import { type Interval, SECOND_MS } from "../../oee/time.ts";
import type { AlertSetUp } from "../publish/alert-watch.ts";
import type { Identity } from "./configuration.ts";
import type { Channel } from "./count-channels.ts";
import type { PresentSettings } from "./stored-settings.ts";

/** An operator who was deleted (epoch ms). */
export interface DeletedOperator {
  operatorId: number;
  deletedAt: number;
}

/** Whether an order takes no more production, and since when (epoch ms; null: it takes some, or that was not recorded). */
export interface OrderState {
  workOrderId: string;
  isClosed: boolean;
  closedAt: number | null;
}

/** A machine's set-up. */
export interface SetUp {
  identity: Identity;
  settings: PresentSettings;
  /** All channels that ever fed it. */
  channels: Channel[];
  alerts: AlertSetUp;
  /** How many times the cycles that fit its counts may report; null: any number. */
  holdFactor: number | null;
  /** Those of the operators asked for who were deleted. */
  deletedOperators: DeletedOperator[];
  /** The orders asked for. */
  orders: OrderState[];
  /** Whether the machine was deleted. */
  isDeleted: boolean;
  /** Whether D1 has no rows of the object: the machine is new, or everything is to be sent again. */
  isUnpublished: boolean;
}

/**
 * Reads a machine's present set-up from D1, in one trip; null when there is no such machine.
 * @param planWindow plans of other times are left out
 * @param operatorIds the operators who are signed in
 * @param orderIds the orders that the machine makes
 */
export async function readSettings(
  env: Env,
  machineId: number,
  planWindow: Interval,
  operatorIds: readonly number[],
  orderIds: readonly string[],
): Promise<SetUp | null> {
  // A replica may not have the change yet that caused this read.
  const db = companyDb(env, "first-primary");
  const companyOf = sql`(SELECT company_id FROM ${machines} WHERE id = ${machineId})`;
  const [[machine], definitions, standards, plan, channels, rules, deletedOperators, orders] = await db.batch([
    db
      .select({
        companyId: machines.companyId,
        lineId: machines.lineId,
        nodeId: machines.nodeId,
        configVersion: machines.configVersion,
        configuredVersion: machines.configuredVersion,
        jurisdiction: companies.jurisdiction,
        timezone: companies.timezone,
        signOutAtShiftEnd: companies.signOutAtShiftEnd,
        signal: machines.signal,
        stopAfterSeconds: machines.stopAfterSeconds,
        noDataAfterSeconds: machines.noDataAfterSeconds,
        reportingSeconds: machines.reportingSeconds,
        holdFactor: machines.holdFactor,
        standardCycleSeconds: machines.standardCycleSeconds,
        commissionedAt: machines.commissionedAt,
        decommissionedAt: machines.decommissionedAt,
        deletedAt: sql<number | null>`${machines.deletedAt}`.as("machine_deleted_at"),
      })
      .from(machines)
      .innerJoin(companies, eq(companies.id, machines.companyId))
      .where(eq(machines.id, machineId)),
    db
      .select()
      .from(shifts)
      .where(and(eq(shifts.companyId, companyOf), isNull(shifts.deletedAt))),
    db
      .select()
      .from(skuStandards)
      .where(and(eq(skuStandards.companyId, companyOf), sql`${skuStandards.machineId} IN (0, ${machineId})`)),
    db
      .select({
        operatorId: operatorPlanAssignments.operatorId,
        shiftId: operatorPlanAssignments.shiftId,
        since: operatorPlans.since,
        until: operatorPlans.until,
      })
      .from(operatorPlanAssignments)
      .innerJoin(operatorPlans, eq(operatorPlans.id, operatorPlanAssignments.planId))
      .innerJoin(operators, and(eq(operators.id, operatorPlanAssignments.operatorId), isNull(operators.deletedAt)))
      .where(
        and(
          eq(operatorPlanAssignments.machineId, machineId),
          isNull(operatorPlans.deletedAt),
          lt(operatorPlans.since, planWindow.end),
          gt(operatorPlans.until, planWindow.start),
        ),
      ),
    db
      .select({
        nodeId: countChannels.nodeId,
        channel: countChannels.channel,
        type: countChannels.type,
        countingFactor: countChannels.countingFactor,
        wrapsAt: countChannels.wrapsAt,
        isCounted: countChannels.isCounted,
        since: countChannels.since,
        until: countChannels.until,
      })
      .from(countChannels)
      .where(eq(countChannels.machineId, machineId)),
    db
      .select()
      .from(alertRules)
      .where(and(eq(alertRules.companyId, companyOf), eq(alertRules.isActive, true), isNull(alertRules.deletedAt)))
      .orderBy(alertRules.id),
    db
      .select({ operatorId: operators.id, deletedAt: sql<number>`${operators.deletedAt}`.as("operator_deleted_at") })
      .from(operators)
      .where(and(inList(operators.id, operatorIds), isNotNull(operators.deletedAt))),
    selectOrders(db, orderIds),
  ]);
  if (!machine) return null;
  requireJurisdiction(env, machine);
  const toMs = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * SECOND_MS));
  return {
    identity: { machineId, companyId: machine.companyId, configVersion: machine.configVersion },
    channels,
    alerts: {
      nodeId: gatewayOf(machine.nodeId, channels),
      rules: rules.filter((rule) => concerns(rule, machineId, machine.lineId)).map(ruleOf),
    },
    holdFactor: machine.holdFactor,
    deletedOperators,
    orders: orders.map(orderStateOf),
    isDeleted: machine.deletedAt !== null,
    isUnpublished: machine.configuredVersion === 0,
    settings: {
      timezone: machine.timezone,
      signal: machine.signal,
      stopAfterMs: Math.round(machine.stopAfterSeconds * SECOND_MS),
      noDataAfterMs: toMs(machine.noDataAfterSeconds),
      // Not named where there is none, so that settings stored before it existed are the same.
      ...(machine.reportingSeconds === null ? {} : { reportingMs: Math.round(machine.reportingSeconds * SECOND_MS) }),
      commissionedAt: machine.commissionedAt,
      decommissionedAt: machine.decommissionedAt ?? machine.deletedAt,
      standardCycleMs: toMs(machine.standardCycleSeconds),
      // The machine's own standard of a SKU comes after the general one and replaces it.
      skuStandardsMs: Object.fromEntries(
        standards
          .toSorted((a, b) => a.machineId - b.machineId)
          .map((standard) => [standard.skuId, standard.standardCycleSeconds * SECOND_MS]),
      ),
      shifts: definitions
        .filter((shift) => shift.machineIds === null || shift.machineIds.includes(machineId))
        .map(({ id, start, end, days, breaks }): ShiftDefinition => ({ id, start, end, days, breaks }))
        .toSorted((a, b) => a.id - b.id),
      plan,
      signOutAtShiftEnd: machine.signOutAtShiftEnd,
    },
  };
}

/** Reads which of these orders take no more production. One trip. */
export async function readClosedOrders(env: Env, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await selectOrders(companyDb(env, "first-primary"), orderIds);
  return new Set(rows.map(orderStateOf).flatMap(({ workOrderId, isClosed }) => (isClosed ? workOrderId : [])));
}

function selectOrders(db: CompanyDb, ids: readonly string[]) {
  return db
    .select({ workOrderId: workOrders.id, status: workOrders.status, closedAt: workOrders.closedAt })
    .from(workOrders)
    .where(inList(workOrders.id, ids));
}

function orderStateOf({ workOrderId, status, closedAt }: Awaited<ReturnType<typeof selectOrders>>[number]): OrderState {
  return { workOrderId, isClosed: closedStatuses.includes(status), closedAt };
}

type RuleRow = typeof alertRules.$inferSelect;

/** Whether the machine's object evaluates a rule. */
function concerns({ kind, machineIds, lineIds }: RuleRow, machineId: number, lineId: number | null): boolean {
  if (kind === "order_late" || kind === "help") return false;
  if (machineIds === null && lineIds === null) return true;
  return Boolean(machineIds?.includes(machineId) || (lineId !== null && lineIds?.includes(lineId)));
}

function ruleOf({ id, kind, params, shiftIds }: RuleRow): AlertRule {
  return { id, test: { kind, ...params } as AlertTest, shiftIds };
}
