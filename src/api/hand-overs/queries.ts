import { and, desc, eq, getTableColumns, gte, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { takeId } from "../../core/sequence.ts";
import type { CompanyDb } from "../../db/client.ts";
import { ifBetween, ifGiven, ifListed, ifOfLines } from "../../db/conditions.ts";
import { isUnchanged } from "../../db/expect.ts";
import { handOvers, lines, machines, shiftRecords, shifts } from "../../db/schema.ts";
import type { Interval } from "../../oee/time.ts";
import type { HandOverQuery } from "./query.ts";

type HandOverValues = typeof handOvers.$inferSelect;
export type HandOverRow = Awaited<ReturnType<typeof selectHandOver>>[number];

/** The most machines of a shift. */
const MOST_MACHINES = 1000;

const names = {
  shiftName: sql<string>`${shifts.name}`.as("shift_name"),
  lineName: sql<string | null>`(SELECT name FROM ${lines} WHERE ${lines.id} = ${handOvers.lineId})`.as("line_name"),
};

/** The statement that reads a hand-over of a company (undefined: of any). */
export function selectHandOver(db: CompanyDb, id: number, companyId: number | undefined) {
  return db
    .select({ ...getTableColumns(handOvers), ...names })
    .from(handOvers)
    .innerJoin(shifts, eq(shifts.id, handOvers.shiftId))
    .where(and(eq(handOvers.id, id), ifGiven(handOvers.companyId, companyId)));
}

/** The statement that reads the hand-overs that match a query, the newest shift first, one more than its limit. */
export function selectHandOvers(db: CompanyDb, query: HandOverQuery) {
  const { companyId, shiftIds, lineIds, date, isAcknowledged, from, to, cursor, limit } = query;
  const { figures: _, ...columns } = getTableColumns(handOvers);
  return db
    .select({ ...columns, ...names })
    .from(handOvers)
    .innerJoin(shifts, eq(shifts.id, handOvers.shiftId))
    .where(
      and(
        ifGiven(handOvers.companyId, companyId),
        ifListed(sql`+${handOvers.shiftId}`, shiftIds),
        ifListed(sql`+${handOvers.lineId}`, lineIds),
        date === undefined ? undefined : sql`+${handOvers.date} = ${date}`,
        isAcknowledged === undefined ? undefined : (isAcknowledged ? isNotNull : isNull)(handOvers.acknowledgedAt),
        ifBetween(handOvers.shiftStart, from, to),
        cursor && sql`(${handOvers.shiftStart}, ${handOvers.id}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(handOvers.shiftStart), desc(handOvers.id))
    .limit(limit + 1);
}

type Ids = readonly number[] | undefined;
type Key = Pick<HandOverValues, "companyId" | "date" | "shiftId" | "lineId">;

function hasKey({ companyId, date, shiftId, lineId }: Key): SQL | undefined {
  return and(
    eq(handOvers.companyId, companyId),
    eq(handOvers.date, date),
    eq(handOvers.shiftId, shiftId),
    eq(handOvers.lineId, lineId),
  );
}

/** The statement that reads the id of the hand-over of a shift and line: none or one row. */
export function selectHandOverOf(db: CompanyDb, key: Key) {
  return db.select({ id: handOvers.id }).from(handOvers).where(hasKey(key));
}

/**
 * The statement that reads what was handed over of a shift, without figures: first of all machines, then of lines.
 * @param lineIds, machineIds only those of these lines, or of the lines of these machines, and of all machines; undefined: of any
 */
export function selectHandOversOfShift(
  db: CompanyDb,
  { lineIds, machineIds, limit, ...key }: Omit<Key, "lineId"> & { lineIds?: Ids; machineIds?: Ids; limit: number },
) {
  const { companyId, date, shiftId, lineId, notes, watch, writtenByName, acknowledgedByName } = getTableColumns(handOvers);
  return db
    .select({ shiftId, date, lineId, notes, watch, writtenByName, acknowledgedByName, lineName: names.lineName })
    .from(handOvers)
    .where(
      and(
        eq(companyId, key.companyId),
        eq(date, key.date),
        eq(shiftId, key.shiftId),
        ifListed(lineId, lineIds && [0, ...lineIds]),
        machineIds &&
          sql`(${lineId} = 0 OR ${lineId} IN (SELECT line_id FROM ${machines} WHERE ${ifListed(machines.id, machineIds)}))`,
      ),
    )
    .orderBy(lineId)
    .limit(limit);
}

/** Condition: there is no hand-over of the shift and line. */
export function hasNone(key: Key): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${handOvers} WHERE ${hasKey(key)})`;
}

/** Condition: the hand-over is unchanged since it was read. */
export function isSameHandOver(row: Pick<HandOverValues, "id" | "updatedAt">): SQL {
  return isUnchanged(handOvers, row);
}

/** The statement that reserves the id of a new hand-over. */
export function takeHandOverId(db: CompanyDb) {
  return takeId(db, handOvers);
}

/** The statement that stores a hand-over. */
export function insertHandOver(db: CompanyDb, values: HandOverValues) {
  return db.insert(handOvers).values(values);
}

/** The statement that updates columns of a hand-over. */
export function updateHandOver(db: CompanyDb, id: number, values: Partial<HandOverValues>) {
  return db.update(handOvers).set(values).where(eq(handOvers.id, id));
}

/** The statement that reads a shift of a company (undefined: of any). */
export function selectShift(db: CompanyDb, id: number, companyId: number | undefined) {
  return db
    .select({ id: shifts.id, name: shifts.name, companyId: shifts.companyId })
    .from(shifts)
    .where(and(eq(shifts.id, id), ifGiven(shifts.companyId, companyId)));
}

/** The statement that reads a line of a company (undefined: of any). */
export function selectLine(db: CompanyDb, id: number, companyId: number | undefined) {
  return db
    .select({ id: lines.id, name: lines.name, companyId: lines.companyId })
    .from(lines)
    .where(and(eq(lines.id, id), ifGiven(lines.companyId, companyId)));
}

/** The statement that reads the machines that began a shift on a day, with when it starts and ends there. */
export function selectMachinesOfShift(
  db: CompanyDb,
  { companyId, shiftId, lineId, day }: { companyId: number; shiftId: number; lineId: number; day: Interval },
) {
  return db
    .select({ machineId: shiftRecords.machineId, start: shiftRecords.startAt, end: shiftRecords.endAt })
    .from(shiftRecords)
    .where(
      and(
        eq(shiftRecords.companyId, companyId),
        eq(shiftRecords.shiftId, shiftId),
        gte(shiftRecords.startAt, day.start),
        lt(shiftRecords.startAt, day.end),
        ifOfLines(shiftRecords, lineId === 0 ? undefined : [lineId]),
      ),
    )
    .limit(MOST_MACHINES);
}
