import { isDeepStrictEqual } from "node:util";
import { companyOf, noCompany, oneCompanyOf } from "../core/actor.ts";
import type { AuditAction } from "../core/audit.ts";
import type { Caller } from "../core/caller.ts";
import { type Page, type PageQuery, readPage } from "../core/cursor.ts";
import { checkOfIds } from "../core/named-ids.ts";
import { conflict, forbidden, notFound } from "../core/problem.ts";
import {
  type Dependent,
  hasAllNeeded,
  hasNoDependent,
  type Missing,
  missingOf,
  type Reference,
  refusalOf,
  refusing,
  requiredBy,
  selectDependents,
  selectMissing,
} from "../core/references.ts";
import { takeId, takenId } from "../core/sequence.ts";
import { type Decision, decideOnly, write } from "../core/write.ts";
import type { CompanyDb } from "../db/client.ts";
import { nextUpdatedAt } from "../db/expect.ts";
import { refuseIfChanged } from "../http/etag.ts";
import { notifyWatchers } from "../objects/hubs.ts";
import { configureAfterwards } from "../objects/notify-machines.ts";
import type { WouldBe } from "../objects/would-be-set-up.ts";
import { maxOf, minOf } from "../oee/extremes.ts";
import { DAY_MS, isoOf } from "../oee/time.ts";
import { type DryRun, dryRunOf, type Tried, tryChange } from "./dry-run.ts";
import {
  pageOfVersions,
  rowAt,
  type StoredVersion,
  selectVersions,
  shownTimeline,
  timelinesOf,
  type VersionsQuery,
} from "./item-versions.ts";
import {
  areAllVersions,
  checkDates,
  type Effective,
  isDated,
  plannedAsStored,
  plannedVersions,
  type RowInTime,
  refuseDates,
  refuseForgotten,
  refuseTooMany,
  rowsInTime,
  selectOverdue,
  splitEffective,
  storePlanned,
  withdrawalOf,
} from "./plan-change.ts";
import {
  areCompanies,
  asOwner,
  type Condition,
  companyIsThere,
  insertRow,
  isFree,
  isNumbered,
  isUnchanged,
  ownerOf,
  type Results,
  type RowScope,
  raiseVersionsOf,
  type SetUpRow,
  type SetUpTable,
  type Statement,
  selectCompany,
  selectRow,
  selectRows,
  updateRow,
} from "./queries.ts";
import type { Item, Resource } from "./resource.ts";
import { type Effects, noRule, type Rule, type RuleInput } from "./rules.ts";
import { endVersion, type PlannedVersion, recordVersions, type VersionedMembers } from "./versions.ts";
import { versionsKept, versionsRecorded } from "./would-be-versions.ts";

/** A decision about an item, and what it would do, for a dry run. */
type ItemDecision<T> = Decision<T> & { tried?: Tried };

/** The id and company by which a request names an item. */
export interface ItemRef {
  id: number | string;
  companyId?: number | undefined;
  /** Of a write: the ETags that the item may have. Undefined: any. */
  "if-match"?: string | undefined;
}

export interface ItemQuery extends PageQuery {
  companyId?: number | undefined;
  /** The last id of the previous page. */
  cursor?: [number | string] | undefined;
  includeDeleted: boolean;
  lineIds?: number[] | undefined;
  /** Members of `filters`. */
  [filter: string]: unknown;
}

/** A page of items, and the cursor of the next one (null: this is the last page). */
export async function listItems<Row extends SetUpRow>(
  caller: Caller,
  { table, shape, filters = {}, searched = [], hasLargeRows }: Resource<Row>,
  query: ItemQuery,
): Promise<Page<Item>> {
  const companyId = companyOf(caller.actor, query.companyId, areCompanies(table) ? undefined : caller.actor.companyId);
  const values = Object.fromEntries(Object.keys(filters).map((name) => [name, query[name]]));
  return await readPage(caller.db, query, {
    select: ({ cursor, limit, includeDeleted }) =>
      selectRows(caller.db, table, caller, companyId, {
        ...{ after: cursor?.[0], limit: limit + 1, includeDeleted, values },
        searched: { members: searched, search: query.search as string | undefined },
      }),
    keysOf: (row) => [asRow<Row>(row).id],
    itemOf: (row) => shape.item(asRow<Row>(row), caller),
    hasLargeRows,
    check: checkOfIds(caller.db, companyId, { lineIds: query.lineIds }),
  });
}

