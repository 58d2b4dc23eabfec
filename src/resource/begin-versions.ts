import { isDeepStrictEqual } from "node:util";
import { and, asc, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { Caller } from "../core/caller.ts";
import { newObjectUsage } from "../core/object-usage.ts";
import { Problem } from "../core/problem.ts";
import { type CompanyDb, companyDb, directoryDb } from "../db/client.ts";
import { setUpVersions } from "../db/schema.ts";
import { rowAt, type StoredVersion, selectVersions, timelinesOf } from "./item-versions.ts";
import { changeItem } from "./items.ts";
import { isNumbered, type SetUpRow, selectRow } from "./queries.ts";
import type { Resource } from "./resource.ts";
import { endVersion, type VersionedMembers } from "./versions.ts";

// An item's row has what is in force now. When a version begins or ends later, the row follows it then.

/** The statement that finds versions that have begun or ended, but whose items have not followed yet. */
export function findDue(db: CompanyDb, now: number, limit: number) {
  const isDue = and(isNotNull(setUpVersions.dueAt), lte(setUpVersions.dueAt, now));
  return db.select().from(setUpVersions).where(isDue).orderBy(asc(setUpVersions.dueAt)).limit(limit);
}

/**
 * Makes the row of an item follow its versions: the same change as if somebody made it at `now` (epoch ms). What it would contradict then withdraws
 * the versions that begin, and the row stays.
 * Returns a line for each that was withdrawn.
 * @param due those versions of one kind and item that have begun or ended; at least one
 */
export async function followVersions<Row extends SetUpRow>(
  env: Env,
  resource: Resource<Row>,
  members: VersionedMembers<Row>,
  due: readonly StoredVersion[],
  now: number,
): Promise<string[]> {
  const [first] = due;
  if (!first) return [];
  const { table } = resource;
  const { companyId, entity } = first;
  const id = isNumbered(table) ? Number(entity) : entity;
  const work: Promise<unknown>[] = [];
  let withdrawn: string[] = [];
  const caller = callerOf(env, due, work);
  const [rows, known] = await caller.db.batch([
    selectRow(caller.db, table, caller, { id, companyId }),
    selectVersions(caller.db, [members], companyId, id),
  ]);
  const row = rows[0] as Row | undefined;
  const sent = row && members.sentOf(rowAt(timelinesOf([members], row, known), row, now));
  if (row && !isDeepStrictEqual(sent, members.sentOf(row))) {
    try {
      await changeItem(caller, resource, { id, companyId }, { ...sent }, { isBeginning: true });
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      withdrawn = await withdraw(caller.db, due, now, error.message);
    }
  }
  await caller.db.batch([setFollowed(caller.db, first, now)]);
  await Promise.all(work);
  return withdrawn;
}

/** Withdraws the versions that begin. Returns a line for each. */
async function withdraw(db: CompanyDb, due: readonly StoredVersion[], now: number, reason: string): Promise<string[]> {
  const begun = due.filter(({ validUntil }) => validUntil === null || validUntil > now);
  for (const version of begun) await endVersion(db, version, { at: now, by: null });
  return begun.map(({ id }) => `version ${id} is withdrawn: ${reason}`);
}

/** The statement after which an item is not due again before the next of its versions ends. */
function setFollowed(db: CompanyDb, { companyId, kind, entity }: StoredVersion, now: number) {
  const { dueAt, validUntil } = setUpVersions;
  const isOne = and(
    eq(setUpVersions.companyId, companyId),
    eq(setUpVersions.kind, kind),
    eq(setUpVersions.entity, entity),
    lte(dueAt, now),
  );
  return db
    .update(setUpVersions)
    .set({ dueAt: sql`iif(${validUntil} > ${now}, ${validUntil}, NULL)` })
    .where(isOne);
}

/** Whoever recorded the newest of the versions: the audit says that they changed the item. */
function callerOf(env: Env, due: readonly StoredVersion[], work: Promise<unknown>[]): Caller {
  const newest = due.reduce((one, other) => (other.id > one.id ? other : one));
  const { companyId, userId, apiTokenId, requestId } = newest;
  const apiToken = apiTokenId === null ? {} : { apiToken: { id: apiTokenId, isReadOnly: false, machineIds: null } };
  return {
    env,
    db: companyDb(env, "first-primary"),
    directory: directoryDb(env),
    actor: { kind: "user", userId: userId ?? 0, userName: null, companyId, role: "admin", ...apiToken },
    requestId: requestId ?? crypto.randomUUID(),
    request: null,
    objects: newObjectUsage(),
    origin: "",
    continueAt: () => undefined,
    continueAtPrimary: () => undefined,
    outside: (call) => call(),
    afterwards: (one) => void work.push(one),
  };
}
