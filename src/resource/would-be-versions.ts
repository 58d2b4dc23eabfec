import { maxOf, minOf } from "../oee/extremes.ts";
import type { StoredVersion } from "./item-versions.ts";
import type { SetUpRow } from "./queries.ts";
import { BEFORE_VERSIONS, type VersionedMembers } from "./versions.ts";

// What the statements of versions.ts would store, for dry runs. Tests compare both: a dry run has to agree with the change.

/** The versions of an item with those of a change from now on: see `recordVersions`. */
export function versionsRecorded<Row extends SetUpRow>(
  members: readonly VersionedMembers<Row>[],
  known: readonly StoredVersion[],
  before: Row,
  next: Row,
): StoredVersion[] {
  return members.reduce(
    (all: StoredVersion[], one) => {
      const [old, present] = [one.bodiesOf(before), one.bodiesOf(next)];
      const gone = [...old.keys()].filter((machineId) => !present.has(machineId));
      const bodies = new Map<number, object | null>([...present, ...gone.map((machineId): [number, null] => [machineId, null])]);
      if ([...bodies].every(([machineId, body]) => textOf(old.get(machineId)) === textOf(body))) return all;
      const kept = versionsKept([one], all, before);
      return withVersions(kept, next, one.kind, bodies, { at: next.updatedAt, comparedAt: next.updatedAt, reason: null });
    },
    [...known],
  );
}

/** The versions of an item with what it has now where no version says it: see `keepPresent`. */
export function versionsKept<Row extends SetUpRow>(
  members: readonly VersionedMembers<Row>[],
  known: readonly StoredVersion[],
  row: Row,
): StoredVersion[] {
  const values = { at: row.updatedAt, comparedAt: Date.now(), reason: BEFORE_VERSIONS };
  return members.reduce(
    (all: StoredVersion[], { kind, bodiesOf }) => {
      const bodies = bodiesOf(row);
      const ofKind = all.filter((one) => one.kind === kind).sort((a, b) => a.id - b.id);
      const last = new Map(ofKind.map((one) => [one.machineId, one]));
      const missing = [...last.keys()].filter((machineId) => kind === "standard" && !bodies.has(machineId));
      const ended = withVersions(all, row, kind, new Map(missing.map((machineId) => [machineId, null])), values);
      return withVersions(ended, row, kind, bodies, values);
    },
    [...known],
  );
}

/** Adds those values that are not in force at `comparedAt`, from `at` until the next change that is known. */
function withVersions(
  known: readonly StoredVersion[],
  { companyId, id: entity }: SetUpRow,
  kind: StoredVersion["kind"],
  bodies: ReadonlyMap<number, object | null>,
  { at, comparedAt, reason }: { at: number; comparedAt: number; reason: string | null },
): StoredVersion[] {
  const nextId = maxOf([0, ...known.map(({ id }) => id)]) + 1;
  const added = [...bodies].flatMap(([machineId, body]): StoredVersion[] => {
    const same = known.filter((one) => one.kind === kind && one.machineId === machineId && one.withdrawnAt === null);
    const holding = same.filter(
      ({ validFrom, validUntil }) => validFrom <= comparedAt && (validUntil === null || validUntil > comparedAt),
    );
    const inForce = holding.sort((a, b) => b.id - a.id)[0];
    if (textOf(inForce?.body) === textOf(body)) return [];
    const none = { userId: null, apiTokenId: null, requestId: null, withdrawnAt: null, withdrawnBy: null, dueAt: null };
    const times = { validFrom: at, validUntil: nextEdge(same, at), recordedAt: Date.now(), isExplicit: false };
    return [
      {
        companyId: companyId ?? 0,
        id: 0,
        kind,
        entity: String(entity),
        machineId,
        body: body && { ...body },
        reason,
        ...times,
        ...none,
      },
    ];
  });
  return [...known, ...added.map((one, i) => ({ ...one, id: nextId + i }))];
}

/** When another version begins or ends to hold after an instant; null: none does. One that a later version covers then does neither. */
function nextEdge(same: readonly StoredVersion[], after: number): number | null {
  const edges = same.flatMap(({ id, validFrom, validUntil }) => [
    { id, at: validFrom },
    ...(validUntil === null ? [] : [{ id, at: validUntil }]),
  ]);
  const isCovered = ({ id, at }: { id: number; at: number }) =>
    same.some((one) => one.id > id && one.validFrom <= at && (one.validUntil === null || one.validUntil >= at));
  const later = edges.filter((edge) => edge.at > after && !isCovered(edge)).map(({ at }) => at);
  return later.length > 0 ? minOf(later) : null;
}

function textOf(body: object | null | undefined): string | null {
  return body ? JSON.stringify(body) : null;
}