/**
 * Returns the item that a request names.
 * @param named.at the instant (epoch ms) as of which the members are that have versions
 */
export async function getItem<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  { at, ...named }: ItemRef & { at?: number | undefined },
): Promise<Item> {
  const { table, shape, versioned } = resource;
  if (at !== undefined && versioned) {
    const { row, stored } = await readVersions(caller, resource, named);
    return shape.item(rowAt(timelinesOf(versioned, row, stored), row, at), caller);
  }
  const rows = rowsIn<Row>(await selectRow(caller.db, table, caller, scopeOf(caller, table, named)));
  return shape.item(rowOf(resource, named, rows), caller);
}

/** A page of the versions of an item. */
export async function listVersions<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  named: ItemRef,
  query: VersionsQuery,
): Promise<Page<Item>> {
  const { row, stored } = await readVersions(caller, resource, named);
  return pageOfVersions(resource, row, stored, query);
}

async function readVersions<Row extends SetUpRow>(caller: Caller, resource: Resource<Row>, named: ItemRef) {
  const { table, versioned = [] } = resource;
  const scope = scopeOf(caller, table, named);
  const [rows, stored] = await caller.db.batch([
    selectRow(caller.db, table, caller, scope),
    selectVersions(caller.db, versioned, ownerOf(table, scope), named.id),
  ]);
  return { row: rowOf(resource, named, rowsIn<Row>(rows)), stored };
}

/** The company of a new item: the named one, or the caller's own. Throws 404 when anyone but a superuser names another one. */
export function newOwnerOf({ actor }: Pick<Caller, "actor">, { companyId: named }: Pick<ItemRef, "companyId">): number {
  return oneCompanyOf(actor, named);
}

/**
 * Creates an item from the request's members. Returns the item.
 * @param options.rule replaces the rule of the resource
 * @param options.shownOnce members of the first response only; null when the request is repeated
 */
export async function createItem<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  { companyId: named, ...body }: { companyId?: number | undefined; [member: string]: unknown },
  { rule = resource.rules.store ?? noRule, shownOnce = {} }: { rule?: Rule<Row>; shownOnce?: Record<string, string | null> } = {},
): Promise<Item> {
  const { table, shape } = resource;
  const { effective, members: sent } = resource.versioned ? { effective: {}, members: body } : splitEffective(resource, body);
  const isDryRun = effective.dryRun === true;
  // Taking an id would be a change.
  const takesId = isNumbered(table) && !isDryRun;
  const company = newOwnerOf(caller, { companyId: named });
  const companyId = sent.isSystem === true ? null : company;
  const about = { sent: sent as never, owner: asOwner(companyId), viewer: caller, id: undefined };
  return await writeItem(
    caller,
    resource,
    (db) => [selectCompany(db, company), ...rule.read(db, about), ...(takesId ? [takeId(db, table.table)] : [])],
    async ([known], ...found) => {
      if (!known && companyId !== null && !areCompanies(table)) throw noCompany();
      const taken = takesId ? takenId(caller.db, found.at(-1) as { id: number }[]) : null;
      const id = taken ?? sent.id ?? (isNumbered(table) ? 0 : crypto.randomUUID());
      const made = await creationOf(caller, resource, { sent, id, companyId, isTaken: taken !== null, rule }, found);
      const { next, effects, decision } = made;
      const item = shape.item(next, caller);
      const nulls = Object.fromEntries(Object.keys(shownOnce).map((member) => [member, null]));
      return {
        ...decision,
        answer: { ...item, ...shownOnce },
        keptAnswer: { ...item, ...nulls },
        ...triedNow(resource, { before: null, next, effects }),
      };
    },
    { isDryRun },
  );
}

/** A decided write of an item: the row before and after it, and what it stores. */
interface DecidedItem<Row> {
  next: Row;
  effects: Effects<Row>;
  decision: Omit<Decision<never>, "answer">;
}

/**
 * Decides on a new item.
 * @param made.sent the members of the request
 * @param made.isTaken whether its id was taken of a sequence
 * @param found what the statements of the rule found
 */
