import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { auditedBy } from "../core/audit.ts";
import type { Caller } from "../core/caller.ts";
import type { CompanyDb } from "../db/client.ts";
import { byIndex, inList } from "../db/conditions.ts";
import { setUpVersions, type VersionKind } from "../db/schema.ts";
import type { SetUpRow, Statement } from "./queries.ts";

/** Members as a request or an item has them. */
type Item = Record<string, unknown>;

// Every version of what numbers depend on. A write of an item stores them in its own batch, so no change is without one.

/** The versions, to be read by the item that they are of. */
export const versionsOfItem = byIndex(setUpVersions, "set_up_versions_item");

/** Members of a resource whose versions are kept together. */
export interface VersionedMembers<Row> {
  kind: VersionKind;
  /** Their values in a row. By machine where each may have its own, with 0 for any; otherwise by 0 alone. */
  bodiesOf(row: Row): ReadonlyMap<number, object>;
  /** The row with such values; null: there is none. */
  rowWith(row: Row, bodies: ReadonlyMap<number, object | null>): Row;
  /** The members of PATCH that make the row have these values. */
  sentOf(row: Row): Item;
  /** What a change of these members still says in a time before which some of them were changed again: `isReplaced`, by machine and member. */
  sentIn(row: Row, sent: Item, isReplaced: (machineId: number, member: string) => boolean): Item;
  /** Values as the item shows them. */
  shownOf(body: object): object;
}

/** Declares members that are the same for all machines. `columnsOf` is needed where columns have other names than the members of PATCH. */
export function versionedMembers<Row, Body extends object>(
  kind: VersionKind,
  bodyOf: (row: Row) => Body,
  {
    columnsOf = (body) => body,
    shownOf = (body) => body,
  }: { columnsOf?: (body: Body) => object; shownOf?: (body: Body) => object } = {},
): VersionedMembers<Row> {
  return {
    kind,
    bodiesOf: (row) => new Map([[0, bodyOf(row)]]),
    rowWith: (row, bodies) => ({ ...row, ...(bodies.get(0) && columnsOf(bodies.get(0) as Body)) }),
    sentOf: (row) => ({ ...bodyOf(row) }) as Item,
    sentIn: (row, sent, isReplaced) => {
      const own = Object.keys(bodyOf(row)).filter((member) => member in sent && !isReplaced(0, member));
      return Object.fromEntries(own.map((member) => [member, sent[member]]));
    },
    shownOf: (body) => shownOf(body as Body),
  };
}

/** The reason of a version that holds what an item had before its first recorded change, or what a release without versions made of it. */
export const BEFORE_VERSIONS = "before versions";

/** What versions are of. */
interface VersionsOf {
  companyId: number;
  kind: VersionKind;
}

/** What is to be in force of an item from an instant on. */
interface Value {
  entity: string;
  machineId: number;
  /** A text, so that SQL compares it as a whole. Null: none. */
  body: string | null;
  validFrom: number;
  /** It is stored unless it is in force then. */
  comparedAt: number;
}

/** The machines of an item that have a value. */
interface Present extends Pick<Value, "entity" | "validFrom" | "comparedAt"> {
  machineIds: number[];
}

interface Origin {
  /** For ever, or until the next change that is known by then. */
  until: "ever" | "next";
  by: { userId: number; apiTokenId: number | null; requestId: string } | null;
  reason: string | null;
}

/** A change of an item, in the order in which it was made. */
interface Change<Row> {
  before: Row | null;
  next: Row | null;
  /** The `updatedAt` of the changed row. */
  at: number;
}

/**
 * The statements that store the versions that a write of items of a company makes: of one, or of many that are all new and changed, or all deleted. What was
 * in force before it is stored first where no version says so: of a row that was there before versions were, or that a release without them has changed since.
 */
export function recordVersions<Row extends SetUpRow>(
  { db, actor, requestId }: Pick<Caller, "db" | "actor" | "requestId">,
  members: readonly VersionedMembers<Row>[],
  changes: readonly Change<Row>[],
  reason: string | null,
): Statement[] {
  const companyId = (changes[0]?.next ?? changes[0]?.before)?.companyId ?? null;
  if (companyId === null) return [];
  const { userId, apiTokenId } = auditedBy(actor, requestId);
  const isDeletion = changes[0]?.next === null;
  const origin = { until: isDeletion ? "ever" : "next", by: { userId, apiTokenId, requestId }, reason } as const;
  return members.flatMap((one) => {
    const of = { companyId, kind: one.kind };
    const recorded = changes.flatMap((change) => recordedOf(one, change));
    if (recorded.length === 0) return [];
    const before = recorded.flatMap((change) => change.before ?? []);
    // A deleted item may have had the id of a new one, and a release without versions deleted it.
    const made = one.kind === "standard" ? recorded.filter((change) => change.before === null) : [];
    const entities = recorded.map(({ entity }) => entity);
    return [
      ...(before.length > 0 ? keepPresent(db, [one], before) : []),
      ...(made.length > 0 ? [insertMissing(db, of, made.map(noneOf), originBefore)] : []),
      insertVersions(
        db,
        of,
        recorded.flatMap(({ values }) => values),
        origin,
      ),
      ...(isDeletion ? [endDue(db, of, entities)] : []),
    ];
  });
}

