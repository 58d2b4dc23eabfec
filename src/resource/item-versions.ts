import { z } from "@hono/zod-openapi";
import { and, desc, eq, getTableColumns, type SQL } from "drizzle-orm";
import { type Page, type PageQuery, pageOf } from "../core/cursor.ts";
import type { CompanyDb } from "../db/client.ts";
import { columnsByIndex, inList } from "../db/conditions.ts";
import { setUpVersions, versionKinds } from "../db/schema.ts";
import { isoOf } from "../oee/time.ts";
import { type Piece, pieces, type Version, versionAt } from "../oee/versions.ts";
import type { SetUpRow } from "./queries.ts";
import type { Item, Resource } from "./resource.ts";
import { BEFORE_VERSIONS, type VersionedMembers, versionsOfItem } from "./versions.ts";

// Reading the versions of one item: which of them hold when, and the item as it was or will be at an instant.

/** The most versions of an item that are read: the newest. */
export const MOST_VERSIONS = 2000;

export type StoredVersion = typeof setUpVersions.$inferSelect;

/** The statement that reads the newest versions of an item. */
export function selectVersions<Row extends SetUpRow>(
  db: CompanyDb,
  members: readonly VersionedMembers<Row>[],
  companyId: SQL | number,
  entity: number | string,
) {
  const kinds = members.map(({ kind }) => kind);
  const isOne = and(
    eq(setUpVersions.companyId, companyId),
    inList(setUpVersions.kind, kinds),
    eq(setUpVersions.entity, String(entity)),
  );
  return db
    .select(columnsByIndex(getTableColumns(setUpVersions)))
    .from(versionsOfItem)
    .where(isOne)
    .orderBy(desc(setUpVersions.id))
    .limit(MOST_VERSIONS);
}

/** What holds of one kind, for one machine or for any. */
export interface Timeline<Row> {
  members: VersionedMembers<Row>;
  machineId: number;
  pieces: Piece<StoredVersion>[];
}

/** What holds when. Members that no version says anything of are as in the row, at all times. */
export function timelinesOf<Row extends SetUpRow>(
  all: readonly VersionedMembers<Row>[],
  row: Row,
  stored: readonly StoredVersion[],
): Timeline<Row>[] {
  return all.flatMap((members) => {
    const ofKind = Map.groupBy(versionsWithBase(members, row, stored), ({ machineId }) => machineId);
    return [...ofKind].map(([machineId, some]) => ({ members, machineId, pieces: pieces(some, 0) }));
  });
}

/** The stored versions of a kind, and one for each value of the row that has none. */
function versionsWithBase<Row extends SetUpRow>(
  { kind, bodiesOf }: VersionedMembers<Row>,
  row: Row,
  stored: readonly StoredVersion[],
): StoredVersion[] {
  const ofKind = stored.filter((one) => one.kind === kind);
  const missing = [...bodiesOf(row)].filter(([machineId]) => !ofKind.some((one) => one.machineId === machineId));
  const base = missing.map(([machineId, body]): StoredVersion => {
    const since = { validFrom: row.updatedAt, recordedAt: row.updatedAt };
    const by = { userId: null, apiTokenId: null, requestId: null, reason: BEFORE_VERSIONS };
    const none = { validUntil: null, isExplicit: false, withdrawnAt: null, withdrawnBy: null, dueAt: null };
    const of = { companyId: row.companyId ?? 0, kind, entity: String(row.id), machineId };
    return { ...of, ...since, ...by, ...none, id: -versionKinds.indexOf(kind) * 2 ** 40 - machineId, body: { ...body } };
  });
  return [...ofKind, ...base];
}

/** A row with what holds at an instant; the other members are as they are now. */
export function rowAt<Row>(timelines: readonly Timeline<Row>[], row: Row, at: number): Row {
  const byMembers = Map.groupBy(timelines, ({ members }) => members);
  return [...byMembers].reduce((so_far, [members, some]) => {
    const bodies = some.map(({ machineId, pieces }): [number, object | null] => [machineId, versionAt(pieces, at)?.body ?? null]);
    return members.rowWith(so_far, new Map(bodies));
  }, row);
}

export interface VersionsQuery extends PageQuery {
  cursor?: [number] | undefined;
}