export async function creationOf<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  {
    sent,
    id,
    companyId,
    isTaken,
    rule = resource.rules.store ?? noRule,
  }: { sent: Item; id: unknown; companyId: number | null; isTaken: boolean; rule?: Rule<Row> },
  found: readonly unknown[],
): Promise<DecidedItem<Row>> {
  const { table } = resource;
  const { db, actor } = caller;
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now, deletedAt: null };
  const asSent = { ...sent, id, companyId: areCompanies(table) ? id : companyId, ...stamps } as SetUpRow as Row;
  refuseSystem(caller, asSent);
  const effects = await rule.decide({ db, actor, sent: sent as never, before: null, next: asSent }, found as never);
  const next = { ...asSent, ...effects.values };
  const conditions = [
    ...(isTaken ? [isFree(table, Number(id))] : []),
    ...(companyId !== null && !areCompanies(table) ? [companyIsThere(companyId)] : []),
  ];
  const change = { verb: "create", before: null, next, at: now, effects } as const;
  return { next, effects, decision: stored(caller, resource, change, insertRow(db, table, next), conditions) };
}

/**
 * Decides on a change of an item from now on; `decision` is null if it changes nothing.
 * @param judge the rule, with what its statements found
 */
export async function changeOf<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  {
    before,
    sent,
    verb = "change",
    reason = null,
  }: { before: Row; sent: Item; verb?: "change" | "unarchive"; reason?: string | null },
  judge: (asked: { before: Row; next: Row }) => Effects<Row> | Promise<Effects<Row>>,
): Promise<Omit<DecidedItem<Row>, "decision"> & { decision: DecidedItem<Row>["decision"] | null }> {
  const { table } = resource;
  const updatedAt = nextUpdatedAt(before);
  const asSent = { ...before, ...sent, updatedAt };
  const effects = await judge({ before, next: asSent });
  const next = { ...asSent, ...effects.values };
  if (isSame(caller, resource, before, next, effects)) return { next: before, effects, decision: null };
  const update = updateRow(caller.db, table, before, { ...sent, ...effects.values, updatedAt });
  const change = { verb, before, next, at: updatedAt, reason, effects };
  return { next, effects, decision: stored(caller, resource, change, update, [isUnchanged(table, before)]) };
}

/**
 * Decides on the deletion of an item.
 * @param needs the references that forbid it: nothing may name it by them when it is stored
 * @param found what the statements of the rule found
 */
export async function deletionOf<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  before: Row,
  needs: readonly Reference[],
  found: readonly unknown[],
): Promise<DecidedItem<Row>> {
  const { table, rules } = resource;
  const { db, actor } = caller;
  const rule: Rule<Row> = rules.remove ?? noRule;
  const isUnneeded = needs.map((reference) => hasNoDependent(reference, asOwner(before.companyId), before.id));
  const deletion = { deletedAt: Date.now(), updatedAt: nextUpdatedAt(before) };
  const next = { ...before, ...deletion };
  const effects = await rule.decide({ db, actor, sent: {} as never, before, next }, found as never);
  const update = updateRow(db, table, before, { ...effects.values, ...deletion });
  const change = { verb: "delete", before, next: null, at: deletion.updatedAt, effects } as const;
  return { next, effects, decision: stored(caller, resource, change, update, [isUnchanged(table, before), ...isUnneeded]) };
}

/**
 * Changes those members of an item that the request contains. Returns the changed item.
 * @param options.rule replaces the rule of the resource
 * @param options.verb the audit's name of the change
 * @param options.isBeginning whether versions are beginning, whose values these are
 */
