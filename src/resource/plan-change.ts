import { isDeepStrictEqual } from "node:util";
import { z } from "@hono/zod-openapi";
import { type SQL, sql } from "drizzle-orm";
import { outranks } from "../core/actor.ts";
import type { Caller } from "../core/caller.ts";
import { instant, nameText } from "../core/inputs.ts";
import { conflict, type Fault, forbidden, notFound, refusal } from "../core/problem.ts";
import type { CompanyDb } from "../db/client.ts";
import { columnsByIndex, inList } from "../db/conditions.ts";
import { setUpVersions } from "../db/schema.ts";
import { eachOf } from "../limits/load.ts";
import { callMachine } from "../objects/machines.ts";
import { maxOf } from "../oee/extremes.ts";
import { isoOf } from "../oee/time.ts";
import { rowAt, type StoredVersion, type Timeline, timelinesOf } from "./item-versions.ts";
import { type SetUpRow, type Statement, selectMachineIds } from "./queries.ts";
import type { Item, Resource } from "./resource.ts";
import { refuse } from "./rules.ts";
import { insertPlanned, keepPresent, type PlannedVersion, type VersionedMembers, versionsOfItem } from "./versions.ts";

/** Members of a change that say from when to when it holds. */
export const effectiveMembers = {
  effectiveFrom: instant.openapi({
    description:
      "From when the change holds: a future instant, or one of the past. Now if left out. Shifts that run at that instant keep their times",
  }),
  effectiveUntil: instant.openapi({
    description: "Until when it holds. If left out: each member until the next change of it that is known now",
  }),
  through: z.literal("all").openapi({ description: "It holds for ever, through all later changes that are known now" }),
  reason: nameText(500).openapi({ description: "Why: shown with the versions. Required for a change of the past" }),
};

export const dryRunFlag = z.boolean().openapi({
  description:
    "Only find out what the change would do: `dryRun` of the answer has the shifts that would differ. Nothing is changed, and an Idempotency-Key counts for nothing",
});

export interface Effective {
  effectiveFrom?: number;
  effectiveUntil?: number;
  through?: "all";
  reason?: string;
  dryRun?: boolean;
}

/** The most versions of an item that are yet to begin or end. */
const MOST_PLANNED = 100;
/** The most versions of an item that somebody dated. */
const MOST_DATED = 1000;

/** Parts a request into what changes, and from when to when. */
export function splitEffective<Row extends SetUpRow>(
  { versioned, inSetUp }: Resource<Row>,
  sent: Item,
): { effective: Effective; members: Item } {
  const { dryRun, ...others } = sent;
  if (!versioned) return inSetUp ? { effective: { dryRun: dryRun === true }, members: others } : { effective: {}, members: sent };
  const { effectiveFrom, effectiveUntil, through, reason, ...members } = others;
  const all = { effectiveFrom, effectiveUntil, through, reason, dryRun };
  const named = Object.entries(all).filter(([, value]) => value !== undefined);
  return { effective: Object.fromEntries(named) as Effective, members };
}

/** Whether a request says from when to when it holds. */
export function isDated({ effectiveFrom, effectiveUntil, through }: Effective): boolean {
  return (effectiveFrom ?? effectiveUntil ?? through) !== undefined;
}

/** Refuses dates for callers below an admin, who may change what holds now if the company grants it. */
export function refuseDates({ actor }: Pick<Caller, "actor">): void {
  if (outranks("admin", actor.role)) throw forbidden("Only admins may say from when to when a change holds.");
}

/**
 * Refuses dates that are not in order, and members that have no versions.
 * @throws Problem 400 that names each; 409 for an instant that has passed
 */
