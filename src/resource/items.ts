import { isDeepStrictEqual } from "node:util";
import { companyOf, noCompany } from "../core/actor.ts";
import type { AuditAction } from "../core/audit.ts";
import type { Caller } from "../core/caller.ts";
import { type Page, type PageQuery, readPage } from "../core/cursor.ts";
import { checkOfIds } from "../core/named-ids.ts";
import { forbidden, notFound } from "../core/problem.ts";
import { type Dependent, hasNoDependent, refusalOf, refusing, selectDependents } from "../core/references.ts";
import { takeId, takenId } from "../core/sequence.ts";
import { type Decision, write } from "../core/write.ts";
import type { CompanyDb } from "../db/client.ts";
import { nextUpdatedAt } from "../db/expect.ts";
import { notifyWatchers } from "../objects/hubs.ts";
import { configureAfterwards } from "../objects/notify-machines.ts";
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
import { type Effects, noRule, type Rule } from "./rules.ts";
import { recordVersions } from "./versions.ts";

/** The id and company by which a request names an item. */
export interface ItemRef {
  id: number | string;
  companyId?: number | undefined;
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
  { table, shape, filters = {}, hasLargeRows }: Resource<Row>,
  query: ItemQuery,
): Promise<Page<Item>> {
  const companyId = companyOf(caller.actor, query.companyId, areCompanies(table) ? undefined : caller.actor.companyId);
  const values = Object.fromEntries(Object.keys(filters).map((name) => [name, query[name]]));
  return await readPage(caller.db, query, {
    select: ({ cursor, limit, includeDeleted }) =>
      selectRows(caller.db, table, caller, companyId, { after: cursor?.[0], limit: limit + 1, includeDeleted, values }),
    keysOf: (row) => [asRow<Row>(row).id],
    itemOf: (row) => shape.item(asRow<Row>(row), caller),
    hasLargeRows,
    check: checkOfIds(caller.db, companyId, { lineIds: query.lineIds }),
  });
}

/** Returns the item that a request names. */
export async function getItem<Row extends SetUpRow>(caller: Caller, resource: Resource<Row>, named: ItemRef): Promise<Item> {
  const { table, shape } = resource;
  const rows = rowsIn<Row>(await selectRow(caller.db, table, caller, scopeOf(caller, table, named)));
  return shape.item(rowOf(resource, named, rows), caller);
}

/** The company of a new item: the named one, or the caller's own. Throws 404 when anyone but a superuser names another one. */
export function newOwnerOf({ actor }: Pick<Caller, "actor">, { companyId: named }: Pick<ItemRef, "companyId">): number {
  return companyOf(actor, named, actor.companyId) ?? actor.companyId;
}

/**
 * Creates an item from the request's members. Returns the item.
 * @param options.rule replaces the rule of the resource
 * @param options.shownOnce members of the first response only; null when the request is repeated
 */
export async function createItem<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  { companyId: named, ...sent }: { companyId?: number | undefined; [member: string]: unknown },
  { rule = resource.rules.store ?? noRule, shownOnce = {} }: { rule?: Rule<Row>; shownOnce?: Record<string, string | null> } = {},
): Promise<Item> {
  const { table, shape } = resource;
  const { actor } = caller;
  const company = newOwnerOf(caller, { companyId: named });
  const companyId = sent.isSystem === true ? null : company;
  const about = { sent: sent as never, owner: asOwner(companyId), viewer: caller, id: undefined };
  return await writeItem(
    caller,
    resource,
    (db) => [selectCompany(db, company), ...rule.read(db, about), ...(isNumbered(table) ? [takeId(db, table.table)] : [])],
    async ([known], ...found) => {
      if (!known && companyId !== null && !areCompanies(table)) throw noCompany();
      const taken = isNumbered(table) ? takenId(caller.db, found.at(-1) as { id: number }[]) : null;
      const id = taken ?? sent.id ?? crypto.randomUUID();
      const now = Date.now();
      const stamps = { createdAt: now, updatedAt: now, deletedAt: null };
      const asSent = { ...sent, id, companyId: areCompanies(table) ? id : companyId, ...stamps } as SetUpRow as Row;
      refuseSystem(caller, asSent);
      const asked = { db: caller.db, actor, sent: about.sent, before: null, next: asSent };
      const effects = await rule.decide(asked, found as never);
      const next = { ...asSent, ...effects.values };
      const conditions = [
        ...(taken === null ? [] : [isFree(table, taken)]),
        ...(companyId !== null && !areCompanies(table) ? [companyIsThere(companyId)] : []),
      ];
      const item = shape.item(next, caller);
      const nulls = Object.fromEntries(Object.keys(shownOnce).map((member) => [member, null]));
      return {
        ...stored(
          caller,
          resource,
          { verb: "create", before: null, next, at: now, effects },
          insertRow(caller.db, table, next),
          conditions,
        ),
        answer: { ...item, ...shownOnce },
        keptAnswer: { ...item, ...nulls },
      };
    },
  );
}