export async function changeItem<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  named: ItemRef,
  body: Item,
  {
    rule = resource.rules.store ?? noRule,
    verb = "change",
    isBeginning = false,
  }: { rule?: Rule<Row>; verb?: "change" | "unarchive"; isBeginning?: boolean } = {},
): Promise<Item> {
  const { table, shape, versioned = [] } = resource;
  const { effective, members: sent } = splitEffective(resource, body);
  const hasDates = isDated(effective);
  const isDryRun = effective.dryRun === true;
  const needsVersions = versioned.length > 0 && (hasDates || isDryRun);
  if (hasDates) refuseDates(caller);
  const scope = scopeOf(caller, table, named);
  const about = {
    sent: sent as never,
    owner: ownerOf(table, scope),
    viewer: caller,
    id: named.id,
    from: effective.effectiveFrom,
  };
  return await writeItem(
    caller,
    resource,
    (db) => [
      selectRow(db, table, caller, scope),
      ...(versioned.length > 0 ? [selectOverdue(db, versioned, about.owner, [named.id])] : []),
      ...(needsVersions ? [selectVersions(db, versioned, about.owner, named.id)] : []),
      ...rule.read(db, about),
    ],
    async (rows, ...results) => {
      const before = rowOf(resource, named, rowsIn<Row>(rows));
      refuseSystem(caller, before);
      refuseIfChanged(named["if-match"], before.updatedAt);
      const overdue = versioned.length > 0 ? results.shift() : undefined;
      if (overdue?.length && !isBeginning) throw conflict("A version of it begins or ends now. Try again in a minute.");
      const known = needsVersions ? (results.shift() as StoredVersion[]) : [];
      const judge = (asked: Judged<Row>) =>
        rule.decide(
          { sent: about.sent, ...asked, db: caller.db, actor: caller.actor, isAccepted: isBeginning },
          results as never,
        );
      if (hasDates) return await decideDated(caller, resource, { before, sent, effective, known }, judge);
      const { next, effects, decision } = await changeOf(
        caller,
        resource,
        { before, sent, verb, reason: effective.reason ?? null },
        judge,
      );
      if (!decision) return { answer: shape.item(before, caller) };
      return {
        ...decision,
        answer: shape.item(next, caller),
        ...triedNow(resource, { before, next, effects, known, reason: effective.reason }),
      };
    },
    { isDryRun },
  );
}

/** Whether a change changes nothing. Of a hidden member that is not known. */
function isSame<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  before: Row,
  next: Row,
  { hidden }: Effects<Row>,
): boolean {
  const unstamped = { ...next, updatedAt: before.updatedAt };
  return !hidden?.length && isDeepStrictEqual(auditedOf(caller, resource, unstamped), auditedOf(caller, resource, before));
}

/** A row, what it would be with a change, and when that is to hold, if not from now on. */
type Judged<Row> = Pick<RuleInput<Row>, "before" | "next" | "at" | "until"> & { sent?: never };
type Judge<Row> = (asked: Judged<Row>) => Effects<Row> | Promise<Effects<Row>>;

interface DatedChange<Row> {
  before: Row;
  sent: Item;
  effective: Effective;
  /** The versions of the item. */
  known: readonly StoredVersion[];
}

/** Decides on a change that says from when or until when it holds. */
async function decideDated<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  { before, sent, effective, known }: DatedChange<Row>,
  judge: Judge<Row>,
): Promise<ItemDecision<Item>> {
  const now = Date.now();
  checkDates(resource, before, sent, effective, now);
  const updatedAt = nextUpdatedAt(before);
  const times = rowsInTime(resource, before, known, sent, effective, effective.effectiveFrom ?? updatedAt);
  const judged = await judgeTimes(times, before, judge);
  const planned = judged.flatMap(({ time, next }) => plannedVersions(resource, time, next));
  const timeline = timelineAfter(resource, before, known, planned);
  const present = judged.find(({ isNow }) => isNow);
  const shownRow = planned.length > 0 ? { ...(present?.next ?? before), updatedAt } : before;
  const answer = { ...resource.shape.item(shownRow, caller), timeline };
  if (planned.length === 0) return { answer };
  refuseTooMany(known, planned, now);
  const reached = judged.filter(({ time }) => time.at <= now);
  const machines = machinesOf(reached);
  await refuseForgotten(caller, before.companyId, machines, effective.effectiveFrom ?? now);
  const { effectiveUntil = null, reason = null } = effective;
  const shown = {
    effectiveFrom: isoOf(effective.effectiveFrom ?? updatedAt),
    effectiveUntil: isoOf(effectiveUntil),
    ...(effective.through && { through: effective.through }),
  };
  return {
    ...datedRows(caller, resource, { before, updatedAt, judged, machines, known }, [
      ...storePlanned(caller, resource, before, planned, reason),
    ]),
    past: { companyId: before.companyId, from: effective.effectiveFrom ?? updatedAt, pointer: "/effectiveFrom" },
    audit: {
      action: `${kindOf(resource)}.change` as AuditAction,
      companyId: before.companyId,
      objectId: before.id,
      before: auditedOf(caller, resource, judged[0]?.time.row ?? before),
      after: { ...auditedOf(caller, resource, judged[0]?.next ?? before), ...shown },
    },
    answer,
    ...triedInTime(resource, before, { judged, machines, all: versionsPlanned(resource, before, known, planned), reason }),
  };
}