export function checkDates<Row extends SetUpRow>(
  { versioned = [] }: Resource<Row>,
  row: Row,
  members: Item,
  { effectiveFrom, effectiveUntil, through, reason }: Effective,
  now: number,
): void {
  const from = effectiveFrom ?? now;
  const known = new Set(versioned.filter(isFunctionOfTime).flatMap(({ sentOf }) => Object.keys(sentOf(row))));
  const faults: Fault[] = Object.keys(members)
    .filter((member) => !known.has(member))
    .map((member) => ({
      ...{ pointer: `/${member}`, code: "not_allowed" },
      message: "is the same at all times: change it without effectiveFrom, effectiveUntil and through",
    }));
  const { commissionedAt } = row as { commissionedAt?: number };
  if (effectiveFrom !== undefined && commissionedAt !== undefined && effectiveFrom < commissionedAt) {
    faults.push({ pointer: "/effectiveFrom", code: "out_of_range", message: "is before the machine's commissioning" });
  }
  if (effectiveUntil !== undefined && effectiveUntil <= from) {
    const message = effectiveFrom === undefined ? "must be in the future" : "must be after effectiveFrom";
    faults.push({ pointer: "/effectiveUntil", code: "not_in_order", message });
  }
  if (effectiveUntil !== undefined && through !== undefined) {
    faults.push({ pointer: "/through", code: "not_allowed", message: "is not allowed together with effectiveUntil" });
  }
  if (effectiveFrom !== undefined && effectiveFrom < now && reason === undefined) {
    faults.push({ pointer: "/reason", code: "required", message: "is required for a change of the past" });
  }
  refuse(faults);
  const ofPast = versioned.filter(
    ({ kind, sentOf }) => kind === "cause" && Object.keys(sentOf(row)).some((member) => member in members),
  );
  if (effectiveFrom !== undefined && effectiveFrom < now && ofPast.length > 0) {
    const message = `must not be before now (${isoOf(now)}): stops of the past keep what their cause meant then. To change them, change the cause without dates, and classify them again: POST /v1/stops/classify`;
    throw refusal(409, [{ pointer: "/effectiveFrom", code: "past", message }]);
  }
}

/** A row in a time of a change: what it is without it, from `at` to `until` (null: for ever), and what the change says of it then. */
export interface RowInTime<Row> {
  row: Row;
  at: number;
  until: number | null;
  sent: Item;
}

/**
 * The row as it is without a change, in each time between two other changes in which the change is to hold. Without an end, each member holds until the
 * next change of it that is known.
 */
export function rowsInTime<Row extends SetUpRow>(
  { versioned = [] }: Resource<Row>,
  row: Row,
  stored: readonly StoredVersion[],
  members: Item,
  { effectiveUntil, through }: Effective,
  from: number,
): RowInTime<Row>[] {
  const inTime = versioned.filter(isFunctionOfTime);
  const timelines = timelinesOf(inTime, row, stored);
  // A SKU has no timeline before its first standard.
  const kinds = inTime.filter((one) => Object.keys(one.sentOf(row)).some((member) => member in members));
  const changed = timelines.filter((one) => kinds.includes(one.members));
  const end = effectiveUntil ?? null;
  const starts = changed.flatMap(({ pieces }) => pieces.map(({ since }) => since));
  const later = [...new Set(starts)].filter((since) => since > from && (end === null || since < end)).sort((a, b) => a - b);
  const isLasting = effectiveUntil !== undefined || through !== undefined;
  return [from, ...later].map((at, i) => {
    const then = rowAt(timelines, row, at);
    const sent = isLasting ? members : stillSent(kinds, changed, then, members, { from, at });
    return { row: then, at, until: later[i] ?? end, sent };
  });
}

/** Whether it has another value at another time: the commissioning is an instant itself. */
function isFunctionOfTime({ kind }: { kind: string }): boolean {
  return kind !== "service";
}

