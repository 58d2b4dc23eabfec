import { and, isNotNull, type SQL, sql } from "drizzle-orm";
import { auditedBy } from "../core/audit.ts";
import type { Caller } from "../core/caller.ts";
import type { CompanyDb } from "../db/client.ts";
import { setUpVersions, type VersionKind } from "../db/schema.ts";
import type { SetUpRow, Statement } from "./queries.ts";

// Every version of what numbers depend on. A write of an item stores them in its own batch, so no change is without one.

/** Members of a resource whose versions are kept together. */
export interface VersionedMembers<Row> {
  kind: VersionKind;
  /** Their values in a row, as PATCH takes them. By machine where each may have its own, with 0 for any; otherwise by 0 alone. */
  bodiesOf(row: Row): ReadonlyMap<number, object>;
}

/** Declares members that are the same for all machines. */
export function versionedMembers<Row>(kind: VersionKind, bodyOf: (row: Row) => object): VersionedMembers<Row> {
  return { kind, bodiesOf: (row) => new Map([[0, bodyOf(row)]]) };
}

/** The reason of a version that holds what an item had before its first recorded change, or what a release without versions made of it. */
const BEFORE_VERSIONS = "before versions";

/** The item that versions are of. */
interface VersionsOf {
  companyId: number;
  entity: string;
  kind: VersionKind;
}

/** What is to be in force from an instant on. */
interface Values {
  /** Texts, so that SQL compares them as a whole. Null: none. */
  bodies: ReadonlyMap<number, string | null>;
  validFrom: number;
  /** Whether it holds for ever: otherwise until the next change that is known by then. */
  isForEver: boolean;
  by: { userId: number; apiTokenId: number | null; requestId: string } | null;
  reason: string | null;
}

interface Change<Row> {
  before: Row | null;
  next: Row | null;
  /** The `updatedAt` of the changed row. */
  at: number;
  reason?: string | undefined;
}

/**
 * The statements that store the versions that a write makes. What was in force before it is stored first where no version says so: of a row that was
 * there before versions were, or that a release without them has changed since.
 */
export function recordVersions<Row extends SetUpRow>(
  { db, actor, requestId }: Pick<Caller, "db" | "actor" | "requestId">,
  members: readonly VersionedMembers<Row>[],
  { before, next, at, reason = undefined }: Change<Row>,
): Statement[] {
  const { companyId, id } = (next ?? before) as Row;
  if (companyId === null) return [];
  const { userId, apiTokenId } = auditedBy(actor, requestId);
  const now = { validFrom: at, isForEver: !next, by: { userId, apiTokenId, requestId }, reason: reason ?? null };
  const earlier = { validFrom: before?.updatedAt ?? at, isForEver: false, by: null, reason: BEFORE_VERSIONS };
  return members.flatMap((one) => {
    const of = { companyId, entity: String(id), kind: one.kind };
    const [old, present] = [textsOf(one, before), textsOf(one, next)];
    const gone = [...old.keys()].filter((machineId) => !present.has(machineId));
    const bodies = new Map([...present, ...gone.map((machineId): [number, null] => [machineId, null])]);
    if (before && [...bodies].every(([machineId, body]) => old.get(machineId) === body)) return [];
    return [
      ...(one.kind === "standard" ? [insertMissing(db, of, [...old.keys()], earlier)] : []),
      ...(before ? [insertVersions(db, of, { ...earlier, bodies: old })] : []),
      insertVersions(db, of, { ...now, bodies }),
      ...(next ? [] : [endDue(db, of)]),
    ];
  });
}

function textsOf<Row>({ bodiesOf }: VersionedMembers<Row>, row: Row | null): Map<number, string> {
  if (row === null) return new Map();
  return new Map([...bodiesOf(row)].map(([machineId, body]) => [machineId, JSON.stringify(body)]));
}

/** The statement that stores those values that are not in force. */
function insertVersions(db: CompanyDb, of: VersionsOf, { bodies, ...values }: Values) {
  const known = JSON.stringify([...bodies].map(([machineId, body]) => ({ machineId, body })));
  const rows = sql`SELECT value->>'machineId' AS machine_id, value->>'body' AS body FROM json_each(${known})`;
  return insertWhereNew(db, of, rows, values);
}

/** The statement that ends the versions of machines that are not among these, and have none in force: a release without versions deleted them. */
function insertMissing(db: CompanyDb, of: VersionsOf, machineIds: readonly number[], values: Omit<Values, "bodies">) {
  const isLast = sql`NOT EXISTS (SELECT 1 FROM set_up_versions AS later WHERE ${isOf(of)} AND machine_id = one.machine_id AND id > one.id)`;
  const rows = sql`SELECT machine_id, NULL AS body FROM set_up_versions AS one WHERE ${isOf(of)}
    AND machine_id NOT IN (SELECT value FROM json_each(${JSON.stringify(machineIds)})) AND ${isLast}`;
  return insertWhereNew(db, of, rows, values);
}

function insertWhereNew(db: CompanyDb, of: VersionsOf, rows: SQL, { validFrom, isForEver, by, reason }: Omit<Values, "bodies">) {
  const { companyId, kind, entity } = of;
  const isSame = sql`${isOf(of)} AND machine_id = next.machine_id AND withdrawn_at IS NULL`;
  const inForce = sql`(SELECT body FROM set_up_versions WHERE ${isSame}
    AND valid_from <= ${validFrom} AND (valid_until IS NULL OR valid_until > ${validFrom}) ORDER BY id DESC LIMIT 1)`;
  const validUntil = isForEver ? sql`NULL` : nextEdge(isSame, validFrom);
  // In the order of the table's columns.
  return db.insert(setUpVersions).select(sql`SELECT ${companyId},
    (SELECT coalesce(max(id), 0) FROM set_up_versions WHERE company_id = ${companyId}) + row_number() OVER (),
    ${kind}, ${entity}, machine_id, ${validFrom}, valid_until, 0, body, ${Date.now()}, ${by?.userId ?? null}, ${by?.apiTokenId ?? null},
    ${by?.requestId ?? null}, ${reason}, NULL, NULL, valid_until
    FROM (SELECT machine_id, body, ${validUntil} AS valid_until FROM (${rows}) AS next WHERE ${inForce} IS NOT next.body)`);
}

/** When another version begins or ends to hold after an instant. One that a later version covers then does neither. */
function nextEdge(isSame: SQL, after: number): SQL {
  return sql`(SELECT min(edge.at) FROM
    (SELECT id, valid_from AS at FROM set_up_versions WHERE ${isSame} AND valid_from > ${after}
      UNION ALL SELECT id, valid_until FROM set_up_versions WHERE ${isSame} AND valid_until > ${after}) AS edge
    WHERE NOT EXISTS (SELECT 1 FROM set_up_versions WHERE ${isSame} AND id > edge.id AND valid_from <= edge.at
      AND (valid_until IS NULL OR valid_until >= edge.at)))`;
}

/** The statement after which the row of a deleted item follows no version any more. */
function endDue(db: CompanyDb, of: VersionsOf) {
  return db
    .update(setUpVersions)
    .set({ dueAt: null })
    .where(and(isOf(of), isNotNull(setUpVersions.dueAt)));
}

function isOf({ companyId, kind, entity }: VersionsOf): SQL {
  return sql`company_id = ${companyId} AND kind = ${kind} AND entity = ${entity}`;
}