/** What a change from now on would do. */
function triedNow<Row extends SetUpRow>(
  { versioned = [], inSetUp }: Resource<Row>,
  {
    before,
    next,
    effects,
    known = [],
    reason = null,
  }: Pick<ItemChange<Row>, "before"> & {
    next: Row;
    effects: Effects<Row>;
    known?: readonly StoredVersion[];
    reason?: string | null | undefined;
  },
): { tried?: Tried } {
  if (!inSetUp || next.companyId === null) return {};
  const all = before ? versionsRecorded(versioned, known, before, next) : [];
  const change = { ...inSetUp(next), ...effects.inSetUp?.rows, ...versionsIn(versioned, next, all) };
  const { from, until } = change.day ? timeOfDay(change.day.date) : { from: Date.now(), until: null };
  return { tried: { companyId: next.companyId, machines: effects.machines ?? [], from, until, reason, change } };
}

/** The time in which shifts of a calendar day may run, in any time zone. */
function timeOfDay(date: string): { from: number; until: number } {
  const day = Date.parse(date);
  return { from: day - DAY_MS, until: day + 2 * DAY_MS };
}

/** What a change in some times would do. */
function triedInTime<Row extends SetUpRow>(
  { versioned = [], inSetUp }: Resource<Row>,
  row: Row,
  {
    judged,
    machines,
    all,
    reason,
  }: {
    judged: readonly JudgedTime<Row>[];
    machines: readonly number[] | "all";
    all: readonly StoredVersion[];
    reason: string | null;
  },
): { tried?: Tried } {
  if (!inSetUp || row.companyId === null) return {};
  const present = judged.find(({ isNow }) => isNow);
  const ofPast = judged.filter(({ time }) => time.at < Date.now()).map(({ effects }) => effects.inSetUp?.ofPast);
  const lines = ofPast.flatMap((one) => one?.formerLines ?? []);
  const change = {
    ...(present ? { ...inSetUp(present.next), ...present.effects.inSetUp?.rows } : { formerLines: lines }),
    ...versionsIn(versioned, row, all),
  };
  const times = judged.map(({ time }) => time);
  const until = times.some((time) => time.until === null) ? null : maxOf(times.map((time) => time.until ?? 0));
  return { tried: { companyId: row.companyId, machines, from: minOf(times.map(({ at }) => at)), until, reason, change } };
}

function versionsIn<Row extends SetUpRow>(
  versioned: readonly VersionedMembers<Row>[],
  { id }: Row,
  all: readonly StoredVersion[],
): WouldBe {
  return versioned.length === 0
    ? {}
    : { versions: { kinds: versioned.map(({ kind }) => kind), entity: String(id), all: [...all] } };
}

/** The versions of an item with planned ones, which follow those that `storePlanned` keeps. */
function versionsPlanned<Row extends SetUpRow>(
  { versioned = [] }: Resource<Row>,
  row: Row,
  known: readonly StoredVersion[],
  planned: readonly PlannedVersion[],
): StoredVersion[] {
  const kinds = new Set(planned.map(({ kind }) => kind));
  const kept = versionsKept(
    versioned.filter(({ kind }) => kinds.has(kind)),
    known,
    row,
  );
  const nextId = maxOf([0, ...kept.map(({ id }) => id)]) + 1;
  return [...kept, ...planned.map((one, i) => plannedAsStored(row, one, nextId + i))];
}

/** What a change makes of a row in a time. */
interface JudgedTime<Row> {
  time: RowInTime<Row>;
  next: Row;
  effects: Effects<Row>;
  /** Whether the time is that of the row. */
  isNow: boolean;
}

/** What a change makes of a row in each of its times. The rule judges each of them. */
async function judgeTimes<Row extends SetUpRow>(
  times: readonly RowInTime<Row>[],
  row: Row,
  judge: Judge<Row>,
): Promise<JudgedTime<Row>[]> {
  const now = nextUpdatedAt(row);
  const judged: JudgedTime<Row>[] = [];
  for (const time of times) {
    const { at, until, sent } = time;
    const isNow = at <= now && (until === null || until > now);
    const before = isNow ? row : time.row;
    const asSent = { ...before, ...sent };
    const effects = await judge({ before, next: asSent, sent: sent as never, at, until });
    judged.push({ time: { ...time, row: before }, next: { ...asSent, ...effects.values }, effects, isNow });
  }
  return judged;
}