/** A change with the values that it brings into force; none if it changes none of these members. */
function recordedOf<Row extends SetUpRow>(members: VersionedMembers<Row>, change: Change<Row>) {
  const { before, next, at } = change;
  const [old, present] = [textsOf(members, before), textsOf(members, next)];
  const gone = [...old.keys()].filter((machineId) => !present.has(machineId));
  const bodies = [...present, ...gone.map((machineId): [number, null] => [machineId, null])];
  if (before && bodies.every(([machineId, body]) => old.get(machineId) === body)) return [];
  const entity = String((next ?? before)?.id);
  const values = bodies.map(([machineId, body]): Value => ({ entity, machineId, body, validFrom: at, comparedAt: at }));
  return [{ ...change, entity, values }];
}

function noneOf({ entity, at }: { entity: string; at: number }): Present {
  return { entity, machineIds: [], validFrom: at, comparedAt: Date.now() };
}

const originBefore: Origin = { until: "next", by: null, reason: BEFORE_VERSIONS };

/** The statements that store what items of a company have now where no version says it. */
export function keepPresent<Row extends SetUpRow>(
  db: CompanyDb,
  members: readonly VersionedMembers<Row>[],
  rows: readonly Row[],
): Statement[] {
  const companyId = rows[0]?.companyId ?? null;
  if (companyId === null) return [];
  // Somebody may have dated another value for the time of the row's last change, which need not have been one of these members.
  const comparedAt = Date.now();
  return members.flatMap((one) => {
    const of = { companyId, kind: one.kind };
    const present = rows.map((row) => ({ row, entity: String(row.id), bodies: textsOf(one, row) }));
    const values = present.flatMap(({ row, entity, bodies }) =>
      [...bodies].map(([machineId, body]): Value => ({ entity, machineId, body, validFrom: row.updatedAt, comparedAt })),
    );
    const kept = present.map(({ row, entity, bodies }): Present => {
      return { entity, machineIds: [...bodies.keys()], validFrom: row.updatedAt, comparedAt };
    });
    return [
      ...(one.kind === "standard" ? [insertMissing(db, of, kept, originBefore)] : []),
      insertVersions(db, of, values, originBefore),
    ];
  });
}

/** A version that somebody dates. */
export interface PlannedVersion {
  kind: VersionKind;
  machineId: number;
  validFrom: number;
  /** Null: for ever. */
  validUntil: number | null;
  body: object | null;
}

/** The statement that stores versions of an item that somebody dated. */
export function insertPlanned(
  { db, actor, requestId }: Pick<Caller, "db" | "actor" | "requestId">,
  { companyId, id }: SetUpRow,
  planned: readonly PlannedVersion[],
  reason: string | null,
) {
  const { userId, apiTokenId } = auditedBy(actor, requestId);
  const now = Date.now();
  const dueAt = ({ validFrom, validUntil }: PlannedVersion) =>
    [validFrom, validUntil].find((at) => at !== null && at > now) ?? null;
  const rows = JSON.stringify(planned.map((one) => ({ ...one, body: one.body && JSON.stringify(one.body), dueAt: dueAt(one) })));
  // In the order of the table's columns.
  return db.insert(setUpVersions).select(sql`SELECT ${companyId},
    (SELECT coalesce(max(id), 0) FROM set_up_versions WHERE company_id = ${companyId}) + row_number() OVER (ORDER BY key),
    value->>'kind', ${String(id)}, value->>'machineId', value->>'validFrom', value->>'validUntil', 1, value->>'body', ${now},
    ${userId}, ${apiTokenId}, ${requestId}, ${reason}, NULL, NULL, value->>'dueAt' FROM json_each(${rows})`);
}

function textsOf<Row>({ bodiesOf }: VersionedMembers<Row>, row: Row | null): Map<number, string> {
  if (row === null) return new Map();
  return new Map([...bodiesOf(row)].map(([machineId, body]) => [machineId, JSON.stringify(body)]));
}