/** Those members of a change that nothing has changed again up to an instant. */
function stillSent<Row extends SetUpRow>(
  kinds: readonly VersionedMembers<Row>[],
  timelines: readonly Timeline<Row>[],
  row: Row,
  sent: Item,
  { from, at }: { from: number; at: number },
): Item {
  const isReplacedIn = (members: VersionedMembers<Row>) => (machineId: number, member: string) =>
    timelines.some(
      (one) =>
        one.members === members &&
        one.machineId === machineId &&
        one.pieces.some(({ since, version }, i) => {
          const before = one.pieces[i - 1]?.version;
          return since > from && since <= at && before && !isDeepStrictEqual(before.body?.[member], version.body?.[member]);
        }),
    );
  return Object.fromEntries(kinds.flatMap((one) => Object.entries(one.sentIn(row, sent, isReplacedIn(one)))));
}

/** The times in which withdrawing a version changes an item: what it is with the version, and what it is without. */
export function withdrawalOf<Row extends SetUpRow>(
  { versioned = [], names }: Resource<Row>,
  row: Row,
  stored: readonly StoredVersion[],
  versionId: number,
): { version: StoredVersion; times: RowInTime<Row>[] } {
  const version = stored.find(({ id }) => id === versionId);
  if (!version) throw notFound(`There is no version ${versionId} of this ${names.noun}.`);
  const members = versioned.find(({ kind }) => kind === version.kind);
  if (version.withdrawnAt !== null || !members) return { version, times: [] };
  if (!version.isExplicit) {
    throw conflict(
      "Nobody dated it: it holds from when it was recorded. Change the item, with effectiveFrom if it was wrong from then on.",
    );
  }
  const withIt = timelinesOf([members], row, stored);
  // It stays among them: what has no version at all is taken from the row, which may have it from this one.
  const without = timelinesOf(
    [members],
    row,
    stored.map((one) => (one.id === versionId ? { ...one, withdrawnAt: Date.now() } : one)),
  );
  const { validFrom, validUntil } = version;
  const starts = [...withIt, ...without].flatMap(({ pieces }) => pieces.map(({ since }) => since));
  const isInside = (at: number) => at > validFrom && (validUntil === null || at < validUntil);
  const instants = [validFrom, ...[...new Set(starts)].filter(isInside).sort((a, b) => a - b)];
  const times = instants.map((at, i) => {
    const sent = members.sentOf(rowAt(without, row, at));
    return { row: rowAt(withIt, row, at), at, until: instants[i + 1] ?? validUntil, sent };
  });
  return { version, times: times.filter(({ row: before, sent }) => !isDeepStrictEqual(members.sentOf(before), sent)) };
}

/** The versions that a change makes of a row in a time. */
export function plannedVersions<Row extends SetUpRow>(
  { versioned = [] }: Resource<Row>,
  { row, at, until }: RowInTime<Row>,
  next: Row,
): PlannedVersion[] {
  return versioned.flatMap(({ kind, bodiesOf }) => {
    const [before, after] = [bodiesOf(row), bodiesOf(next)];
    const machineIds = new Set([...before.keys(), ...after.keys()]);
    return [...machineIds].flatMap((machineId) => {
      const [was, is] = [before.get(machineId) ?? null, after.get(machineId) ?? null];
      return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ kind, machineId, validFrom: at, validUntil: until, body: is }];
    });
  });
}

/** Refuses to date more than an item can have. */
export function refuseTooMany(stored: readonly StoredVersion[], planned: readonly PlannedVersion[], now: number): void {
  const isWaiting = (one: PlannedVersion) => one.validFrom > now || (one.validUntil ?? 0) > now;
  const waiting = stored.filter(({ dueAt }) => dueAt !== null).length;
  if (planned.some(isWaiting) && waiting + planned.filter(isWaiting).length > MOST_PLANNED) {
    throw conflict(
      `It has ${waiting} versions that are yet to begin or end, of at most ${MOST_PLANNED}: withdraw some, or wait.`,
    );
  }
  const dated = stored.filter(({ isExplicit, withdrawnAt }) => isExplicit && withdrawnAt === null).length;
  if (dated + planned.length > MOST_DATED) {
    throw conflict(`It has ${dated} versions with dates, of at most ${MOST_DATED}: withdraw some.`);
  }
}