/**
 * Changes those members of an item that the request contains. Returns the changed item.
 * @param options.rule replaces the rule of the resource
 * @param options.verb the audit's name of the change
 */
export async function changeItem<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  named: ItemRef,
  sent: Item,
  { rule = resource.rules.store ?? noRule, verb = "change" }: { rule?: Rule<Row>; verb?: "change" | "unarchive" } = {},
): Promise<Item> {
  const { table, shape } = resource;
  const scope = scopeOf(caller, table, named);
  const about = { sent: sent as never, owner: ownerOf(table, scope), viewer: caller, id: named.id };
  return await writeItem(
    caller,
    resource,
    (db) => [selectRow(db, table, caller, scope), ...rule.read(db, about)],
    async (rows, ...found) => {
      const before = rowOf(resource, named, rowsIn<Row>(rows));
      refuseSystem(caller, before);
      const updatedAt = nextUpdatedAt(before);
      const asSent = { ...before, ...sent, updatedAt };
      const asked = { db: caller.db, actor: caller.actor, sent: about.sent, before, next: asSent };
      const effects = await rule.decide(asked, found as never);
      const next = { ...asSent, ...effects.values };
      const unstamped = { ...next, updatedAt: before.updatedAt };
      // It is not known whether a hidden member stays the same.
      const isSame =
        !effects.hidden?.length && isDeepStrictEqual(auditedOf(caller, resource, unstamped), auditedOf(caller, resource, before));
      if (isSame) return { answer: shape.item(before, caller) };
      const update = updateRow(caller.db, table, before, { ...sent, ...effects.values, updatedAt });
      return {
        ...stored(caller, resource, { verb, before, next, at: updatedAt, effects }, update, [isUnchanged(table, before)]),
        answer: shape.item(next, caller),
      };
    },
  );
}

/** Deletes an item. Throws 409 if others need it (core/references.ts). */
export async function deleteItem<Row extends SetUpRow>(caller: Caller, resource: Resource<Row>, named: ItemRef): Promise<void> {
  const { table, rules, names } = resource;
  const needs = refusing(names.noun);
  const rule: Rule<Row> = rules.remove ?? noRule;
  const scope = scopeOf(caller, table, named);
  const about = { sent: {} as never, owner: ownerOf(table, scope), viewer: caller, id: named.id };
  await writeItem(
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
      const refused = refusalOf(needs.map((reference, i) => [reference, results[i] as Dependent[]]));
      if (refused) throw refused;
      const found = results.slice(needs.length);
      const isUnneeded = needs.map((reference) => hasNoDependent(reference, asOwner(before.companyId), before.id));
      const deletion = { deletedAt: Date.now(), updatedAt: nextUpdatedAt(before) };
      const asked = { db: caller.db, actor: caller.actor, sent: about.sent, before, next: { ...before, ...deletion } };
      const effects = await rule.decide(asked, found as never);
      const update = updateRow(caller.db, table, before, { ...effects.values, ...deletion });
      return {
        ...stored(caller, resource, { verb: "delete", before, next: null, at: deletion.updatedAt, effects }, update, [
          isUnchanged(table, before),
          ...isUnneeded,
        ]),
        answer: undefined,
      };
    },
  );
}

interface ItemChange<Row> {
  verb: "create" | "change" | "unarchive" | "delete";
  before: Row | null;
  next: Row | null;
  /** The `updatedAt` of the row after it. */
  at: number;
  effects: Effects<Row>;
}

/** The rows that a write stores: the row itself (`statement`), and related ones. */
function stored<Row extends SetUpRow>(
  caller: Caller,
  resource: Resource<Row>,
  { verb, before, next, at, effects }: ItemChange<Row>,
  statement: Statement,
  conditions: readonly Condition[],
): Omit<Decision<never>, "answer"> {
  const { expect = [], machines = [], first = [], rows = [] } = effects;
  const { id, companyId } = (next ?? before) as Row;
  const kind = resource.names.noun.toLowerCase().replaceAll(" ", "-");
  // Versions are raised first, so that a machine that is being deleted is also notified.
  const raised = machines.length > 0 && companyId !== null ? [raiseVersionsOf(caller.db, companyId, machines)] : [];
  return {
    expect: [...conditions, ...expect],
    rows: [...raised, ...first, statement, ...rows, ...recordVersions(caller, resource.versioned ?? [], { before, next, at })],
    audit: {
      action: `${kind}.${verb}` as AuditAction,
      companyId,
      objectId: id,
      before: before && auditedOf(caller, resource, before),
      after: next && auditedOf(caller, resource, next, effects.hidden),
    },
  };
}

/** Runs a write, and notifies the machines whose versions it raised, and watchers. A cron job notifies machines that are unreachable now. */
async function writeItem<Q extends readonly [Statement, ...Statement[]], T>(
  caller: Caller,
  { watched }: Pick<Resource<never>, "watched">,
  read: (db: CompanyDb) => Q,
  decide: (...results: Results<Q>) => Promise<Decision<T>>,
): Promise<T> {
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