/** The machines whose numbers of now or of the past these change. */
function machinesOf<Row>(judged: readonly JudgedTime<Row>[]): readonly number[] | "all" {
  const lists = judged.map(({ effects }) => effects.machines ?? []);
  return lists.includes("all") ? "all" : [...new Set(lists.flatMap((ids) => ids as number[]))];
}

interface DatedRows<Row> {
  before: Row;
  updatedAt: number;
  judged: readonly JudgedTime<Row>[];
  machines: readonly number[] | "all";
  known: readonly StoredVersion[];
}

/**
 * The conditions and rows of a dated change. Of the row itself, it changes the members only if it holds now, and always when it was
 * changed: whoever has read it before learns of the dates by its ETag.
 */
function datedRows<Row extends SetUpRow>(
  { db }: Pick<Caller, "db">,
  resource: Resource<Row>,
  { before, updatedAt, judged, machines, known }: DatedRows<Row>,
  versions: readonly Statement[],
): Pick<Decision<never>, "expect" | "rows"> {
  const present = judged.find(({ isNow }) => isNow);
  const { expect = [] } = (present ?? judged[0])?.effects ?? {};
  const { companyId } = before;
  const raised = machines.length > 0 && companyId !== null ? [raiseVersionsOf(db, companyId, machines)] : [];
  const update = present
    ? [
        ...(present.effects.first ?? []),
        updateRow(db, resource.table, before, { ...present.time.sent, ...present.effects.values, updatedAt }),
        ...(present.effects.rows ?? []),
      ]
    : [
        updateRow(db, resource.table, before, { updatedAt }),
        ...judged.filter(({ time }) => time.at < updatedAt).flatMap(({ effects }) => effects.ofPast ?? []),
      ];
  return {
    expect: [isUnchanged(resource.table, before), areAllVersions(resource, before, known), ...expect],
    rows: [...raised, ...update, ...versions],
  };
}

/** What will hold from now on with these versions. */
function timelineAfter<Row extends SetUpRow>(
  { versioned = [] }: Resource<Row>,
  row: Row,
  known: readonly StoredVersion[],
  planned: readonly PlannedVersion[],
): Item[] {
  const nextId = (known[0]?.id ?? 0) + 1;
  const added = planned.map((one, i) => plannedAsStored(row, one, nextId + i));
  return shownTimeline(timelinesOf(versioned, row, [...known, ...added]), Date.now());
}

/**
 * Withdraws a version that somebody dated: what it covered holds again, also in the past, and in the row if the version holds now. The rule judges it like
 * a change.
 */
export async function withdrawVersion<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  { versionId, dryRun = false, ...named }: ItemRef & { versionId: number; dryRun?: boolean | undefined },
): Promise<{ dryRun: DryRun } | undefined> {
  refuseDates(caller);
  const { table, versioned = [], rules } = resource;
  const rule: Rule<Row> = rules.store ?? noRule;
  const scope = scopeOf(caller, table, named);
  const known = await readVersions(caller, resource, named);
  const { version: found, times: expected } = withdrawalOf(resource, known.row, known.stored, versionId);
  const sent = (expected[0]?.sent ?? {}) as never;
  const about = { sent, owner: ownerOf(table, scope), viewer: caller, id: named.id, from: found.validFrom };
  return await writeItem<readonly [Statement, ...Statement[]], { dryRun: DryRun } | undefined>(
    caller,
    resource,
    (db) => [selectRow(db, table, caller, scope), selectVersions(db, versioned, about.owner, named.id), ...rule.read(db, about)],
    async (rows, known, ...results) => {
      const before = rowOf(resource, named, rowsIn<Row>(rows));
      const { version, times } = withdrawalOf(resource, before, known as StoredVersion[], versionId);
      if (version.withdrawnAt !== null) return { answer: undefined };
      const now = Date.now();
      const updatedAt = nextUpdatedAt(before);
      const judged = await judgeTimes(times, before, (asked) =>
        rule.decide({ sent: about.sent, ...asked, db: caller.db, actor: caller.actor, isAccepted: true }, results as never),
      );
      const machines = machinesOf(judged.filter(({ time }) => time.at <= now));
      await refuseForgotten(caller, before.companyId, machines, version.validFrom);
      const shown = { versionId, effectiveFrom: isoOf(version.validFrom), effectiveUntil: isoOf(version.validUntil) };
      return {
        ...datedRows(caller, resource, { before, updatedAt, judged, machines, known: known as StoredVersion[] }, [
          endVersion(caller.db, version, { at: now, by: caller.actor.userId }),
        ]),
        past: { companyId: before.companyId, from: times[0]?.at ?? now, pointer: "/path/versionId" },
        audit: {
          action: `${kindOf(resource)}.change` as AuditAction,
          companyId: before.companyId,
          objectId: before.id,
          before: { ...shown, withdrawnAt: null },
          after: { ...shown, withdrawnAt: isoOf(now) },
        },
        answer: undefined,
        ...triedInTime(resource, before, {
          ...{ judged, machines, reason: version.reason },
          all: (known as StoredVersion[]).map((one) => (one.id === versionId ? { ...one, withdrawnAt: now } : one)),
        }),
      };
    },
    { isDryRun: dryRun },
  );
}