/** A page of an item's versions, the one recorded last first. */
export function pageOfVersions<Row extends SetUpRow>(
  { versioned = [] }: Resource<Row>,
  row: Row,
  stored: readonly StoredVersion[],
  { cursor, limit, total }: VersionsQuery,
): Page<Item> {
  const now = Date.now();
  const timelines = timelinesOf(versioned, row, stored);
  const all = versioned.flatMap((members) => versionsWithBase(members, row, stored).map((version) => ({ members, version })));
  const sorted = all.sort((a, b) => b.version.id - a.version.id);
  const rest = cursor ? sorted.filter(({ version }) => version.id < (cursor[0] ?? 0)) : sorted;
  const itemOf = ({ members, version }: (typeof all)[number]) => {
    const own = timelines.find((one) => one.members === members && one.machineId === version.machineId);
    return versionItem(members, version, own?.pieces ?? [], now);
  };
  const page = pageOf(rest.slice(0, limit + 1), limit, ({ version }) => [version.id], itemOf);
  return { ...page, ...(total && { total: all.length }) };
}

/** What holds from an instant on, as an answer to a change shows it. */
export function shownTimeline<Row>(timelines: readonly Timeline<Row>[], from: number): Item[] {
  return timelines.flatMap(({ members, machineId, pieces }) =>
    pieces
      .map((piece, i) => ({ ...piece, until: pieces[i + 1]?.since ?? null }))
      .filter(({ until }) => until === null || until > from)
      .map(({ since, until, version }) => ({
        ...{ kind: members.kind, machineId: machineId || null },
        ...{ from: isoOf(Math.max(since, from)), until: isoOf(until), values: version.body && members.shownOf(version.body) },
      })),
  );
}

function versionItem<Row>(
  members: VersionedMembers<Row>,
  version: StoredVersion,
  all: readonly Piece<StoredVersion>[],
  now: number,
): Item {
  const holds = all
    .map(({ since, version: one }, i) => ({ version: one, from: since, until: all[i + 1]?.since ?? null }))
    .filter((piece) => piece.version === version || piece.version.id === version.id);
  return {
    id: version.id > 0 ? version.id : null,
    kind: version.kind,
    machineId: version.machineId || null,
    values: version.body && members.shownOf(version.body),
    effectiveFrom: isoOf(version.validFrom),
    effectiveUntil: isoOf(version.validUntil),
    state: stateOf(version, holds, now),
    inForce: holds.map(({ from, until }) => ({ from: from === 0 ? null : isoOf(from), until: isoOf(until) })),
    recordedAt: isoOf(version.recordedAt),
    userId: version.userId,
    apiTokenId: version.apiTokenId,
    requestId: version.requestId,
    reason: version.reason,
    isDated: version.isExplicit,
    withdrawnAt: isoOf(version.withdrawnAt),
    withdrawnBy: version.withdrawnBy,
  };
}

const states = ["inForce", "past", "future", "covered", "withdrawn"] as const;

function stateOf(
  { withdrawnAt }: Version,
  holds: readonly { from: number; until: number | null }[],
  now: number,
): (typeof states)[number] {
  if (withdrawnAt !== null) return "withdrawn";
  if (holds.length === 0) return "covered";
  if (holds.some(({ from, until }) => from <= now && (until === null || until > now))) return "inForce";
  return holds.some(({ from }) => from > now) ? "future" : "past";
}

const timestamp = z.iso.datetime();
const kind = z.enum(versionKinds).openapi({ description: "Which members: those of a kind have their versions together" });
const machineId = z
  .int()
  .nullable()
  .openapi({ description: "The machine that a SKU's standard is for; null: any, or not a standard" });
const values = z
  .record(z.string(), z.unknown())
  .nullable()
  .openapi({ description: "The members, as in the item; null: there is none, or it was deleted" });

export const versionMember = z
  .object({
    id: z.int().nullable().openapi({ description: "Null: it is what the item has had since before versions were kept" }),
    kind,
    machineId,
    values,
    effectiveFrom: timestamp,
    effectiveUntil: timestamp.nullable().openapi({ description: "Null: for ever" }),
    state: z.enum(states).openapi({
      description: "Whether it holds now, held once, will hold, never does because later ones cover it, or was withdrawn",
    }),
    inForce: z.array(z.object({ from: timestamp.nullable(), until: timestamp.nullable() })).openapi({
      description: "The times in which it holds: where later versions leave it visible. Null: from the beginning, or for ever",
    }),
    recordedAt: timestamp,
    userId: z.int().nullable().openapi({ description: "Who recorded it; null: the service" }),
    apiTokenId: z.int().nullable(),
    requestId: z.string().nullable(),
    reason: z.string().nullable(),
    isDated: z
      .boolean()
      .openapi({ description: "Whether somebody said from when or until when it holds: only such a one can be withdrawn" }),
    withdrawnAt: timestamp.nullable(),
    withdrawnBy: z.int().nullable().openapi({ description: "Null: nobody, or the service, because it could not begin" }),
  })
  .openapi("SetUpVersion");

export const timelineMember = z
  .array(z.object({ kind, machineId, from: timestamp, until: timestamp.nullable(), values }))
  .openapi({ description: "What holds from now on. Only if the request says from when, until when, or `through`" });