/** The statement that stores those values that are not in force. */
function insertVersions(db: CompanyDb, of: VersionsOf, values: readonly Value[], origin: Origin) {
  const rows = sql`SELECT value->>'entity' AS entity, value->>'machineId' AS machine_id, value->>'body' AS body,
    value->>'validFrom' AS valid_from, value->>'comparedAt' AS compared_at FROM json_each(${JSON.stringify(values)})`;
  return insertWhereNew(db, of, rows, origin);
}

/** The statement that ends the versions of items for machines that have no value, and have one in force: a release without versions deleted them. */
function insertMissing(db: CompanyDb, of: VersionsOf, present: readonly Present[], origin: Origin) {
  const isLast = sql`NOT EXISTS (SELECT 1 FROM set_up_versions AS later INDEXED BY set_up_versions_item
    WHERE ${isOf(of)} AND later.entity = one.entity AND later.machine_id = one.machine_id AND later.id > one.id)`;
  const rows = sql`SELECT one.entity, one.machine_id, NULL AS body, item.value->>'validFrom' AS valid_from, item.value->>'comparedAt' AS compared_at
    FROM json_each(${JSON.stringify(present)}) AS item CROSS JOIN set_up_versions AS one INDEXED BY set_up_versions_item
    WHERE ${isOf(of)} AND one.entity = item.value->>'entity'
    AND one.machine_id NOT IN (SELECT value FROM json_each(item.value, '$.machineIds')) AND ${isLast}`;
  return insertWhereNew(db, of, rows, origin);
}

function insertWhereNew(db: CompanyDb, of: VersionsOf, rows: SQL, { until, by, reason }: Origin) {
  const { companyId, kind } = of;
  const isSame = sql`${isOf(of)} AND entity = next.entity AND machine_id = next.machine_id AND withdrawn_at IS NULL`;
  const inForce = sql`(SELECT body FROM ${versionsOfItem} WHERE ${isSame}
    AND valid_from <= next.compared_at AND (valid_until IS NULL OR valid_until > next.compared_at) ORDER BY id DESC LIMIT 1)`;
  const validUntil = until === "next" ? nextEdge(isSame, sql`next.valid_from`) : sql`NULL`;
  // In the order of the table's columns.
  return db.insert(setUpVersions).select(sql`SELECT ${companyId},
    (SELECT coalesce(max(id), 0) FROM set_up_versions WHERE company_id = ${companyId}) + row_number() OVER (),
    ${kind}, entity, machine_id, valid_from, valid_until, 0, body, ${Date.now()}, ${by?.userId ?? null}, ${by?.apiTokenId ?? null},
    ${by?.requestId ?? null}, ${reason}, NULL, NULL, valid_until
    FROM (SELECT entity, machine_id, body, valid_from, ${validUntil} AS valid_until FROM (${rows}) AS next WHERE ${inForce} IS NOT next.body)`);
}

/** When another version begins or ends to hold after an instant. One that a later version covers then does neither. */
function nextEdge(isSame: SQL, after: SQL): SQL {
  return sql`(SELECT min(edge.at) FROM
    (SELECT id, valid_from AS at FROM ${versionsOfItem} WHERE ${isSame} AND valid_from > ${after}
      UNION ALL SELECT id, valid_until FROM ${versionsOfItem} WHERE ${isSame} AND valid_until > ${after}) AS edge
    WHERE NOT EXISTS (SELECT 1 FROM ${versionsOfItem} WHERE ${isSame} AND id > edge.id AND valid_from <= edge.at
      AND (valid_until IS NULL OR valid_until >= edge.at)))`;
}

/** The statement that withdraws a version. `by` null: the service itself. */
export function endVersion(
  db: CompanyDb,
  { companyId, id }: { companyId: number; id: number },
  { at, by }: { at: number; by: number | null },
) {
  const isOne = and(eq(setUpVersions.companyId, companyId), eq(setUpVersions.id, id), isNull(setUpVersions.withdrawnAt));
  return db.update(setUpVersions).set({ withdrawnAt: at, withdrawnBy: by, dueAt: null }).where(isOne);
}

/** The statement after which the rows of deleted items follow no version any more. */
function endDue(db: CompanyDb, of: VersionsOf, entities: readonly string[]) {
  return db
    .update(setUpVersions)
    .set({ dueAt: null })
    .where(and(isOf(of), inList(setUpVersions.entity, entities), isNotNull(setUpVersions.dueAt)));
}

function isOf({ companyId, kind }: VersionsOf): SQL {
  return sql`company_id = ${companyId} AND kind = ${kind}`;
}