/** Deletes an item. Throws 409 if others need it (core/references.ts). */
export async function deleteItem<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  { dryRun = false, ...named }: ItemRef & { dryRun?: boolean | undefined },
): Promise<{ dryRun: DryRun } | undefined> {
  const { table, rules, names } = resource;
  const needs = refusing(names.noun);
  const rule: Rule<Row> = rules.remove ?? noRule;
  const scope = scopeOf(caller, table, named);
  const about = { sent: {} as never, owner: ownerOf(table, scope), viewer: caller, id: named.id };
  return await writeItem<readonly [Statement, ...Statement[]], { dryRun: DryRun } | undefined>(
    caller,
    resource,
    (db) => [
      selectRow(db, table, caller, scope),
      ...needs.map((reference) => selectDependents(db, reference, about.owner, named.id)),
      ...rule.read(db, about),
    ],
    async (rows, ...results) => {
      const before = rowOf(resource, named, rowsIn<Row>(rows));
      refuseSystem(caller, before);
      refuseIfChanged(named["if-match"], before.updatedAt);
      const refused = refusalOf(needs.map((reference, i) => [reference, results[i] as Dependent[]]));
      if (refused) throw refused;
      const found = results.slice(needs.length);
      const { next, effects, decision } = await deletionOf(caller, resource, before, needs, found);
      return {
        ...decision,
        answer: undefined,
        ...triedNow(resource, { before, next, effects }),
      };
    },
    { isDryRun: dryRun },
  );
}

/** Brings back a deleted item as it was. Returns it. Throws 409 if it needs what is deleted itself (core/references.ts). */
export async function restoreItem<Row extends SetUpRow>(caller: Caller, resource: Resource<Row>, named: ItemRef): Promise<Item> {
  const { table, rules, names, shape } = resource;
  const needed = requiredBy(names.noun);
  const rule: Rule<Row> = rules.restore ?? noRule;
  const scope = { ...scopeOf(caller, table, named), includeDeleted: true };
  const about = { sent: {} as never, owner: ownerOf(table, scope), viewer: caller, id: named.id };
  return await writeItem(
    caller,
    resource,
    (db) => [
      selectRow(db, table, caller, scope),
      ...needed.map((reference) => selectMissing(db, reference, named.id)),
      ...rule.read(db, about),
    ],
    async (rows, ...results) => {
      const deleted = rowOf(resource, named, rowsIn<Row>(rows));
      refuseSystem(caller, deleted);
      if (deleted.deletedAt === null) return { answer: shape.item(deleted, caller) };
      const refused = missingOf(needed.map((reference, i) => [reference, results[i] as Missing[]]));
      if (refused) throw refused;
      const stamps = { deletedAt: null, updatedAt: nextUpdatedAt(deleted) };
      const asked = { db: caller.db, actor: caller.actor, sent: about.sent, before: deleted, next: { ...deleted, ...stamps } };
      const effects = await rule.decide(asked, results.slice(needed.length) as never);
      const next = { ...asked.next, ...effects.values };
      const update = updateRow(caller.db, table, deleted, { ...effects.values, ...stamps });
      const change = { verb: "restore", before: null, next, at: stamps.updatedAt, effects } as const;
      const conditions = [isUnchanged(table, deleted), ...needed.map((reference) => hasAllNeeded(reference, deleted.id))];
      return { ...stored(caller, resource, change, update, conditions), answer: shape.item(next, caller) };
    },
  );
}

