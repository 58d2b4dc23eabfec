import { and, eq, gt, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { gatewayOf } from "../core/gateway-of.ts";
import { type CompanyDb, companyDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import {
  alertRules,
  calendarDays,
  companies,
  countChannels,
  formerLines,
  machines,
  operatorPlanAssignments,
  operatorPlans,
  operators,
  orderRuns,
  shifts,
  skuStandards,
  workOrders,
} from "../db/schema.ts";
import { closedStatuses, isLookedForByMachines } from "../db/values.ts";
import { StorageBusy } from "../limits/load.ts";
import type { AlertRule, AlertTest } from "../oee/alerts.ts";
import type { CalendarDay } from "../oee/calendar-day.ts";
import type { ChannelType } from "../oee/events.ts";
import type { Settings } from "../oee/settings.ts";
import { DAY_MS, type Interval, MINUTE_MS, SECOND_MS } from "../oee/time.ts";
import { type DatedPiece, datedPieces, selectDated } from "./dated-set-up.ts";
import { requireJurisdiction } from "./names.ts";
import { rowsWith, type WouldBe } from "./would-be-set-up.ts";

/** How far ahead an object knows operator plans. */
export const PLAN_AHEAD_MS = 14 * DAY_MS;

/** A gateway's channel that feeds a machine in [since, until). One pulse is `countingFactor` units. */
export interface Channel {
  nodeId: number;
  channel: number;
  type: ChannelType;
  countingFactor: number;
  /** The total at which the counter starts again at 0. Null: it does not wrap. Absent in channels that older versions stored. */
  wrapsAt?: number | null;
  /** Whether its pulses count; otherwise they only show that data flows. */
  isCounted: boolean;
  /** Epoch ms; 0: always. */
  since: number;
  /** Null: in force. */
  until: number | null;
}

/** The alert rules that apply to a machine, and the gateway whose silence counts as the machine's. */
export interface AlertSetUp {
  rules: AlertRule[];
  nodeId: number;
}

/** The settings that D1 has now: the standards by SKU, and the plan of a window of time. */
export interface PresentSettings extends Omit<Settings, "since" | "skuStandardsMs"> {
  skuStandardsMs: Record<string, number>;
}

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

/** A machine's set-up: what its object takes over. */
export interface SetUp {
  identity: { machineId: number; companyId: number; configVersion: number };
  settings: PresentSettings;
  /** What somebody dated, in order. Absent if a version read it that does not know of it. */
  dated?: DatedPiece[];
  /** The time whose operator plans it has. */
  plans: Interval;
  /** Days with shifts of their own. Absent in what a version passes that does not know them: they stay as they are. */
  calendarDays?: CalendarDay[];
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

/** A set-up that was read for an object, by somebody who does not know all that it asks for. */
export interface PassedSetUp extends Omit<SetUp, "deletedOperators"> {
  /** All operators of the company who were deleted; null: too many to pass. */
  deletedOperators: DeletedOperator[] | null;
}

/** What a set-up depends on beside D1: what the object knows. */
interface AskedSetUp {
  /** Plans of other times are left out. */
  plans: Interval;
  /** The operators who are signed in. */
  operatorIds: readonly number[];
  /** The orders that the machine makes. */
  orderIds: readonly string[];
}

/** Reads a machine's present set-up from D1, in one trip; null when there is no such machine. */
export async function readSetUp(
  env: Env,
  machineId: number,
  { plans, operatorIds, orderIds }: AskedSetUp,
): Promise<SetUp | null> {
  const found = await readRows(env, {
    ofCompany: sql`(SELECT company_id FROM ${machines} WHERE id = ${machineId})`,
    machineIds: [machineId],
    plansEndAfter: sql`${plans.start}`,
    plansStartBefore: plans.end,
    deletedOperators: inList(operators.id, operatorIds),
    orders: inList(workOrders.id, orderIds),
    limits: { rows: NO_LIMIT, operators: NO_LIMIT },
  });
  const rows = byMachine(found);
  const [machine] = rows.machines;
  return machine ? { ...setUpOf(machine, rows, plans), deletedOperators: rows.deletedOperators } : null;
}

/** The most standards, planned operators or channels that are read for many machines at once. */
const MOST_ROWS = 30_000;
/** The same for a dry run, which cannot do without. */
const MOST_WOULD_BE = 100_000;
/** The most calendar days of a scope. */
export const MOST_CALENDAR_DAYS = 400;
/** The most deleted operators that are passed. */
const MOST_OPERATORS = 1000;
/** The clock of a machine's object may be behind by this much. */
const CLOCK_SLACK_MS = MINUTE_MS;

/** A machine whose set-up has changed, and a function that makes the set-up to pass; undefined if there is too much of it. */
interface ChangedSetUp {
  machineId: number;
  configVersion: number;
  setUp(): PassedSetUp | undefined;
}

/**
 * Reads the present set-up of machines of a company from D1, in one trip: what they have in common is read once. Machines that have confirmed their
 * newest set-up are left out.
 */
export async function readChangedSetUps(env: Env, companyId: number, machineIds: readonly number[]): Promise<ChangedSetUp[]> {
  const all = await readSetUps(env, companyId, machineIds, { rows: MOST_ROWS, operators: MOST_OPERATORS });
  return all.filter(({ isConfirmed }) => !isConfirmed);
}

/** Reads the set-ups that machines of a company would have with a change, in one trip to D1. */
export async function readWouldBeSetUps(
  env: Env,
  companyId: number,
  machineIds: readonly number[],
  change: WouldBe,
): Promise<{ machineId: number; setUp: PassedSetUp }[]> {
  const all = await readSetUps(env, companyId, machineIds, { rows: MOST_WOULD_BE, operators: MOST_WOULD_BE }, change);
  return all.map(({ machineId, setUp: make }) => {
    const setUp = make();
    if (!setUp?.deletedOperators) throw new StorageBusy(`the set-up of machine ${machineId} has more than ${MOST_WOULD_BE} rows`);
    return { machineId, setUp };
  });
}

/** @param most more rows than that are not passed */
async function readSetUps(
  env: Env,
  companyId: number,
  machineIds: readonly number[],
  most: { rows: number; operators: number },
  change: WouldBe = {},
): Promise<(ChangedSetUp & { isConfirmed: boolean })[]> {
  const now = Date.now();
  const plansFrom = now - CLOCK_SLACK_MS;
  const end = now + PLAN_AHEAD_MS;
  // The newest order of each machine, even if it was closed: it may be reopened.
  const newestOrder = sql`(SELECT ${orderRuns.workOrderId} FROM ${orderRuns} WHERE ${orderRuns.machineId} = value
    ORDER BY ${orderRuns.startAt} DESC LIMIT 1)`;
  const found = await readRows(env, {
    ofCompany: sql`${companyId}`,
    machineIds,
    // Until the first event, the whole plan applies.
    plansEndAfter: sql`iif(${machines.heardAt} IS NULL, 0, ${plansFrom})`,
    plansStartBefore: end,
    deletedOperators: eq(operators.companyId, companyId),
    orders: sql`${workOrders.id} IN (SELECT ${newestOrder} FROM json_each(${JSON.stringify(machineIds)}))`,
    limits: { rows: most.rows + 1, operators: most.operators + 1 },
  });
  const isTooMuch = [found.standards, found.plan, found.channels, found.dated].some(({ length }) => length > most.rows);
  const deletedOperators = found.deletedOperators.length > most.operators ? null : found.deletedOperators;
  const rows = byMachine(rowsWith(found, change, now));
  return rows.machines.map((machine) => ({
    ...{ machineId: machine.machineId, configVersion: machine.configVersion },
    isConfirmed: machine.configuredVersion >= machine.configVersion,
    setUp: () => {
      if (isTooMuch) return undefined;
      const plans = { start: machine.heardAt === null ? 0 : plansFrom, end };
      return { ...setUpOf(machine, rows, plans), deletedOperators };
    },
  }));
}

/**
 * Makes the set-up that an object asks for from one that was passed. Orders that it lacks are read from D1: the machine began to make them just now.
 * Null if it lacks something else.
 */
export async function completedSetUp(
  env: Env,
  { deletedOperators, orders, ...passed }: PassedSetUp,
  { plans, operatorIds, orderIds }: AskedSetUp,
): Promise<SetUp | null> {
  const lacksOperators = deletedOperators === null && operatorIds.length > 0;
  if (lacksOperators || plans.start < passed.plans.start) return null;
  const missing = orderIds.filter((id) => !orders.some(({ workOrderId }) => workOrderId === id));
  return {
    ...passed,
    deletedOperators: (deletedOperators ?? []).filter(({ operatorId }) => operatorIds.includes(operatorId)),
    orders: missing.length === 0 ? orders : [...orders, ...(await readOrders(env, missing))],
  };
}

/** SQLite reads all rows with this limit. */
const NO_LIMIT = -1;

interface Asked {
  ofCompany: SQL;
  machineIds: readonly number[];
  plansEndAfter: SQL;
  plansStartBefore: number;
  /** Conditions. */
  deletedOperators: SQL;
  orders: SQL;
  limits: { rows: number; operators: number };
}

/** Reads the rows of the set-up of machines of a company, in one transaction: they are those of the machines' versions. */
async function readRows(env: Env, asked: Asked) {
  const { ofCompany, machineIds, limits } = asked;
  // A replica may not have the change yet that caused this read.
  const db = companyDb(env, "first-primary");
  const [ofMachines, definitions, days, formerly, standards, plan, channels, rules, deletedOperators, orders, dated] =
    await db.batch([
      db
        .select({
          machineId: sql<number>`${machines.id}`.as("machine_id"),
          companyId: machines.companyId,
          lineId: machines.lineId,
          nodeId: machines.nodeId,
          configVersion: machines.configVersion,
          configuredVersion: machines.configuredVersion,
          heardAt: machines.heardAt,
          jurisdiction: companies.jurisdiction,
          timezone: companies.timezone,
          signOutAtShiftEnd: companies.signOutAtShiftEnd,
          productionDay: companies.productionDay,
          hourlyRate: machines.hourlyRate,
          signal: machines.signal,
          stopAfterSeconds: machines.stopAfterSeconds,
          noDataAfterSeconds: machines.noDataAfterSeconds,
          reportingSeconds: machines.reportingSeconds,
          holdFactor: machines.holdFactor,
          standardCycleSeconds: machines.standardCycleSeconds,
          commissionedAt: machines.commissionedAt,
          decommissionedAt: machines.decommissionedAt,
          deletedTimes: machines.deletedTimes,
          deletedAt: sql<number | null>`${machines.deletedAt}`.as("machine_deleted_at"),
        })
        .from(machines)
        .innerJoin(companies, eq(companies.id, machines.companyId))
        .where(and(inList(machines.id, machineIds), eq(machines.companyId, ofCompany))),
      db
        .select({
          ...{ id: shifts.id, start: shifts.start, end: shifts.end, days: shifts.days, breaks: shifts.breaks },
          machineIds: shifts.machineIds,
        })
        .from(shifts)
        .where(and(eq(shifts.companyId, ofCompany), isNull(shifts.deletedAt)))
        .orderBy(shifts.id),
      unionAll(
        selectDays(db, ofCompany, isNull(calendarDays.machineId)),
        selectDays(db, ofCompany, inList(calendarDays.machineId, machineIds)),
      ),
      db.select().from(formerLines).where(inList(formerLines.machineId, machineIds)),
      db
        .select({
          machineId: skuStandards.machineId,
          skuId: skuStandards.skuId,
          standardCycleSeconds: skuStandards.standardCycleSeconds,
        })
        .from(skuStandards)
        .where(and(eq(skuStandards.companyId, ofCompany), inList(skuStandards.machineId, [0, ...machineIds])))
        .limit(limits.rows),
      db
        .select({
          machineId: operatorPlanAssignments.machineId,
          operatorId: operatorPlanAssignments.operatorId,
          shiftId: operatorPlanAssignments.shiftId,
          since: operatorPlans.since,
          until: operatorPlans.until,
        })
        .from(operatorPlanAssignments)
        .innerJoin(machines, eq(machines.id, operatorPlanAssignments.machineId))
        .innerJoin(operatorPlans, eq(operatorPlans.id, operatorPlanAssignments.planId))
        .innerJoin(operators, and(eq(operators.id, operatorPlanAssignments.operatorId), isNull(operators.deletedAt)))
        .where(
          and(
            inList(operatorPlanAssignments.machineId, machineIds),
            isNull(operatorPlans.deletedAt),
            lt(operatorPlans.since, asked.plansStartBefore),
            gt(operatorPlans.until, asked.plansEndAfter),
          ),
        )
        .limit(limits.rows),
      db
        .select({
          machineId: countChannels.machineId,
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
        .where(inList(countChannels.machineId, machineIds))
        .limit(limits.rows),
      db
        .select({
          ...{ id: alertRules.id, kind: alertRules.kind, params: alertRules.params, shiftIds: alertRules.shiftIds },
          ...{ machineIds: alertRules.machineIds, lineIds: alertRules.lineIds },
        })
        .from(alertRules)
        .where(and(eq(alertRules.companyId, ofCompany), eq(alertRules.isActive, true), isNull(alertRules.deletedAt)))
        .orderBy(alertRules.id),
      db
        .select({ operatorId: operators.id, deletedAt: sql<number>`${operators.deletedAt}`.as("operator_deleted_at") })
        .from(operators)
        .where(and(asked.deletedOperators, isNotNull(operators.deletedAt)))
        .limit(limits.operators),
      selectOrders(db, asked.orders),
      selectDated(db, ofCompany, machineIds, limits.rows),
    ]);
  for (const machine of ofMachines) requireJurisdiction(env, machine);
  return {
    ...{ machines: ofMachines, definitions, days, formerly, standards, plan, channels, rules, deletedOperators, dated },
    orders: orders.map(orderStateOf),
  };
}

/** The rows of which the set-ups of machines of a company are made. */
type SetUpRows = Awaited<ReturnType<typeof readRows>>;

/** The rows by machine, which is done once for all machines. */
function byMachine(rows: SetUpRows) {
  const general = rows.standards.filter(({ machineId }) => machineId === 0);
  return {
    ...rows,
    formerLinesOf: Map.groupBy(rows.formerly, ({ machineId }) => machineId),
    generalStandardsMs: standardsMsOf(general),
    standardsOf: Map.groupBy(rows.standards, ({ machineId }) => machineId),
    planOf: Map.groupBy(rows.plan, ({ machineId }) => machineId),
    channelsOf: Map.groupBy(rows.channels, ({ machineId }) => machineId),
  };
}

type Rows = ReturnType<typeof byMachine>;

function setUpOf(machine: Rows["machines"][number], rows: Rows, plans: Interval): Omit<SetUp, "deletedOperators"> {
  const { machineId, companyId, lineId, configVersion } = machine;
  const toMs = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * SECOND_MS));
  const channels = (rows.channelsOf.get(machineId) ?? []).map(({ machineId: _, ...channel }) => channel);
  return {
    identity: { machineId, companyId, configVersion },
    plans,
    calendarDays: calendarDaysOf(machineId, lineId, rows),
    channels,
    dated: datedPieces(rows.dated, machine),
    alerts: {
      nodeId: gatewayOf(machine.nodeId, channels),
      rules: rows.rules.filter((rule) => concerns(rule, machineId, lineId)).map(ruleOf),
    },
    holdFactor: machine.holdFactor,
    orders: rows.orders,
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
      // The machine's own standard of a SKU replaces the general one.
      skuStandardsMs: { ...rows.generalStandardsMs, ...standardsMsOf(rows.standardsOf.get(machineId) ?? []) },
      shifts: rows.definitions
        .filter((shift) => shift.machineIds === null || shift.machineIds.includes(machineId))
        .map(({ machineIds: _, ...definition }) => definition),
      plan: (rows.planOf.get(machineId) ?? []).map(({ machineId: _, ...planned }) => planned),
      signOutAtShiftEnd: machine.signOutAtShiftEnd,
      lineId,
      ...(machine.deletedTimes && { deletedTimes: machine.deletedTimes }),
      ...(machine.hourlyRate === null ? {} : { hourlyRate: machine.hourlyRate }),
      ...(machine.productionDay === "calendarDay" ? {} : { productionDay: machine.productionDay }),
    },
  };
}

/** The calendar days of a machine: its own, and those of its lines and its company, without shifts that do not run at it. */
function calendarDaysOf(machineId: number, lineId: number | null, { days, formerLinesOf, definitions }: Rows): CalendarDay[] {
  const lineIds = new Set([lineId, ...(formerLinesOf.get(machineId) ?? []).map((former) => former.lineId)]);
  const machinesOf = new Map(definitions.map((shift) => [shift.id, shift.machineIds]));
  const runsHere = ({ id }: { id: number }) => machinesOf.get(id)?.includes(machineId) ?? true;
  const inOrder = days.toSorted((a, b) => a.id - b.id);
  return inOrder.flatMap((row): CalendarDay[] => {
    const day = Date.parse(row.date) / DAY_MS;
    if (row.machineId !== null) return row.machineId === machineId ? [{ day, lineId: null, shifts: row.shifts }] : [];
    const own = row.shifts.filter(runsHere);
    if (row.lineId !== null) return lineIds.has(row.lineId) ? [{ day, lineId: row.lineId, shifts: own }] : [];
    return [{ day, shifts: own }];
  });
}

function standardsMsOf(standards: readonly { skuId: string; standardCycleSeconds: number }[]): Record<string, number> {
  return Object.fromEntries(standards.map(({ skuId, standardCycleSeconds }) => [skuId, standardCycleSeconds * SECOND_MS]));
}

/** The statement that reads some calendar days of a company. A condition on the machine is answered by an index. */
function selectDays(db: CompanyDb, ofCompany: SQL | number, ofMachine: SQL | undefined) {
  const { id, date, lineId, machineId, shifts } = calendarDays;
  return db
    .select({ id, date, lineId, machineId, shifts })
    .from(calendarDays)
    .where(and(eq(calendarDays.companyId, ofCompany), isNull(calendarDays.deletedAt), ofMachine));
}

/** Reads which of these orders are closed, in one trip to D1. */
export async function readOrders(env: Env, orderIds: readonly string[]): Promise<OrderState[]> {
  const rows = await selectOrders(companyDb(env, "first-primary"), inList(workOrders.id, orderIds));
  return rows.map(orderStateOf);
}

function selectOrders(db: CompanyDb, which: SQL) {
  return db
    .select({ workOrderId: workOrders.id, status: workOrders.status, closedAt: workOrders.closedAt })
    .from(workOrders)
    .where(which);
}

function orderStateOf({ workOrderId, status, closedAt }: Awaited<ReturnType<typeof selectOrders>>[number]): OrderState {
  return { workOrderId, isClosed: closedStatuses.includes(status), closedAt };
}

type RuleRow = Rows["rules"][number];

/** Whether the machine's object evaluates a rule. */
function concerns({ kind, machineIds, lineIds }: RuleRow, machineId: number, lineId: number | null): boolean {
  if (!isLookedForByMachines(kind)) return false;
  if (machineIds === null && lineIds === null) return true;
  return Boolean(machineIds?.includes(machineId) || (lineId !== null && lineIds?.includes(lineId)));
}

function ruleOf({ id, kind, params, shiftIds }: RuleRow): AlertRule {
  return { id, test: { kind, ...params } as AlertTest, shiftIds };
}