/** The most machines that are asked from when they keep their events. Others leave what was before that as it is. */
const MOST_ASKED = 200;
const ASKED_AT_ONCE = 16;

/**
 * Refuses a change of a time whose events some machine does not keep any more.
 * @throws Problem 409 that names the instant from which changes are possible
 */
export async function refuseForgotten(
  { env, db, objects }: Pick<Caller, "env" | "db" | "objects">,
  companyId: number | null,
  machineIds: readonly number[] | "all",
  from: number,
): Promise<void> {
  if (companyId === null || from >= Date.now() || machineIds.length === 0) return;
  const ids = await selectMachineIds(db, companyId, machineIds, MOST_ASKED);
  const keptFrom: number[] = [];
  await eachOf(ids, ASKED_AT_ONCE, async ({ id }) => {
    keptFrom.push(await callMachine(env, id, (object) => object.recalculableFrom(), objects));
  });
  const latest = maxOf([0, ...keptFrom]);
  if (from >= latest) return;
  const message = `must not be before ${isoOf(latest)}: events are kept since then, and what is older cannot be computed again`;
  throw refusal(409, [{ pointer: "/effectiveFrom", code: "too_late", message }]);
}

/** The statements that store planned versions, after what the item has now where no version says it. */
export function storePlanned<Row extends SetUpRow>(
  caller: Pick<Caller, "db" | "actor" | "requestId">,
  { versioned = [] }: Resource<Row>,
  row: Row,
  planned: readonly PlannedVersion[],
  reason: string | null,
): Statement[] {
  const kinds = new Set(planned.map(({ kind }) => kind));
  const changed = versioned.filter(({ kind }) => kinds.has(kind));
  return [...keepPresent(caller.db, changed, [row]), insertPlanned(caller, row, planned, reason)];
}

/** A planned version as it will be stored: to show what will hold when. */
export function plannedAsStored(row: SetUpRow, { body, ...planned }: PlannedVersion, id: number): StoredVersion {
  const of = { companyId: row.companyId ?? 0, entity: String(row.id), id };
  const none = {
    apiTokenId: null,
    requestId: null,
    reason: null,
    withdrawnAt: null,
    withdrawnBy: null,
    userId: null,
    dueAt: null,
  };
  return { ...of, ...planned, ...none, isExplicit: true, recordedAt: Date.now(), body: body && { ...body } };
}

/** Condition: nobody has recorded or withdrawn a version of an item since these were read. */
export function areAllVersions<Row extends SetUpRow>(
  { versioned = [] }: Resource<Row>,
  row: Row,
  stored: readonly StoredVersion[],
): SQL {
  const kinds = JSON.stringify(versioned.map(({ kind }) => kind));
  const oldest = stored.at(-1)?.id ?? 0;
  const known = [stored.length, stored.filter(({ withdrawnAt }) => withdrawnAt !== null).length];
  return sql`(SELECT json_array(count(*), count(withdrawn_at)) FROM ${versionsOfItem} WHERE company_id = ${row.companyId}
    AND kind IN (SELECT value FROM json_each(${kinds})) AND entity = ${String(row.id)} AND id >= ${oldest}) = ${JSON.stringify(known)}`;
}

/** The statement that finds versions of an item that have begun or ended without its row having followed. */
export function selectOverdue<Row extends SetUpRow>(
  db: CompanyDb,
  versioned: readonly VersionedMembers<Row>[],
  companyId: SQL,
  ids: readonly (number | string)[],
) {
  const kinds = JSON.stringify(versioned.map(({ kind }) => kind));
  return db
    .select(columnsByIndex({ id: setUpVersions.id }))
    .from(versionsOfItem)
    .where(sql`company_id = ${companyId} AND kind IN (SELECT value FROM json_each(${kinds})) AND ${inList(sql`entity`, ids.map(String))}
      AND due_at <= ${Date.now()}`)
    .limit(1);
}