interface ItemChange<Row> {
  verb: "create" | "change" | "unarchive" | "delete" | "restore";
  before: Row | null;
  next: Row | null;
  /** The `updatedAt` of the row after it. */
  at: number;
  reason?: string | null;
  effects: Effects<Row>;
}

/** The rows that a write stores: the row itself (`statement`), and related ones. */
function stored<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  { verb, before, next, at, reason = null, effects }: ItemChange<Row>,
  statement: Statement,
  conditions: readonly Condition[],
): Omit<Decision<never>, "answer"> {
  const { expect = [], machines = [], first = [], rows = [], changesFrom } = effects;
  const { id, companyId } = (next ?? before) as Row;
  // Versions are raised first, so that a machine that is being deleted is also notified.
  const raised = machines.length > 0 && companyId !== null ? [raiseVersionsOf(caller.db, companyId, machines)] : [];
  return {
    expect: [...conditions, ...expect],
    rows: [
      ...raised,
      ...first,
      statement,
      ...rows,
      ...recordVersions(caller, resource.versioned ?? [], [{ before, next, at }], reason),
    ],
    ...(changesFrom && { past: { companyId, from: changesFrom.at, pointer: changesFrom.pointer } }),
    audit: {
      action: `${kindOf(resource)}.${verb}` as AuditAction,
      companyId,
      objectId: id,
      before: before && auditedOf(caller, resource, before),
      after: next && auditedOf(caller, resource, next, effects.hidden),
    },
  };
}

/** The kind of object as the audit calls it. */
function kindOf<Row extends SetUpRow>({ names }: Resource<Row>): string {
  return names.noun.toLowerCase().replaceAll(" ", "-");
}

/** Runs a write, and notifies the machines whose versions it raised, and watchers. A cron job notifies machines that are unreachable now. */
async function writeItem<Q extends readonly [Statement, ...Statement[]], T>(
  caller: Caller,
  { watched }: Pick<Resource<never>, "watched">,
  read: (db: CompanyDb) => Q,
  decide: (...results: Results<Q>) => Promise<ItemDecision<T>>,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<T> {
  if (isDryRun) {
    const { answer, tried } = await decideOnly(caller, read, decide);
    return { ...answer, dryRun: tried ? await tryChange(caller, tried) : dryRunOf(null, 0, []) } as T;
  }
  const { answer, results, companyId } = await write(caller, read, decide);
  configureAfterwards(caller, results);
  if (watched) notifyWatchers(caller, companyId, watched);
  return answer;
}

function scopeOf({ actor }: Caller, table: SetUpTable, { id, companyId }: ItemRef): RowScope {
  return { id, companyId: companyOf(actor, companyId, table.idIsPerCompany ? actor.companyId : undefined) };
}

function rowOf<Row extends SetUpRow>({ names }: Resource<Row>, { id }: ItemRef, [row]: readonly Row[]): Row {
  if (!row) throw notFound(`There is no ${names.noun} ${id}.`);
  return row;
}

/** Refuses to write system rows unless the caller is a superuser. */
function refuseSystem({ actor }: Caller, { companyId }: SetUpRow): void {
  if (companyId === null && actor.role !== "superuser")
    throw forbidden("Only superusers may create and change what belongs to the system.");
}

/** A row as the audit records it: its item, and the names of members that were in the request but are never shown. */
function auditedOf<Row extends SetUpRow>(
  caller: Caller,
  { shape }: Resource<Row>,
  row: Row,
  hidden: readonly string[] = [],
): Item {
  const item = shape.item(row, caller);
  return { ...(shape.audited?.(item, row) ?? item), ...Object.fromEntries(hidden.map((member) => [member, "(not shown)"])) };
}

function rowsIn<Row>(rows: readonly unknown[]): Row[] {
  return rows.map((row) => asRow(row));
}

/** Types a row that was read with the columns of its table: the only cast. */
function asRow<Row>(row: unknown): Row {
  return row as Row;
}
